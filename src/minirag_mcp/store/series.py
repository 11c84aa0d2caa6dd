"""Dated series: what their snapshots say, and which chunks stand for those that say the same."""

from collections.abc import Iterable, Mapping, Sequence

import apsw

from minirag_mcp.model import ChunkId, DocClass, SnapshotDates, SourceKey, StoredSnapshot, Terms
from minirag_mcp.store import words
from minirag_mcp.store.changes import Ledger
from minirag_mcp.store.codec import text_bytes, text_from
from minirag_mcp.store.shape import MisshapenError, present, shaped
from minirag_mcp.store.texts import text_number


def put_likenesses(connection: apsw.Connection, chunks: Iterable[int], likenesses: Sequence[bytes]) -> None:
    """Keep what each chunk says; for a source that is no snapshot there is nothing to keep, and nothing is kept."""
    numbers = list(chunks)
    if likenesses and len(likenesses) != len(numbers):
        raise ValueError(f"{len(numbers)} chunks, {len(likenesses)} likenesses: they go in step")
    if not likenesses:
        connection.executemany("DELETE FROM likeness WHERE chunk = ?", ((number,) for number in numbers))
    rows = zip(numbers, likenesses, strict=False)
    connection.executemany("INSERT OR REPLACE INTO likeness(chunk, hash) VALUES (?, ?)", rows)


_SNAPSHOTS = """
SELECT source.key, date, doc_class, first_chunk, chunks FROM source JOIN series ON series.id = source.series
WHERE series.key = ? AND first_chunk IS NOT NULL ORDER BY date, source.key
"""

_CHUNKS = """
SELECT hash, first FROM likeness LEFT JOIN repeat ON repeat.chunk = likeness.chunk
WHERE likeness.chunk BETWEEN ? AND ? ORDER BY likeness.chunk
"""


def snapshots(connection: apsw.Connection, series: str) -> list[StoredSnapshot]:
    """The snapshots of a series, by date."""
    rows = connection.execute(_SNAPSHOTS, (text_bytes(series),)).fetchall()
    return [_snapshot(connection, *row) for row in rows]  # type: ignore[arg-type]


def _snapshot(  # noqa: PLR0917 - the columns of one row
    connection: apsw.Connection, key: bytes, date: str, doc_class: str, first: int, count: int
) -> StoredSnapshot:
    rows = connection.execute(_CHUNKS, (first, first + count - 1)).fetchall()
    if len(rows) != count:
        raise MisshapenError("what a chunk of a snapshot says is missing")
    numbers = [ChunkId(first + n) for n in range(count)]
    with shaped("the row of a snapshot"):
        return StoredSnapshot(
            source=SourceKey(text_from(key)),
            date=date,
            doc_class=DocClass(doc_class),
            chunks=tuple(numbers),
            likenesses=tuple(bytes(hash_) for hash_, _ in rows),  # type: ignore[arg-type]
            firsts={n: ChunkId(stands) for n, (_, stands) in zip(numbers, rows, strict=True) if stands is not None},  # type: ignore[arg-type]
        )


def by_other_rules(connection: apsw.Connection, rules: str) -> list[str]:
    """The series with snapshots that stand by other rules than these."""
    ask = """SELECT key FROM series WHERE rules <> ?
             AND EXISTS(SELECT 1 FROM source WHERE source.series = series.id) ORDER BY key"""
    return [text_from(key) for (key,) in connection.execute(ask, (rules,))]


def refold(
    connection: apsw.Connection,
    ledger: Ledger,
    series: str,
    *,
    rules: str,
    fold: Mapping[ChunkId, ChunkId],
    unfold: Mapping[ChunkId, tuple[Terms, bytes]],
) -> None:
    """Make a series stand by `rules`."""
    for chunk in unfold:
        connection.execute("DELETE FROM repeat WHERE chunk = ?", (chunk,))
    for chunk, (_, text_hash) in unfold.items():
        text = text_number(connection, ledger, text_hash)
        connection.execute("UPDATE chunk SET text = ? WHERE id = ?", (text, chunk))
        ledger.chunk_unfolded(chunk)
    words.add(connection, ((chunk, terms) for chunk, (terms, _) in unfold.items()))
    for chunk, first in fold.items():
        _fold(connection, ledger, chunk, first)
    connection.execute("UPDATE series SET rules = ? WHERE key = ?", (rules, text_bytes(series)))


def _fold(connection: apsw.Connection, ledger: Ledger, chunk: ChunkId, first: ChunkId) -> None:
    connection.execute("INSERT OR REPLACE INTO repeat(chunk, first) VALUES (?, ?)", (chunk, first))
    text = present(connection.execute("SELECT text FROM chunk WHERE id = ?", (chunk,)).get, "a chunk")
    if text:
        words.remove(connection, [chunk])
        connection.execute("UPDATE chunk SET text = 0 WHERE id = ?", (chunk,))
        ledger.chunk_folded(chunk, int(text))


_RUN = """
SELECT date FROM (SELECT ?1 AS id UNION ALL SELECT chunk FROM repeat WHERE first = ?1) AS run
JOIN chunk ON chunk.id = run.id JOIN source ON source.id = chunk.source ORDER BY date
"""


def dates(connection: apsw.Connection, chunk: int, own: str | None) -> SnapshotDates | None:
    """When a chunk of a snapshot of the date `own` held; None for any other chunk."""
    if own is None:
        return None
    first = connection.execute("SELECT coalesce((SELECT first FROM repeat WHERE chunk = ?1), ?1)", (chunk,)).get
    run = [date for (date,) in connection.execute(_RUN, (first,))]
    return SnapshotDates(own=own, others=tuple(date for date in run if date != own))
