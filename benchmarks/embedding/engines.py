"""The bundled graph and its variants behind one face: rows of token ids to unit vectors."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scripts.embedding.variants import VARIANTS

from minirag_mcp.embed.batches import batched
from minirag_mcp.embed.bundled_model import _open_session
from minirag_mcp.embed.packed import PackedModel, find_packed_file
from minirag_mcp.embed.quiet_runtime import load_runtime
from minirag_mcp.embed.unigram import UnigramTokenizer
from minirag_mcp.embed.weights_file import ensure_weights
from minirag_mcp.model import Vectors

if TYPE_CHECKING:
    import onnxruntime as ort

BUNDLED = "bundled: int8 layers, fixed range"
NAMES = (BUNDLED, *VARIANTS)
PADDING = 1


def prepare(name: str, folder: Path) -> Path:
    """Write what the engine needs into `folder`; gives the file whose size counts."""
    if name == BUNDLED:
        return ensure_weights(folder) / "weights.bin"
    path = folder / f"{VARIANTS[name].__name__}.onnx"
    if not path.exists():
        path.write_bytes(VARIANTS[name](PackedModel(find_packed_file())).encoder().SerializeToString())
    return path


class Engine:
    """Sessions of one graph; every session runs on one thread unless told otherwise."""

    def __init__(self, name: str, folder: Path, *, sessions: int = 1, threads: int = 1) -> None:
        path = prepare(name, folder)
        started = time.perf_counter()
        self._sessions = [_session(name, path, threads) for _ in range(sessions)]
        self.load_seconds = time.perf_counter() - started

    def run(self, rows: Sequence[Sequence[int]]) -> Vectors:
        """One batch on the first session."""
        return _run(self._sessions[0], rows)

    def run_all(self, rows: Sequence[Sequence[int]]) -> Vectors:
        """Any number of rows, batched as the product does, on all sessions."""
        groups = batched([len(row) for row in rows])
        queue = iter(groups)
        vectors: Vectors = np.empty((len(rows), 384), np.float32)

        def work(session: "ort.InferenceSession") -> None:
            for group in queue:
                vectors[group] = _run(session, [rows[position] for position in group])

        with ThreadPoolExecutor(len(self._sessions)) as pool:
            list(pool.map(work, self._sessions))
        return vectors


def _session(name: str, path: Path, threads: int) -> "ort.InferenceSession":
    if name == BUNDLED and threads == 1:
        return _open_session(path.parent)
    ort = load_runtime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.enable_mem_pattern = False
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _run(session: "ort.InferenceSession", rows: Sequence[Sequence[int]]) -> Vectors:
    longest = max(len(row) for row in rows)
    ids = np.full((len(rows), longest), PADDING, np.int64)
    mask = np.zeros((len(rows), longest), np.int64)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    vectors: Vectors = session.run(["vectors"], {"input_ids": ids, "attention_mask": mask})[0]
    return vectors


def open_tokenizer() -> UnigramTokenizer:
    """The product's tokenizer."""
    return UnigramTokenizer(PackedModel(find_packed_file()).pieces())


def encoded(tokenizer: UnigramTokenizer, texts: Sequence[str], prefix: str) -> list[list[int]]:
    """Token ids with prefix and special tokens, cut to the window."""
    return [[tokenizer.start, *tokenizer.encode(prefix + text, limit=510), tokenizer.end] for text in texts]
