"""Where in the original a span stands."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice

from minirag_mcp.model import Mark, MarkKind, Place, Span, rules_off

_MOST_SPECIFIC_FIRST = (
    MarkKind.SLIDE,
    MarkKind.CELL,
    MarkKind.ROW,
    MarkKind.TIME,
    MarkKind.PAGE,
    MarkKind.CHAPTER,
    MarkKind.LINE,
    MarkKind.SHEET,
)


class Places:
    """Answers for any span of one text by the marks given; one look-up is logarithmic."""

    def __init__(self, text: str, marks: Sequence[Mark]) -> None:
        self._text = text
        self._marks = {kind: [mark for mark in marks if mark.kind is kind] for kind in {mark.kind for mark in marks}}
        self._starts = {kind: [mark.start for mark in found] for kind, found in self._marks.items()}

    @cached_property
    def _line_ends(self) -> list[int]:
        return list(accumulate(len(line) + 1 for line in self._text.split("\n")))

    def of(self, span: Span) -> Place | None:
        """The most specific place any mark gives for the written part of `span`."""
        first, last = self._written(span)
        for kind in _MOST_SPECIFIC_FIRST:
            if kind in self._marks and (place := self._by_kind(kind, first, last)):
                return place
        return None

    def _written(self, span: Span) -> tuple[int, int]:
        shown = span.of(self._text)
        first = span.start + len(shown) - len(shown.lstrip())
        return first, max(first, span.start + len(shown.rstrip()) - 1)

    def _by_kind(self, kind: MarkKind, first: int, last: int) -> Place | None:
        if kind is MarkKind.ROW:
            return self._rows(first, last)
        if kind is MarkKind.TIME:
            return self._times(first, last)
        begin, end = self._at(kind, first) or self._next(kind, first, last), self._at(kind, last)
        if begin is None or end is None:
            return None
        if kind is MarkKind.LINE:
            return Place(kind=kind, first=self._counted(begin, max(first, begin.start)), last=self._counted(end, last))
        names = dict.fromkeys(name for name in (begin.name, end.name) if name)
        return Place(kind=kind, first=begin.number, last=max(begin.number, end.number), name=" – ".join(names))

    def _rows(self, first: int, last: int) -> Place | None:
        """Rows of the sheet in which the span begins; text above the first row, and a table's rule, are in none."""
        first = self._below_rule(first, last)
        sheet = self._at(MarkKind.SHEET, first) or self._next(MarkKind.SHEET, first, last)
        begin = self._at(MarkKind.ROW, first)
        if begin is None or (sheet is not None and begin.start < sheet.start):
            begin = self._next(MarkKind.ROW, first, last)
        if begin is None:
            return None
        numbers = [number for run in self._runs(begin, first, last) for number in self._numbers(*run)]
        name = begin.name or (sheet.name if sheet else "")
        return Place(kind=MarkKind.ROW, first=min(numbers), last=max(numbers), name=name)

    def _below_rule(self, first: int, last: int) -> int:
        """The first written character below the rule of a table, if that is where the span begins."""
        end = self._text.find("\n", first, last)
        if end < 0 or not rules_off(self._text[first:end]):
            return first
        below = self._text[end : last + 1]
        return end + len(below) - len(below.lstrip())

    def _runs(self, begin: Mark, first: int, last: int) -> Iterator[tuple[Mark, Span]]:
        """The ROW marks from `begin` to `last` on its sheet, each with the characters of the span under it.

        Their numbers may fall: comments stand below all rows.
        """
        sheet = self._next(MarkKind.SHEET, begin.start + 1, last)
        bound = last + 1 if sheet is None else sheet.start
        mark, start = begin, max(first, begin.start)
        for following in islice(self._marks[MarkKind.ROW], bisect_right(self._starts[MarkKind.ROW], begin.start), None):
            if following.start >= bound or following.name != begin.name:
                bound = min(bound, following.start)
                break
            yield mark, Span(start=start, end=following.start)
            mark, start = following, following.start
        yield mark, Span(start=start, end=bound)

    def _numbers(self, mark: Mark, span: Span) -> tuple[int, int]:
        first, last = self._written(span)
        return self._counted(mark, first), self._counted(mark, last)

    def _times(self, first: int, last: int) -> Place | None:
        begin = self._at(MarkKind.TIME, first) or self._next(MarkKind.TIME, first, last)
        if begin is None:
            return None
        end = self._next(MarkKind.TIME, last + 1, len(self._text)) or self._marks[MarkKind.TIME][-1]
        return Place(kind=MarkKind.TIME, first=begin.number, last=max(begin.number, end.number))

    def _at(self, kind: MarkKind, offset: int) -> Mark | None:
        """The mark in effect at `offset`."""
        index = bisect_right(self._starts.get(kind, ()), offset)
        return self._marks[kind][index - 1] if index else None

    def _next(self, kind: MarkKind, first: int, last: int) -> Mark | None:
        """The first mark in `first`…`last`, both included."""
        starts = self._starts.get(kind, ())
        index = bisect_left(starts, first)
        return self._marks[kind][index] if index < len(starts) and starts[index] <= last else None

    def _counted(self, mark: Mark, offset: int) -> int:
        ends = self._line_ends
        return mark.number + bisect_right(ends, offset) - bisect_right(ends, mark.start)
