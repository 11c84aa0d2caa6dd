"""An embedder for runs that look at words only: the real tokenizer, so that texts are cut alike, and no vectors."""

from collections.abc import Sequence

import numpy as np

from minirag_mcp.embed.contract import Embedder, Tokenizer
from minirag_mcp.model import ModelIdentity, Vector, Vectors


class WordsOnly:
    """Counts as `embedder` does; every text has the same vector."""

    def __init__(self, embedder: Embedder) -> None:
        self.identity: ModelIdentity = embedder.identity
        self.tokenizer: Tokenizer = embedder.tokenizer

    def load(self) -> None:
        """Nothing to load."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """The first axis for each text."""
        rows = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        rows[:, 0] = 1.0
        return rows

    def embed_query(self, text: str) -> Vector:
        """The first axis, whatever `text` says."""
        vector: Vector = self.embed_passages([text])[0]
        return vector
