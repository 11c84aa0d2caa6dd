"""mcp.yaml starts the server as a hub would, and names the tools that there are."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from scripts.write_manifest import FILE, manifest

from minirag_mcp.shell.tools import BY_NAME, TOOLS
from tests.shell.client import environment

MANIFEST: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
RUNTIME: dict[str, str] = MANIFEST["runtime"]
LISTED: dict[str, dict[str, Any]] = {tool["name"]: tool for tool in MANIFEST["tools"]}


def test_the_manifest_is_what_the_tools_make_of_it() -> None:
    assert FILE.read_text(encoding="utf-8") == manifest(TOOLS), "run `make manifest`"


def test_a_hub_finds_every_field_in_the_form_it_reads() -> None:
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", MANIFEST["name"])
    assert MANIFEST["description"]
    assert MANIFEST["priority"] in {"high", "medium", "low"}
    assert all(isinstance(tag, str) for tag in MANIFEST["tags"])
    assert all(isinstance(name, str) for name in [*MANIFEST["env_required"], *MANIFEST["env"]])
    assert set(RUNTIME) == {"type", "command", "script", "style"}
    assert RUNTIME["type"] in {"python", "node", "binary"}
    assert RUNTIME["style"] in {"raw", "fastmcp"}
    assert set(MANIFEST) == {
        "name",
        "description",
        "tags",
        "priority",
        "runtime",
        "env_required",
        "env",
        "tools",
    }


def test_every_tool_is_there_in_its_own_words() -> None:
    assert [(tool["name"], tool["description"]) for tool in MANIFEST["tools"]] == [
        (tool.name, tool.description) for tool in TOOLS
    ]


@pytest.mark.parametrize("name", LISTED)
def test_every_argument_has_a_name_and_a_type_that_a_hub_knows(name: str) -> None:
    schema: dict[str, Any] = BY_NAME[name].input_schema()
    given = LISTED[name]["args"]
    assert name.isidentifier()
    assert [argument["name"] for argument in given] == list(schema["properties"])
    for argument in given:
        assert set(argument) == {"name", "type", "required", "description"}
        assert argument["name"].isidentifier()
        assert argument["type"] in {"string", "number", "boolean", "object", "array"}
        assert argument["required"] is (argument["name"] in schema["required"])
        asked = schema["properties"][argument["name"]]
        said = argument["description"]
        assert said.startswith(asked["description"])
        assert all(choice in said for choice in asked.get("enum", []))
        assert str(asked.get("default", "")) in said


def test_a_hub_that_starts_it_gets_an_answer(tmp_path: Path) -> None:
    assert RUNTIME["command"] == ".venv/bin/python"  # what `make demo` makes; here it is this Python
    hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "hub", "version": "1"}}
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}},
    ]
    done = subprocess.run(
        [sys.executable, str(FILE.parent / RUNTIME["script"])],
        input="".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages),
        env=environment(**MANIFEST["env"]),
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    hailed, answered = map(json.loads, done.stdout.splitlines())
    assert (hailed["id"], hailed["result"]["protocolVersion"]) == (1, "2024-11-05")
    assert answered["id"] == 2
    assert answered["result"]["structuredContent"]["roots"] == [str(tmp_path)]
