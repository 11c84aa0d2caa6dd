"""Which lines of a PDF are headings: by its bookmarks, by size, and by standing alone in bold."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from minirag_mcp.parse.blocks import MAX_LEVEL
from minirag_mcp.parse.pdf_page import Line
from minirag_mcp.parse.pdf_page_numbers import letters_of
from minirag_mcp.parse.pdf_tables import Flow

Outline = Mapping[int, Sequence[tuple[str, int]]]
"""By page (0-based): titles of bookmarks and their level (1-based)."""

# Headings in real files are at least a sixth larger than the text; sub- and superscripts vary by less.
_LARGER = 1.15
# Characters of a heading set larger, of one that is only bold, and lines of either.
_MAX_HEADING = 180
_MAX_BOLD = 140
_MAX_LINES = 3
# A bold heading is not smaller than this share of the body size; one that stands apart from all may be smaller.
_BODY_SHARE = 0.95
_LEAST_SHARE = 0.75
# Lines that belong together are so near from baseline to baseline, in font sizes.
_CLOSE = 1.5
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+(?=[^\W\d_])")
# Levels given by size; further sizes share the last. On a cover all below the title are one level.
_MAX_SIZES = 4
_COVER_LEVELS = 2
# Up to so many pages the first is no cover.
_MAX_SHORT = 3
# A document in which every third line looks like a heading is a poster or a form.
_MAX_SHARE = 0.35
# Letters and digits by which a bookmark may differ from its heading.
_NUMBER_LENGTH = 10
_LETTERS = re.compile(r"[^\W\d_]{2}|[^\W\d_a-zA-Z]")
_SENTENCE_END = re.compile(r"[.,;:!?。，；]$")


def heading_levels(flows: Sequence[Flow], outline: Outline) -> dict[int, int]:
    """Heading level by `id` of the line; bookmarks decide where they name a line, else size and weight."""
    lines = [item for flow in flows for item in flow if isinstance(item, Line)]
    body = body_size(lines)
    bookmarked = dict(_bookmarked(flows, outline))
    large = [line for line in lines if line.size >= body * _LARGER and _is_title(line, _MAX_HEADING)]
    if len(large) > _MAX_SHARE * len(lines):
        large = []
    cover = _cover_sizes(large) if len(flows) > _MAX_SHORT else set()
    by_size = _levels_by_size(large, bookmarked, cover=cover)
    names = _names_on_cover(large) if len(flows) > _MAX_SHORT else set()
    levels = {id(line): by_size[_rounded(line.size)] for line in large if id(line) not in names}
    deepest = max([*(by_size[size] for size in by_size if size not in cover), *bookmarked.values()], default=0)
    for line in _standing(flows, body):
        number = _NUMBERED.match(line.text)
        depth = number[0].rstrip(". ").count(".") if number else 0
        if id(line) not in names:
            levels.setdefault(id(line), min(MAX_LEVEL, deepest + 1 + depth))
    return levels | bookmarked


def body_size(lines: Sequence[Line]) -> float:
    """The size in which most characters are set."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[_rounded(line.size)] += sum(len(word.text) for word in line.words)
    return max(weights, key=lambda size: (weights[size], size), default=1.0)


def _bookmarked(flows: Sequence[Flow], outline: Outline) -> Iterator[tuple[int, int]]:
    """Lines that a bookmark of their page names, alone or together with the lines after them."""
    for page, flow in enumerate(flows):
        titles = {key: level for title, level in outline.get(page, ()) if (key := letters_of(title))}
        lines = [item for item in flow if isinstance(item, Line)] if titles else []
        for index, line in enumerate(lines):
            for count in range(1, _MAX_LINES + 1):
                run = lines[index : index + count]
                level = _matching([letters_of(part.text) for part in run], titles)
                if level is not None and _is_title(line, _MAX_HEADING):
                    yield from ((id(part), level) for part in run)
                    break


def _matching(keys: Sequence[str], titles: dict[str, int]) -> int | None:
    key = "".join(keys)
    if key in titles:
        return titles[key]
    for title, level in titles.items():
        # The number before a heading is often missing in its bookmark, or the other way round.
        shorter, longer = sorted((key, title), key=len)
        if len(longer) - len(shorter) <= min(_NUMBER_LENGTH, len(shorter) // 2) and longer.endswith(shorter):
            rest = longer.removesuffix(shorter)
            # A line of its own before the title is a number, such as "Chapter 3", or does not belong to it.
            whole_line = len(keys) > 1 and longer == key and len(rest) >= len(keys[0])
            if any(letter.isdigit() for letter in (keys[0][-1:] if whole_line else rest)):
                return level
    return None


def _cover_sizes(large: Sequence[Line]) -> set[float]:
    """Sizes that occur on the first page only."""
    return {_rounded(line.size) for line in large} - {_rounded(line.size) for line in large if line.page}


def _names_on_cover(large: Sequence[Line]) -> set[int]:
    """Lines of the first page, smaller than its title, as no later page has them: authors, dates, addresses."""
    first = [line for line in large if not line.page]
    later = {(_rounded(line.size), line.bold) for line in large if line.page}
    title = max((line.size for line in first), default=0.0)
    own = [line for line in first if not line.bold and (_rounded(line.size), line.bold) not in later]
    return {id(line) for line in own if _rounded(line.size) < _rounded(title)}


def _levels_by_size(large: Sequence[Line], bookmarked: Mapping[int, int], *, cover: set[float]) -> dict[float, int]:
    """Level by size, largest first; a size that bookmarks have levelled keeps that level.

    Sizes of a cover take no level from the rest: the largest is a title, the others stand below it.
    """
    known: dict[float, list[int]] = defaultdict(list)
    for line in large:
        if id(line) in bookmarked:
            known[_rounded(line.size)].append(bookmarked[id(line)])
    levels: dict[float, int] = {}
    level = 0
    for size in sorted({_rounded(line.size) for line in large}, reverse=True):
        if size in cover:
            levels[size] = min(known[size]) if size in known else min(len(levels) + 1, _COVER_LEVELS)
        else:
            level = min(known[size]) if size in known else min(level + 1, _MAX_SIZES)
            levels[size] = level
    return levels


def _standing(flows: Sequence[Flow], body: float) -> Iterator[Line]:
    """Short bold or numbered lines of body size that stand apart from the text below them."""
    for flow in flows:
        for index, item in enumerate(flow):
            if not isinstance(item, Line) or item.size < body * _LEAST_SHARE:
                continue
            above = flow[index - 1] if index else None
            run = _same_weight(flow, index) if item.bold else [item]
            below = flow[index + len(run)] if index + len(run) < len(flow) else None
            small = item.size < body * _BODY_SHARE
            if _is_standing(run, above=above, below=below) and not (small and _is_near(run, above, below)):
                yield from run


def _same_weight(flow: Flow, index: int) -> list[Line]:
    """The bold lines from `index` on that follow each other closely."""
    run: list[Line] = []
    for item in flow[index : index + _MAX_LINES + 1]:
        if not isinstance(item, Line) or not item.bold or (run and not _follows(run[-1], item)):
            break
        run.append(item)
    return run


def _follows(above: Line, line: Line) -> bool:
    return 0 < above.base - line.base < _CLOSE * line.size


def _is_near(run: Sequence[Line], above: object, below: object) -> bool:
    """Whether the line above or the one below is as near as in a paragraph."""
    near_above = isinstance(above, Line) and _follows(above, run[0])
    return near_above or (isinstance(below, Line) and run[-1].base - below.base < _CLOSE * below.size)


def _is_standing(run: Sequence[Line], *, above: object, below: object) -> bool:
    first, last = run[0], run[-1]
    text = " ".join(line.text for line in run)
    if len(run) > _MAX_LINES or len(text) > _MAX_BOLD or not _is_title(first, _MAX_BOLD) or _SENTENCE_END.search(text):
        return False
    if not isinstance(below, Line) or below.bold or below.base >= last.base:
        return False
    apart = not isinstance(above, Line) or above.base <= first.base or not _follows(above, first)
    if first.bold:
        return apart or (isinstance(above, Line) and not above.bold)
    return apart and bool(_NUMBERED.match(text)) and not _NUMBERED.match(below.text) and not _follows(first, below)


def _is_title(line: Line, longest: int) -> bool:
    text = line.text
    return len(text) <= longest and bool(_LETTERS.search(text)) and not (line.monospaced or line.running)


def _rounded(size: float) -> float:
    return round(size * 2) / 2
