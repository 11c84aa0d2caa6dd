"""The bundled model: multilingual-e5-small, 4-bit table, int8 layers, run by ONNX Runtime on local files alone.

Every thread runs its own single-threaded session. Input ranges are fixed, so a vector depends neither on the other
texts of its batch nor on the number of threads (but for float32 rounding of padded sums, below 1e-5).
"""

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, cast

from minirag_mcp.embed.batches import batched
from minirag_mcp.embed.languages import without_language
from minirag_mcp.embed.packed import PackedModel, find_packed_file
from minirag_mcp.embed.quiet_runtime import load_runtime
from minirag_mcp.embed.unigram import UnigramTokenizer
from minirag_mcp.embed.weights_file import BUNDLED, ensure_weights
from minirag_mcp.errors import ModelError
from minirag_mcp.model import ModelIdentity, Vector, Vectors

if TYPE_CHECKING:
    import onnxruntime as ort

IDENTITY = ModelIdentity(name="multilingual-e5-small-q4", dimension=384, window=512)

_PASSAGE = "passage: "
_QUERY = "query: "
"""The prefixes the model was trained with (Wang et al., "Multilingual E5 Text Embeddings", 2024)."""

_ENDS = 2
"""Tokens that open and close every text."""

_MOST_SESSIONS = 8
"""A session holds 30 MB of its own; beyond this many, memory bandwidth is the limit."""

_STRIDE = 4096
"""Texts tokenised and sorted together: long enough to sort well, short enough to bound memory for any number."""


class BundledTokenizer:
    """The model's tokenizer, read from the packed file by the first call; a tenth of a second."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: UnigramTokenizer | None = None

    def load(self) -> UnigramTokenizer:
        """The tokenizer itself. Raises ModelError."""
        with self._lock:
            if self._loaded is None:
                self._loaded = UnigramTokenizer(PackedModel(find_packed_file()).pieces())
            return self._loaded

    @property
    def limit(self) -> int:
        """The window without the prefix, and without the tokens that open and close a text."""
        return IDENTITY.window - _ENDS - self.count(_PASSAGE)

    def count(self, text: str) -> int:
        """Tokens of `text`, of any length."""
        return self.load().count(text)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order."""
        return self.load().count_many(texts)


class BundledEmbedder:
    """The default Embedder. `threads` bounds the texts worked on at once; None means the processors of this process."""

    def __init__(self, cache_dir: Path, *, threads: int | None = None) -> None:
        self._cache_dir = cache_dir
        self._threads = threads or min(_processors(), _MOST_SESSIONS)
        self._tokenizer = BundledTokenizer()
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._sessions: list[ort.InferenceSession] = []

    @property
    def identity(self) -> ModelIdentity:
        """Known without loading the model."""
        return IDENTITY

    @property
    def tokenizer(self) -> BundledTokenizer:
        """The model's own tokenizer."""
        return self._tokenizer

    def load(self) -> None:
        """Load tokenizer and weights now. Raises ModelError."""
        self._tokenizer.load()
        self._session(0)

    def embed_query(self, text: str) -> Vector:
        """`float32[384]`, unit length. Raises ModelError."""
        ids = self._encode([_QUERY + text])
        return cast("Vector", self._run(0, ids, [0])[0])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """`float32[len(texts), 384]`, unit rows in the order of `texts`. Raises ModelError."""
        import numpy as np  # noqa: PLC0415 - heavy

        vectors = np.empty((len(texts), IDENTITY.dimension), np.float32)
        for start in range(0, len(texts), _STRIDE):
            ids = self._encode([_PASSAGE + text for text in texts[start : start + _STRIDE]])
            self._embed(ids, vectors[start : start + _STRIDE])
        return vectors

    def _encode(self, texts: Sequence[str]) -> list[list[int]]:
        tokenizer = self._tokenizer.load()
        limit = IDENTITY.window - _ENDS
        return [[tokenizer.start, *tokenizer.encode(text, limit=limit), tokenizer.end] for text in texts]

    def _embed(self, ids: Sequence[Sequence[int]], vectors: Vectors) -> None:
        groups = batched([len(row) for row in ids])
        workers = min(self._threads, len(groups))
        queue = _shared(groups)

        def work(number: int) -> None:
            for group in queue:
                vectors[group] = self._run(number, ids, group)

        if workers == 1:
            work(0)
            return
        with ThreadPoolExecutor(workers) as pool:
            try:
                for done in [pool.submit(work, number) for number in range(workers)]:
                    done.result()
            finally:
                for _ in queue:  # after a failure or an interruption nobody waits for the rest
                    pass

    def _run(self, number: int, ids: Sequence[Sequence[int]], group: Sequence[int]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - heavy

        longest = max(len(ids[position]) for position in group)
        tokens = np.full((len(group), longest), self._tokenizer.load().padding, np.int64)
        mask = np.zeros((len(group), longest), np.int64)
        for row, position in enumerate(group):
            tokens[row, : len(ids[position])] = ids[position]
            mask[row, : len(ids[position])] = 1
        session = self._session(number)
        return without_language(session.run(["vectors"], {"input_ids": tokens, "attention_mask": mask})[0])

    def _session(self, number: int) -> "ort.InferenceSession":
        with self._lock:
            if self._folder is None:
                self._folder = ensure_weights(self._cache_dir)
            while len(self._sessions) <= number:
                self._sessions.append(_open_session(self._folder))
            return self._sessions[number]


def _shared(groups: list[list[int]]) -> Iterator[list[int]]:
    # A list iterator hands out each item once, whichever thread asks.
    return iter(groups)


def _open_session(folder: Path) -> "ort.InferenceSession":
    ort = load_runtime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The graph is written fused; the next level would undo it (see scripts/embedding/encoder.py).
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    graph = (BUNDLED / "encoder.onnx").read_bytes()
    try:
        return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except RuntimeError as error:
        raise ModelError(f"The bundled model cannot be started: {error}.") from error


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
