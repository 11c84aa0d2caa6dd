"""The vectors in memory, kept in step with the file: what changed is fetched, the rest stays. Imports numpy."""

import threading
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import apsw

from minirag_mcp.model import ModelIdentity
from minirag_mcp.store.changes import AGAIN, ANEW, GONE, LATE, RETAINED, model_number
from minirag_mcp.store.database import Connection
from minirag_mcp.store.schema import MODEL_BITS
from minirag_mcp.store.shape import state
from minirag_mcp.store.vectors import SEGMENT_ROWS, Scan, Segment, extended, nothing, segment

_DEAD_SHARE = 0.25
"""Rows of texts that went, of all in memory, before all are loaded anew to be rid of them."""

_DEAD_ROWS = 4096
"""So many such rows are never worth it."""

_SEARCHED = "SELECT id, text FROM chunk WHERE id BETWEEN ? AND ? AND text > 0"

_LAST_CHUNK = (1 << 62) - 1
"""Beyond any that is ever used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A scan, and the state of the index it stands for."""

    scan: Scan
    epoch: int
    generation: int = -1
    next_chunk: int = 0
    next_text: int = 0


class Snapshot:
    """The latest scan over the vectors of one model. Safe to use from several threads."""

    def __init__(self, identity: ModelIdentity) -> None:
        self._identity = identity
        self._lock = threading.Lock()
        self._held: _Held | None = None

    def scan(self, connection: Connection) -> Scan:
        """The scan at the generation that `connection` sees, or a later one."""
        generation, next_chunk, next_text = state(connection, "generation, next_chunk, next_text")
        with self._lock:
            base = self._base(connection.epoch, generation)
            if base.generation < generation and _changes(connection, base.generation, ANEW):
                base = self._empty(connection.epoch)
            if base.generation < generation:
                known = _Held(
                    scan=self._advanced(connection, base),
                    epoch=connection.epoch,
                    generation=generation,
                    next_chunk=next_chunk,
                    next_text=next_text,
                )
                self._held = base = known
            return base.scan

    def forget(self) -> None:
        """Give the memory back."""
        with self._lock:
            self._held = None

    def _base(self, epoch: int, generation: int) -> _Held:
        held = self._held
        if held is None or held.epoch != epoch or held.generation < generation - RETAINED:
            return self._empty(epoch)
        dead = held.scan.dead_rows()
        if held.generation < generation and dead > max(_DEAD_ROWS, _DEAD_SHARE * len(held.scan.texts)):
            return self._empty(epoch)
        return held

    def _empty(self, epoch: int) -> _Held:
        return _Held(scan=nothing(), epoch=epoch)

    def _advanced(self, connection: apsw.Connection, base: _Held) -> Scan:
        again = _changes(connection, base.generation, AGAIN)
        gone = _changes(connection, base.generation, GONE) + again
        late = _changes(connection, base.generation, LATE)
        chunks, chunk_texts = array("q"), array("q")
        for first, last in [*_known(again, base.next_chunk), (base.next_chunk, _LAST_CHUNK)]:
            for chunk, text in connection.execute(_SEARCHED, (first, last)):
                chunks.append(chunk)
                chunk_texts.append(text)
        fresh_texts = array("q")
        fresh = list(self._fresh_segments(connection, _text_ranges(base.next_text, late), fresh_texts))
        return extended(base.scan, segments=fresh, texts=fresh_texts, chunks=chunks, chunk_texts=chunk_texts, gone=gone)

    def _fresh_segments(
        self, connection: apsw.Connection, ranges: list[tuple[int, int]], texts: "array[int]"
    ) -> Iterator[Segment]:
        """The rows of these texts, a segment at a time; their text ids are added to `texts`."""
        model = model_number(connection, self._identity)
        if model is None:
            return
        own = model << MODEL_BITS
        for first, last in ranges:
            rows = connection.execute(
                "SELECT id, data FROM vector WHERE id BETWEEN ? AND ? ORDER BY id", (own | first, own | last)
            )
            while some := list(islice(rows, SEGMENT_ROWS)):
                texts.extend(number ^ own for number, _ in some)
                yield segment([data for _, data in some], self._identity.dimension)


def _known(ranges: list[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """The parts of the ranges that lie below `end`, ascending, each number once."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        start = max(first, found[-1][1] + 1) if found else first
        if start <= min(last, end - 1):
            found.append((start, min(last, end - 1)))
    return found


def _changes(connection: apsw.Connection, generation: int, kind: int) -> list[tuple[int, int]]:
    ask = "SELECT first, last FROM change WHERE generation > ? AND kind = ?"
    return [(first, last) for first, last in connection.execute(ask, (generation, kind))]


def _text_ranges(next_text: int, late: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Texts whose vectors are not in memory yet: those written since, and those that got theirs since; each once."""
    return [(next_text, (1 << MODEL_BITS) - 1), *_known(late, next_text)]
