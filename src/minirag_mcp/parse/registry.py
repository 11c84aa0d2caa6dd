r"""Which parser reads which file, and what every document has in common whoever read it.

A format module is imported when its first file comes. It exposes `parse(data: bytes) -> Parsed` and raises
ParseErrors whose message is a sentence about "The file", without its name: the name is put in front here.
"""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import PurePath
from types import MappingProxyType

from minirag_mcp.errors import (
    EmptyFileError,
    NoTextError,
    ParseError,
    ParseLimitError,
    UnsupportedFormatError,
    WrongFormatError,
)
from minirag_mcp.model import Document
from minirag_mcp.parse.limits import out_of_memory
from minirag_mcp.parse.no_text import NOTHING_TO_INDEX
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.signature import signature_of

VERSION = "3"
"""Grows with every change that makes a parser say something else of the same bytes."""

_MODULES: Mapping[str, str] = MappingProxyType(
    {
        "markdown": "markdown",
        "text": "text",
        "csv": "delimited",
        "notebook": "notebook",
        "vtt": "captions",
        "srt": "captions",
        "html": "html_page",
        "epub": "epub",
        "pdf": "pdf",
        "docx": "docx",
        "pptx": "pptx",
        "xlsx": "xlsx",
    }
)
_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        ".md": "markdown",
        ".markdown": "markdown",
        ".txt": "text",
        ".csv": "csv",
        ".ipynb": "notebook",
        ".vtt": "vtt",
        ".srt": "srt",
        ".html": "html",
        ".htm": "html",
        ".epub": "epub",
        ".pdf": "pdf",
        ".docx": "docx",
        ".pptx": "pptx",
        ".xlsx": "xlsx",
    }
)
SUFFIXES: frozenset[str] = frozenset(_FORMATS)

_PLAIN = frozenset({"markdown", "text", "csv", "notebook", "vtt", "srt", "html"})
_UNWELCOME = re.compile("[\0\r\ud800-\udfff]")


def format_of(name: str) -> str:
    """The registry name of the format that the extension of `name` stands for, in any case.

    Raises UnsupportedFormatError.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in _FORMATS:
        raise UnsupportedFormatError(f"{name}: no parser for {suffix or 'a name without an extension'}.")
    return _FORMATS[suffix]


def parse(data: bytes, *, name: str, title: str | None = None, stem: str | None = None) -> Document:
    """Read `data` in this process, as the format that `name` says.

    `title`, when given, wins over every other; `stem` is the file stem for the title rule, None for sources
    without a file name. Raises a ParseError that names the file.
    """
    from minirag_mcp.parse.title import choose_title  # noqa: PLC0415 - 12 ms, and not every sync reads a document

    format_name = format_of(name)
    try:
        parsed = _read(data, format_name)
    except ParseError as error:
        raise type(error)(f"{name}: {error.message}", remedy=error.remedy) from error
    except RecursionError as error:
        raise ParseLimitError(f"{name}: The file is nested too deeply.") from error
    except MemoryError as error:
        raise out_of_memory(name) from error
    chosen = choose_title(parsed.text, given=title, found=parsed.title, stem=stem)
    return Document(
        text=parsed.text,
        title=_UNWELCOME.sub("\ufffd", chosen.title),
        own_title=chosen.own,
        format=format_name,
        marks=parsed.marks,
        metadata=tuple((name, _UNWELCOME.sub("\ufffd", value)) for name, value in parsed.metadata),
    )


def _read(data: bytes, format_name: str) -> Parsed:
    if not data or data.isspace():
        raise EmptyFileError("The file is empty.")
    if format_name in _PLAIN and (kind := signature_of(data)):
        raise WrongFormatError(f"The file is {kind}, not {format_name}.")
    parsed: Parsed = import_module(f"minirag_mcp.parse.{_MODULES[format_name]}").parse(data)
    if not parsed.text or parsed.text.isspace():
        raise NoTextError("The file holds no text.", remedy=NOTHING_TO_INDEX)
    return _without_unwelcome(parsed)


def _without_unwelcome(parsed: Parsed) -> Parsed:
    """No NUL, CR or lone surrogate leaves the room in a text; one for one, so that marks keep their places."""
    if "\0" not in parsed.text and "\r" not in parsed.text and _encodable(parsed.text):
        return parsed
    return Parsed(
        text=_UNWELCOME.sub("\ufffd", parsed.text),
        marks=parsed.marks,
        title=parsed.title,
        metadata=parsed.metadata,
    )


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
