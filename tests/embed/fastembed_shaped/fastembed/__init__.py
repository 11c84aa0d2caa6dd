"""A package with the shape of the part of `fastembed` that we call, and models small enough to be made on the spot."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

_LISTED = (
    {"model": "Test/Letters", "dim": 26, "description": "Text embeddings, Multilingual, 128 input tokens truncation"},
    {"model": "test/multilingual-e5-letters", "dim": 26, "description": "Text embeddings, Multilingual"},
    {"model": "test/unreachable", "dim": 26, "description": "64 input tokens truncation"},
    {"model": "test/miscounted", "dim": 99, "description": "64 input tokens truncation"},
    {"model": "test/no-tokenizer", "dim": 26, "description": "64 input tokens truncation"},
)


class TextEmbedding:
    """Letter counts, neither normalised nor lowered, so that what the caller adds can be seen."""

    def __init__(self, model_name: str, cache_dir: str | None = None) -> None:
        if model_name == "test/unreachable":
            raise ValueError("Could not load model test/unreachable from any source.")
        Path(str(cache_dir)).mkdir(parents=True, exist_ok=True)
        Path(str(cache_dir), "downloaded").touch()
        tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        tokenizer.enable_truncation(max_length=4)
        tokenizer.enable_padding(length=4)
        self.model = SimpleNamespace(tokenizer=None if model_name == "test/no-tokenizer" else tokenizer)

    @classmethod
    def list_supported_models(cls) -> list[dict[str, Any]]:
        return [dict(model) for model in _LISTED]

    def query_embed(self, query: str) -> Iterator[Any]:
        yield _counted(query)

    def passage_embed(self, texts: Iterable[str], batch_size: int = 256) -> Iterator[Any]:
        assert batch_size > 0
        for text in texts:
            yield _counted(text)


def _counted(text: str) -> Any:
    return np.array([text.count(chr(97 + letter)) for letter in range(26)], np.float64) + 0.01
