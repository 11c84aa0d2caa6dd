"""Each shell speaks its own words: tools and their arguments to models, commands and flags to people."""

import ast
import inspect
from pathlib import Path

import pytest
from tests.fakes.embedder import HashedEmbedder

import minirag_mcp
from minirag_mcp import errors
from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import RequestError, SyncBusyError
from minirag_mcp.shell import tools
from minirag_mcp.shell.cli_commands import COMMANDS
from minirag_mcp.shell.remedies import TOOL_OF_COMMAND, answer_for_models, for_models, for_people
from minirag_mcp.shell.wire import Json

ALL = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.MiniragError)]
ROOMS = Path(minirag_mcp.__file__).parent
FOR_PEOPLE_ONLY = {"connect", "doctor"}
SPOKEN_BY_THE_LIBRARY_TOO = {"status", "sync_status"}


@pytest.mark.parametrize("kind", ALL)
def test_no_remedy_sends_a_model_to_a_shell(kind: type[errors.MiniragError]) -> None:
    text = for_models(kind("Something is wrong.").explanation)
    assert text.startswith("Something is wrong. ")
    assert "`minirag-mcp" not in text
    assert "--" not in text
    assert "stop that process" not in text


@pytest.mark.parametrize("kind", ALL)
def test_no_remedy_names_a_tool_to_a_person(kind: type[errors.MiniragError]) -> None:
    text = for_people(kind("Something is wrong.").explanation)
    assert not [name for name in tools.BY_NAME if f"`{name}`" in text]


def test_nothing_below_the_shells_names_a_tool() -> None:
    rooms = [path for path in ROOMS.rglob("*.py") if path.parent.name != "shell"]
    told = [text for path in rooms for text in _messages(ast.parse(path.read_text(encoding="utf-8")))]
    assert len(told) > 100
    names = set(tools.BY_NAME) - SPOKEN_BY_THE_LIBRARY_TOO
    assert [(name, text) for text in told for name in names if name in text] == []


def _messages(tree: ast.AST) -> list[str]:
    """The strings of several words, without docstrings."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documents]
    return [node.value for node in found if isinstance(node.value, str) and " " in node.value]


def test_commands_become_the_tools_of_the_same_work() -> None:
    assert for_models("See `minirag-mcp list`, or sync.") == "See `list_files`, or sync."
    assert for_models("Run `minirag-mcp read-neighbors --before 2`.") == "Run `read_chunk_neighbors`."
    assert for_models("Run `minirag-mcp model`.") == "Run `minirag-mcp model`."
    assert set(TOOL_OF_COMMAND) == set(COMMANDS) - FOR_PEOPLE_ONLY
    assert set(TOOL_OF_COMMAND.values()) <= set(tools.BY_NAME)


def test_arguments_are_named_as_each_shell_takes_them() -> None:
    assert for_models("top_k is 0") == "topK is 0"
    assert for_people("top_k is 0") == "--top-k is 0"


def test_everything_the_server_says_for_itself_is_translated_and_no_document_is() -> None:
    command = "`minirag-mcp sync`"
    answer: Json = {
        "text": command,
        "notice": f"See {command}.",
        "warnings": [f"Run {command}."],
        "errors": [{"source": command, "error": f"Then {command}."}],
        "parents": {"1:1": command},
    }
    assert answer_for_models(answer) == {
        "text": command,
        "notice": "See `sync_start`.",
        "warnings": ["Run `sync_start`."],
        "errors": [{"source": command, "error": "Then `sync_start`."}],
        "parents": {"1:1": command},
    }


@pytest.fixture
def library(tmp_path: Path) -> Library:
    (tmp_path / "docs").mkdir()
    settings = Settings(roots=(tmp_path / "docs",), db_path=tmp_path / "index", cache_dir=tmp_path)
    return Library(settings, embedder=HashedEmbedder())


def test_a_folder_given_as_a_file_is_called_a_folder(library: Library, tmp_path: Path) -> None:
    with library, pytest.raises(RequestError, match="docs is a folder") as caught:
        library.ingest_file(tmp_path / "docs")
    assert "`sync_start`" in for_models(caught.value.remedy)
    assert "`minirag-mcp sync PATH`" in for_people(caught.value.remedy)


def test_a_second_sync_names_the_first_and_how_to_follow_it(library: Library, tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / "docs" / f"{number}.md").write_text(f"# Note {number}\n\n" + "words " * 500, "utf-8")
    with library:
        job = library.start_sync()
        with pytest.raises(SyncBusyError, match=job.job_id) as caught:
            library.start_sync()
    assert "`sync_status`" in caught.value.remedy
    assert "process" not in caught.value.remedy
