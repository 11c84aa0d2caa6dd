"""The tests' bag-of-words embedder, loaded only when something is embedded."""

from collections.abc import Sequence

from minirag_mcp.embed.contract import Embedder, Tokenizer
from minirag_mcp.model import ModelIdentity, Vector, Vectors

IDENTITY = ModelIdentity(name="hashed-bag-of-words", dimension=384, window=512)


class WordsEmbedder:
    """As cheap to open as the real embedder is."""

    identity = IDENTITY

    def __init__(self) -> None:
        self._made: Embedder | None = None

    @property
    def tokenizer(self) -> Tokenizer:
        """Words."""
        return self._embedder().tokenizer

    def load(self) -> None:
        """Nothing to load."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Bags of words."""
        return self._embedder().embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        """A bag of words."""
        return self._embedder().embed_query(text)

    def _embedder(self) -> Embedder:
        if self._made is None:
            from tests.fakes.embedder import HashedEmbedder  # noqa: PLC0415 - loads numpy

            self._made = HashedEmbedder(dimension=IDENTITY.dimension)
        return self._made
