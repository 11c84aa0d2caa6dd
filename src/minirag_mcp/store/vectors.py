"""Vectors as int8 rows, and the exact scan over all of them. Imports numpy: itself to be imported at need.

A row keeps the direction of its vector: components times 127 over the largest, rounded. Its cosine with a query is
the dot product over the row's own length, so no scale is kept and no cosine passes 1.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from minirag_mcp.model import ChunkId, Scored, Vector
from minirag_mcp.store.shape import MisshapenError

Rows: TypeAlias = npt.NDArray[np.int8]
Floats: TypeAlias = npt.NDArray[np.float32]
Numbers: TypeAlias = npt.NDArray[np.int64]

_BLOCK_ROWS = 512
"""Rows turned to float at a time: stays in the processor's cache, and below the size where BLAS starts threads."""

SEGMENT_ROWS = 8192
"""Rows of one array: what a large index holds is never copied to take in a small change."""

_DECIMALS = 6
"""Cosines are rounded, so that equal rows tie wherever they lie in a block; int8 itself is exact to 1e-3."""

_FULL_SCALE = 127


def quantised(vector: Vector, dimension: int) -> bytes:
    """The int8 row of a vector. Raises ValueError if it has another dimension."""
    if vector.shape != (dimension,):
        raise ValueError(f"a vector of shape {vector.shape} where ({dimension},) is kept")
    largest = float(np.abs(vector).max(initial=0.0)) or 1.0
    row: Rows = np.rint(vector * (_FULL_SCALE / largest)).astype(np.int8)
    return row.tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Some int8 rows and one over the length of each."""

    rows: Rows
    inverse_lengths: Floats

    def cosines(self, vector: Vector) -> Floats:
        """The cosine of each row with a unit vector."""
        return _rounded(_products(self.rows, vector) * self.inverse_lengths)


def segment(rows: Sequence[bytes], dimension: int) -> Segment:
    """A segment of rows as kept. Raises MisshapenError if one has not `dimension` bytes."""
    joined = b"".join(rows)
    if len(joined) != len(rows) * dimension:
        raise MisshapenError("a vector has the wrong length")
    table: Rows = np.frombuffer(joined, dtype=np.int8).reshape(len(rows), dimension)
    return Segment(table, _inverse_lengths(table))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scan:
    """All vectors of a model at one generation of the index, and the chunks that have them; never changed.

    texts        text id of each row, over all segments
    chunks       chunk ids, ascending
    chunk_texts  text id of each chunk
    chunk_rows   row of each chunk, −1 for none
    """

    segments: tuple[Segment, ...]
    texts: Numbers
    chunks: Numbers
    chunk_texts: Numbers
    chunk_rows: Numbers

    def search(self, vector: Vector, *, limit: int, ranges: Iterable[tuple[int, int]] | None) -> list[Scored]:
        """The best `limit` chunks, in the given half-open ranges of chunk ids only unless that is None."""
        wanted = self.chunk_rows >= 0
        if ranges is not None:
            wanted &= self.within(ranges)
        if limit < 1 or not wanted.any():
            return []
        cosines = np.concatenate([part.cosines(vector) for part in self.segments])[self.chunk_rows[wanted]]
        return _best(self.chunks[wanted], cosines, limit)

    def dead_rows(self) -> int:
        """Rows that no chunk has any more."""
        used = np.zeros(len(self.texts), dtype=np.bool_)
        used[self.chunk_rows[self.chunk_rows >= 0]] = True
        return len(used) - int(used.sum())

    def within(self, ranges: Iterable[tuple[int, int]]) -> npt.NDArray[np.bool_]:
        """Which chunks have an id in one of the half-open ranges."""
        bounds = np.searchsorted(self.chunks, np.array(list(ranges), dtype=np.int64).reshape(-1, 2))
        steps = np.zeros(len(self.chunks) + 1, dtype=np.int32)
        np.add.at(steps, bounds[:, 0], 1)
        np.add.at(steps, bounds[:, 1], -1)
        inside: npt.NDArray[np.bool_] = steps.cumsum()[:-1] > 0
        return inside


def nothing() -> Scan:
    """The scan over no chunks."""
    none: Numbers = np.empty(0, dtype=np.int64)
    return Scan(segments=(), texts=none, chunks=none, chunk_texts=none, chunk_rows=none)


def extended(
    base: Scan,
    *,
    segments: Sequence[Segment],
    texts: "array[int]",
    chunks: "array[int]",
    chunk_texts: "array[int]",
    gone: Iterable[tuple[int, int]],
) -> Scan:
    """The scan `base` without the chunks in the inclusive ranges `gone`, and with these rows and chunks."""
    kept = ~base.within((first, last + 1) for first, last in gone)
    all_texts: Numbers = np.concatenate([base.texts, np.array(texts, dtype=np.int64)])
    all_chunks: Numbers = np.concatenate([base.chunks[kept], np.array(chunks, dtype=np.int64)])
    all_chunk_texts: Numbers = np.concatenate([base.chunk_texts[kept], np.array(chunk_texts, dtype=np.int64)])
    if len(chunks) and (all_chunks[1:] < all_chunks[:-1]).any():
        order = np.argsort(all_chunks)
        all_chunks, all_chunk_texts = all_chunks[order], all_chunk_texts[order]
    return Scan(
        segments=tuple(_compacted([*base.segments, *segments])),
        texts=all_texts,
        chunks=all_chunks,
        chunk_texts=all_chunk_texts,
        chunk_rows=_rows_of(all_chunk_texts, all_texts),
    )


def _rows_of(chunk_texts: Numbers, texts: Numbers) -> Numbers:
    """Where in `texts` each of `chunk_texts` stands; −1 for nowhere."""
    rows: Numbers = np.full(len(chunk_texts), -1, dtype=np.int64)
    if len(texts):
        order = np.argsort(texts, kind="stable")
        place = order[np.minimum(np.searchsorted(texts, chunk_texts, sorter=order), len(texts) - 1)]
        found = texts[place] == chunk_texts
        rows[found] = place[found]
    return rows


def _products(rows: Rows, vector: Vector) -> Floats:
    query: Floats = np.ascontiguousarray(vector, dtype=np.float32)
    products: Floats = np.empty(len(rows), dtype=np.float32)
    for start, block in _blocks(rows):
        np.matmul(block, query, out=products[start : start + len(block)])
    return products


def _inverse_lengths(rows: Rows) -> Floats:
    squares: Floats = np.empty(len(rows), dtype=np.float32)
    for start, block in _blocks(rows):
        squares[start : start + len(block)] = np.einsum("ij,ij->i", block, block)
    inverse: Floats = np.reciprocal(np.sqrt(np.maximum(squares, np.float32(1.0))))
    return inverse


def _blocks(rows: Rows) -> Iterator[tuple[int, Floats]]:
    """The rows as float32, a block at a time, each in the same memory."""
    buffer = np.empty((min(_BLOCK_ROWS, len(rows)), rows.shape[1]), dtype=np.float32)
    for start in range(0, len(rows), _BLOCK_ROWS):
        piece = rows[start : start + _BLOCK_ROWS]
        block = buffer[: len(piece)]
        np.copyto(block, piece)
        yield start, block


def _rounded(values: Floats) -> Floats:
    return values.clip(-1.0, 1.0).round(_DECIMALS)


def _best(chunks: Numbers, cosines: Floats, limit: int) -> list[Scored]:
    if len(cosines) > limit:
        least = np.partition(cosines, len(cosines) - limit)[len(cosines) - limit]
        near = cosines >= least
        chunks, cosines = chunks[near], cosines[near]
    order = np.lexsort((chunks, -cosines))[:limit]
    return [
        Scored(chunk=ChunkId(chunk), score=score)
        for chunk, score in zip(chunks[order].tolist(), cosines[order].tolist(), strict=True)
    ]


def _compacted(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Neighbouring small segments as one, when there are many of them."""
    total = sum(len(part.rows) for part in segments)
    if len(segments) <= 2 * (total // SEGMENT_ROWS) + 32:
        yield from segments
        return
    waiting: list[Segment] = []
    for part in [*segments, None]:
        if waiting and (part is None or sum(len(s.rows) for s in waiting) + len(part.rows) > SEGMENT_ROWS):
            yield Segment(
                np.concatenate([s.rows for s in waiting]), np.concatenate([s.inverse_lengths for s in waiting])
            )
            waiting = []
        if part is not None:
            waiting.append(part)
