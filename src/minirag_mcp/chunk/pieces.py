"""Segments to sections: grouped where blocks are small, cut where a segment is over the cap."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from minirag_mcp.chunk.pack import Load, divide
from minirag_mcp.chunk.sections import Segment
from minirag_mcp.chunk.units import GLUE_HEADING, SECTION_CAP, UNIT_LIMIT, Edge, Unit, cut_cost
from minirag_mcp.model import SectionKind, Span

_GROUPED = 1_200
"""Blocks of a text without headings are read together up to this many characters: the median heading section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Units `first`…`last` (not included) of `segment`, which become one section.

    span    its characters without blank lines around them
    header  table header to show above, when the piece begins inside a table
    whole   whether the piece begins where its segment begins
    """

    segment: Segment
    span: Span
    first: int
    last: int
    header: str = ""
    whole: bool = True


def pieces_of(text: str, segments: Sequence[Segment], units: Sequence[Unit]) -> list[Piece]:
    """Pieces of at most `SECTION_CAP` characters, but for one row or sentence that is longer by itself."""
    starts = [unit.start for unit in units]
    pieces = []
    for segment in segments:
        first, last = bisect_left(starts, segment.start), bisect_left(starts, segment.end)
        groups = _grouped(units, first, last) if segment.kind is SectionKind.BLOCK else [(first, last)]
        bounds = [bound for group in groups for bound in _capped(units, *group)]
        for start, stop in bounds:
            span = written(text, units[start].start, units[stop - 1].end)
            if span is not None:
                begin, end = _written_units(units, start, stop, span)
                header = _header(text, units[begin])
                pieces.append(
                    Piece(segment=segment, span=span, first=begin, last=end, header=header, whole=start == first)
                )
    return pieces


def _written_units(units: Sequence[Unit], first: int, last: int, span: Span) -> tuple[int, int]:
    """Without the units outside `span`: a long run of blanks is cut into some that hold nothing."""
    while units[first].end <= span.start:
        first += 1
    while units[last - 1].start >= span.end:
        last -= 1
    return first, last


def written(text: str, start: int, end: int) -> Span | None:
    """The range without blank lines at its beginning and white space at its end; None if nothing is left."""
    shown = text[start:end]
    blank = len(shown) - len(shown.lstrip())
    if blank == len(shown):
        return None
    line = text.rfind("\n", start, start + blank)
    return Span(start=line + 1 if line >= 0 else start, end=start + len(shown.rstrip()))


def _header(text: str, unit: Unit) -> str:
    return "" if unit.head is None else text[unit.head.start : unit.head.end].strip("\n")


def _grouped(units: Sequence[Unit], first: int, last: int) -> list[tuple[int, int]]:
    """Neighbouring blocks up to the target together; a block over it by itself, with the heading above it."""
    groups: list[tuple[int, int]] = []
    begin = first
    edges = [index for index in range(first, last) if units[index].edge is Edge.BLOCK]
    for block, after in zip(edges, [*edges[1:], last], strict=True):
        size = units[after - 1].end - units[begin].start
        if block > begin and size > _GROUPED and units[block].glue < GLUE_HEADING:
            groups.append((begin, block))
            begin = block
    return [*groups, (begin, last)]


def _capped(units: Sequence[Unit], first: int, last: int) -> list[tuple[int, int]]:
    if units[last - 1].end - units[first].start <= SECTION_CAP:
        return [(first, last)]
    atoms = _beside_headings(units, _atoms(units, first, last), last)
    ends = [*atoms[1:], last]
    load = Load(
        weights=[units[end - 1].end - units[begin].start for begin, end in zip(atoms, ends, strict=True)],
        costs=[cut_cost(units[begin]) for begin in atoms],
        leads=[_header_length(units[begin]) for begin in atoms],
        firm=True,
    )
    starts = [atoms[index] for index in divide(load, SECTION_CAP, UNIT_LIMIT)]
    return list(zip(starts, [*starts[1:], last], strict=True))


def _header_length(unit: Unit) -> int:
    return 0 if unit.head is None else unit.head.end - unit.head.start


def _atoms(units: Sequence[Unit], first: int, last: int) -> list[int]:
    """First units of what a section keeps whole: parts of one row or one sentence join, up to the limit."""
    atoms = [first]
    for index in range(first + 1, last):
        inside = units[index].edge > Edge.LINE
        if not inside or units[index].end - units[atoms[-1]].start > UNIT_LIMIT:
            atoms.append(index)
    return atoms


def _beside_headings(units: Sequence[Unit], atoms: Sequence[int], last: int) -> list[int]:
    """`atoms`, but for one that fits into a section only without the headings above it: that is cut, not parted."""
    found: list[int] = []
    above = units[atoms[0]].start
    for atom, end in pairwise((*atoms, last)):
        above = above if units[atom].glue >= GLUE_HEADING else units[atom].start
        after = units[end - 1].end
        fits_alone = after - units[atom].start <= SECTION_CAP < after - above
        found.extend(range(atom, end) if fits_alone else (atom,))
    return found
