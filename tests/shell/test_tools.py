"""What a client sees of the tools, and that the reference page says the same."""

import re
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.shell import golden_tools

from minirag_mcp.config import MAX_INSTRUCTIONS_APPEND
from minirag_mcp.model import MarkKind
from minirag_mcp.shell import calls, declaration, mcp_server, schemas, tools

DOCUMENT = Path(__file__).parents[2] / "docs" / "tools.md"

PARAMETERS = {
    "sync_start": ["path"],
    "sync_status": ["jobId", "offset", "limit"],
    "ingest_file": ["filePath"],
    "ingest_data": ["data", "source", "format", "title"],
    "ingest_url": ["url", "source", "title"],
    "search_knowledge": ["query", "k", "doc_class"],
    "query_documents": ["query", "topK", "scope", "docClass", "offset", "maxChars"],
    "read_chunk_neighbors": ["chunkIndex", "filePath", "source", "before", "after"],
    "read_file": ["filePath", "source", "parentId", "offset", "limit"],
    "list_files": ["scope", "offset", "limit"],
    "delete_file": ["filePath", "source"],
    "status": [],
}
REQUIRED = {
    "sync_status": ["jobId"],
    "ingest_file": ["filePath"],
    "ingest_data": ["data", "source", "format"],
    "ingest_url": ["url"],
    "query_documents": ["query"],
    "search_knowledge": ["query"],
    "read_chunk_neighbors": ["chunkIndex"],
}


def test_there_are_twelve_tools_and_each_has_work_behind_it() -> None:
    assert set(tools.BY_NAME) == set(PARAMETERS)
    assert set(calls.CALLS) == set(PARAMETERS) - {"status", "search_knowledge"}


def test_the_tools_are_declared_as_clients_know_them() -> None:
    assert golden_tools.written_out() == golden_tools.FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("tool", tools.TOOLS, ids=lambda tool: tool.name)
def test_parameters_are_flat_described_and_closed(tool: declaration.Tool) -> None:
    schema = tool.input_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]) == PARAMETERS[tool.name]  # type: ignore[call-overload]
    assert schema["required"] == REQUIRED.get(tool.name, [])
    assert schema["additionalProperties"] is False
    for parameter in tool.parameters:
        fields = parameter.schema()
        assert fields["type"] in ("string", "integer")
        assert len(str(fields["description"])) > 20
        assert not {"anyOf", "oneOf", "allOf", "$ref"} & set(fields)


@pytest.mark.parametrize("tool", tools.TOOLS, ids=lambda tool: tool.name)
def test_answers_are_declared_as_objects(tool: declaration.Tool) -> None:
    jsonschema.Draft202012Validator.check_schema(tool.output)
    assert tool.output["type"] == "object"


def _undescribed(schema: dict[str, Any], path: str) -> list[str]:
    inner = schema.get("properties", {}) | ({"[]": schema["items"]} if "items" in schema else {})
    here = [] if schema.get("description") or path.endswith("[]") else [path]
    return here + [name for key, one in inner.items() for name in _undescribed(one, f"{path}.{key}")]


@pytest.mark.parametrize("tool", tools.TOOLS, ids=lambda tool: tool.name)
def test_every_field_of_an_answer_is_described(tool: declaration.Tool) -> None:
    assert [path for path in _undescribed(dict(tool.output), "") if path] == []


@pytest.mark.parametrize("tool", tools.TOOLS, ids=lambda tool: tool.name)
def test_descriptions_fit_what_clients_keep(tool: declaration.Tool) -> None:
    assert 100 < len(tool.description) < 2_000
    assert len(tool.title) <= 40


def test_what_reads_text_says_that_it_is_data() -> None:
    for name in ("query_documents", "search_knowledge", "read_chunk_neighbors", "read_file"):
        assert "data" in tools.BY_NAME[name].description
        assert "instructions" in tools.BY_NAME[name].description


def test_annotations_are_honest() -> None:
    reads = {"read_chunk_neighbors", "read_file", "list_files", "sync_status", "status"}
    readers = {"query_documents", "search_knowledge"} | reads
    assert {tool.name for tool in tools.TOOLS if tool.read_only} == readers
    assert {tool.name for tool in tools.TOOLS if tool.open_world} == {"ingest_url"}
    removes = {"sync_start", "ingest_data", "ingest_url", "delete_file"}
    assert {tool.name for tool in tools.TOOLS if tool.destructive} == removes
    assert {tool.name for tool in tools.TOOLS if not tool.idempotent} == {"ingest_url"}


def test_instructions_are_short_and_name_only_real_tools_and_fields() -> None:
    text = mcp_server.instructions()
    assert 500 < len(text) < 2_000
    assert "data" in text
    assert "citation.text" in text
    known = set(tools.BY_NAME) | {name for tool in tools.TOOLS for name in tool.names} | _fields(tools.TOOLS)
    for word in re.findall(r"`([a-zA-Z_]+)`", text):
        assert word in known | {"running"}, word


def test_what_a_user_adds_to_the_instructions_fits_with_them() -> None:
    text = mcp_server.instructions("x" * MAX_INSTRUCTIONS_APPEND)
    assert text.endswith("\n\n" + "x" * MAX_INSTRUCTIONS_APPEND)
    assert len(text) < 2_000


def test_every_kind_of_place_is_named() -> None:
    page, schema = DOCUMENT.read_text(encoding="utf-8"), str(schemas.ANSWER)
    for kind in MarkKind:
        assert kind.value in schema.partition("'place'")[2].partition("unknown")[0], kind
        assert kind.value in page.partition("`place`")[2].partition("\n\n")[0], kind


def test_the_reference_page_has_every_tool_parameter_and_field() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert set(sections) == set(tools.BY_NAME)
    for tool in tools.TOOLS:
        rows = re.findall(r"^\| `(\w+)` \|", sections[tool.name], re.MULTILINE)
        assert rows == PARAMETERS[tool.name], tool.name
        named = set(re.findall(r"`([\w.\[\]]+)`", sections[tool.name]))
        words = {word for name in named for word in re.split(r"[.\[\]]+", name)}
        assert _fields([tool]) <= words, _fields([tool]) - words


def _fields(chosen: tuple[declaration.Tool, ...] | list[declaration.Tool]) -> set[str]:
    return {name for tool in chosen for name in _names(tool.output)}


def _names(schema: object) -> set[str]:
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties", {})
    inner = [*properties.values(), schema.get("items")]
    return set(properties).union(*(_names(one) for one in inner))
