import inspect

import pytest

from minirag_mcp import errors
from minirag_mcp.shell import tools
from minirag_mcp.shell.remedies import for_models

_ALL = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.MiniragError)]


@pytest.mark.parametrize("kind", _ALL)
def test_no_remedy_sends_a_model_to_a_shell(kind: type[errors.MiniragError]) -> None:
    text = for_models(kind("Something is wrong."))
    assert text.startswith("Something is wrong. ")
    assert "`minirag-mcp" not in text


def test_commands_become_the_tools_of_the_same_work() -> None:
    problem = errors.MiniragError("See `minirag-mcp list`.", remedy="Use `list_files` (`minirag-mcp list`), or sync.")
    assert for_models(problem) == "See `list_files`. Use `list_files`, or sync."
    problem = errors.MiniragError("Gone.", remedy="Run `minirag-mcp read-neighbors --before 2`.")
    assert for_models(problem) == "Gone. Run `read_chunk_neighbors`."


def test_a_command_without_a_tool_stays() -> None:
    problem = errors.MiniragError("Not there.", remedy="Run `minirag-mcp model`.")
    assert for_models(problem) == "Not there. Run `minirag-mcp model`."


def test_every_command_names_a_tool_that_exists() -> None:
    from minirag_mcp.shell.cli_commands import COMMANDS
    from minirag_mcp.shell.remedies import _TOOLS

    assert set(_TOOLS) == set(COMMANDS)
    assert set(_TOOLS.values()) <= set(tools.BY_NAME)
