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
