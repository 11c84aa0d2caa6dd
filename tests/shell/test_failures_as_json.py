"""Whatever fails, a program that asked for JSON gets one object on stdout, and an exit code."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.flows.launch import open_library
from tests.flows.surfaces import REPOSITORY
from tests.shell.client import environment, run
from tests.shell.test_cli import defective, interrupted

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import IndexBusyError, ModelError
from minirag_mcp.shell import cli

COMMANDS = {
    "ingest": ["a.md"],
    "ingest-url": ["https://example.com"],
    "sync": [],
    "query": ["x"],
    "read-neighbors": ["--source", "x", "--chunk-index", "0"],
    "read": ["a.md"],
    "list": [],
    "status": [],
    "delete": ["a.md"],
}


def busy(_settings: Settings) -> Library:
    raise IndexBusyError("The index is being written.")


def modelless(_settings: Settings) -> Library:
    raise ModelError("There is no model.")


FAILURES: dict[str, tuple[Callable[[Settings], Library], int]] = {
    "error": (defective, 1),
    "cancelled": (interrupted, 130),
    "index_busy": (busy, 1),
    "model_error": (modelless, 1),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("code", FAILURES)
def test_a_failure_of_the_work(command: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opening, exit_code = FAILURES[code]
    left = cli.run([command, *COMMANDS[command], f"--base-dir={tmp_path}", "--json"], opening=opening)
    shown = capsys.readouterr()
    fields = json.loads(shown.out)
    if command == "status" and code in ("index_busy", "model_error"):
        assert (left, shown.err) == (0, "")
        assert fields["indexError"]
        return
    assert (left, shown.err) == (exit_code, "")
    assert fields["error"]["code"] == code
    assert fields["error"]["message"]
    assert fields["error"]["remedy"]


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_usage(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.run([command, *COMMANDS[command], "--json", "--nonsense"])
    assert caught.value.code == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["error"]["code"] == "usage"
    assert shown.err.startswith(f"usage: minirag-mcp {command} ")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("The seal leaks.", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["read", "absent.md"], "source_not_found"),
        (["read", "--source", "absent"], "source_not_found"),
        (["delete", "absent.md"], "source_not_found"),
        (["read-neighbors", "--source", "absent", "--chunk-index", "0"], "source_not_found"),
        (["read-neighbors", "--source", "a.md", "--chunk-index", "99"], "invalid_request"),
        (["read", "a.md", "--offset", "9999"], "invalid_request"),
        (["read", "../outside.md"], "outside_roots"),
        (["query", " "], "invalid_request"),
        (["query", "x", "--scope", "/elsewhere"], "outside_roots"),
        (["sync", "absent"], "path_not_found"),
        (["ingest-url", "ftp://example.com"], "url_refused"),
        (["ingest-url", "http://127.0.0.1:1/"], "url_refused"),
        (["list", "--base-dir", ""], "config_error"),
        (["list", "--db-path", "a.md"], "index_error"),
    ],
)
def test_a_request_that_cannot_be_answered(
    arguments: list[str], code: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (here / "a.md").exists()
    assert cli.run(["sync"], opening=open_library) == 0
    capsys.readouterr()
    assert cli.run([*arguments, "--json"], opening=open_library) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["error"]["code"] == code
    assert shown.err == ""


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("delete no-such-id", "source_not_found"),
        ("read no-such-id", "source_not_found"),
        ("delete {here}/outside.md", "outside_roots"),
        ("delete outside.md", "outside_roots"),
        ("delete /elsewhere/gone.md", "outside_roots"),
        ("delete ../gone.md", "outside_roots"),
    ],
)
def test_from_outside_the_roots_an_unknown_id_is_told_from_a_path_outside(
    arguments: str, code: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "docs").mkdir()
    (here / "outside.md").write_text("Not a document of the root.", "utf-8")
    words = [word.format(here=here) for word in arguments.split()]
    assert cli.run([*words, "--json", "--base-dir", str(here / "docs")], opening=open_library) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    said = "is not in the index" if code == "source_not_found" else "is outside the configured document roots"
    assert error["code"] == code
    assert f"{Path(words[1]).name} {said}." in error["message"]


@pytest.mark.parametrize("paths", [["absent.md"], ["empty.txt", "a.md"], ["empty"], ["x.bin"]])
def test_files_that_cannot_be_indexed(paths: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty").mkdir()
    for name in ("empty.txt", "x.bin"):
        (here / name).write_bytes(b"")
    assert cli.run(["ingest", *paths, "--json"], opening=open_library) == 1
    shown = capsys.readouterr()
    fields = json.loads(shown.out)
    assert [Path(one["source"]).name for one in fields["failed"]] == [paths[0]]
    assert len(fields["ingested"]) == len(paths) - 1
    assert shown.err.count(str(here / paths[0])) == 1
    assert shown.err.startswith("warn: ")


INTERRUPTED_EARLY = """
import os, sys
from minirag_mcp.__main__ import main

module, number, *line = sys.argv[1:]

class Interrupts:
    def find_spec(self, name, *_):
        if name == module:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), int(number))

sys.meta_path.insert(0, Interrupts())
sys.argv = ["minirag-mcp", *line]
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(
    "module",
    [
        "minirag_mcp.shell.cli_help",
        "minirag_mcp.shell.cli_terminal",
        "minirag_mcp.config",
        "minirag_mcp.shell.cli_commands",
        "minirag_mcp.engine",
        "minirag_mcp.store.sqlite",
        "minirag_mcp.ingest.walk",
    ],
)
def test_an_interruption_while_anything_is_imported(
    module: str, number: signal.Signals, code: int, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_EARLY, module, str(int(number)), "list", "--json"],
        env=environment(PYTHONPATH=os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["error"]["code"] == "cancelled"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_setting(command: str, tmp_path: Path) -> None:
    done = run([command, *COMMANDS[command], "--json"], env=environment(CHUNK_TOKEN_BUDGET="many"), cwd=tmp_path)
    fields = json.loads(done.stdout)
    if command == "status":
        assert done.returncode == 0
        assert "CHUNK_TOKEN_BUDGET" in fields["configError"]
        return
    assert done.returncode == 1
    assert fields["error"]["code"] == "config_error"
