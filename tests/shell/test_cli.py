"""What the command line makes of interruptions, vanished readers and defects."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from tests.fakes.embedder import HashedEmbedder
from tests.shell.client import environment

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.shell import cli, opening, stdio

CLOSED_PIPE = """
import os, sys
from minirag_mcp.__main__ import main
sys.argv = ["minirag-mcp", "status"]
sys.exit(main())
"""


def interrupted(_settings: Settings) -> Library:
    raise KeyboardInterrupt


def defective(_settings: Settings) -> Library:
    raise RuntimeError("a defect")


def hashed(settings: Settings) -> Library:
    return Library(settings, embedder=HashedEmbedder())


def test_an_interruption_is_one_line_and_exit_code_130(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["list", f"--base-dir={tmp_path}"], opening=interrupted) == 130
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: Interrupted.")
    assert shown.err.count("\n") == 1


def test_a_defect_is_one_line_with_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["list", f"--base-dir={tmp_path}"], opening=defective) == 1
    assert capsys.readouterr().err.startswith("error: Unexpected RuntimeError: a defect (This is a defect;")
    assert cli.run(["list", f"--base-dir={tmp_path}", "--json"], opening=defective) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "error"


def interrupted_inside(settings: Settings) -> Library:
    try:
        return interrupted(settings)
    except KeyboardInterrupt as interruption:
        raise ImportError("initialization failed") from interruption


def test_an_interruption_of_native_code_is_an_interruption(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["list", f"--base-dir={tmp_path}"], opening=interrupted_inside) == 130
    assert capsys.readouterr().err.startswith("error: Interrupted.")


def test_whoever_hunts_a_defect_gets_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIRAG_DEBUG", "1")
    with pytest.raises(RuntimeError, match="a defect"):
        cli.run(["list", f"--base-dir={tmp_path}"], opening=defective)


class Gone(io.StringIO):
    """A pipe whose reader has left."""

    def write(self, _text: str) -> int:
        raise BrokenPipeError


def test_a_reader_that_leaves_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with redirect_stdout(Gone()):
        assert cli.run(["list", f"--base-dir={tmp_path}"], opening=hashed) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes there do not report a reader that has left")
def test_a_closed_pipe_leaves_no_complaint(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", CLOSED_PIPE],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(BASE_DIRS="not json"),
        cwd=tmp_path,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_stdout_that_a_caller_has_replaced_is_used_as_it_is() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        assert stdio.result_stdout() is out


def test_warnings_of_status_and_of_a_search_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = [f"--base-dir={tmp_path / 'nowhere'}", f"--db-path={tmp_path / 'index'}"]
    assert cli.run(["status", *flags], opening=hashed) == 0
    assert "warn: The document root" in capsys.readouterr().err
    assert cli.run(["query", "seal", *flags], opening=hashed) == 0
    shown = capsys.readouterr()
    assert shown.out == "No results.\n"
    assert shown.err.startswith("warn: ")


def test_a_variable_with_a_slip_in_its_name_is_named_with_the_one_that_was_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_HYBRID_WIEGHT", "0.2")
    monkeypatch.setenv("RAG_MCP_DB_PATH", str(tmp_path))
    (tmp_path / "pump.md").write_text("# Pump", "utf-8")
    flags = [f"--base-dir={tmp_path}", f"--db-path={tmp_path / 'index'}"]
    said = (
        "The variable RAG_HYBRID_WIEGHT is none of this program's and changes nothing; did you mean RAG_HYBRID_WEIGHT?"
    )
    assert cli.run(["status", *flags], opening=hashed) == 0
    assert f"warn: {said}" in capsys.readouterr().err
    assert cli.run(["status", "--json", *flags], opening=hashed) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [said]
    cli.run(["doctor", *flags], opening=hashed)
    assert f"configuration: {said}" in capsys.readouterr().out


def test_an_index_folder_that_is_a_file_is_told_by_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index").write_text("not a folder", "utf-8")
    flags = [f"--base-dir={tmp_path}", f"--db-path={tmp_path / 'index'}"]
    for command in (["query", "seal"], ["list"], ["sync"], ["read", "a.md"], ["delete", "a.md"]):
        assert cli.run([*command, *flags], opening=hashed) == 1
        assert "index is not a folder" in capsys.readouterr().err, command
    assert cli.run(["status", "--json", *flags], opening=hashed) == 0
    fields = json.loads(capsys.readouterr().out)
    assert "index is not a folder" in fields["indexError"]
    assert fields["maxFiles"] is None


def test_a_warning_names_a_file_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.py").write_text("print()", "utf-8")
    (tmp_path / "broken.docx").write_bytes(b"no archive")
    paths = [str(tmp_path / name) for name in ("x.py", "broken.docx", "absent.md")]
    assert cli.run(["ingest", *paths, f"--base-dir={tmp_path}", "--db-path", str(tmp_path / "i")], opening=hashed) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [sum(line.count(path) for line in lines) for path in paths] == [1, 1, 1]


def test_a_scope_that_matches_nothing_is_a_warning_and_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("The seal leaks.", "utf-8")
    flags = [f"--base-dir={tmp_path}", f"--db-path={tmp_path / 'i'}"]
    assert cli.run(["sync", *flags], opening=hashed) == 0
    capsys.readouterr()
    for command in (["list"], ["query", "seal"]):
        assert cli.run([*command, "--scope", "nope", *flags], opening=hashed) == 0
        shown = capsys.readouterr()
        assert shown.out.startswith("No ")
        assert "under the scope nope" in shown.err


def test_a_folder_without_documents_is_a_failure_to_ingest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bare").mkdir()
    flags = [f"--base-dir={tmp_path}", f"--db-path={tmp_path / 'i'}"]
    assert cli.run(["ingest", str(tmp_path / "bare"), *flags], opening=hashed) == 1
    assert f"No supported file is under {tmp_path / 'bare'}" in capsys.readouterr().err


def test_a_process_opens_its_library_once_and_closes_it(tmp_path: Path) -> None:
    opener = opening.Opener(environment={"BASE_DIR": str(tmp_path)}, opening=hashed)
    opener.close()
    assert opener.library() is opener.library()
    opener.close()
    opener.close()


def test_the_product_opens_with_the_bundled_model_without_loading_it(tmp_path: Path) -> None:
    opener = opening.Opener(environment={"BASE_DIR": str(tmp_path), "CACHE_DIR": str(tmp_path / "models")})
    try:
        status = opening.status(opener)
    finally:
        opener.close()
    assert status["model"] == "multilingual-e5-small-q4"
    assert status["sourceCount"] == 0
    assert not (tmp_path / ".minirag").exists()
    assert not (tmp_path / "models").exists()
