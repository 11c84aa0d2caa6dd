"""Running headers, footers and page numbers of a PDF: what repeats at the edges of its pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from statistics import median

from minirag_mcp.parse.pdf_headings import body_size
from minirag_mcp.parse.pdf_page import Line, Page
from minirag_mcp.parse.pdf_page_numbers import (
    counters_left_out,
    digits_left_out,
    is_page_number,
    letters_of,
    names_page,
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
# Points from the edge within which its only row may be a header of other pages; titles of covers stand lower.
_MARGIN = 80.0
# A header stands so far from the text, in font sizes; lines of text stand nearer to each other in 460 real documents.
_APART = 1.6
# In text with wide leading the usual distance of two lines counts, up to so many font sizes, and a little more.
_WIDEST_PITCH = 2.4
_MORE_THAN_PITCH = 1.1
# "Lesson 3" in the size of the text opens its page: with fewer letters a line that counts stands farther away than
# a heading, or is smaller.
_SHORT_WORDS = 16
_FAR_APART = 2.8
_SMALLER = 0.95
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

_DIGITS = re.compile(r"\d{1,18}")

Key = tuple[str, int]


@dataclass(slots=True)
class _Row:
    """Lines on one baseline at an edge: its distance from the edge, and that of the next row from it."""

    page: int
    lines: list[Line] = field(default_factory=list)
    depth: float = 0.0
    gap: float = float("inf")

    @property
    def apart(self) -> bool:
        return self.gap >= _APART * self.size

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

    @property
    def compared(self) -> list[_Row]:
        """Rows that may be a header of other pages."""
        return self.near or [row for row in self.rows[:1] if row.depth <= _MARGIN]

    def gap(self, row: _Row, running: set[int]) -> float:
        """How far the next row stands away that is not running, or asks for what the row says: "Total:"."""
        index = next(index for index, other in enumerate(self.rows) if other is row)
        gap = row.gap
        for inner in self.rows[index + 1 :]:
            if any(id(line) not in running for line in inner.lines) or inner.text.endswith(":"):
                break
            gap += inner.gap
        return gap


def without_running_lines(pages: Sequence[Page]) -> list[list[Line]]:
    """The lines of each page without those that recur at its edges and without bare page numbers there.

    Words that stand nowhere else are kept where they stand first: they may name the company or the document.
    """
    edges = [_edges(page, number) for number, page in enumerate(pages)]
    body = body_size([line for page in pages for line in page.lines])
    running = _recurring_lines(edges)
    least_gap = _least_gap(pages, body=body)
    for _ in range(2):  # the headers found first show where others stand
        running |= _counting_lines(edges, running, body=body, least_gap=least_gap)
    for side in (0, 1):
        rows = [edge[side] for edge in edges]
        running |= _in_bands(rows, pages, body=body, least_gap=least_gap)
        if len(pages) <= _FEW_PAGES:
            running |= _on_all_pages(rows)
    counted = _page_numbers(edges, running, least_gap=least_gap)
    running |= counted
    for line in chain.from_iterable(page.lines for page in pages):
        line.running = id(line) in running
    kept_once = _kept_once(pages, counted)
    return [[line for line in page.lines if not line.running or id(line) in kept_once] for page in pages]


def turned_lines(pages: Sequence[Page]) -> list[list[Line]]:
    """Of each page the lines that run in another direction; of those that many pages share the first."""
    counts = Counter(text for page in pages for text in {digits_left_out(line.text) for line in page.turned})
    said: set[str] = set()
    kept: list[list[Line]] = []
    for page in pages:
        kept.append([])
        for line in page.turned:
            text = digits_left_out(line.text)
            line.running = True
            if text not in said or counts[text] < max(_MIN_PAGES, _SHARE * len(pages)):
                kept[-1].append(line)
        said.update(digits_left_out(line.text) for line in page.turned)
    return kept


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
        measured.append(_Row(row.page, row.lines, abs(at - base), gap))
    near = measured[: len(rows) // 2] if len(rows) >= _MIN_ROWS else []
    return _Edge(measured, near)


def _least_gap(pages: Sequence[Page], *, body: float) -> float:
    """Points between two rows that are more than those from line to line of the text."""
    bases = [sorted({line.base for line in page.lines}) for page in pages]
    steps = [after - before for page in bases for before, after in pairwise(page) if after - before >= _SAME_ROW]
    return _MORE_THAN_PITCH * min(median(steps), _WIDEST_PITCH * body) if steps else 0.0


def _recurring_lines(edges: Sequence[tuple[_Edge, _Edge]]) -> set[int]:
    """Lines whose text recurs on many pages near an edge, wherever it stands; numbers only apart from the text."""
    keys = {
        id(line): {_text_key(line, row)}
        for sides in edges
        for edge in sides
        for row in edge.compared
        for line in row.lines
        if row.apart or any(letter.isalpha() for letter in line.text)
    }
    return _on_many_pages(edges, keys)


def _counting_lines(
    edges: Sequence[tuple[_Edge, _Edge]], running: set[int], *, body: float, least_gap: float
) -> set[int]:
    """Lines whose text recurs near an edge but for a number that counts the pages."""
    margin = [_heights([edge[side] for edge in edges], running) for side in (0, 1)]
    keys = {
        id(line): _counting_keys(line, row, body=body)
        for sides in edges
        for edge, heights in zip(sides, margin, strict=True)
        for row in edge.compared
        for line in row.lines
        if (row.apart and round(row.depth) in heights)
        or _is_set_off(line, edge.gap(row, running), body=body, least_gap=least_gap)
    }
    return _on_many_pages(edges, keys)


def _heights(edges: Sequence[_Edge], running: set[int]) -> set[int]:
    """Distances from the edge, in points, at which enough pages have a line that is running."""
    found = Counter(
        round(row.depth) for edge in edges for row in edge.rows if any(id(line) in running for line in row.lines)
    )
    return {height for height, count in found.items() if count >= _MIN_PAGES}


def _is_set_off(line: Line, gap: float, *, body: float, least_gap: float) -> bool:
    """Whether a line that counts may be a header: in the size of the text it keeps away, short words farther."""
    words = letters_of(numbers_left_out(line.text))
    if is_page_number(line.text) and not line.text.isalnum():
        return True
    if words and line.size < _SMALLER * body:
        return True
    far = _FAR_APART if 0 < len(words) < _SHORT_WORDS else _APART
    return gap >= max(least_gap, far * line.size)


def _on_many_pages(edges: Sequence[tuple[_Edge, _Edge]], keys: dict[int, set[Key]]) -> set[int]:
    """By `id` the lines that share one of their keys with lines of enough pages that have two edges."""
    seen: dict[Key, set[int]] = defaultdict(set)
    for row in (row for sides in edges for edge in sides for row in edge.near):
        for key in chain.from_iterable(keys.get(id(line), ()) for line in row.lines):
            seen[key].add(row.page)
    needed = max(_MIN_PAGES, _SHARE * len(edges))
    recurring = {
        key
        for key, found in seen.items()
        if len(found) >= needed or (len(found) >= max(_MIN_PAGES, needed / 2) and _alternating(found))
    }
    return {line for line, own in keys.items() if not recurring.isdisjoint(own)}


def _alternating(pages: set[int]) -> bool:
    """Whether nearly all of these pages are left pages, or right ones."""
    odd = sum(page % 2 for page in pages)
    return min(odd, len(pages) - odd) <= len(pages) * 0.1


def _text_key(line: Line, row: _Row) -> Key:
    """What two runs of one header share: their text; without words their height too."""
    text = line.text.casefold()
    return text, 0 if _has_words(text) else round(row.depth / _SAME_HEIGHT)


def _counting_keys(line: Line, row: _Row, *, body: float) -> set[Key]:
    """What two runs of one header share but for the number of the page.

    Numbers in lines larger than the text do not count pages: "Lesson 3".
    """
    text, height = _text_key(line, row)
    titled = line.bold and len(text) <= _LONGEST_TITLE
    counting = line.size <= body * (_NOT_LARGER if titled else _LITTLE_LARGER)
    offsets = {number.value - line.page for number in numbers(text)} if counting else set()
    return {(f"{counters_left_out(text, line.page + offset)} {offset}", height) for offset in offsets}


def _in_bands(edges: Sequence[_Edge], pages: Sequence[Page], *, body: float, least_gap: float) -> set[int]:
    """Lines of outermost rows that stand at one height on most pages, apart from the text, and no larger than it.

    Such a row is a header when it counts the pages, or when its words recur in such rows or stand in the text:
    chapter titles. Anything else may be said only there.
    """
    rows = [edge.rows[0] for edge in edges if edge.rows]
    outer = [row for row in rows if row.apart and row.size <= body * _NOT_LARGER]
    heights = Counter(round(row.depth) for row in outer)
    needed = max(_BAND_PAGES, _BAND_SHARE * len(rows))
    band = [row for row in outer if sum(heights[round(row.depth) + step] for step in (-1, 0, 1)) >= needed]
    far = [row for row in band if any(_is_set_off(line, row.gap, body=body, least_gap=least_gap) for line in row.lines)]
    counters = Counter(offset for row in far for offset in _offsets(row))
    counting = {offset for offset, count in counters.items() if count >= _MIN_PAGES}
    repeated = _repeated(far)
    in_band = Counter(letters_of(line.text) for row in band for line in row.lines)
    everywhere = Counter(letters_of(line.text) for page in pages for line in page.lines) if band else Counter()
    found: set[int] = set()
    for row in far:
        if id(row) in repeated or not counting.isdisjoint(_offsets(row)):
            found.update(id(line) for line in row.lines)
    for row in band:
        found.update(id(line) for line in row.lines if _is_said_elsewhere(line, in_band, everywhere))
    return found


def _is_said_elsewhere(line: Line, in_band: Counter[str], everywhere: Counter[str]) -> bool:
    words = letters_of(line.text)
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


def _page_numbers(edges: Sequence[tuple[_Edge, _Edge]], running: set[int], *, least_gap: float) -> set[int]:
    """The outermost lines left that are apart from the text and say nothing but which page it is.

    A bare number says so only if it counts on enough pages; a total, a code or a score may end a page too.
    """
    last = [_outermost([sides[side] for sides in edges], running, least_gap=least_gap) for side in (0, 1)]
    shown = [
        line for sides in edges for edge in sides for row in edge.rows for line in row.lines if id(line) in running
    ]
    seen = {(offset, line.page) for line in chain(shown, *last) for offset in _line_offsets(line)}
    counters = Counter(offset for offset, _ in seen)
    needed = min(_MIN_PAGES, max(2, len(edges)))
    counting = {offset for offset, count in counters.items() if count >= needed}
    return {id(line) for line in chain(*last) if names_page(line.text) or not counting.isdisjoint(_line_offsets(line))}


def _outermost(edges: Sequence[_Edge], running: set[int], *, least_gap: float) -> list[Line]:
    """The outermost line that is left on each page, if it looks like a page number and is apart from the text."""
    found = []
    for edge in edges:
        rest = [(line, row) for row in edge.near for line in row.lines if id(line) not in running]
        found += [
            line
            for line, row in rest[:1]
            if is_page_number(line.text) and edge.gap(row, running) >= max(least_gap, _APART * line.size)
        ]
    return found


def _line_offsets(line: Line) -> set[int]:
    return {number.value - line.page for number in numbers(line.text.casefold())}


def _kept_once(pages: Sequence[Page], counted: set[int]) -> set[int]:
    """The first of running lines with words, or a number that does not count, that stand nowhere else."""
    running = [line for page in pages for line in page.lines if line.running]
    said = letters_of(" ".join(line.text for page in pages for line in page.lines if not line.running))
    recurring = Counter(line.text for line in running)
    kept: set[int] = set()
    for line in running:
        words = letters_of(numbers_left_out(line.text))
        if recurring[line.text] > 1:  # its numbers do not count the pages, so they say something
            words = letters_of(line.text)
        elif not _has_words(words):
            continue
        if words and id(line) not in counted and not names_page(line.text) and words not in said:
            kept.add(id(line))
            said += words
    return kept


def _has_words(text: str) -> bool:
    return sum(letter.isalpha() for letter in text) >= _MIN_LETTERS
