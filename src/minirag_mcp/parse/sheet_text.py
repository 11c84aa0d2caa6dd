"""The filled cells of a sheet, row by row, to tables and lines with marks on the original rows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from minirag_mcp.errors import ParseLimitError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.blocks import MAX_TEXT, TextBuilder, heading, one_line, paragraph
from minirag_mcp.parse.table import empty_row, table_row, table_rule
from minirag_mcp.parse.table_header import has_header

_SHEET_LEVEL = 2
# Rows by which the first is judged.
_JUDGED = 50
_NUMERIC = re.compile(r"^[-+(]?\W?\d[\d.,:/%() -]*\W?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row with something in it: its number in the sheet (1-based) and the text of its filled cells by column."""

    number: int
    cells: dict[int, str]


@dataclass(slots=True)
class _Region:
    """Rows that are one table; `columns` are those used in any of them."""

    rows: list[Row] = field(default_factory=list)
    columns: set[int] = field(default_factory=set)
    numeric: set[int] = field(default_factory=set)

    def add(self, row: Row) -> None:
        if self.rows:
            self.numeric.update(column for column, text in row.cells.items() if _NUMERIC.match(text))
        self.rows.append(row)
        self.columns.update(row.cells)


def add_sheet(builder: TextBuilder, name: str, rows: Iterable[Row], *, number: int) -> None:
    """Add a sheet: its name as a heading under a SHEET mark, then its tables with ROW marks.

    Blank rows stay out, and so do columns blank in a whole table. The first row of a table is its header, unless it
    holds data like the others.
    After blank rows a new table begins only where the layout changes: other columns, a single caption
    cell, or words where numbers were. A sheet without filled cells adds nothing.
    """
    regions = _regions(rows)
    if not regions:
        return
    builder.mark(MarkKind.SHEET, number=number, name=name)
    builder.add(heading(name, level=_SHEET_LEVEL) or f"{'#' * _SHEET_LEVEL} {number}")
    for region in regions:
        captions = _caption_rows(region)
        _add_lines(builder, captions, sheet=name)
        _add_table(builder, region.rows[len(captions) :], sorted(region.columns), sheet=name)


def _regions(rows: Iterable[Row]) -> list[_Region]:
    regions: list[_Region] = []
    last = size = 0
    for row in rows:
        size += sum(map(len, row.cells.values()))
        if size > MAX_TEXT:
            raise ParseLimitError(f"A sheet holds more than {MAX_TEXT:,} characters of text.")
        if not regions or (row.number > last + 1 and _begins_table(row, regions[-1])):
            regions.append(_Region())
        regions[-1].add(row)
        last = row.number
    return regions


def _begins_table(row: Row, region: _Region) -> bool:
    columns = row.cells.keys()
    if len(region.columns) == 1:
        return True
    if len(columns) == 1 or not columns <= region.columns:
        return True
    words = [column for column, text in row.cells.items() if not _NUMERIC.match(text)]
    return len(words) == len(columns) and any(column in region.numeric for column in words)


def _caption_rows(region: _Region) -> list[Row]:
    """The leading rows of one cell, above a wider table; all rows when there is only one column."""
    if len(region.columns) == 1:
        return region.rows
    wide = next(index for index, row in enumerate(region.rows) if len(row.cells) > 1 or index + 1 == len(region.rows))
    return region.rows[:wide]


def _add_lines(builder: TextBuilder, rows: list[Row], *, sheet: str) -> None:
    lines = [paragraph(one_line(next(iter(row.cells.values())))) for row in rows]
    _add_numbered(builder, lines, [row.number for row in rows], sheet=sheet)


def _add_table(builder: TextBuilder, rows: list[Row], columns: list[int], *, sheet: str) -> None:
    if not rows:
        return
    lines = [table_row(row.cells.get(column, "") for column in columns) for row in rows]
    numbers = [row.number for row in rows]
    start = [[row.cells.get(column, "") for column in columns] for row in islice(rows, _JUDGED)]
    if not has_header(start, usual=True):
        lines.insert(0, empty_row(len(columns)))
        numbers.insert(0, rows[0].number)
    lines.insert(1, table_rule(len(columns)))
    numbers.insert(1, numbers[0])
    _add_numbered(builder, lines, numbers, sheet=sheet)


def _add_numbered(builder: TextBuilder, lines: list[str], numbers: list[int], *, sheet: str) -> None:
    """Add one block of lines; ROW marks count lines, so each line whose number is not the next gets a mark."""
    marks: list[Mark] = []
    start, expected = 0, -1
    for line, number in zip(lines, numbers, strict=True):
        if number != expected:
            marks.append(Mark(kind=MarkKind.ROW, start=start, number=number, name=sheet))
        expected = number + 1
        start += len(line) + 1
    builder.add("\n".join(lines), marks=marks)
