"""What a document shows to be copied works: commands are understood, configurations whole, defaults true."""

import json
import re
import shlex
import tomllib
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from minirag_mcp.config import Flags, load_settings
from minirag_mcp.errors import ConfigError
from minirag_mcp.shell import cli_parser
from tests.snippets import ROOT, Snippet, blocks, commands, inline
from tests.test_public_surface import HERE, ROWS, VARIABLES, default, settings

PROGRAM = "minirag-mcp"
COMMANDS = commands()
OURS = [one for one in COMMANDS if Path(shlex.split(one.text)[0]).name == PROGRAM]
MADE = [one for one in COMMANDS + inline("make") if shlex.split(one.text)[0] == "make"]
ADDED = [one for one in COMMANDS if " -- " in one.text]
INLINE = inline(PROGRAM)
CONFIGURED = [(one, json.loads(one.text)) for one in blocks("json")]
CONFIGURED += [(one, tomllib.loads(one.text)) for one in blocks("toml")]


def test_the_documents_show_commands_and_configurations() -> None:
    shown = {one.document for one in OURS}
    assert {"README.md", "cli.md"} <= shown
    assert len(CONFIGURED) >= 3
    assert ADDED
    assert INLINE


@pytest.mark.parametrize("command", OURS, ids=str)
def test_a_command_that_is_shown_is_understood(command: Snippet) -> None:
    own = takewhile(lambda word: word not in (">", ">>", "|"), shlex.split(command.text)[1:])
    words = [word for word in own if word != "…"]
    if words and words[0] not in ("--version", "--help"):
        cli_parser.build().parse_args(words)


@pytest.mark.parametrize("command", INLINE, ids=str)
def test_a_command_in_running_text_has_real_names(command: Snippet) -> None:
    name, *rest = command.text.split()[1:]
    if name.startswith("-"):
        assert name in ("--version", "--help")
        return
    help_text = parser_of(name).format_help()
    for option in (word for word in rest if word.startswith("--")):
        assert re.search(rf"^ +(-\w, )?{option}\b", help_text, re.MULTILINE), command


def parser_of(name: str) -> Any:
    (subparsers,) = (action for action in cli_parser.build()._actions if action.dest == "command")
    assert isinstance(subparsers.choices, dict)
    assert name in subparsers.choices
    return subparsers.choices[name]


@pytest.mark.parametrize("command", MADE, ids=str)
def test_a_make_target_that_is_shown_exists(command: Snippet) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = [word for word in shlex.split(command.text)[1:] if "=" not in word]
    assert targets
    for target in targets:
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("command", ADDED, ids=str)
def test_a_command_that_adds_the_server_to_a_client_is_whole(command: Snippet) -> None:
    before, _, after = command.text.partition(" -- ")
    (program,) = shlex.split(after)
    assert Path(program).is_absolute()
    assert Path(program).name == PROGRAM
    given = dict(re.findall(r"--env ([A-Z_]+)=(\S+)", before))
    load_settings(Flags(), require_known(given), cwd=HERE, user_cache_dir=HERE)


@pytest.mark.parametrize(("shown", "configuration"), CONFIGURED, ids=lambda one: str(one)[:50])
def test_a_configuration_that_is_shown_starts_the_server(shown: Snippet, configuration: dict[str, Any]) -> None:
    ((key, servers),) = configuration.items()
    assert key in ("mcpServers", "servers", "mcp_servers"), shown
    assert (servers["minirag"].get("type") == "stdio") is (key == "servers")
    assert set(servers["minirag"]) <= {"type", "command", "args", "env"}
    assert Path(servers["minirag"]["command"]).is_absolute()
    assert Path(servers["minirag"]["command"]).name == PROGRAM
    assert not servers["minirag"].get("args")
    load_settings(Flags(), require_known(servers["minirag"]["env"]), cwd=HERE, user_cache_dir=HERE)


def require_known(given: dict[str, str]) -> dict[str, str]:
    assert given
    assert set(given) <= set(VARIABLES)
    return given


@pytest.mark.parametrize("value", re.findall(r"`BASE_DIRS=('.*?')`", (ROOT / "README.md").read_text("utf-8")))
def test_several_folders_are_given_as_shown(value: str) -> None:
    (given,) = shlex.split(value)
    assert len(settings(BASE_DIRS=given).roots) == 2


DEFAULTS = {
    "BASE_DIR": "current folder",
    "BASE_DIRS": "current folder",
    "DB_PATH": "<first root>/.minirag/index",
    "CACHE_DIR": "the user's cache folder",
    "RAG_GROUPING": "unset",
    "RAG_MAX_DISTANCE": "unset",
    "RAG_MAX_FILES": "unset",
    "ALLOW_PRIVATE_URLS": "off",
}


def test_every_default_of_the_readme_is_the_one_in_force() -> None:
    plain = settings()
    assert plain.roots == (HERE,)
    assert plain.db_path == HERE / ".minirag" / "index"
    assert plain.cache_dir == HERE / "cache"
    assert not plain.allow_private_urls
    assert (plain.search.grouping, plain.search.max_distance, plain.search.max_files) == (None, None, None)
    assert {name: default(name) for name in DEFAULTS} == DEFAULTS


def test_a_range_that_the_readme_gives_is_the_one_that_holds() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    ((low, high),) = re.findall(r"`CHUNK_TOKEN_BUDGET`.*?(\d+) to (\d+)", text)
    for name, least, most in (("CHUNK_TOKEN_BUDGET", low, high), ("RAG_HYBRID_WEIGHT", "0", "1")):
        settings(**{name: least})
        settings(**{name: most})
        for outside in (str(int(least) - 1), str(int(most) + 1)):
            with pytest.raises(ConfigError, match=name):
                settings(**{name: outside})


def test_the_table_of_variables_has_one_row_for_each() -> None:
    names = [name for row, _ in ROWS for name in re.findall("[A-Z_]+", row)]
    assert sorted(names) == sorted(VARIABLES)
