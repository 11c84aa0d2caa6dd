"""Jupyter notebooks: cells in order, code fenced in its language, what it printed below it."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from minirag_mcp.errors import CorruptFileError, NoTextError, WrongFormatError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.blocks import fenced
from minirag_mcp.parse.encoding import decode_written, with_plain_lines
from minirag_mcp.parse.no_text import NOTHING_TO_INDEX
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.pictures import inlined_pictures, without
from minirag_mcp.parse.properties import sane_title

_LONGEST_OUTPUT = 2000
"""Characters of one cell's output that are kept: what a reader sees of it without scrolling."""
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_OBJECT = re.compile(r"<[^<>\n]*>")
_DEEPEST_HEADING = 6


def parse(data: bytes) -> Parsed:
    """The cells of a notebook of format 2, 3 or 4, each with its number.

    Raises EmptyFileError, CorruptFileError, WrongFormatError and NoTextError.
    """
    text = decode_written(data)
    notebook = _loaded(text)
    language = _language(notebook)
    pieces: list[str] = []
    marks: list[Mark] = []
    offset = 0
    for number, cell in enumerate(_cells(notebook), start=1):
        text = _cell_text(cell, language).strip("\n")
        if not text.strip():
            continue
        marks.append(Mark(kind=MarkKind.CELL, start=offset, number=number))
        pieces.append(text)
        offset += len(text) + 2
    if not pieces:
        raise NoTextError("The notebook holds no text.", remedy=NOTHING_TO_INDEX)
    metadata = _dict(notebook.get("metadata"))
    # The name of old formats is that of the file it was first saved as.
    title = _text(metadata.get("title")) or sane_title(_text(metadata.get("name")))
    return Parsed(text="\n\n".join(pieces), marks=tuple(marks), title=title)


def _loaded(text: str) -> dict[str, Any]:
    try:
        notebook = json.loads(text)
    except ValueError as error:
        if text.lstrip().startswith("{"):
            raise CorruptFileError("The notebook is damaged: it is not complete JSON.") from error
        raise WrongFormatError("The file is not a notebook: it is not JSON.") from error
    if not isinstance(notebook, dict) or not {"cells", "worksheets", "nbformat"} & notebook.keys():
        raise WrongFormatError("The file is JSON, but not a notebook.")
    return notebook


def _cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for sheet in (notebook, *_dicts(notebook.get("worksheets"))):
        yield from _dicts(sheet.get("cells"))


def _language(notebook: dict[str, Any]) -> str:
    metadata = _dict(notebook.get("metadata"))
    named = _dict(metadata.get("language_info")).get("name") or _dict(metadata.get("kernelspec")).get("language")
    return _text(named) or "python"


def _cell_text(cell: dict[str, Any], language: str) -> str:
    source = _text(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "heading":
        level = cell.get("level")
        depth = min(max(level, 1), _DEEPEST_HEADING) if isinstance(level, int) else 1
        return f"{'#' * depth} {' '.join(source.split())}" if source.strip() else ""
    if kind != "code":
        return without(source, inlined_pictures(source))
    code = _fenced(source, _text(cell.get("language")) or language)
    printed = _fenced(_outputs(cell), "")
    return "\n\n".join(part for part in (code, printed) if part)


def _fenced(text: str, language: str) -> str:
    if not text.strip():
        return ""
    return fenced(text, language=language if language.isprintable() and "`" not in language else "")


def _outputs(cell: dict[str, Any]) -> str:
    shown = (_ANSI.sub("", _output(output)).strip("\n") for output in _dicts(cell.get("outputs")))
    text = "\n".join(part for part in shown if part.strip() and not _OBJECT.fullmatch(part.strip()))
    return text if len(text) <= _LONGEST_OUTPUT else text[:_LONGEST_OUTPUT].rstrip() + "\n…"


def _output(output: dict[str, Any]) -> str:
    """The text of one output: printed lines, a value in plain text, or the error's name and message."""
    if output.get("output_type") in ("error", "pyerr"):
        return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
    data = _dict(output.get("data"))
    return _text(data.get("text/markdown") or data.get("text/plain") or output.get("text"))


def _text(value: object) -> str:
    if isinstance(value, str):
        return with_plain_lines(value)
    if isinstance(value, list):
        lines = [part for part in value if isinstance(part, str)]
        return with_plain_lines(("" if _keeps_ends(lines) else "\n").join(lines))
    return ""


def _keeps_ends(lines: list[str]) -> bool:
    """Whether the lines of a cell keep their ends; old formats also stored them without."""
    return len(lines) < 2 or any(line.endswith(("\n", "\r")) for line in lines)  # noqa: PLR2004 - a line end between


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(values: object) -> Iterable[dict[str, Any]]:
    return (value for value in values if isinstance(value, dict)) if isinstance(values, list) else ()
