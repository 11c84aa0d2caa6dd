"""Help texts: as checked by a person, for every terminal, with what a user needs next."""

import re
import shlex
from pathlib import Path

import pytest
from tests.shell import golden_help
from tests.shell.client import environment, run

from minirag_mcp.shell import cli_parser

TEXTS = golden_help.texts()
OWN = [name for name in TEXTS if name not in ("minirag-mcp.txt", "completion.txt", "help.txt")]


def test_every_help_text_is_as_checked() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in golden_help.FOLDER.iterdir()}
    assert kept == TEXTS


@pytest.mark.parametrize("name", TEXTS)
def test_a_help_text_fits_every_screen_and_code_page(name: str) -> None:
    assert TEXTS[name].isascii()
    assert "Exit codes: 0 " in TEXTS[name]
    if name != "completion.txt":  # its lines are to be copied whole
        assert max(map(len, TEXTS[name].splitlines())) <= 88


@pytest.mark.parametrize("name", OWN)
def test_a_subcommand_shows_examples_that_work_and_its_variables(name: str) -> None:
    assert "Environment variables: " in TEXTS[name]
    examples = re.findall(r"^  (?:.*\| )?minirag-mcp (.+)$", TEXTS[name].partition("Examples:")[2], re.MULTILINE)
    assert examples
    for example in examples:
        cli_parser.build().parse_args(shlex.split(example))


@pytest.mark.parametrize("columns", ["1", "10", "20"])
@pytest.mark.parametrize("arguments", [["--help"], ["query", "--help"], ["quer"]])
def test_help_can_be_read_on_the_narrowest_terminal(arguments: list[str], columns: str, tmp_path: Path) -> None:
    done = run(arguments, env=environment(COLUMNS=columns), cwd=tmp_path)
    assert done.returncode == (2 if arguments == ["quer"] else 0)
    assert b"usage: " in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("asked", [["help"], ["--help"], ["-h"]])
def test_help_is_had_by_word_and_by_option(asked: list[str], tmp_path: Path) -> None:
    done = run(asked, env=environment(COLUMNS="80"), cwd=tmp_path)
    assert (done.returncode, done.stdout.decode()) == (0, TEXTS["minirag-mcp.txt"])


def test_help_of_a_command_is_that_of_its_option(tmp_path: Path) -> None:
    env = environment(COLUMNS="80")
    asked = run(["help", "sync"], env=env, cwd=tmp_path)
    assert (asked.returncode, asked.stdout) == (0, run(["sync", "--help"], env=env, cwd=tmp_path).stdout)
