"""`-` reads standard input: a question, or content to index, in whatever encoding it comes."""

import codecs
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.flows.launch import open_library
from tests.flows.surfaces import PRODUCT, settings

from minirag_mcp.shell import cli

TEXT = "# Pumpe\n\nDie Dichtung läuft über; Größe 12 für das Gehäuse der Pumpe.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "a.md").write_text("# Seal\n\nThe seal leaks.\n", "utf-8")
    return root


def piped(data: bytes, *arguments: str, root: Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [*PRODUCT, *arguments],
        input=data,
        env=settings(root, root.parent / "index"),
        cwd=root,
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_a_question_may_come_through_a_pipe(folder: Path) -> None:
    assert piped(b"", "sync", root=folder).returncode == 0
    for data in (b"seal\n", codecs.BOM_UTF8 + b"seal", "seal\r\n".encode("utf-16"), b"\n\n seal \n"):
        done = piped(data, "query", "-", "--json", root=folder)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["results"][0]["displayPath"] == "a.md"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp1252"])
def test_content_through_a_pipe_is_read_as_a_file_would_be(encoding: str, folder: Path) -> None:
    done = piped(TEXT.encode(encoding), "ingest", "-", "--source", "note", "--json", root=folder)
    assert json.loads(done.stdout) == {
        "ingested": [{"source": "note", "chunkCount": 1, "title": "Pumpe"}],
        "failed": [],
    }
    assert piped(b"", "read", "--source", "note", root=folder).stdout.decode() == TEXT


def test_a_page_says_its_own_encoding(folder: Path) -> None:
    page = '<html><head><meta charset="windows-1251"></head><body><p>Ёлка</p></body></html>'.encode("cp1251")
    done = piped(page, "ingest", "-", "--source", "tree", "--format", "html", "--title", "A tree", root=folder)
    assert done.stdout.decode() == "tree  (1 chunk)  A tree\n1 source indexed\n"
    assert piped(b"", "read", "--source", "tree", root=folder).stdout.decode() == "Ёлка"


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "Standard input is empty."), (b" \n\t", "is empty"), (bytes(range(256)) * 20, "binary data, not text")],
)
def test_what_is_no_text_is_refused(data: bytes, said: str, folder: Path) -> None:
    asked = piped(data, "query", "-", root=folder)
    assert (asked.returncode, asked.stdout) == (1, b"")
    assert said in asked.stderr.decode()
    given = piped(data, "ingest", "-", "--source", "x", "--json", root=folder)
    assert given.returncode == 1
    failed = json.loads(given.stdout)["failed"]
    assert [one["source"] for one in failed] == ["x"]
    assert said in failed[0]["error"]


def test_content_over_the_limit_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_FILE_SIZE", "100")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 101)))
    flags = [f"--base-dir={folder}", f"--db-path={folder.parent / 'index'}"]
    assert cli.run(["ingest", "-", "--source", "big", *flags], opening=open_library) == 1
    assert not (folder.parent / "index").exists()


@pytest.mark.parametrize("source", ["", "../x", "/etc/passwd", "a\nb", "x" * 2_000])
def test_an_id_that_cannot_be_is_refused(source: str, folder: Path) -> None:
    done = piped(b"text", "ingest", "-", "--source", source, "--json", root=folder)
    assert done.returncode == 1
    assert json.loads(done.stdout)["failed"][0]["code"] == "invalid_request"


class Keyboard(io.StringIO):
    """Someone who types, but nothing."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_what_is_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard("seal"))
    flags = [f"--base-dir={folder}", f"--db-path={folder.parent / 'index'}"]
    assert cli.run(["query", "-", *flags], opening=open_library) == 0
    assert capsys.readouterr().err.startswith("Type the question; end with Ctrl-")


def test_a_file_named_dash_is_still_within_reach(folder: Path) -> None:
    assert b"./-" in piped(b"", "ingest", "-", "b.md", "--source", "x", root=folder).stderr
    assert b"Standard input" not in piped(b"", "ingest", "./-", root=folder).stderr
