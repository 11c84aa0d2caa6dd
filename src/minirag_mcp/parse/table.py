"""Rows of cells to a Markdown table: one line a row, whatever the cells hold."""

from collections.abc import Iterable, Sequence

_BREAK = "<br>"


def markdown_table(rows: Sequence[Sequence[str]], *, header: bool = True) -> str:
    r"""The rows as a pipe table, the first row its header, or below an empty one; "" when there is no cell.

    Short rows are filled up. Every row is one line: line ends inside a cell become `<br>`,
    pipes are escaped. No line end after the last row.
    """
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    lines = [table_row(_filled(row, width)) for row in rows]
    above = lines[:1] if header else [empty_row(width)]
    return "\n".join([*above, table_rule(width), *lines[1 if header else 0 :]])


def table_row(cells: Iterable[str]) -> str:
    """One line of a pipe table."""
    return "| " + " | ".join(cell_text(cell) for cell in cells) + " |"


def table_rule(width: int) -> str:
    """The line below the header of a table of `width` columns."""
    return "|" + " --- |" * width


def empty_row(width: int) -> str:
    """The header of a table without one: Markdown has no other table."""
    return "|" + "  |" * width


def cell_text(cell: str) -> str:
    """`cell` on one line, safe between pipes."""
    lines = [" ".join(line.split()) for line in cell.splitlines()]
    return _BREAK.join(line for line in lines if line).replace("|", "\\|")


def trimmed(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """The rows without blank rows at the end and without columns that are blank in every row at the end."""
    kept = [list(row) for row in rows]
    while kept and not any(cell.strip() for cell in kept[-1]):
        kept.pop()
    width = max((used_width(row) for row in kept), default=0)
    return [row[:width] for row in kept]


def used_width(row: Sequence[str]) -> int:
    """Cells up to the last that is not blank."""
    if row and row[-1] and not row[-1].isspace():
        return len(row)
    return max((index for index, cell in enumerate(row, start=1) if cell.strip()), default=0)


def _filled(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]
