"""The reference page of the tools says of each parameter and answer what is so, and nothing else."""

import re
from pathlib import Path

import pytest
from tests.test_public_surface import VARIABLES

from minirag_mcp.shell import tools
from minirag_mcp.shell.declaration import Parameter, Tool

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")
SECTIONS: dict[str, str] = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
each_tool = pytest.mark.parametrize("tool", tools.TOOLS, ids=lambda tool: tool.name)


def told(parameter: Parameter) -> str:
    """How the page gives the type of a parameter."""
    more = "required" if parameter.required else parameter.default
    return parameter.kind if more is None else f"{parameter.kind}, {more}"


@each_tool
def test_each_parameter_has_its_type_and_default(tool: Tool) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", SECTIONS[tool.name], re.MULTILINE)
    assert rows == [(parameter.name, told(parameter)) for parameter in tool.parameters]


@each_tool
def test_the_choices_and_the_highest_values_of_a_parameter_are_named(tool: Tool) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*?\| (.*?) \|$", SECTIONS[tool.name], re.MULTILINE))
    for parameter in tool.parameters:
        assert all(f"`{choice}`" in rows[parameter.name] for choice in parameter.choices)
        if parameter.maximum is not None:
            assert f"{parameter.minimum} to {parameter.maximum}" in rows[parameter.name]


@each_tool
def test_an_answer_names_no_field_or_value_that_does_not_exist(tool: Tool) -> None:
    answer = SECTIONS[tool.name].partition("Answer: ")[2]
    assert answer
    written = {word for name in re.findall(r"`([\w.]+)`", answer) for word in name.split(".")}
    asked = {parameter.name for one in tools.TOOLS for parameter in one.parameters}
    assert written - words_of(tool.output) - asked - set(tools.BY_NAME) - set(VARIABLES) == set()


def words_of(schema: object) -> set[str]:
    """Every name and every value of a choice in a schema."""
    if isinstance(schema, list):
        return set().union(*map(words_of, schema))
    if not isinstance(schema, dict):
        return set()
    own = (
        {*schema.get("properties", {}), *schema.get("enum", [])}
        if isinstance(schema.get("properties", {}), dict)
        else set()
    )
    return own.union(*(words_of(value) for value in schema.values()))
