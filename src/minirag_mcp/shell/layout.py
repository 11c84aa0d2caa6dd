"""Sets text for a terminal: breaks its lines where they fit, and paints spans of it. Pure."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from minirag_mcp.model import Span
from minirag_mcp.shell.printable import escaped

Paint = Callable[[str], str]

_NARROWEST = 30
"""Columns under which lines are left to the terminal: three words in a row are no easier to read for being whole."""

_TAB = 8


def plain(text: str) -> str:
    """No emphasis."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Where text is set: so many columns, or none to leave lines as they are; and how it is emphasised."""

    columns: int | None = None
    bold: Paint = plain
    dim: Paint = plain
    mark: Paint = plain

    def room(self, margin: int) -> int | None:
        """Columns beside a margin; None when lines are not broken."""
        return None if self.columns is None or self.columns < _NARROWEST else self.columns - margin


def cells(character: str) -> int:
    """How many columns a terminal gives a character."""
    if character == "\t":
        return _TAB
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else len(escaped(character))


def clipped(text: str, width: int) -> str:
    """The beginning of `text` that fits into `width` columns."""
    used = 0
    for index, character in enumerate(text):
        used += cells(character)
        if used > width:
            return text[:index]
    return text


def lines(text: str, *, width: int | None) -> Iterator[Span]:
    r"""The lines of `text` without their ends, broken where they fit into `width` columns.

    Broken at white space, which then goes; before or after a character two columns wide; or else where it must be.
    """
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if width is None:
            yield Span(start=start, end=end)
        else:
            yield from _broken(text, start, end, width)
        start = end + 1


def _broken(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    used, chance = 0, start
    at = start
    while at < end:
        wide = cells(text[at])
        if at > start and (wide == 2 or text[at - 1].isspace() or cells(text[at - 1]) == 2):  # noqa: PLR2004 - columns
            chance = at
        if used + wide > width and at > start and not text[at].isspace():
            cut = chance if text[start:chance].strip() else at
            yield Span(start=start, end=start + len(text[start:cut].rstrip()))
            start = chance = at = cut
            used = 0
            continue
        used += wide
        at += 1
    yield Span(start=start, end=end)


def painted(text: str, span: Span, marks: Sequence[Span], *, mark: Paint, rest: Paint = plain) -> str:
    """One line of `text` that is harmless to a terminal, with the parts of `marks` in it emphasised."""
    parts = []
    at = span.start
    for found in marks:
        first, last = max(found.start, at), min(found.end, span.end)
        if first < last:
            parts += [(rest, text[at:first]), (mark, text[first:last])]
            at = last
    parts.append((rest, text[at : span.end]))
    return "".join(paint(escaped(part)) for paint, part in parts if part)
