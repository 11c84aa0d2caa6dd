"""A page on a loopback server, fetched, found and removed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.flows.page import served_page
from tests.flows.surfaces import CommandLine


@pytest.fixture
def address() -> Iterator[str]:
    with served_page() as page:
        yield page


def test_a_page_is_indexed_under_its_address_or_an_id_of_choice(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALLOW_PRIVATE_URLS", "1")
    root = tmp_path / "documents"
    root.mkdir()
    line = CommandLine(root, tmp_path / "index")
    done = line.run("ingest-url", address)
    assert done.returncode == 0
    assert done.stdout == f"{address}  (1 chunk)  Release notes\n"
    named = json.loads(line.run("ingest-url", address, "--source", "notes", "--title", "Notes", "--json").stdout)
    assert named == {"source": "notes", "chunkCount": 1, "title": "Notes"}
    hits = json.loads(line.run("query", "seal", "--scope", address, "--json").stdout)["results"]
    assert [(hit["source"], hit["sourceType"], hit["displayPath"]) for hit in hits] == [(address, "url", address)]
    assert "The seal is new." in line.run("read", "--source", "notes").stdout
    assert line.run("delete", "--source", address).returncode == 0
    states = json.loads(line.run("list", "--json").stdout)["files"]
    assert [(one["source"], one["sourceType"], one["state"]) for one in states] == [("notes", "url", "ingested")]


def test_a_private_address_is_refused_by_default(address: str, tmp_path: Path) -> None:
    done = CommandLine(tmp_path, tmp_path / "index").run("ingest-url", address, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "url_refused"
    assert not (tmp_path / "index").exists()
