"""What cutting needs to know of a model: how many tokens it makes of a text."""

from collections.abc import Sequence
from typing import Protocol


class TokenCounter(Protocol):
    """Counts tokens without truncation and without special tokens.

    Additive over pieces split at white space: `count("a b") == count("a") + count("b")`.
    """

    def count(self, text: str) -> int:
        """Tokens of `text`, of any length."""
        ...

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order."""
        ...


_MOST_CHARACTERS = 20
"""Of one token. Prose in any script that the bundled model knows has 1 to 6; a run in one that it does not know is a
single token however long, and a chunk must stay short enough to be read."""


class Bounded:
    """A counter that never takes a token for more than `_MOST_CHARACTERS` characters."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter

    def count(self, text: str) -> int:
        """Tokens of `text`, or what its length makes of it."""
        return _at_least(self._counter.count(text), text)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """As `count` for each text, in order."""
        counts = self._counter.count_many(texts)
        return [_at_least(count, text) for count, text in zip(counts, texts, strict=True)]


def _at_least(count: int, text: str) -> int:
    if len(text) <= count * _MOST_CHARACTERS:
        return count
    return max(count, len("".join(text.split())) // _MOST_CHARACTERS)
