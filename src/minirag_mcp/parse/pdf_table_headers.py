"""Headers that a PDF sets above a table, outside its rows: stacked words over the columns."""

from collections.abc import Sequence

from minirag_mcp.parse.pdf_page import Line
from minirag_mcp.parse.pdf_tables import Flow, Table, cells_of
from minirag_mcp.parse.table_header import has_header

# Lines above a table that may be its header, and the words of one of its cells on one line.
_MOST_LINES = 12
_MOST_WORDS = 5
# How far above the first row a header of up to three lines begins, in font sizes.
_NEAR = 5.0
# Share of the narrower of both by which a header stands over its column.
_OVER = 0.5


def with_headers_above(flow: Flow) -> Flow:
    """The flow, with the lines that name the columns of a table below them made its first row."""
    result: Flow = []
    for item in flow:
        if isinstance(item, Table) and not has_header(item.rows, usual=item.set_apart):
            cells, count = _cells_above(result, item)
            if count:
                del result[-count:]
                item.rows.insert(0, cells)
                item.set_apart = True
        result.append(item)
    return result


def _cells_above(flow: Sequence[Line | Table], table: Table) -> tuple[list[str], int]:
    """The header by columns, and how many of the last lines of the flow it takes.

    It names every column, or all but the first, and more than one; else it is a caption or a heading.
    """
    found: list[tuple[float, int, str]] = []
    count = 0
    for line in reversed(flow[-_MOST_LINES:]):
        if not isinstance(line, Line) or line.page != table.page or line.running:
            break
        named = _named(line, table) if 0 < line.base - table.top <= _NEAR * line.size else []
        if not named:
            break
        found += [(line.base, column, text) for column, text in named]
        count += 1
    covered = {column for _, column, _ in found}
    if len(covered) < 2 or not covered.issuperset(range(1, len(table.columns))):  # noqa: PLR2004 - more than one
        return [], 0
    cells = [""] * len(table.columns)
    for _, column, text in sorted(found, key=lambda entry: -entry[0]):
        cells[column] = f"{cells[column]}\n{text}".strip()
    return cells, count


def _named(line: Line, table: Table) -> list[tuple[int, str]]:
    """Each cell of the line with the one column it stands over, or nothing when one stands over none or two."""
    named = []
    for cell in cells_of(line):
        left, right = min(word.left for word in cell), max(word.right for word in cell)
        over = [
            column
            for column, (start, end) in enumerate(table.columns)
            if min(right, end) - max(left, start) > _OVER * min(right - left, end - start)
        ]
        if len(over) != 1 or len(cell) > _MOST_WORDS:
            return []
        named.append((over[0], " ".join(word.text for word in cell)))
    return named
