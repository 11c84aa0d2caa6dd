"""Help, usage errors and the reference page of the command line."""

import argparse
import re
from pathlib import Path

import pytest

from minirag_mcp.shell import cli_commands, cli_parser, cli_usage

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"
QUARTET = {"--base-dir", "--db-path", "--cache-dir", "--model-name"}
OPTIONS = {
    "ingest": {"--source", "--format", "--title"},
    "ingest-url": {"--source", "--title"},
    "sync": set(),
    "query": {"--top-k", "--scope", "--doc-class", "--sections"},
    "read-neighbors": {"--file-path", "--source", "--chunk-index", "--before", "--after"},
    "read": {"--source", "--parent-id", "--offset", "--limit"},
    "list": {"--scope"},
    "status": set(),
    "doctor": set(),
    "delete": {"--source"},
    "connect": {"--name", "--project", "--remove", "--dry-run", "--yes"},
}


WITHOUT_LIBRARY = {"completion", "help"}


def subcommands() -> dict[str, argparse.ArgumentParser]:
    return cli_usage.subcommands(cli_parser.build())


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {text for action in parser._actions for text in action.option_strings} - {"-h", "--help"}


def test_there_is_work_behind_each_subcommand() -> None:
    assert set(subcommands()) - WITHOUT_LIBRARY == set(OPTIONS) == set(cli_commands.COMMANDS)


@pytest.mark.parametrize("name", OPTIONS)
def test_each_subcommand_takes_its_options_the_quartet_and_json(name: str) -> None:
    assert options(subcommands()[name]) == OPTIONS[name] | QUARTET | {"--json"}


def test_every_option_has_a_help_text() -> None:
    for command in subcommands().values():
        assert all(action.help for action in command._actions)


def test_options_come_after_the_subcommand_and_base_dir_repeats() -> None:
    given = cli_parser.build().parse_args(["list", "--base-dir", "a", "--base-dir", "b", "--scope", "x", "--json"])
    assert (given.base_dir, given.scope, given.json) == (["a", "b"], ["x"], True)
    again = cli_parser.build().parse_args(["list"])
    assert (again.base_dir, again.scope) == ([], [])


@pytest.mark.parametrize(
    "arguments",
    [
        ["bogus"],
        ["--base-dir", "x", "list"],
        ["query"],
        ["query", "x", "--top-k", "many"],
        ["query", "x", "--top"],
        ["ingest"],
        ["read"],
        ["read", "a.md", "--source", "x"],
        ["delete"],
        ["read-neighbors", "--chunk-index", "1"],
        ["read-neighbors", "--file-path", "a.md"],
        ["read-neighbors", "--file-path", "a.md", "--source", "x", "--chunk-index", "1"],
        ["status", "extra"],
        ["connect"],
        ["connect", "emacs"],
        ["connect", "cursor", "--yes", "--dry-run"],
        ["connect", "cursor", "--name", "a.b"],
        ["connect", "cursor", "--name", ""],
    ],
)
def test_wrong_usage_exits_with_2_and_says_why_on_stderr(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        cli_parser.build().parse_args(arguments)
    assert caught.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "error: " in shown.err


def test_the_reference_page_has_every_subcommand_and_option() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `([\w-]+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert set(sections) == set(OPTIONS) | WITHOUT_LIBRARY
    for name, own in OPTIONS.items():
        assert set(re.findall(r"^\| `(--[\w-]+)", sections[name], re.MULTILINE)) == own, name
    assert set(re.findall(r"^\| `(--[\w-]+)", page.partition("## `")[0], re.MULTILINE)) == QUARTET | {"--json"}
