"""Source rows as records, and back."""

import json
from typing import Any

import apsw

from minirag_mcp.model import (
    DocClass,
    FileStat,
    Fingerprint,
    Labels,
    Snapshot,
    SourceKey,
    SourceRecord,
    SourceType,
)
from minirag_mcp.store.codec import text_bytes, text_from
from minirag_mcp.store.contract import Scope
from minirag_mcp.store.scope import select
from minirag_mcp.store.shape import present, shaped

_COLUMNS = (
    "key, type, title, content_hash, chunks, size, mtime_ns, failure, doc_class, date, rules,"
    "(SELECT key FROM series WHERE series.id = source.series),"
    "(SELECT model FROM fingerprint WHERE fingerprint.id = source.fingerprint),"
    "(SELECT scheme FROM fingerprint WHERE fingerprint.id = source.fingerprint)"
)

_FIND = f"SELECT {_COLUMNS} FROM source WHERE key = ?"  # noqa: S608 - our own

_WRITE = """
INSERT OR REPLACE INTO source(
    id, first_chunk, chunks, title, key, type, content_hash, fingerprint, size, mtime_ns, failure,
    doc_class, series, date, rules)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_LABEL = "UPDATE source SET doc_class = ?, series = ?, date = ?, rules = ? WHERE id = ?"


def find(connection: apsw.Connection, key: SourceKey) -> SourceRecord | None:
    """The record of one source."""
    row = connection.execute(_FIND, (text_bytes(key),)).fetchone()
    return _record(*row) if row else None


def in_scope(connection: apsw.Connection, scope: Scope) -> list[SourceRecord]:
    """The records of all sources in scope, ordered by key."""
    return [_record(*row) for row in select(connection, _COLUMNS, scope)]


def write(
    connection: apsw.Connection, record: SourceRecord, *, number: int, title: str, first_chunk: int | None, chunks: int
) -> None:
    """Put the record in the row `number`, with the title and chunks it really has."""
    stat, failure = record.stat, record.failure
    connection.execute(
        _WRITE,
        (
            number,
            first_chunk,
            chunks,
            text_bytes(title),
            text_bytes(record.key),
            record.source_type.value,
            hash_value(record.content_hash),
            _fingerprint_number(connection, record.fingerprint),
            stat.size if stat else None,
            stat.mtime_ns if stat else None,
            text_bytes(json.dumps(failure)) if failure else None,
            *_label_values(connection, record.labels),
        ),
    )


def label(connection: apsw.Connection, number: int, labels: Labels) -> None:
    """Put other labels on the source of this number."""
    connection.execute(_LABEL, (*_label_values(connection, labels), number))


def _label_values(connection: apsw.Connection, labels: Labels) -> tuple[str, int | None, str | None, str]:
    snapshot = labels.snapshot
    series = _series_number(connection, snapshot.series) if snapshot else None
    return labels.doc_class.value, series, snapshot.date if snapshot else None, labels.rules


def _series_number(connection: apsw.Connection, series: str) -> int:
    key = (text_bytes(series),)
    connection.execute("INSERT OR IGNORE INTO series(key, rules) VALUES (?, '')", key)
    return int(connection.execute("SELECT id FROM series WHERE key = ?", key).get)


def _fingerprint_number(connection: apsw.Connection, fingerprint: Fingerprint) -> int:
    values = (fingerprint.model, fingerprint.scheme)
    connection.execute("INSERT OR IGNORE INTO fingerprint(model, scheme) VALUES (?, ?)", values)
    return int(connection.execute("SELECT id FROM fingerprint WHERE model = ? AND scheme = ?", values).get)


def hash_value(content_hash: str) -> bytes | str:
    """SHA-256 hex at half its length; anything else as it is."""
    try:
        short = bytes.fromhex(content_hash)
    except ValueError:
        return content_hash
    return short if short.hex() == content_hash else content_hash


def _record(*row: Any) -> SourceRecord:
    key, kind, title, content_hash, chunks, size, mtime_ns, failure, doc_class, date, rules, series, model, scheme = row
    with shaped("the row of a source"):
        return SourceRecord(
            key=SourceKey(text_from(key)),
            source_type=SourceType(kind),
            title=text_from(title),
            content_hash=content_hash.hex() if isinstance(content_hash, bytes) else content_hash,
            fingerprint=Fingerprint(model=present(model, "a fingerprint"), scheme=present(scheme, "a fingerprint")),
            chunk_count=chunks + 0,
            stat=FileStat(size=size, mtime_ns=mtime_ns) if size is not None else None,
            failure=_failure(*json.loads(text_from(failure))) if failure else None,
            labels=Labels(
                doc_class=DocClass(doc_class),
                snapshot=Snapshot(series=text_from(present(series, "a series")), date=date) if date else None,
                rules=rules,
            ),
        )


def _failure(code: str, message: str) -> tuple[str, str]:
    return code, message
