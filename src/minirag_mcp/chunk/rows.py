"""Rows of tables that are too large for a chunk: cut between cells, each piece under the names of its own columns."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest
from math import ceil

from minirag_mcp.chunk.counter import TokenCounter
from minirag_mcp.chunk.table_lines import cell_starts, ends_row
from minirag_mcp.chunk.units import GLUE_TABLE_HEAD, UNCOUNTED, Edge, TableHead, Unit

_FILLED = 0.85
"""Share of the room that cells fill together with the names of their columns, so that small differences fit."""

_COUNTED = 8_192
"""Characters of a cell that are counted: with as many it is a group by itself."""

Columns = tuple[int, int]


class RowCutter:
    """Cuts the rows of one text."""

    def __init__(self, text: str, counter: TokenCounter) -> None:
        self._text, self._counter = text, counter
        self._heads: dict[tuple[int, Columns], TableHead | None] = {}
        self._names_tokens: dict[int, list[int]] = {}

    def pieces(self, row: Unit, room: int) -> list[Unit]:
        """`row` in two or more pieces of whole cells; nothing if it has but one cell or no header.

        They are counted only if white space stands between the cells: over anything else tokens do not add up.
        """
        if row.head is None:
            return []
        bounds = [*cell_starts(self._text, row.start, row.end), row.end]
        if len(bounds) == 2:  # noqa: PLR2004 - one cell
            return []
        bounds[0] = row.start
        tokens = self._tokens_of_cells(bounds)
        first = row.head.columns[0] if row.head.columns else 0
        names = self._tokens_of_names(row.head)[first : first + len(tokens)]
        widths = [own + name for own, name in zip_longest(tokens, names, fillvalue=0)]
        if row.glue >= GLUE_TABLE_HEAD:
            widths[0] = tokens[0] + (row.head.whole or row.head).tokens
        spaced = all(self._text[bound - 1].isspace() for bound in bounds[1:-1])
        pieces = []
        for begin, after in _groups(widths, max(2, ceil(sum(widths) / (room * _FILLED)))):
            count = sum(tokens[begin:after]) if spaced else UNCOUNTED
            piece = replace(row, start=bounds[begin], end=bounds[after], tokens=count)
            pieces.append(self._piece(piece, (first + begin, first + after), at_beginning=begin == 0))
        return pieces

    def _piece(self, piece: Unit, columns: Columns, *, at_beginning: bool) -> Unit:
        """`piece` as those columns of the table. Where the whole header stands above, it needs no other."""
        head = None if piece.head is None else self._head(piece.head, columns)
        names = 0 if head is None else head.tokens
        if at_beginning:
            return replace(piece, head=head, apart=0 if piece.glue >= GLUE_TABLE_HEAD else names)
        return replace(piece, head=head, apart=names, edge=Edge.WORD, glue=0.0)

    def _tokens_of_cells(self, bounds: Sequence[int]) -> list[int]:
        """Never too few: a cell longer than is counted has as many as it has characters, until it is cut."""
        cells = list(pairwise(bounds))
        counts = self._counter.count_many([self._text[start : min(end, start + _COUNTED)] for start, end in cells])
        return [
            count if end - start <= _COUNTED else end - start for count, (start, end) in zip(counts, cells, strict=True)
        ]

    def _tokens_of_names(self, head: TableHead) -> list[int]:
        if head.start not in self._names_tokens:
            names = [self._text[start:end] for start, end in pairwise(self._names(head))]
            self._names_tokens[head.start] = self._counter.count_many(names)
        return self._names_tokens[head.start]

    def _names(self, head: TableHead) -> list[int]:
        """Where each column begins in the header row, and where the last ends."""
        end = self._text.index("\n", head.start, head.end)
        return [*cell_starts(self._text, head.start, end), end]

    def _head(self, head: TableHead, columns: Columns) -> TableHead | None:
        """The header of some columns; None if it does not name them."""
        key = (head.start, columns)
        if key not in self._heads:
            self._heads[key] = self._part(head, columns)
        return self._heads[key]

    def _part(self, head: TableHead, columns: Columns) -> TableHead | None:
        names = self._names(head)
        rules = cell_starts(self._text, names[-1] + 1, head.end)
        first, after = columns[0], min(columns[1], len(names) - 1, len(rules))
        if first >= after:
            return None
        rules.append(head.end)
        shown = f"{self._cut(names, first, after)}\n{self._cut(rules, first, after)}"
        tokens = self._counter.count(shown.split("\n", 1)[0])
        return TableHead(head.start, head.end, tokens, columns=columns, names=shown, whole=head.whole or head)

    def _cut(self, starts: Sequence[int], first: int, after: int) -> str:
        """Some cells of a row, between pipes."""
        cells = self._text[starts[first] : starts[after]].strip()
        return f"{cells if cells.startswith('|') else f'| {cells}'}{'' if ends_row(cells) else ' |'}"


def _groups(widths: Sequence[int], parts: int) -> Iterator[Columns]:
    """Neighbouring cells in about `parts` groups of like width; at least two."""
    total = sum(widths) + len(widths)
    begin = group = 0
    passed = 0.0
    for at, width in enumerate(widths):
        own = int((passed + (width + 1) / 2) * parts / total)
        if at and own != group:
            yield begin, at
            begin = at
        group = own
        passed += width + 1
    yield begin, len(widths)
