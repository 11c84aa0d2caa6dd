"""A page on a loopback server, fetched, found and removed."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.flows.surfaces import CommandLine

PAGE = "<html><head><title>Release notes</title></head><body><h1>Version 3</h1><p>The seal is new.</p></body></html>"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGE.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/notes"
        server.shutdown()
        thread.join()


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
