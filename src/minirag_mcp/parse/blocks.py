"""Markdown blocks put together to one document text, with marks at the right characters."""

import re
from collections.abc import Sequence
from dataclasses import replace

from minirag_mcp.errors import ParseLimitError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.parsed import Parsed

PAGE_BREAK = "\ufdd0"
"""Stands in a block where a page begins; `TextBuilder` takes it out. A noncharacter, so no text holds it."""

MAX_LEVEL = 6
MAX_TEXT = 64_000_000
"""Characters of one document: eighty times the longest of 379 real files, an 872-page handbook."""

_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
_LOOKS_LIKE_MARKUP = re.compile(r"^(?=#{1,6}\s|```|~~~|(?:=+|-{2,})\s*$)", re.MULTILINE)
_BLANKS = re.compile(r"[^\S\n]+")


def cleaned(text: str) -> str:
    r"""`text` without control characters, surrogates and noncharacters; every line end is "\\n"."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return _UNWANTED.sub("", text.replace("\x0b", "\n").replace("\x0c", "\n").replace("\x85", "\n"))


def one_line(text: str) -> str:
    """`text` with every run of white space made one blank."""
    return " ".join(text.split())


def heading(text: str, *, level: int) -> str:
    """An ATX heading on one line; "" for blank text."""
    line = one_line(text)
    return f"{'#' * max(1, min(level, MAX_LEVEL))} {line}" if line.strip(PAGE_BREAK) else line


def paragraph(text: str) -> str:
    """Lines of prose: single blanks, no blank lines, and nothing that would read as heading, rule or fence."""
    lines = (line.strip() for line in _BLANKS.sub(" ", text).split("\n"))
    return _LOOKS_LIKE_MARKUP.sub(r"\\", "\n".join(line for line in lines if line))


def fenced(code: str, *, language: str = "") -> str:
    """A code block whose fence is longer than any in `code`."""
    ticks = max((len(run) for run in re.findall("`{3,}", code)), default=2) + 1
    fence = "`" * ticks
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


class TextBuilder:
    """Collects blocks, separated by a blank line, and the marks that begin with them."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._marks: list[Mark] = []
        self._length = 0
        self._page = 1

    def add(self, block: str, *, separator: str = "\n\n", marks: Sequence[Mark] = ()) -> None:
        """Append a block with marks whose `start` counts from its first character.

        A blank block is dropped, but its page breaks count for the next.
        """
        parts = block.split(PAGE_BREAK)
        if not "".join(parts).strip():
            if len(parts) > 1:
                self._page += len(parts) - 1
                self.mark(MarkKind.PAGE, number=self._page)
            return
        if self._pieces:
            self._append(separator)
        self._marks.extend(replace(mark, start=mark.start + self._length) for mark in marks)
        for index, part in enumerate(parts):
            if index:
                self._page += 1
                self.mark(MarkKind.PAGE, number=self._page, joined=True)
            self._append(part)

    def mark(self, kind: MarkKind, *, number: int = 0, name: str = "", joined: bool = False) -> None:
        """From the next block on (`joined`: from the next character on) the text stands at this place."""
        gap = 2 if self._pieces and not joined else 0
        self._marks.append(Mark(kind=kind, start=self._length + gap, number=number, name=name))

    @property
    def blank(self) -> bool:
        """Whether nothing was added yet."""
        return not self._pieces

    def build(self, *, title: str | None = None, metadata: tuple[tuple[str, str], ...] = ()) -> Parsed:
        """The document so far; marks past the end of the text, or replaced at once by another, are dropped."""
        last = {(mark.kind, mark.start): mark for mark in self._marks if mark.start < self._length}
        marks = tuple(sorted(last.values(), key=lambda mark: mark.start))
        return Parsed(text="".join(self._pieces), marks=marks, title=title, metadata=metadata)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        if self._length > MAX_TEXT:
            raise ParseLimitError(f"The document holds more than {MAX_TEXT:,} characters of text.")
