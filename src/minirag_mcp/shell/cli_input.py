"""What a command reads from standard input, when `-` stands where an argument would."""

import io
import sys
from typing import BinaryIO

from minirag_mcp.errors import FileTooLargeError, RequestError, WrongFormatError
from minirag_mcp.shell.cli_terminal import Terminal

STANDARD_INPUT = "-"

_END_KEYS = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D on a line of its own"
_LONGEST_QUESTION = 1_000_000
"""Bytes; a hundred times more than any model reads of a question."""


def question(terminal: Terminal) -> str:
    """The question on standard input. Raises RequestError when there is none, or no text."""
    return _text(_bytes(terminal, wanted="the question", limit=_LONGEST_QUESTION, setting=None)).strip()


def content(terminal: Terminal, *, limit: int, is_html: bool) -> str:
    """The text on standard input, of at most `limit` bytes (MAX_FILE_SIZE); its encoding is found as that of a file.

    Raises RequestError when there is none or no text, FileTooLargeError when there is more.
    """
    data = _bytes(terminal, wanted="the content", limit=limit, setting="MAX_FILE_SIZE")
    if not is_html:
        return _text(data)
    from minirag_mcp.parse.html_page import declared_charset  # noqa: PLC0415 - for pages only

    return _text(data, declared=declared_charset(data))


def _bytes(terminal: Terminal, *, wanted: str, limit: int, setting: str | None) -> bytes:
    if sys.stdin.isatty():
        terminal.note(f"Type {wanted}; end with {_END_KEYS}.")
    try:
        data = _stdin().read(limit + 1)
    except OSError as error:
        raise RequestError(
            f"Standard input cannot be read: {error.strerror}.", remedy="Send it a file or a pipe."
        ) from None
    if len(data) > limit:
        bound = f"{setting} is {limit:,}" if setting else f"{limit:,} are allowed"
        remedy = f"Raise {setting} (bytes), or split the content." if setting else "Ask a shorter question."
        raise FileTooLargeError(f"Standard input has more bytes than may be; {bound}.", remedy=remedy)
    return data


def _stdin() -> BinaryIO:
    """The bytes of standard input; a caller may have replaced it by a text of its own."""
    return sys.stdin.buffer if hasattr(sys.stdin, "buffer") else io.BytesIO(sys.stdin.read().encode("utf-8", "replace"))


def _text(data: bytes, *, declared: str | None = None) -> str:
    from minirag_mcp.parse.encoding import decode  # noqa: PLC0415 - most commands read no text

    try:
        text = decode(data, declared=declared)
    except WrongFormatError:
        raise RequestError(
            "Standard input is binary data, not text.", remedy="Send text; give the paths of other documents."
        ) from None
    if not text.strip():
        raise RequestError("Standard input is empty.", remedy="Send the text through a pipe, or from a file with <.")
    return text
