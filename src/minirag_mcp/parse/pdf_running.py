"""Running headers, footers and page numbers of a PDF: what repeats at the edges of its pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from minirag_mcp.parse.pdf_headings import body_size
from minirag_mcp.parse.pdf_page import Line, Page
from minirag_mcp.parse.pdf_page_numbers import (
    counters_left_out,
    digits_left_out,
    is_page_number,
    numbers,
    numbers_left_out,
)

# Rows looked at from each edge: real headers and footers have up to three.
_EDGE_ROWS = 3
# Share of the pages (or of the left or right ones) on which a line must recur.
_SHARE = 0.4
# Pages on which a line must recur at least, however short the document.
_MIN_PAGES = 3
# Points by which the heights of one header differ at most, and those of its parts.
_SAME_HEIGHT = 4.0
_SAME_ROW = 2.0
# With fewer letters it is a number or a sign, told by its height too.
_MIN_LETTERS = 4
# A page of fewer rows has no edges but those that all pages share.
_MIN_ROWS = 4
# A header stands so far from the text, in font sizes; lines of text stand nearer to each other in 460 real documents.
_APART = 1.6
# Share of the pages on which the outermost row stands at the height of a header, and pages of such a document.
_BAND_SHARE = 0.5
_BAND_PAGES = 3
# A header is not larger than the text by more than this: titles of slides recur at one height too.
_NOT_LARGER = 1.1
# Headers that count pages are larger than the text only where most of the text is small print or code.
_LITTLE_LARGER = 1.3
# Characters of a title in bold that counts with the pages, such as "Lesson 3".
_LONGEST_TITLE = 30
# A document of so few pages has a header when its pages begin or end with the same row.
_FEW_PAGES = 3

_NO_LETTER = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d{1,18}")

Key = tuple[str, int]


@dataclass(slots=True)
class _Row:
    """Lines on one baseline at an edge: its distance from the edge, and whether the next row keeps away from it."""

    page: int
    lines: list[Line] = field(default_factory=list)
    depth: float = 0.0
    apart: bool = True

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        return max(line.size for line in self.lines)


@dataclass(frozen=True, slots=True)
class _Edge:
    """Rows from one edge of a page inwards; `near` are those of a page that has enough of them for two edges."""

    rows: list[_Row]
    near: list[_Row]


def without_running_lines(pages: Sequence[Page]) -> list[list[Line]]:
    """The lines of each page without those that recur at its edges and without bare page numbers there.

    Words that stand nowhere else are kept where they stand first: they may name the company or the document.
    """
    edges = [_edges(page, number) for number, page in enumerate(pages)]
    body = body_size([line for page in pages for line in page.lines])
    running = _recurring_lines(edges, body=body)
    for side in (0, 1):
        rows = [edge[side] for edge in edges]
        running |= _in_bands(rows, pages, body=body)
        if len(pages) <= _FEW_PAGES:
            running |= _on_all_pages(rows)
    for edge in chain.from_iterable(edges):
        running |= _bare_number(edge, running)
    for line in chain.from_iterable(page.lines for page in pages):
        line.running = id(line) in running
    kept_once = _kept_once(pages)
    return [[line for line in page.lines if not line.running or id(line) in kept_once] for page in pages]


def _edges(page: Page, number: int) -> tuple[_Edge, _Edge]:
    """The outermost rows at the top and at the bottom, outermost first."""
    rows: list[_Row] = []
    for line in sorted(page.lines, key=lambda line: -line.base):
        if not rows or abs(rows[-1].lines[0].base - line.base) >= _SAME_ROW:
            rows.append(_Row(number))
        rows[-1].lines.append(line)
    for row in rows:
        row.lines.sort(key=lambda line: line.left)
    return _edge(rows, at=page.top), _edge(rows[::-1], at=page.bottom)


def _edge(rows: Sequence[_Row], *, at: float) -> _Edge:
    """The first of the rows with their distance from the edge, and whether the next keeps away."""
    measured = []
    for index, row in enumerate(rows[:_EDGE_ROWS]):
        base = row.lines[0].base
        gap = abs(base - rows[index + 1].lines[0].base) if index + 1 < len(rows) else float("inf")
        measured.append(_Row(row.page, row.lines, abs(at - base), gap >= _APART * row.size))
    near = measured[: len(rows) // 2] if len(rows) >= _MIN_ROWS else []
    return _Edge(measured, near)


def _recurring_lines(edges: Sequence[tuple[_Edge, _Edge]], *, body: float) -> set[int]:
    """Lines whose text recurs on many pages near an edge, wherever it stands there."""
    seen: dict[Key, set[int]] = defaultdict(set)
    rows = [row for sides in edges for edge in sides for row in edge.near]
    for row in rows:
        for key in chain.from_iterable(_keys(line, row, body=body) for line in row.lines):
            seen[key].add(row.page)
    needed = max(_MIN_PAGES, _SHARE * len(edges))
    recurring = {
        key
        for key, pages in seen.items()
        if len(pages) >= needed or (len(pages) >= max(_MIN_PAGES, needed / 2) and _alternating(pages))
    }
    return {id(line) for row in rows for line in row.lines if not recurring.isdisjoint(_keys(line, row, body=body))}


def _alternating(pages: set[int]) -> bool:
    """Whether nearly all of these pages are left pages, or right ones."""
    odd = sum(page % 2 for page in pages)
    return min(odd, len(pages) - odd) <= len(pages) * 0.1


def _keys(line: Line, row: _Row, *, body: float) -> set[Key]:
    """What two runs of one header share: their text, also but for a page number; without words their height too.

    Numbers in lines larger than the text do not count pages: "Lesson 3".
    """
    text = line.text.casefold()
    height = 0 if _has_words(text) else round(row.depth / _SAME_HEIGHT)
    titled = line.bold and len(text) <= _LONGEST_TITLE
    counting = line.size <= body * (_NOT_LARGER if titled else _LITTLE_LARGER)
    offsets = {number.value - line.page for number in numbers(text)} if counting else set()
    return {(f"{counters_left_out(text, line.page + offset)} {offset}", height) for offset in offsets} | {
        (text, height)
    }


def _in_bands(edges: Sequence[_Edge], pages: Sequence[Page], *, body: float) -> set[int]:
    """Lines of outermost rows that stand at one height on most pages, apart from the text, and no larger than it.

    Such a row is a header when it counts the pages, or when its words recur in such rows or stand in the text:
    chapter titles. Anything else may be said only there.
    """
    rows = [edge.rows[0] for edge in edges if edge.rows]
    outer = [row for row in rows if row.apart and row.size <= body * _NOT_LARGER]
    heights = Counter(round(row.depth) for row in outer)
    needed = max(_BAND_PAGES, _BAND_SHARE * len(rows))
    band = [row for row in outer if sum(heights[round(row.depth) + step] for step in (-1, 0, 1)) >= needed]
    counters = Counter(offset for row in band for offset in _offsets(row))
    counting = {offset for offset, count in counters.items() if count >= _MIN_PAGES}
    repeated = _repeated(band)
    in_band = Counter(_letters(line.text) for row in band for line in row.lines)
    everywhere = Counter(_letters(line.text) for page in pages for line in page.lines) if band else Counter()
    found: set[int] = set()
    for row in band:
        if id(row) in repeated or not counting.isdisjoint(_offsets(row)):
            found.update(id(line) for line in row.lines)
        found.update(id(line) for line in row.lines if _is_said_elsewhere(line, in_band, everywhere))
    return found


def _is_said_elsewhere(line: Line, in_band: Counter[str], everywhere: Counter[str]) -> bool:
    words = _letters(line.text)
    return _has_words(words) and everywhere[words] > in_band[words]


def _offsets(row: _Row) -> set[int]:
    return {number.value - row.page for number in numbers(row.text.casefold())}


def _repeated(band: Sequence[_Row]) -> set[int]:
    """By `id` the rows whose text recurs; numbers in it may differ if they only ever count on."""
    groups: dict[str, list[_Row]] = defaultdict(list)
    for row in band:
        groups[row.text.casefold()].append(row)
        if (pattern := digits_left_out(row.text)) != row.text.casefold() and _has_words(pattern):
            groups[pattern].append(row)
    return {id(row) for rows in groups.values() if len(rows) > 1 and _counts_on(rows) for row in rows}


def _counts_on(rows: Sequence[_Row]) -> bool:
    """Whether from row to row no number falls, or grows by more than the pages between."""
    values = [[int(digits) for digits in _DIGITS.findall(row.text)] for row in rows]
    steps = [after.page - before.page for before, after in pairwise(rows)]
    return all(
        0 <= second - first <= step
        for (before, after), step in zip(pairwise(values), steps, strict=True)
        for first, second in zip(before, after, strict=True)
    )


def _on_all_pages(edges: Sequence[_Edge]) -> set[int]:
    """Outermost rows of a document of two or three pages, if they are the same on all."""
    rows = [edge.rows[0] for edge in edges if edge.rows and edge.rows[0].apart]
    if len(rows) < max(2, len(edges)) or not _has_words(rows[0].text):
        return set()
    if len({digits_left_out(row.text) for row in rows}) > 1 or not _counts_on(rows):
        return set()
    if max(row.depth for row in rows) - min(row.depth for row in rows) > _SAME_HEIGHT:
        return set()
    return {id(line) for row in rows for line in row.lines}


def _bare_number(edge: _Edge, running: set[int]) -> set[int]:
    """The outermost line that is left at an edge, if it is but a page number."""
    rest = [line for row in edge.near for line in row.lines if id(line) not in running]
    return {id(line) for line in rest[:1] if is_page_number(line.text)}


def _kept_once(pages: Sequence[Page]) -> set[int]:
    """The first of running lines with words that stand nowhere else in the document."""
    running = [line for page in pages for line in page.lines if line.running]
    said = _letters(" ".join(line.text for page in pages for line in page.lines if not line.running))
    kept: set[int] = set()
    for line in running:
        words = _letters(numbers_left_out(line.text))
        if _has_words(words) and not is_page_number(line.text) and words not in said:
            kept.add(id(line))
            said += words
    return kept


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text.casefold())


def _has_words(text: str) -> bool:
    return sum(letter.isalpha() for letter in text) >= _MIN_LETTERS
