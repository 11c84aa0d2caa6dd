"""Tables in plain text, CSV and its relatives: one Markdown table, each row with its number in the file."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.encoding import decode, lines_of, refuse_blank
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.table import cell_text, empty_row, table_rule, used_width
from minirag_mcp.parse.table_header import has_header

_SEPARATORS = ",;\t|"
_BLOCK = 10_000
"""Lines that are joined at a time: millions of single ones take more memory than their text."""
_SNIFFED = 100
_SNIFFED_CHARACTERS = 256 * 1024
"""Rows that the separator is judged by, and where they end at the latest."""
_LONGEST_CELL = 2**31 - 1
_DECLARED = re.compile(r"sep=([,;\t|])[ \t]*\n", re.IGNORECASE)
"""First line by which spreadsheets are told the separator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dialect:
    """How a file writes its rows. Without `quotes` a quotation mark is a character like any other."""

    separator: str
    quotes: bool = True


def parse(data: bytes) -> Parsed:
    """The rows as a table whose header is the first row, or an empty one when that holds data like the others.

    Cells stay as they are written, blank ones blank.


    Raises EmptyFileError and WrongFormatError (binary data).
    """
    text = decode(data)
    declared = _DECLARED.match(text)
    skipped = 1 if declared else 0
    text = text[declared.end() :] if declared else text
    refuse_blank(text)
    dialect = _Dialect(separator=declared[1] if declared else _separator(text))
    if _ends_in_quotes(text, dialect):
        dialect = _Dialect(separator=dialect.separator, quotes=False)
    return _table(text, dialect, skipped)


def _table(text: str, dialect: _Dialect, skipped: int) -> Parsed:
    width = max(used_width(row) for row in _rows(text, dialect))
    blocks: list[str] = []
    lines: list[str] = []
    marks: list[Mark] = []
    offset = expected = 0
    headed = _is_headed(text, dialect)
    if not headed:
        lines = [empty_row(width), table_rule(width)]
        offset = sum(len(line) + 1 for line in lines)
    for number, row in enumerate(_rows(text, dialect), start=1 + skipped):
        line = _line(row, width)
        if line is None:
            continue
        if number != expected:
            marks.append(Mark(kind=MarkKind.ROW, start=offset, number=number))
        expected = number + 1
        if not offset and headed:
            marks.append(Mark(kind=MarkKind.ROW, start=offset + len(line) + 1, number=number))
            line += "\n" + table_rule(width)
        lines.append(line)
        offset += len(line) + 1
        if len(lines) == _BLOCK:
            blocks.append("\n".join(lines))
            lines.clear()
    return Parsed(text="\n".join((*blocks, *lines)), marks=tuple(marks))


def _is_headed(text: str, dialect: _Dialect) -> bool:
    rows = (row for row in _rows(text, dialect) if any(cell.strip() for cell in row))
    start = list(islice(rows, _SNIFFED))
    return not start or has_header(start, usual=True)


def _line(row: list[str], width: int) -> str | None:
    """A row of the table, or None when all its cells are blank."""
    cells = row[:width]
    line = " | ".join(cells)
    if not line.isprintable() or line.count("|") >= max(1, len(cells)) or "  " in line:
        cells = [cell_text(cell) for cell in cells]
        line = " | ".join(cells)
    if not any(cells):
        return None
    return f"| {line}{' | ' * (width - len(cells))} |"


def _rows(text: str, dialect: _Dialect, *, strict: bool = False) -> Iterator[list[str]]:
    csv.field_size_limit(_LONGEST_CELL)
    return csv.reader(
        lines_of(text),
        delimiter=dialect.separator,
        quoting=csv.QUOTE_MINIMAL if dialect.quotes else csv.QUOTE_NONE,
        skipinitialspace=dialect.quotes,
        strict=strict,
    )


def _separator(text: str) -> str:
    """The separator that gives the most rows of more than one cell and of the same width; else the comma."""
    start = text[: text.find("\n", _SNIFFED_CHARACTERS) + 1] or text
    return max(_SEPARATORS, key=lambda separator: (_evenness(start, separator), -_SEPARATORS.index(separator)))


def _evenness(text: str, separator: str) -> float:
    rows = islice(_rows(text, _Dialect(separator=separator)), _SNIFFED)
    widths = Counter(len(row) for row in rows if any(cell.strip() for cell in row))
    if not widths:
        return 0.0
    wide = {width: count for width, count in widths.items() if width > 1}
    return (max(wide.values(), default=0) + sum(wide.values())) / widths.total()


def _ends_in_quotes(text: str, dialect: _Dialect) -> bool:
    """Whether a quotation mark is opened that nothing closes, so that the rest of the file would be one cell."""
    try:
        for _ in _rows(text, dialect, strict=True):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False
