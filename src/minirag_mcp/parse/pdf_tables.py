"""Tables on a PDF page: inside ruled grids, and in rows whose cells stand below each other."""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from minirag_mcp.parse.blocks import one_line
from minirag_mcp.parse.pdf_page import Line, Page, Rule, Word

_NEAR = 3.0
_MIN_VERTICALS = 3
_MIN_HORIZONTALS = 2
_MIN_ROWS = 3
_MAX_COLUMNS = 25
# A grid whose cells are mostly empty or hold whole paragraphs is a form or a page frame.
_MIN_FILLED = 0.3
_MAX_CELL = 500
# A gap this wide, in font sizes, parts two cells; justified prose stays below.
_CELL_GAP = 1.5
_MAX_CELL_WORDS = 12
_MIN_FULL_ROWS = 0.6
_MAX_ROW_GAP = 3.0
_MAX_LONELY = 2
_MAX_CROSSINGS = 100_000


@dataclass(slots=True)
class Table:
    """Cells row by row, and where the table begins on its page."""

    page: int
    rows: list[list[str]]


Flow = list[Line | Table]
"""A page in reading order: lines of text, and tables."""


def with_ruled_tables(page: Page, lines: list[Line]) -> Flow:
    """The lines in order, those inside ruled grids replaced by a table where the first of them stood."""
    flow: Flow = list(lines)
    for grid in _grids(page):
        flow = _taken_out(flow, grid)
    return flow


def with_aligned_tables(flow: Flow) -> Flow:
    """The flow, with runs of rows whose cells stand below each other replaced by tables."""
    result: Flow = []
    run: list[Line] = []
    for item in [*flow, None]:
        if isinstance(item, Line) and (not run or _continues_run(run, item)):
            if run or len(cells_of(item)) > 1:
                run.append(item)
                continue
        elif run:
            result.extend(_closed_run(run))
            run = []
            if isinstance(item, Line) and len(cells_of(item)) > 1:
                run.append(item)
                continue
        if item is not None:
            result.append(item)
    return result


def cells_of(line: Line) -> list[list[Word]]:
    """The words of a line, parted where the gap is too wide for a blank."""
    cells = [[line.words[0]]]
    for before, word in pairwise(line.words):
        gap = max(word.left - before.right, before.left - word.right)
        if gap > _CELL_GAP * line.size:
            cells.append([word])
        else:
            cells[-1].append(word)
    return cells


@dataclass(slots=True)
class _Grid:
    """Ruled lines that cross each other: column edges from left to right, row edges from top to bottom."""

    columns: list[float] = field(default_factory=list)
    rows: list[float] = field(default_factory=list)
    verticals: list[Rule] = field(default_factory=list)

    def holds(self, word: Word, base: float) -> bool:
        inside = self.columns[0] - _NEAR <= word.center <= self.columns[-1] + _NEAR
        return inside and self.rows[-1] - _NEAR <= base <= self.rows[0]

    def parted(self, before: Word, word: Word, line: Line) -> bool:
        """Whether a vertical rule stands between two words of a line."""
        low, high = sorted((before.center, word.center))
        middle = line.base + line.size / 3
        return any(low <= rule.at <= high and rule.start <= middle <= rule.end for rule in self.verticals)

    def cell(self, word: Word, line: Line) -> tuple[int, int]:
        """Row and column in which a word stands."""
        column = bisect(self.columns, word.center) - 1
        row = bisect([-edge for edge in self.rows], -(line.base + line.size / 3)) - 1
        return (max(0, min(row, len(self.rows) - 2)), max(0, min(column, len(self.columns) - 2)))


def _grids(page: Page) -> Iterator[_Grid]:
    """The ruled grids of a page, found by which lines touch which."""
    left = list(range(len(page.verticals)))
    if len(page.verticals) * len(page.horizontals) > _MAX_CROSSINGS:
        return
    while left:
        verticals, horizontals = {left[0]}, set[int]()
        grown = True
        while grown:
            touching = {
                index
                for index, rule in enumerate(page.horizontals)
                if index not in horizontals and any(_cross(page.verticals[other], rule) for other in verticals)
            }
            horizontals |= touching
            more = {
                index
                for index in left
                if index not in verticals and any(_cross(page.verticals[index], page.horizontals[o]) for o in touching)
            }
            verticals |= more
            grown = bool(more)
        left = [index for index in left if index not in verticals]
        grid = _Grid(
            columns=_distinct(page.verticals[index].at for index in verticals),
            rows=_distinct(page.horizontals[index].at for index in horizontals)[::-1],
            verticals=[page.verticals[index] for index in verticals],
        )
        if _MIN_VERTICALS <= len(grid.columns) <= _MAX_COLUMNS and len(grid.rows) >= _MIN_HORIZONTALS:
            yield grid


def _cross(vertical: Rule, horizontal: Rule) -> bool:
    across = horizontal.start - _NEAR <= vertical.at <= horizontal.end + _NEAR
    return across and vertical.start - _NEAR <= horizontal.at <= vertical.end + _NEAR


def _distinct(values: Iterator[float]) -> list[float]:
    """Sorted values without those that nearly repeat the one before."""
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _NEAR:
            kept.append(value)
    return kept


def _taken_out(flow: Flow, grid: _Grid) -> Flow:
    cells: dict[tuple[int, int], list[str]] = {}
    rest: Flow = []
    place = page = -1
    for item in flow:
        if isinstance(item, Table):
            rest.append(item)
            continue
        inside = [word for word in item.words if grid.holds(word, item.base)]
        outside = [word for word in item.words if not grid.holds(word, item.base)]
        if inside:
            place, page = (len(rest) if place < 0 else place), item.page
            _fill(cells, grid, item.with_words(inside))
        if outside:
            rest.append(item.with_words(outside) if inside else item)
    rows = [
        [one_line(" ".join(cells.get((row, column), ()))) for column in range(len(grid.columns) - 1)]
        for row in range(len(grid.rows) - 1)
    ]
    if not _believable(rows):
        return flow
    rest.insert(place, Table(page, rows))
    return rest


def _fill(cells: dict[tuple[int, int], list[str]], grid: _Grid, line: Line) -> None:
    run = [line.words[0]]
    for before, word in pairwise(line.words):
        if grid.parted(before, word, line):
            cells.setdefault(grid.cell(run[0], line), []).extend(part.text for part in run)
            run = []
        run.append(word)
    cells.setdefault(grid.cell(run[0], line), []).extend(part.text for part in run)


def _believable(rows: list[list[str]]) -> bool:
    texts = [cell for row in rows for cell in row if cell]
    used = {column for row in rows for column, cell in enumerate(row) if cell}
    filled = len(texts) >= _MIN_FILLED * sum(len(row) for row in rows)
    return len(used) > 1 and filled and max(map(len, texts)) <= _MAX_CELL


def _continues_run(run: Sequence[Line], line: Line) -> bool:
    last = run[-1]
    drop = last.base - line.base
    if not 0 < drop <= _MAX_ROW_GAP * max(last.size, line.size):
        return False
    lonely = 0
    for item in reversed(run):
        if len(cells_of(item)) > 1:
            break
        lonely += 1
    return len(cells_of(line)) > 1 or lonely < _MAX_LONELY


def _closed_run(run: list[Line]) -> Flow:
    """The run as a table if its cells line up, else its lines."""
    tail: Flow = []
    while run and len(cells_of(run[-1])) == 1:
        tail.insert(0, run.pop())
    full = [line for line in run if len(cells_of(line)) > 1]
    columns = _columns(full)
    if len(full) < max(_MIN_ROWS, _MIN_FULL_ROWS * len(run)) or not 1 < len(columns) <= _MAX_COLUMNS:
        return [*run, *tail]
    if not _aligned(full, columns) or _is_prose(full):
        return [*run, *tail]
    return [Table(run[0].page, [_row(line, columns) for line in run]), *tail]


def _columns(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Ranges that no cell leaves: overlapping cells of different rows belong to one column."""
    ranges = sorted(_range(cell) for line in lines for cell in cells_of(line))
    columns: list[tuple[float, float]] = []
    for left, right in ranges:
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _aligned(lines: Sequence[Line], columns: list[tuple[float, float]]) -> bool:
    """Whether most rows fill most columns, one cell each."""
    filled = sum(len({_column(cell, columns) for cell in cells_of(line)}) for line in lines)
    return filled >= len(lines) * len(columns) * 0.5


def _is_prose(lines: Sequence[Line]) -> bool:
    """Whether the "cells" are lines of text columns that stand side by side."""
    counts = [len(cell) for line in lines for cell in cells_of(line)]
    return sum(counts) > _MAX_CELL_WORDS * len(counts) / 2 and min(counts) > 1


def _row(line: Line, columns: list[tuple[float, float]]) -> list[str]:
    cells = [""] * len(columns)
    for cell in cells_of(line):
        index = _column(cell, columns)
        cells[index] = f"{cells[index]} {' '.join(word.text for word in cell)}".strip()
    return cells


def _column(cell: list[Word], columns: list[tuple[float, float]]) -> int:
    left, right = _range(cell)
    overlaps = [min(right, column[1]) - max(left, column[0]) for column in columns]
    return max(range(len(columns)), key=lambda index: overlaps[index])


def _range(cell: list[Word]) -> tuple[float, float]:
    return min(word.left for word in cell), max(word.right for word in cell)
