"""What others build on: names, limits, settings and commands, and that the README says the same."""

import re
import shlex
from inspect import signature
from pathlib import Path

import pytest

from minirag_mcp import model
from minirag_mcp.config import Flags, Settings, load_settings
from minirag_mcp.engine import MOST_NEIGHBORS, Library
from minirag_mcp.parse.registry import SUFFIXES
from minirag_mcp.retrieve.query import MAX_TOP_K
from minirag_mcp.shell import cli_parser, product, tools
from minirag_mcp.shell.product import DEFAULT_TOP_K

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
HERE = Path("/here").absolute()

LIBRARY = {
    "close",
    "delete",
    "display_path",
    "examine",
    "indexed",
    "ingest_data",
    "ingest_file",
    "ingest_files",
    "ingest_url",
    "list_files",
    "marks",
    "query",
    "read",
    "read_neighbors",
    "start_sync",
    "status",
    "sync",
    "sync_status",
    "wait",
    "warm_up",
}
VARIABLES = {
    "BASE_DIR": "docs",
    "BASE_DIRS": '["docs", "work"]',
    "DB_PATH": "index",
    "CACHE_DIR": "models",
    "MODEL_NAME": "another/model",
    "MAX_FILE_SIZE": "1000",
    "CHUNK_TOKEN_BUDGET": "200",
    "RAG_HYBRID_WEIGHT": "0.3",
    "RAG_GROUPING": "similar",
    "RAG_MAX_DISTANCE": "0.5",
    "RAG_MAX_FILES": "3",
    "RAG_SNAPSHOT_DEDUPE": "0",
    "RAG_HANDOFF_MIRROR_DIR": "sessions",
    "RAG_HANDOFF_MIRROR_BASENAMES": '["today.md"]',
    "ALLOW_PRIVATE_URLS": "1",
    "RAG_INSTRUCTIONS_APPEND": "The folder holds manuals.",
}
ROWS: list[tuple[str, str]] = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \| (.*?) \|", README, re.MULTILINE)
COMMANDS: list[str] = re.findall(r"^minirag-mcp (.+)$", README, re.MULTILINE)


def settings(**environment: str) -> Settings:
    return load_settings(Flags(), environment, cwd=HERE, user_cache_dir=HERE / "cache")


def default(row: str) -> str:
    return next(shown.strip("`") for names, shown in ROWS if row in names)


def test_the_library_offers_these_methods() -> None:
    assert {name for name in vars(Library) if not name.startswith("_")} == LIBRARY


def test_every_noun_is_exported_once_in_order() -> None:
    assert model.__all__ == sorted(set(model.__all__))
    assert all(hasattr(model, name) for name in model.__all__)


@pytest.mark.parametrize("name", VARIABLES)
def test_every_variable_changes_a_setting(name: str) -> None:
    assert settings(**{name: VARIABLES[name]}) != settings()


def test_the_readme_lists_every_variable_with_its_default() -> None:
    assert {name for names, _ in ROWS for name in re.findall("[A-Z_]+", names)} == set(VARIABLES)
    plain = settings()
    assert default("MODEL_NAME") == plain.model_name
    assert int(default("MAX_FILE_SIZE")) == plain.max_file_size
    assert int(default("CHUNK_TOKEN_BUDGET")) == plain.chunk_token_budget
    assert float(default("RAG_HYBRID_WEIGHT")) == plain.search.hybrid_weight
    assert (default("RAG_SNAPSHOT_DEDUPE") == "1") is plain.snapshot_dedupe
    assert default("RAG_HANDOFF_MIRROR_DIR") == plain.handoff_mirror_dir


def test_the_readme_lists_every_tool() -> None:
    listed = README.partition("Twelve tools:")[2].partition("([reference]")[0]
    assert re.findall(r"`(\w+)`", listed) != []
    assert set(re.findall(r"`(\w+)`", listed)) == set(tools.BY_NAME)


def test_the_readme_shows_commands() -> None:
    assert COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_is_understood(command: str) -> None:
    cli_parser.build().parse_args(shlex.split(command, comments=True))


def test_the_limits_that_tools_declare_are_those_that_hold() -> None:
    fields = {
        parameter.name: parameter
        for tool in (tools.BY_NAME["query_documents"], tools.BY_NAME["read_chunk_neighbors"])
        for parameter in tool.parameters
    }
    assert (fields["topK"].default, fields["topK"].maximum) == (DEFAULT_TOP_K, None)
    assert f"more than {MAX_TOP_K} counts as {MAX_TOP_K}" in fields["topK"].description
    assert (fields["before"].maximum, fields["after"].maximum) == (MOST_NEIGHBORS, MOST_NEIGHBORS)
    assert product.MOST_NEIGHBORS == MOST_NEIGHBORS
    asked = signature(Library.query).parameters
    around = signature(Library.read_neighbors).parameters
    assert asked["top_k"].default == DEFAULT_TOP_K
    assert [around[side].default for side in ("before", "after")] == [fields["before"].default, fields["after"].default]


def test_the_tool_for_one_file_names_every_format() -> None:
    listed = tools.BY_NAME["ingest_file"].description.partition("Supported: ")[2].partition(".")[0]
    assert {f".{name}" for name in listed.split(", ")} == SUFFIXES
