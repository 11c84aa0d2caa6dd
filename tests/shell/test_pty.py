"""Commands on real terminals, wide and narrow."""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.flows.surfaces import PRODUCT, settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")

NONE: Mapping[str, str] = {}
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    text = "The seals of the pump leak whenever it is cold outside; 北京大学在北京。"
    (root / "a.md").write_text(f"# Pump\n\n{text}\n", "utf-8")
    (root / "empty.txt").write_bytes(b"")
    assert on_terminal(["sync"], root)[0] == 1
    return root


def on_terminal(
    arguments: list[str], root: Path, *, columns: int = 80, typed: bytes = b"", env: Mapping[str, str] = NONE
) -> tuple[int, str]:
    """Exit code, and what the terminal of so many columns got."""
    import fcntl
    import pty
    import struct
    import termios

    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**settings(root, root.parent / "index"), "TERM": "xterm", **env}
    child = os.posix_spawn(
        PRODUCT[0],
        [*PRODUCT, *arguments],
        environment,
        file_actions=[*((os.POSIX_SPAWN_DUP2, there, number) for number in range(3)), (os.POSIX_SPAWN_CLOSE, here)],
    )
    os.close(there)
    os.write(here, typed)
    shown = b""
    while True:
        try:
            piece = os.read(here, 65_536)
        except OSError:  # how Linux tells that the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(here)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


@pytest.mark.parametrize("columns", [1, 2, 5, 10, 20])
@pytest.mark.parametrize("arguments", [["query", "seal"], ["sync"], ["ingest", "."], ["list"], ["--help"]])
def test_nothing_breaks_on_the_narrowest_terminal(arguments: list[str], columns: int, folder: Path) -> None:
    code, shown = on_terminal(arguments, folder, columns=columns)
    assert code == (1 if arguments[0] in ("sync", "ingest") else 0)
    assert "Traceback" not in shown
    bars = [frame.partition("\r")[0] for frame in shown.split("\r\x1b[2K")[1:]]
    assert all(len(bar) < max(columns, 2) for bar in bars if bar.startswith("["))


def test_the_words_of_the_question_are_coloured_and_lines_fit(folder: Path) -> None:
    code, shown = on_terminal(["query", "seal", "北京"], folder, columns=40)
    assert code == 0
    assert {"\x1b[1;31mseals\x1b[0m", "\x1b[1;31m北京\x1b[0m"} <= set(re.findall(r"\x1b\[1;31m.*?\x1b\[0m", shown))
    assert max(len(ESCAPE.sub("", line)) for line in shown.splitlines()) <= 40


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb"), ("CLICOLOR", "0")])
def test_colours_can_be_refused(name: str, value: str, folder: Path) -> None:
    assert "\x1b" not in on_terminal(["query", "seal"], folder, env={name: value})[1]


def test_a_question_can_be_typed(folder: Path) -> None:
    code, shown = on_terminal(["query", "-"], folder, typed=b"seal\n\x04", env={"NO_COLOR": "1"})
    assert code == 0
    assert "Type the question; end with Ctrl-D" in shown
    assert "1. Pump" in shown


def test_nothing_typed_is_an_error(folder: Path) -> None:
    code, shown = on_terminal(["query", "-"], folder, typed=b"\x04", env={"NO_COLOR": "1"})
    assert code == 1
    assert "error: Standard input is empty." in shown
