"""Names and texts of documents cannot break or forge what a person sees."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.flows.launch import open_library
from tests.shell.test_terminal import Screen

from minirag_mcp.shell import cli
from minirag_mcp.shell.cli_terminal import Terminal
from minirag_mcp.shell.printable import escaped, one_line

FORGED = "a\nwarn: forged\x1b[31m\x9b2J\r\u202egpj.md"


def test_what_cannot_be_seen_is_written_out() -> None:
    assert one_line(FORGED) == r"a\nwarn: forged\x1b[31m\x9b2J\r\u202egpj.md"
    assert escaped("two\nlines\tand\x1b[0m") == "two\nlines\tand\\x1b[0m"
    assert one_line("می\u200cخواهم 👩\u200d🔧 naïve 日本") == "می\u200cخواهم 👩\u200d🔧 naïve 日本"


@given(st.text())
def test_a_name_is_always_one_line_and_harmless(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in one_line(text))


def test_a_warning_cannot_steer_the_terminal() -> None:
    err = io.StringIO()
    Terminal(io.StringIO(), err).warn(FORGED)
    assert err.getvalue() == "warn: a warn: forged\\x1b[31m\\x9b2J \\u202egpj.md\n"


def test_a_document_is_harmless_on_a_terminal_and_exact_in_a_file() -> None:
    for out, shown in ((Screen(), "x\\x1b[2J\n"), (io.StringIO(), "x\x1b[2J\n")):
        Terminal(out, io.StringIO(), environment={"NO_COLOR": "1"}).document("x\x1b[2J\n")
        assert out.getvalue() == shown


def test_json_on_a_terminal_holds_no_control_characters() -> None:
    out = io.StringIO()
    Terminal(out, io.StringIO()).result_json({"a": FORGED})
    assert json.loads(out.getvalue()) == {"a": FORGED}
    assert not {"\x1b", "\x9b", "\u202e"} & set(out.getvalue())


def test_file_names_and_titles_are_harmless_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "docs"
    root.mkdir()
    try:
        (root / FORGED).write_text("# Seal \x1b[31mred\n\nThe seal \x1b[31m leaks.\n", encoding="utf-8")
        (root / "b\n\x1b[2Kfailed.docx").write_bytes(b"no archive")
    except OSError:
        pytest.skip("this file system does not take such names")
    flags = [f"--base-dir={root}", f"--db-path={tmp_path / 'index'}"]
    commands = (["sync"], ["ingest", str(root)], ["list"], ["query", "seal"], ["status"], ["read", "absent\x1b.md"])
    neighbors = ["read-neighbors", "--file-path", str(root / FORGED), "--chunk-index", "0"]
    for command in (*commands, neighbors, ["delete", str(root / FORGED)]):
        cli.run([*command, *flags], opening=open_library)
        shown = capsys.readouterr()
        assert shown.out + shown.err, command
        assert not {"\x1b", "\x9b", "\u202e", "\r"} & set(shown.out + shown.err), command
        assert not [line for line in shown.out.splitlines() if line.startswith(("warn: forged", "failed.docx"))]
