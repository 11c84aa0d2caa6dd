"""Which lines of a PDF are headings: by its bookmarks, by size, and by standing alone in bold."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from minirag_mcp.parse.blocks import MAX_LEVEL
from minirag_mcp.parse.pdf_page import Line
from minirag_mcp.parse.pdf_tables import Flow

Outline = Mapping[int, Sequence[tuple[str, int]]]
"""By page (0-based): titles of bookmarks and their level (1-based)."""

# Headings in real files are at least a sixth larger than the text; sub- and superscripts vary by less.
_LARGER = 1.15
_MAX_HEADING = 180
_MAX_BOLD = 100
_MAX_SIZES = 4
# A document in which every third line looks like a heading is a poster or a form.
_MAX_SHARE = 0.35
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
    by_size = _levels_by_size(large, bookmarked)
    levels = {id(line): by_size[_rounded(line.size)] for line in large}
    below = min(MAX_LEVEL, max([*levels.values(), *bookmarked.values()], default=0) + 1)
    for line in _standing_bold(flows, body):
        levels.setdefault(id(line), below)
    return levels | bookmarked


def body_size(lines: Sequence[Line]) -> float:
    """The size in which most characters are set."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[_rounded(line.size)] += sum(len(word.text) for word in line.words)
    return max(weights, key=lambda size: (weights[size], size), default=1.0)


def _bookmarked(flows: Sequence[Flow], outline: Outline) -> Iterator[tuple[int, int]]:
    for page, flow in enumerate(flows):
        titles = {key: level for title, level in outline.get(page, ()) if (key := _key(title))}
        lines = [item for item in flow if isinstance(item, Line)] if titles else []
        for line in lines:
            level = _matching(_key(line.text), titles)
            if level is not None and _is_title(line, _MAX_HEADING):
                yield id(line), level


def _matching(key: str, titles: dict[str, int]) -> int | None:
    if key in titles:
        return titles[key]
    for title, level in titles.items():
        # The number before a heading is often missing in its bookmark, or the other way round.
        if (
            key
            and (key.endswith(title) or title.endswith(key))
            and abs(len(key) - len(title)) <= min(_NUMBER_LENGTH, len(key) // 2)
        ):
            return level
    return None


def _levels_by_size(large: Sequence[Line], bookmarked: Mapping[int, int]) -> dict[float, int]:
    """Level by size, largest first; a size that bookmarks have levelled keeps that level."""
    known: dict[float, list[int]] = defaultdict(list)
    for line in large:
        if id(line) in bookmarked:
            known[_rounded(line.size)].append(bookmarked[id(line)])
    levels: dict[float, int] = {}
    level = 0
    for size in sorted({_rounded(line.size) for line in large}, reverse=True):
        level = min(known[size]) if size in known else min(level + 1, _MAX_SIZES)
        levels[size] = level
    return levels


def _standing_bold(flows: Sequence[Flow], body: float) -> Iterator[Line]:
    """Short bold lines of body size with space above or other text below, in a document that is not bold."""
    for flow in flows:
        for index, item in enumerate(flow):
            if not isinstance(item, Line) or not item.bold or item.size < body * 0.95:
                continue
            above = flow[index - 1] if index else None
            below = flow[index + 1] if index + 1 < len(flow) else None
            if _is_title(item, _MAX_BOLD) and _stands_alone(item, above=above, below=below):
                yield item


def _stands_alone(line: Line, *, above: object, below: object) -> bool:
    if not isinstance(below, Line) or below.bold or below.base >= line.base or _SENTENCE_END.search(line.text):
        return False
    if not isinstance(above, Line):
        return True
    return above.base <= line.base or above.base - line.base > 1.25 * (line.base - below.base) or above.bold is False


def _is_title(line: Line, longest: int) -> bool:
    text = line.text
    return len(text) <= longest and bool(_LETTERS.search(text)) and not line.monospaced


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _key(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
