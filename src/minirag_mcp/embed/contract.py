"""What the rest of the product may ask of an embedding model."""

from collections.abc import Sequence
from typing import Protocol

from minirag_mcp.model import ModelIdentity, Vector, Vectors


class Tokenizer(Protocol):
    """Counts tokens as the model does, without truncation and without special tokens or prefix.

    Counting is additive over pieces split at white space: `count("a b") == count("a") + count("b")`.
    """

    @property
    def limit(self) -> int:
        """Most tokens of a passage that the model reads, its prefix and special tokens aside. Raises ModelError."""
        ...

    def count(self, text: str) -> int:
        """Tokens of `text`, of any length."""
        ...

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order."""
        ...


class Embedder(Protocol):
    """Texts to unit vectors. Safe to call from several threads.

    Making one is cheap; the weights are loaded by the first call that needs them, or by `load`.
    """

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is; known without loading it."""
        ...

    @property
    def tokenizer(self) -> Tokenizer:
        """The model's own tokenizer; loaded apart from the weights."""
        ...

    def load(self) -> None:
        """Load the weights now. Raises ModelError."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """`float32[len(texts), d]`, unit rows in the order of `texts`. Memory is bounded for any number of texts.

        A text longer than the window is embedded by its beginning. Raises ModelError.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """`float32[d]`, unit length. Raises ModelError."""
        ...
