"""The write transaction's own books: counters, the change log, texts nobody refers to any more."""

from collections.abc import Iterable
from types import TracebackType
from typing import Self

import apsw

from minirag_mcp.model import ModelIdentity
from minirag_mcp.store.schema import MODEL_BITS
from minirag_mcp.store.shape import state

GONE, LATE, AGAIN, ANEW = 0, 1, 2, 3
"""Kinds of change: chunks that went; texts that got a vector after they were written; chunks that stand for another
text than before, or for none; vectors that are others than before, whichever."""

RETAINED = 1000
"""Generations whose changes are kept; a reader further behind loads everything anew."""


class Ledger:
    """Counters and collected changes of one write transaction; `with` writes them at its end, if it ends well."""

    def __init__(self, connection: apsw.Connection, identity: ModelIdentity) -> None:
        self._connection = connection
        row = state(connection, "generation, next_source, next_chunk, next_text, chunks, model")
        self.generation, self.next_source, self.next_chunk, self.next_text, self.chunks, model = map(int, row)
        self.generation += 1
        self.model = self._model_number(identity)
        self._released: set[int] = set()
        self._gone: list[tuple[int, int]] = []
        self._late: list[int] = []
        self._again: list[int] = []
        self._anew = False
        if model != self.model:
            self._flag_pending()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._drop_released()
            self._drop_other_models()
            self._log()
            self._connection.execute(
                """UPDATE state SET generation = ?, next_source = ?, next_chunk = ?, next_text = ?,
                   chunks = ?, model = ?""",
                (self.generation, self.next_source, self.next_chunk, self.next_text, self.chunks, self.model),
            )

    def take_source(self) -> int:
        """A source number never used before."""
        self.next_source += 1
        return self.next_source - 1

    def take_chunks(self, count: int) -> int:
        """The first of `count` chunk ids never used before."""
        self.next_chunk += count
        self.chunks += count
        return self.next_chunk - count

    def take_text(self) -> int:
        """A text number never used before."""
        self.next_text += 1
        return self.next_text - 1

    def chunks_went(self, first: int, count: int, texts: Iterable[int]) -> None:
        """Note that chunks were deleted, and which texts they referred to; repeats refer to none."""
        held = [text for text in texts if text]
        self.chunks -= len(held)
        self._gone.append((first, first + count - 1))
        self._released.update(held)

    def chunk_folded(self, chunk: int, text: int) -> None:
        """Note that a chunk is a repeat from now on, and which text it referred to."""
        self.chunks -= 1
        self._again.append(chunk)
        self._released.add(text)

    def chunk_unfolded(self, chunk: int) -> None:
        """Note that a chunk is searched from now on."""
        self.chunks += 1
        self._again.append(chunk)

    def vector_came(self, text: int) -> None:
        """Note that a text that was there before has a vector now."""
        self._late.append(text)

    def vectors_changed(self) -> None:
        """Note that a text has another vector than before."""
        self._anew = True

    def _model_number(self, identity: ModelIdentity) -> int:
        values = (identity.name, identity.dimension, identity.window)
        self._connection.execute("INSERT OR IGNORE INTO model(name, dimension, window) VALUES (?, ?, ?)", values)
        number = model_number(self._connection, identity)
        assert number is not None, "inserted above"  # noqa: S101
        return number

    def _flag_pending(self) -> None:
        self._connection.execute(
            "UPDATE text SET pending = NOT EXISTS(SELECT 1 FROM vector WHERE vector.id = ? | text.id)",
            (self.model << MODEL_BITS,),
        )

    def _drop_released(self) -> None:
        drop = "DELETE FROM text WHERE id = ?1 AND NOT EXISTS(SELECT 1 FROM chunk WHERE text = ?1) RETURNING id"
        models = [number for (number,) in self._connection.execute("SELECT id FROM model")]
        for text in sorted(self._released):
            if self._connection.execute(drop, (text,)).fetchall():
                vectors = ((number << MODEL_BITS | text,) for number in models)
                self._connection.executemany("DELETE FROM vector WHERE id = ?", vectors)

    def _drop_other_models(self) -> None:
        """Vectors of a former model serve until every text has one of this model."""
        if self._connection.execute("SELECT count(*) = 1 OR EXISTS(SELECT 1 FROM text WHERE pending) FROM model").get:
            return
        own = self.model << MODEL_BITS
        self._connection.execute("DELETE FROM vector WHERE id < ? OR id >= ?", (own, own + (1 << MODEL_BITS)))
        self._connection.execute("DELETE FROM model WHERE id <> ?", (self.model,))

    def _log(self) -> None:
        rows = [(self.generation, GONE, first, last) for first, last in _merged(self._gone)]
        rows += [(self.generation, LATE, first, last) for first, last in _merged((n, n) for n in self._late)]
        rows += [(self.generation, AGAIN, first, last) for first, last in _merged((n, n) for n in self._again)]
        rows += [(self.generation, ANEW, 0, 0)] if self._anew else []
        self._connection.executemany("INSERT INTO change VALUES (?, ?, ?, ?)", rows)
        self._connection.execute("DELETE FROM change WHERE generation <= ?", (self.generation - RETAINED,))


def model_number(connection: apsw.Connection, identity: ModelIdentity) -> int | None:
    """The number under which this model's vectors are kept, if it has any."""
    number = connection.execute(
        "SELECT id FROM model WHERE name = ? AND dimension = ? AND window = ?",
        (identity.name, identity.dimension, identity.window),
    ).get
    return None if number is None else int(number)


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Inclusive ranges in order, those that touch as one; empty ones go."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if last < first:
            continue
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
