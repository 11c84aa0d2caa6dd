"""Tables of a PDF that go on over pages: one table, its header once, a page break before the rows of each page."""

import re
from dataclasses import dataclass, field

from minirag_mcp.parse.blocks import PAGE_BREAK
from minirag_mcp.parse.pdf_tables import Table
from minirag_mcp.parse.table import markdown_table
from minirag_mcp.parse.table_header import has_header

# Share of the cells of a column with figures in them by which it is a column of figures.
_MOSTLY = 0.6
_FIGURE = re.compile(r"\d")


@dataclass(slots=True)
class LongTable:
    """The rows of a table so far, and the page of each."""

    table: Table
    headed: bool
    rows: list[list[str]] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)

    @classmethod
    def begun(cls, table: Table) -> "LongTable":
        """A table with the rows of its first page."""
        headed = has_header(table.rows, usual=table.set_apart)
        return cls(table, headed, list(table.rows), [table.page] * len(table.rows))

    @property
    def first_page(self) -> int:
        """Where it begins."""
        return self.pages[0]

    @property
    def last_page(self) -> int:
        """Where its last row stands."""
        return self.pages[-1]

    def goes_on_with(self, table: Table) -> bool:
        """Whether `table`, which follows it with nothing between, is its next part.

        That is a table on the next page whose columns stand below its own, and which repeats the header or has none.
        """
        if table.page != self.last_page + 1 or not _same_columns(self.table, table):
            return False
        return table.rows[0] == self.rows[0] or not (table.set_apart or self._is_label_row(table.rows[0]))

    def _is_label_row(self, row: list[str]) -> bool:
        """Whether a row puts words where the rows so far have figures."""
        body = self.rows[self.headed :]
        for column, cell in enumerate(row):
            cells = [own[column] for own in body if own[column]]
            figures = sum(_FIGURE.search(own) is not None for own in cells)
            if cell and not _FIGURE.search(cell) and figures > _MOSTLY * len(cells):
                return True
        return False

    def add(self, table: Table) -> None:
        """Append the rows of the next page, without the header that they repeat."""
        rows = table.rows[1:] if self.headed and table.rows[0] == self.rows[0] else table.rows
        self.rows += rows
        self.pages += [table.page] * len(rows)

    def markdown(self, *, page: int) -> str:
        """The table, with a page break before the first row of each page after `page`."""
        lines = markdown_table(self.rows, header=self.headed).split("\n")
        above = len(lines) - len(self.rows)
        for index, own in enumerate(self.pages):
            if own > page:
                lines[index + above] = PAGE_BREAK * (own - page) + lines[index + above]
                page = own
        return "\n".join(lines)


def _same_columns(table: Table, other: Table) -> bool:
    if len(table.columns) != len(other.columns):
        return False
    return all(min(own[1], its[1]) > max(own[0], its[0]) for own, its in zip(table.columns, other.columns, strict=True))
