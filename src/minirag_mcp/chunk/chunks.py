"""Sections to chunks: ranges of units within the token budget, with what stands above each."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from minirag_mcp.chunk.breadcrumb import Breadcrumbs, shortened
from minirag_mcp.chunk.counter import TokenCounter
from minirag_mcp.chunk.pack import Load, divide
from minirag_mcp.chunk.pieces import Piece
from minirag_mcp.chunk.plain import folded
from minirag_mcp.chunk.units import GAIN_AFTER_PARTS, GLUE_HEADING, Form, Sizes, TableHead, Unit, cut_cost, head_of
from minirag_mcp.model import SectionKind, Span

NOTICE = "[code block split to fit the token budget]"

_CONTEXT_SHARE = 3
"""Context takes at most a third of the budget: chunks that are mostly the same prefix have nearly the same vector."""
_HEADER_SHARE = 2
"""A table header over half the budget is not repeated in chunks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A chunk before it is numbered and placed; `piece` is the index of its section."""

    piece: int
    span: Span
    context: str
    header: str


@dataclass(frozen=True, slots=True)
class _Range:
    """Units `first`…`last` (not included) and their tokens, the notice included."""

    piece: int
    first: int
    last: int
    tokens: int


class Chunker:
    """Cuts the sections of one document."""

    def __init__(
        self,
        text: str,
        units: Sequence[Unit],
        pieces: Sequence[Piece],
        *,
        title: str,
        counter: TokenCounter,
        sizes: Sizes,
    ) -> None:
        self._text, self._units, self._pieces = text, units, pieces
        self._title, self._counter, self._sizes = title, counter, sizes
        self._context_room = sizes.budget // _CONTEXT_SHARE
        self._crumbs = Breadcrumbs(counter, sorted({self._path(piece) for piece in pieces}))

    def drafts(self) -> list[Draft]:
        """All chunks in order; their spans join to the spans of the pieces."""
        packed = (self._packed(index, self._lead(index)) for index in range(len(self._pieces)))
        ranges = self._checked([part for parts in packed for part in parts])
        if not ranges or not self._lacks_title(ranges[0]):
            return [self._draft(part) for part in ranges]
        room = min(self._context_room, self._counter.count(f"# {self._title}"))
        first = self._checked(list(self._packed(0, room)))
        later = [*first[1:], *(part for part in ranges if part.piece > 0)]
        return [self._titled(first[0]), *(self._draft(part) for part in later)]

    def _path(self, piece: Piece) -> tuple[str, ...]:
        """What is said above every chunk of a section but, for headings it holds itself, the first."""
        segment = piece.segment
        if segment.kind is SectionKind.WINDOW:
            return tuple(part for part in (self._title, segment.label) if part)
        return segment.headings

    def _path_above(self, piece: Piece, first: int) -> tuple[str, ...]:
        """What is said above the chunk of `piece` that begins with unit `first`."""
        path = self._path(piece)
        at_beginning = piece.whole and first == piece.first
        return path[: len(path) - piece.segment.inside] if at_beginning else path

    def _lead(self, index: int) -> int:
        piece = self._pieces[index]
        path = self._path_above(piece, piece.first)
        return min(self._context_room, self._crumbs.tokens(path)) if path else 0

    def _packed(self, index: int, first_lead: int) -> Iterator[_Range]:
        """The cheapest division of one section."""
        piece = self._pieces[index]
        units = self._units[piece.first : piece.last]
        path = self._path(piece)
        later_lead = min(self._context_room, self._crumbs.tokens(path)) if path else 0
        atoms = self._atoms(units)
        load = Load(
            weights=[sum(unit.weight for unit in units[first:last]) for first, last in pairwise((*atoms, len(units)))],
            costs=[_cost(units[atom]) for atom in atoms],
            leads=[(later_lead if atom else first_lead) + self._lead_of(units[atom]) for atom in atoms],
            marked=[units[atom].form is Form.BROKEN_CODE for atom in atoms],
            mark=self._sizes.notice,
        )
        firsts = [piece.first + atoms[start] for start in divide(load, self._sizes.budget, self._sizes.limit)]
        for first, last in pairwise((*firsts, piece.last)):
            yield self._range(index, first, last)

    def _atoms(self, units: Sequence[Unit]) -> list[int]:
        """First units of what is packed as one: each by itself, but a whole code block with the headings above it.

        The block may go over the budget, so it takes them along although both together do.
        """
        atoms: list[int] = []
        run = 0
        for number, unit in enumerate(units):
            atoms.append(number)
            run = number if number == 0 or unit.glue < GLUE_HEADING else run
            tokens = sum(part.tokens for part in units[run : number + 1]) if unit.form is Form.CODE else 0
            if self._sizes.budget < tokens <= self._sizes.limit:
                del atoms[bisect_right(atoms, run) :]
        return atoms

    def _range(self, piece: int, first: int, last: int) -> _Range:
        units = self._units[first:last]
        notice = self._sizes.notice if any(unit.form is Form.BROKEN_CODE for unit in units) else 0
        return _Range(piece, first, last, sum(unit.tokens for unit in units) + notice)

    def _lead_of(self, unit: Unit) -> int:
        """Tokens of the header row to repeat above a chunk that begins with `unit`."""
        return 0 if unit.apart else self._head_tokens(unit.head)

    def _head_tokens(self, head: TableHead | None) -> int:
        return 0 if head is None or head.tokens > self._sizes.budget // _HEADER_SHARE else head.tokens

    def _checked(self, ranges: list[_Range]) -> list[_Range]:
        """Count again what was joined where there is no white space, and part what turns out too long.

        Tokens add up over white space only.
        """
        settled: dict[int, _Range] = {}
        while True:
            loose = [at for at, part in enumerate(ranges) if part.first not in settled and self._is_loose(part)]
            if not loose:
                return [settled.get(part.first, part) for part in ranges]
            spans = [self._span(ranges[at]).of(self._text) for at in loose]
            for at, tokens in zip(loose, self._counter.count_many(spans), strict=True):
                part = ranges[at]
                notice = part.tokens - sum(unit.tokens for unit in self._units[part.first : part.last])
                settled[part.first] = _Range(part.piece, part.first, part.last, tokens + notice)
            ranges = [half for part in ranges for half in self._halved(settled.get(part.first, part))]
            settled = {part.first: part for part in ranges if settled.get(part.first) == part}

    def _halved(self, part: _Range) -> list[_Range]:
        if part.tokens <= self._most(part) or part.last - part.first == 1:
            return [part]
        middle = (part.first + part.last) // 2
        return [self._range(part.piece, part.first, middle), self._range(part.piece, middle, part.last)]

    def _is_loose(self, part: _Range) -> bool:
        return any(self._text[unit.start - 1] not in " \t\n" for unit in self._units[part.first + 1 : part.last])

    def _most(self, part: _Range) -> int:
        """Tokens that the chunk may have."""
        whole_code = any(unit.form is Form.CODE for unit in self._units[part.first : part.last])
        return self._sizes.limit if whole_code and part.tokens > self._sizes.budget else self._sizes.budget

    def _span(self, part: _Range) -> Span:
        piece = self._pieces[part.piece]
        return Span(
            start=piece.span.start if part.first == piece.first else self._units[part.first].start,
            end=piece.span.end if part.last == piece.last else self._units[part.last].start,
        )

    def _draft(self, part: _Range) -> Draft:
        header, room = self._header(part)
        path = self._path_above(self._pieces[part.piece], part.first)
        context = self._crumbs.fit(path, min(room, self._context_room))
        return Draft(piece=part.piece, span=self._span(part), context=context, header=header)

    def _titled(self, part: _Range) -> Draft:
        header, room = self._header(part)
        marker = self._counter.count("#")
        title = shortened(self._title, min(room, self._context_room) - marker, self._counter)
        context = f"# {title}" if title else ""
        return Draft(piece=part.piece, span=self._span(part), context=context, header=header)

    def _header(self, part: _Range) -> tuple[str, int]:
        """What is shown above the span, and the tokens left for context."""
        room = self._most(part) - part.tokens
        lines = []
        if any(unit.form is Form.BROKEN_CODE for unit in self._units[part.first : part.last]):
            lines.append(NOTICE)
        head = head_of(self._units[part.first : part.last])
        tokens = self._head_tokens(head)
        if head is not None and 0 < tokens <= room:
            lines.append(head.shown(self._text))
            room -= tokens
        return "\n".join(lines), room

    def _lacks_title(self, part: _Range) -> bool:
        if not self._title:
            return False
        draft = self._draft(part)
        return folded(self._title) not in folded(f"{draft.context}\n{draft.span.of(self._text)}")


def _cost(unit: Unit) -> float:
    """What it costs to begin a chunk with `unit`."""
    return cut_cost(unit) - (GAIN_AFTER_PARTS if unit.after_parts else 0.0)
