"""What a write transaction does to the tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import apsw

from minirag_mcp.model import FileStat, Labels, SourceEntry, SourceKey, SourceRecord, Vector
from minirag_mcp.store import codec, records, series, words
from minirag_mcp.store.changes import Ledger
from minirag_mcp.store.schema import MODEL_BITS, ORDINAL_BITS
from minirag_mcp.store.shape import MisshapenError
from minirag_mcp.store.texts import HASH_BYTES, text_number

_WAITING = """
UPDATE text SET pending = 0
WHERE hash = ?1 AND (pending OR NOT EXISTS(SELECT 1 FROM vector WHERE vector.id = (?2 | text.id))) RETURNING id
"""


def put(connection: apsw.Connection, ledger: Ledger, entry: SourceEntry, dimension: int) -> None:
    """Put `entry` in place of whatever its key held."""
    record, cut = entry.record, entry.cut
    count = len(cut.chunks)
    if not count == len(entry.terms) == len(entry.hashes):
        raise ValueError(f"{count} chunks, {len(entry.terms)} terms, {len(entry.hashes)} hashes: they go in step")
    remove(connection, ledger, record.key)
    number, first = ledger.take_source(), ledger.take_chunks(count)
    records.write(connection, record, number=number, title=cut.document.title, first_chunk=first, chunks=count)
    texts = [text_number(connection, ledger, text_hash) for text_hash in entry.hashes]
    _put_document(connection, number, entry)
    rows = ((first + n, number, chunk.section, texts[n]) for n, chunk in enumerate(cut.chunks))
    connection.executemany("INSERT INTO chunk(id, source, section, text) VALUES (?, ?, ?, ?)", rows)
    words.add(connection, enumerate(entry.terms, first))
    series.put_likenesses(connection, range(first, first + count), entry.likenesses)
    add_vectors(connection, ledger, entry.vectors, dimension)


def remove(connection: apsw.Connection, ledger: Ledger, key: SourceKey) -> int:
    """Forget a source; returns how many chunks went."""
    ask = "SELECT id, first_chunk, chunks FROM source WHERE key = ?"
    row = connection.execute(ask, (codec.text_bytes(key),)).fetchone()
    if row is None:
        return 0
    number, first, count = row
    connection.execute("DELETE FROM source WHERE id = ?", (number,))
    if first is None:
        return 0
    if not (isinstance(first, int) and isinstance(count, int)):
        raise MisshapenError("the row of a source holds what is no number")
    bounds = (first, first + count - 1)
    own: Iterable[tuple[Any, ...]] = connection.execute(
        "SELECT source, text FROM chunk WHERE id BETWEEN ? AND ? ORDER BY id", bounds
    )
    texts = [int(text) for source, text in own if source == number]
    if len(texts) != count:
        raise MisshapenError("a chunk of a source is missing")
    words.remove(connection, [first + n for n, text in enumerate(texts) if text])
    for table, column in (("chunk", "id"), ("likeness", "chunk"), ("repeat", "chunk")):
        connection.execute(f"DELETE FROM {table} WHERE {column} BETWEEN ? AND ?", bounds)  # noqa: S608 - our own names
    connection.execute("DELETE FROM document WHERE source = ?", (number,))
    for table in ("block", "part"):
        rows = (number << ORDINAL_BITS, (number + 1) << ORDINAL_BITS)
        connection.execute(f"DELETE FROM {table} WHERE id >= ? AND id < ?", rows)  # noqa: S608 - our own table names
    ledger.chunks_went(first, count, texts)
    return int(count)


def remove_many(connection: apsw.Connection, ledger: Ledger, keys: Collection[SourceKey]) -> int:
    """Forget these sources; returns how many chunks went."""
    return sum(remove(connection, ledger, key) for key in sorted(set(keys)))


def refresh(connection: apsw.Connection, key: SourceKey, stat: FileStat, content_hash: str) -> None:
    """Record how the file looks now."""
    connection.execute(
        "UPDATE source SET size = ?, mtime_ns = ?, content_hash = ? WHERE key = ?",
        (stat.size, stat.mtime_ns, records.hash_value(content_hash), codec.text_bytes(key)),
    )


def label(connection: apsw.Connection, key: SourceKey, labels: Labels, likenesses: Sequence[bytes]) -> None:
    """Say something else about a source."""
    row = connection.execute("SELECT id, first_chunk, chunks FROM source WHERE key = ?", (codec.text_bytes(key),)).get
    if row is None:
        return
    number, first, count = row
    records.label(connection, number, labels)
    if first is not None:
        series.put_likenesses(connection, range(first, first + count), likenesses)


def rename(
    connection: apsw.Connection,
    ledger: Ledger,
    old: SourceKey,
    new: SourceKey,
    *,
    stat: FileStat,
    labels: Labels,
) -> None:
    """Give a source a new key. Raises KeyError."""
    number = connection.execute("SELECT id FROM source WHERE key = ?", (codec.text_bytes(old),)).get
    if number is None:
        raise KeyError(old)
    if new != old:
        remove(connection, ledger, new)
    connection.execute(
        "UPDATE source SET key = ?, size = ?, mtime_ns = ? WHERE id = ?",
        (codec.text_bytes(new), stat.size, stat.mtime_ns, number),
    )
    records.label(connection, number, labels)


def record_failure(connection: apsw.Connection, ledger: Ledger, record: SourceRecord) -> None:
    """Remember a failed attempt beside what an earlier one left."""
    ask = "SELECT id, title, first_chunk, chunks FROM source WHERE key = ?"
    row = connection.execute(ask, (codec.text_bytes(record.key),)).fetchone()
    number, title, first, count = row or (ledger.take_source(), b"", None, 0)
    known = records.find(connection, record.key) if first is not None else None
    if known is not None:
        record = replace(record, labels=known.labels)
    kept = codec.text_from(title) if first is not None else record.title
    records.write(connection, record, number=number, title=kept, first_chunk=first, chunks=count)


def add_vectors(connection: apsw.Connection, ledger: Ledger, vectors: Mapping[bytes, Vector], dimension: int) -> None:
    """Keep the vectors of texts that are waiting for one."""
    if not vectors:
        return
    from minirag_mcp.store.vectors import quantised  # noqa: PLC0415 - numpy, when a vector is first touched

    own = ledger.model << MODEL_BITS
    for text_hash, vector in vectors.items():
        row = quantised(vector, dimension)
        text = connection.execute(_WAITING, (text_hash[:HASH_BYTES], own)).get
        if text is not None:
            connection.execute("INSERT INTO vector(id, data) VALUES (?, ?)", (own | text, row))
            ledger.vector_came(text)


_RENEW = """
UPDATE vector SET data = ?3 WHERE id = (?2 | (SELECT id FROM text WHERE hash = ?1)) AND data <> ?3 RETURNING id
"""


def renew_vectors(connection: apsw.Connection, ledger: Ledger, vectors: Mapping[bytes, Vector], dimension: int) -> None:
    """Put other vectors in the place of those that texts have."""
    from minirag_mcp.store.vectors import quantised  # noqa: PLC0415 - numpy, when a vector is first touched

    own = ledger.model << MODEL_BITS
    for text_hash, vector in vectors.items():
        if connection.execute(_RENEW, (text_hash[:HASH_BYTES], own, quantised(vector, dimension))).fetchall():
            ledger.vectors_changed()


def _put_document(connection: apsw.Connection, number: int, entry: SourceEntry) -> None:
    own = number << ORDINAL_BITS
    document = entry.cut.document
    connection.execute("INSERT INTO document(source, head) VALUES (?, ?)", (number, codec.head_bytes(document)))
    blocks = ((own | n, data) for n, data in enumerate(codec.text_blocks(document.text)))
    connection.executemany("INSERT INTO block(id, data) VALUES (?, ?)", blocks)
    parts = ((own | part.sections[0].ordinal, codec.part_bytes(part)) for part in codec.parts(entry.cut))
    connection.executemany("INSERT INTO part(id, data) VALUES (?, ?)", parts)
