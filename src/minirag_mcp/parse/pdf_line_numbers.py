"""Numbers in the margin of a PDF that count its lines, as bills, contracts under review and court papers have them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from statistics import median

from minirag_mcp.parse.pdf_page import Line, Page, Word
from minirag_mcp.parse.pdf_tables import cells_of

# Points by which the numbers of one margin miss their common edge.
_SAME_EDGE = 3.0
# Numbers on a page: every line has one, or every fifth.
_STEPS = {1: 15, 5: 3, 10: 3}
# Share of the lines of a page that have a number when all are counted.
_COUNTED = 0.85
# The widest step from number to number is at most so many times the usual one.
_EVEN = 1.8
# Font sizes between the numbers and the text; a blank has a quarter to a half, a margin one and more.
_MORE_THAN_A_BLANK = 0.75
# Share of the pages that must be counted: a numbered list fills one page.
_SHARE = 0.5
_LONGEST = 5


def without_line_numbers(pages: Sequence[Page]) -> None:
    """Take the numbers that count lines off the pages, where most pages have them."""
    found = [_numbers(page.lines) for page in pages]
    if sum(map(bool, found)) < max(1, _SHARE * len(pages)):
        return
    for page, words in zip(pages, found, strict=True):
        kept = ((line, [word for word in line.words if id(word) not in words]) for line in page.lines)
        if words:
            page.lines = [line.with_words(rest) if len(rest) < len(line.words) else line for line, rest in kept if rest]


def _numbers(lines: Sequence[Line]) -> set[int]:
    """By `id` the words of a page that count its lines."""
    if not lines or median(len(cells_of(line)) for line in lines) > 2:  # noqa: PLR2004 - the number, and the text
        return set()
    counts = [
        group
        for side in (0, -1)
        for group in _aligned(lines, side)
        if _is_count(group, lines) and _is_outside(group, lines, side)
    ]
    return {id(word) for _, word in max(counts, key=len, default=())}


def _aligned(lines: Sequence[Line], side: int) -> Iterator[list[tuple[Line, Word]]]:
    """Outermost words on one side that are numbers with a common edge, left or right, from top to bottom."""
    numbers = [(line, line.words[side]) for line in lines]
    numbers = [(line, word) for line, word in numbers if word.text.isdecimal() and len(word.text) <= _LONGEST]
    for edge in (attrgetter("right"), attrgetter("left")):
        groups: dict[int, list[tuple[Line, Word]]] = defaultdict(list)
        for line, word in numbers:
            groups[round(edge(word) / _SAME_EDGE)].append((line, word))
        for group in groups.values():
            yield sorted(group, key=lambda pair: -pair[0].base)


def _is_count(group: Sequence[tuple[Line, Word]], lines: Sequence[Line]) -> bool:
    steps = {int(after.text) - int(before.text) for (_, before), (_, after) in pairwise(group)}
    step = steps.pop() if len(steps) == 1 else 0
    heights = {round(line.base) for line in lines}
    if len(group) < _STEPS.get(step, len(group) + 1) or (step == 1 and len(group) < _COUNTED * len(heights)):
        return False
    drops = [before.base - after.base for (before, _), (after, _) in pairwise(group)]
    return max(drops) <= _EVEN * median(drops)


def _is_outside(group: Sequence[tuple[Line, Word]], lines: Sequence[Line], side: int) -> bool:
    """Whether all that stands beside the numbers stands on their inner side, farther away than a blank."""
    counted = {id(word) for _, word in group}
    top, bottom = group[0][0].base, group[-1][0].base
    rest = [word for line in lines if bottom <= line.base <= top for word in line.words if id(word) not in counted]
    if not rest:
        return False
    if side:
        gap = min(word.left for _, word in group) - max(word.right for word in rest)
    else:
        gap = min(word.left for word in rest) - max(word.right for _, word in group)
    return gap > _MORE_THAN_A_BLANK * median(line.size for line, _ in group)
