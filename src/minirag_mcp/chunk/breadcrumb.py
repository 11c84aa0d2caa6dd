"""Heading paths in one line, within a number of tokens."""

from collections.abc import Sequence

from minirag_mcp.chunk.counter import TokenCounter

_SEPARATOR = " > "
_GAP = "…"


class Breadcrumbs:
    """Writes heading paths; every heading is counted once."""

    def __init__(self, counter: TokenCounter, paths: Sequence[tuple[str, ...]]) -> None:
        headings = sorted({heading for path in paths for heading in path} | {">", _GAP})
        self._counter = counter
        self._tokens = dict(zip(headings, counter.count_many(headings), strict=True))

    def tokens(self, line: Sequence[str]) -> int:
        """Tokens of the headings of `line`, joined."""
        return sum(self._tokens[heading] for heading in line) + self._tokens[">"] * max(0, len(line) - 1)

    def fit(self, path: tuple[str, ...], room: int) -> str:
        """`path` in at most `room` tokens: whole, or elided in the middle, or its last words, or nothing.

        The outermost heading and as many of the innermost as fit are kept: `1 Scope > … > 3.4.2 Approval`.
        """
        if not path or room <= 0:
            return ""
        if self.tokens(path) <= room:
            return _SEPARATOR.join(path)
        for kept in range(len(path) - 2, 0, -1):
            line = (path[0], _GAP, *path[-kept:])
            if self.tokens(line) <= room:
                return _SEPARATOR.join(line)
        return self._innermost(path, room)

    def _innermost(self, path: tuple[str, ...], room: int) -> str:
        lead = (_GAP, _SEPARATOR.strip()) if len(path) > 1 else ()
        left = room - sum(self._tokens[part] for part in lead)
        if self._tokens[path[-1]] <= left:
            return " ".join((*lead, path[-1]))
        return shortened(path[-1], room, self._counter)


def shortened(text: str, room: int, counter: TokenCounter) -> str:
    """`text`, or its first words and an ellipsis, in at most `room` tokens; empty when not even one word fits."""
    words = text.split()
    first = words[: max(0, room)]
    tokens_of = counter.count_many(first)
    if len(first) == len(words) and sum(tokens_of) <= room:
        return " ".join(words)
    left = room - counter.count(_GAP)
    kept = []
    for word, tokens in zip(first, tokens_of, strict=True):
        left -= tokens
        if left < 0:
            break
        kept.append(word)
    return " ".join((*kept, _GAP)) if kept else ""
