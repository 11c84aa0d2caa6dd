"""A real embedder small enough for tests: a hashed bag of words, so texts that share words are near."""

import threading
import zlib
from collections.abc import Sequence

import numpy as np

from minirag_mcp.embed.contract import Tokenizer
from minirag_mcp.errors import ModelError
from minirag_mcp.model import ModelIdentity, Vector, Vectors

_EDGES = ".,;:!?()[]{}<>\"'«»„“”`*_#|"


class WhitespaceTokenizer:
    """One token per run of characters that are not white space."""

    def __init__(self, *, limit: int = 510) -> None:
        self.limit = limit

    def count(self, text: str) -> int:
        return len(text.split())

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


class HashedEmbedder:
    """Each distinct word adds one hashed, signed coordinate; case and edge punctuation do not matter.

    `embedded` lists every passage embedded so far, so a test can see what was spared;
    `fail_with` makes every use of the weights raise that error, as a model that cannot be loaded does.
    """

    def __init__(
        self,
        *,
        name: str = "hashed-bag-of-words",
        dimension: int = 256,
        window: int = 512,
        fail_with: ModelError | None = None,
    ) -> None:
        self._identity = ModelIdentity(name=name, dimension=dimension, window=window)
        self._tokenizer = WhitespaceTokenizer(limit=window - 2)
        self._lock = threading.Lock()
        self.embedded: list[str] = []
        self.fail_with = fail_with

    @property
    def identity(self) -> ModelIdentity:
        return self._identity

    @property
    def tokenizer(self) -> Tokenizer:
        return self._tokenizer

    def load(self) -> None:
        if self.fail_with is not None:
            raise self.fail_with

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.load()
        with self._lock:
            self.embedded.extend(texts)
        rows = [self._vector(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self._identity.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> Vector:
        self.load()
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        vector = np.zeros(self._identity.dimension, dtype=np.float32)
        vector[0] = 0.1  # a text without words still has a direction
        for word in sorted({word.casefold().strip(_EDGES) for word in text.split()[: self._identity.window]} - {""}):
            digest = zlib.crc32(word.encode("utf-8", "surrogatepass"))
            vector[digest % self._identity.dimension] += 1.0 if digest >> 31 else -1.0
        length = np.linalg.norm(vector)
        return (vector / length).astype(np.float32) if length > 0 else _first_axis(self._identity.dimension)


def _first_axis(dimension: int) -> Vector:
    axis = np.zeros(dimension, dtype=np.float32)
    axis[0] = 1.0
    return axis
