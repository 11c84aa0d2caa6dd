"""Other models, by the optional extra `fastembed`.

Naming such a model is the user's consent to one download into the cache folder; from then on it works offline.
"""

import importlib
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from minirag_mcp.embed.quiet_runtime import load_runtime
from minirag_mcp.errors import ModelError
from minirag_mcp.model import ModelIdentity, Vector, Vectors

_WINDOW = re.compile(r"(\d+) input tokens")
_UNKNOWN_WINDOW = 512
"""For the few listed models whose description names no window."""

_BATCH = 16
"""Texts run at once; the library pads each batch to its longest text, so a large batch of long texts is costly."""

_COUNTED_AT_ONCE = 1024

_E5_PREFIXES = ("query: ", "passage: ")
"""The E5 models were trained with these, and the library does not add them."""

_Result = TypeVar("_Result")


class _Encoding(Protocol):
    ids: list[int]


class _LibraryTokenizer(Protocol):
    @property
    def truncation(self) -> dict[str, Any] | None: ...
    def to_str(self) -> str: ...
    def no_truncation(self) -> None: ...
    def no_padding(self) -> None: ...
    def num_special_tokens_to_add(self, is_pair: bool) -> int: ...  # noqa: FBT001 - the library's
    def encode_batch(self, texts: Sequence[str], *, add_special_tokens: bool) -> list[_Encoding]: ...


class _LibraryModel(Protocol):
    model: Any

    def query_embed(self, query: str) -> Iterable[Any]: ...
    def passage_embed(self, texts: Iterable[str], **options: Any) -> Iterable[Any]: ...


class FastembedEmbedder:
    """An Embedder by a model of the `fastembed` library's list.

    Making one imports nothing. Raises ModelError from its first use when the extra is not installed, the name is not
    in the list, or the model cannot be had.
    """

    def __init__(self, model_name: str, cache_dir: Path) -> None:
        self._name = model_name
        self._cache_dir = cache_dir
        self._lock = threading.RLock()
        self._identity: ModelIdentity | None = None
        self._model: _LibraryModel | None = None
        self._tokenizer = FastembedTokenizer(
            self._library_tokenizer, window=lambda: self.identity.window, prefix=self._prefixes()[1]
        )

    @property
    def identity(self) -> ModelIdentity:
        """From the library's list of models; nothing is downloaded."""
        with self._lock:
            if self._identity is None:
                self._identity = _identify(self._name)
            return self._identity

    @property
    def tokenizer(self) -> "FastembedTokenizer":
        """The model's own tokenizer; the library loads it together with the model."""
        return self._tokenizer

    def load(self) -> None:
        """Download the model if it is not there yet, and load it. Raises ModelError."""
        self._loaded()

    def embed_query(self, text: str) -> Vector:
        """`float32[d]`, unit length. Raises ModelError."""
        model = self._loaded()
        query, _ = self._prefixes()
        return cast("Vector", self._unit(self._guarded(lambda: list(model.query_embed(query + text))))[0])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """`float32[len(texts), d]`, unit rows in the order of `texts`. Raises ModelError."""
        import numpy as np  # noqa: PLC0415 - heavy

        if not texts:
            return np.empty((0, self.identity.dimension), np.float32)
        model = self._loaded()
        _, passage = self._prefixes()
        return self._unit(
            self._guarded(lambda: list(model.passage_embed([passage + text for text in texts], batch_size=_BATCH)))
        )

    def _prefixes(self) -> tuple[str, str]:
        return _E5_PREFIXES if "/multilingual-e5" in self._name.lower() else ("", "")

    def _unit(self, rows: list[Any]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - heavy

        vectors = np.asarray(rows, np.float32)
        if vectors.shape[1] != self.identity.dimension:
            raise ModelError(
                f"The model {self._name} gives vectors of length {vectors.shape[1]}, "
                f"but its description says {self.identity.dimension}."
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return cast("Vectors", vectors / np.maximum(lengths, np.finfo(np.float32).tiny))

    def _loaded(self) -> _LibraryModel:
        with self._lock:
            if self._model is None:
                name = self.identity.name
                library = _library()
                self._model = self._guarded(
                    lambda: cast("_LibraryModel", library(model_name=name, cache_dir=str(self._cache_dir)))
                )
            return self._model

    def _library_tokenizer(self) -> _LibraryTokenizer:
        tokenizer = getattr(self._loaded().model, "tokenizer", None)
        if tokenizer is None:
            raise ModelError(f"The model {self._name} has no tokenizer to count with.", remedy=_REMEDY)
        return cast("_LibraryTokenizer", tokenizer)

    def _guarded(self, work: Callable[[], _Result]) -> _Result:
        try:
            return work()
        except (ValueError, OSError, RuntimeError) as error:
            raise ModelError(f"The model {self._name} cannot be loaded or used: {error}", remedy=_REMEDY) from error


class FastembedTokenizer:
    """Counts with the model's own tokenizer, neither truncated nor padded."""

    def __init__(self, load: Callable[[], _LibraryTokenizer], *, window: Callable[[], int], prefix: str) -> None:
        self._load = load
        self._window = window
        self._prefix = prefix
        self._lock = threading.Lock()
        self._loaded: tuple[_LibraryTokenizer, int] | None = None

    @property
    def limit(self) -> int:
        """What the model's tokenizer leaves of a passage, which may be less than its description says."""
        _, window = self._tokenizer_and_window()
        return window - self.count(self._prefix)

    def count(self, text: str) -> int:
        """Tokens of `text`, of any length."""
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order."""
        tokenizer, _ = self._tokenizer_and_window()
        counts: list[int] = []
        for start in range(0, len(texts), _COUNTED_AT_ONCE):
            encodings = tokenizer.encode_batch(list(texts[start : start + _COUNTED_AT_ONCE]), add_special_tokens=False)
            counts.extend(len(encoding.ids) for encoding in encodings)
        return counts

    def _tokenizer_and_window(self) -> tuple[_LibraryTokenizer, int]:
        """A copy, as the model needs the truncation that counting must not have; and what that leaves of a text."""
        with self._lock:
            if self._loaded is None:
                used = self._load()
                most = used.truncation["max_length"] if used.truncation else self._window()
                copy = cast("_LibraryTokenizer", cast("Any", type(used)).from_str(used.to_str()))
                copy.no_truncation()
                copy.no_padding()
                self._loaded = copy, min(int(most), self._window()) - used.num_special_tokens_to_add(is_pair=False)
            return self._loaded


_REMEDY = (
    "The first use of this model needs a network connection and a writable CACHE_DIR; "
    "unset MODEL_NAME to use the bundled model, which needs no download."
)


def _library() -> Callable[..., object]:
    try:
        load_runtime()
        library = importlib.import_module("fastembed")
    except ImportError as error:
        raise ModelError(
            f"MODEL_NAME names a model that is not bundled, and the extra that runs it is not installed ({error}).",
            remedy="Run `pip install 'minirag-mcp[fastembed]'`, or unset MODEL_NAME to use the bundled model.",
        ) from error
    return cast("Callable[..., object]", library.TextEmbedding)


def _identify(name: str) -> ModelIdentity:
    library = cast("Any", _library())
    models = library.list_supported_models()
    for model in models:
        if model["model"].lower() == name.lower():
            window = _WINDOW.search(model["description"])
            return ModelIdentity(
                name=model["model"],
                dimension=int(model["dim"]),
                window=int(window[1]) if window else _UNKNOWN_WINDOW,
            )
    known = ", ".join(sorted(model["model"] for model in models if "ultilingual" in model["description"])[:6])
    raise ModelError(
        f"No model is called {name!r}.",
        remedy=f"Correct MODEL_NAME, or unset it for the bundled model; multilingual models by name: {known}.",
    )
