"""Write mcp.yaml, which tells a hub how to start the server and what its tools take, from the tools themselves."""

import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from minirag_mcp.shell.declaration import Parameter, Tool
from minirag_mcp.shell.tools import TOOLS

FILE = Path(__file__).resolve().parent.parent / "mcp.yaml"

_HEAD = """\
# For hubs that start servers by a manifest: docs/tools.md, "Beside the tools".
# Made by `make manifest` from the list of tools; change that list, not this file.
name: minirag-mcp
description: Searches your own documents by meaning and by words, with exact citations, on this machine.
tags: [documents, search, rag, citations, offline]
priority: high
runtime:
  type: python
  command: .venv/bin/python
  script: run_server.py
  style: raw
env_required: []
env: {}
tools:
"""

_WIDTH = 110
_KINDS = {"integer": "number"}
"""Types that a manifest knows by another name."""


def manifest(tools: Sequence[Tool]) -> str:
    """The whole file, YAML that reads back as the texts of `tools`, character for character."""
    return _HEAD + "".join(f"{line}\n" for tool in tools for line in _tool(tool))


def described(parameter: Parameter) -> str:
    """The description with choices and default in it: a manifest has no fields for them."""
    said = [parameter.description]
    if parameter.choices:
        said.append(f"One of: {', '.join(parameter.choices)}.")
    if parameter.default is not None:
        said.append(f"Default: {parameter.default}.")
    return " ".join(said)


def _tool(tool: Tool) -> Iterator[str]:
    yield f"  - name: {tool.name}"
    yield from _text("description", tool.description, indent=4)
    yield "    args:" if tool.parameters else "    args: []"
    for parameter in tool.parameters:
        yield f"      - name: {parameter.name}"
        yield f"        type: {_KINDS.get(parameter.kind, parameter.kind)}"
        yield f"        required: {str(parameter.required).lower()}"
        yield from _text("description", described(parameter), indent=8)


def _text(name: str, text: str, *, indent: int) -> Iterator[str]:
    """A folded block: it needs no quotes, and a line end in `text` is an empty line in it."""
    yield f"{' ' * indent}{name}: >-"
    margin = " " * (indent + 2)
    for number, paragraph in enumerate(text.split("\n")):
        if number:
            yield ""
        yield from textwrap.wrap(
            paragraph,
            width=_WIDTH,
            initial_indent=margin,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )


if __name__ == "__main__":
    FILE.write_text(manifest(TOOLS), encoding="utf-8")
    sys.stdout.write(f"{FILE.name}: {len(TOOLS)} tools\n")
