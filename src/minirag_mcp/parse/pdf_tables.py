"""Tables on a PDF page: inside ruled grids, and in rows whose cells stand below each other."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from minirag_mcp.parse.pdf_page import Line, Page, Rule, Word

# Points by which ends of ruled lines may miss each other.
_NEAR = 3.0
# Ruled lines of the smallest grid, and rows of the smallest table without them.
_MIN_VERTICALS = 3
_MIN_HORIZONTALS = 2
_MIN_ROWS = 3
# More columns are a form or a drawing.
_MAX_COLUMNS = 25
# A grid whose cells are mostly empty or hold whole paragraphs is a form or a page frame.
_MIN_FILLED = 0.3
_MAX_CELL = 500
# A gap this wide, in font sizes, parts two cells; justified prose stays below.
_CELL_GAP = 1.2
# Cells of more words on average are lines of text columns.
_MAX_MEAN_WORDS = 6
# Share of the rows of a run that must have several cells.
_MIN_FULL_ROWS = 0.6
# From baseline to baseline of two rows, in font sizes.
_MAX_ROW_GAP = 3.0
# Rows of one cell on end that a table may hold: cells of several lines.
_MAX_LONELY = 2
# Share of row edges that two grids have in common when they are one table.
_SAME_ROWS = 0.7
# More separate grids than this on one page are a drawing.
_MAX_GRIDS = 60
# Share of the rows that are items in a list.
_LIST_SHARE = 0.6
_LABEL = re.compile(r"\(?(?:\d{1,3}|[a-zа-я]|[ivx]{1,5})[.)]|[•●○▪■□◆‣∙·–—*-]|\uf0b7")
_FROM_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")
_CURRENCY = frozenset("$€£¥₽₴₹")


@dataclass(slots=True)
class Table:
    """Cells row by row; lines of a cell are parted by line ends.

    page       where it stands, 0-based
    columns    in the order of the cells, in points; tables in scripts that run from the right begin there
    top        height above which nothing of it stands
    set_apart  whether its first row, unlike the next, is in bold
    """

    page: int
    rows: list[list[str]]
    columns: list[tuple[float, float]]
    top: float
    set_apart: bool = False

    def in_reading_order(self) -> "Table":
        """The table, from right to left where most of its letters run so."""
        text = "".join(cell for row in self.rows for cell in row)
        if 2 * len(_FROM_RIGHT.findall(text)) <= len(_LETTER.findall(text)):
            return self
        return replace(self, rows=[row[::-1] for row in self.rows], columns=self.columns[::-1])


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
    """The ruled grids of a page: what is joined by crossing rules."""
    horizontals = sorted(set(page.horizontals), key=lambda rule: rule.at)
    found: list[tuple[list[Rule], list[Rule]]] = []
    joined = list(_joined(sorted(set(page.verticals), key=lambda rule: rule.at), horizontals))
    for verticals, crossed in joined if len(joined) <= _MAX_GRIDS else ():
        beside = next((group for group in found if _side_by_side(group[1], crossed)), None)
        if beside is None:
            found.append((verticals, crossed))
        else:
            beside[0].extend(verticals)
            beside[1].extend(crossed)
    for verticals, crossed in found:
        grid = _Grid(
            columns=_distinct(rule.at for rule in verticals),
            rows=_distinct(rule.at for rule in crossed)[::-1],
            verticals=verticals,
        )
        if _MIN_VERTICALS <= len(grid.columns) <= _MAX_COLUMNS and len(grid.rows) >= _MIN_HORIZONTALS:
            yield grid


def _side_by_side(horizontals: Sequence[Rule], others: Sequence[Rule]) -> bool:
    """Whether two grids have mostly the same row edges: columns of one table, drawn apart."""
    first, second = {rule.at for rule in horizontals}, {rule.at for rule in others}
    shared = len(first & second)
    return shared >= _MIN_ROWS and shared >= _SAME_ROWS * max(len(first), len(second))


def _joined(verticals: list[Rule], horizontals: list[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Vertical rules that cross the same horizontals, directly or through others, with those horizontals."""
    heights = [rule.at for rule in horizontals]
    group_of: dict[int, int] = {}
    groups: dict[int, tuple[list[int], set[int]]] = {}
    for index, vertical in enumerate(verticals):
        near = range(bisect(heights, vertical.start - _NEAR), bisect(heights, vertical.end + _NEAR))
        crossed = {other for other in near if _crosses(horizontals[other], vertical)}
        members = [index]
        for old in {group_of[other] for other in crossed if other in group_of}:
            old_members, old_crossed = groups.pop(old)
            members += old_members
            crossed |= old_crossed
        groups[index] = (members, crossed)
        group_of.update(dict.fromkeys(crossed, index))
    for members, crossed in groups.values():
        yield [verticals[member] for member in sorted(members)], [horizontals[other] for other in sorted(crossed)]


def _crosses(horizontal: Rule, vertical: Rule) -> bool:
    return horizontal.start - _NEAR <= vertical.at <= horizontal.end + _NEAR


def _distinct(values: Iterable[float]) -> list[float]:
    """Sorted values without those that nearly repeat the one before."""
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _NEAR:
            kept.append(value)
    return kept


def _taken_out(flow: Flow, grid: _Grid) -> Flow:
    cells: dict[tuple[int, int], list[str]] = {}
    weights: dict[int, bool] = {}
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
            row = grid.cell(inside[0], item)[0]
            weights[row] = item.bold and weights.get(row, True)
        if outside:
            rest.append(item.with_words(outside) if inside else item)
    rows, used = _tidied(
        ["\n".join(cells.get((row, column), ())) for column in range(len(grid.columns) - 1)]
        for row in range(len(grid.rows) - 1)
    )
    if not _believable(rows):
        return flow
    columns = [(grid.columns[column], grid.columns[column + 1]) for column in used]
    set_apart = [weights[row] for row in sorted(weights)[:2]] == [True, False]
    rest.insert(place, Table(page, rows, columns, grid.rows[0], set_apart).in_reading_order())
    return rest


def _fill(cells: dict[tuple[int, int], list[str]], grid: _Grid, line: Line) -> None:
    run = [line.words[0]]
    for before, word in pairwise(line.words):
        if grid.parted(before, word, line):
            cells.setdefault(grid.cell(run[0], line), []).append(" ".join(part.text for part in run))
            run = []
        run.append(word)
    cells.setdefault(grid.cell(run[0], line), []).append(" ".join(part.text for part in run))


def _believable(rows: list[list[str]]) -> bool:
    texts = [cell for row in rows for cell in row if cell]
    used = {column for row in rows for column, cell in enumerate(row) if cell}
    filled = len(texts) >= _MIN_FILLED * sum(len(row) for row in rows)
    return len(used) > 1 and len(rows) > 1 and filled and max(map(len, texts)) <= _MAX_CELL


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
    if not _aligned(full, columns) or _is_prose(full) or _is_list(full):
        return [*run, *tail]
    set_apart = run[0].bold and not run[1].bold
    rows, used = _tidied(_row(line, columns) for line in run)
    table = Table(run[0].page, rows, [columns[column] for column in used], run[0].base, set_apart)
    return [table.in_reading_order(), *tail]


def _tidied(rows: Iterable[list[str]]) -> tuple[list[list[str]], list[int]]:
    """The rows without blank rows and columns; a currency sign in a cell of its own joins the amount after it.

    And the indexes of the columns that are left.
    """
    kept = [row for row in rows if any(row)]
    for row in kept:
        for index, cell in enumerate(row[:-1]):
            if cell in _CURRENCY:
                row[index], row[index + 1] = "", cell + row[index + 1]
    used = sorted({index for row in kept for index, cell in enumerate(row) if cell})
    return [[row[index] for index in used] for row in kept], used


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
    return sum(counts) > _MAX_MEAN_WORDS * len(counts) and min(counts) > 1


def _is_list(lines: Sequence[Line]) -> bool:
    """Whether the rows are list items or clauses, set off from their bullets and numbers."""
    rows = [cells_of(line) for line in lines]
    items = sum(len(row) == 2 and _LABEL.fullmatch(row[0][-1].text) is not None for row in rows)  # noqa: PLR2004
    return items >= _LIST_SHARE * len(rows)


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
