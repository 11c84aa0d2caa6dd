"""The store kept in SQLite: each method is one transaction, read or write."""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from minirag_mcp.model import (
    ChunkId,
    Cut,
    DocClass,
    Document,
    FileStat,
    Fingerprint,
    IndexCounts,
    IndexFault,
    Labels,
    ModelIdentity,
    Owner,
    Progress,
    Scored,
    SectionId,
    SourceEntry,
    SourceKey,
    SourceRecord,
    StoredChunk,
    StoredSection,
    StoredSnapshot,
    Terms,
    Vector,
)
from minirag_mcp.store import reader, records, words, writer
from minirag_mcp.store import series as series_of
from minirag_mcp.store.changes import Ledger, model_number
from minirag_mcp.store.contract import Scope, Store
from minirag_mcp.store.database import Database
from minirag_mcp.store.scope import extent

if TYPE_CHECKING:  # numpy costs 0.1 s and most commands never touch a vector
    from minirag_mcp.store.snapshot import Snapshot

_BUSY_SECONDS = 10.0
"""How long a write waits for another: a batch of many small files takes well under a second."""


def open_store(path: Path, *, identity: ModelIdentity, busy_timeout: float = _BUSY_SECONDS) -> Store:
    """The index in the folder `path`, for vectors of the model `identity`.

    Nothing is opened or made yet: reads of an index that does not exist give empty answers, the first write makes
    folder and file. `busy_timeout` is in seconds.
    """
    return _SqliteStore(Database(path, busy_timeout=busy_timeout), identity)


def engine_version() -> str:
    """The release of SQLite that keeps the index."""
    return apsw.sqlite_lib_version()


class _SqliteStore:
    """See `Store` for the contract of each method."""

    def __init__(self, database: Database, identity: ModelIdentity) -> None:
        self._database = database
        self._identity = identity
        self._snapshot: Snapshot | None = None
        self._snapshot_lock = threading.Lock()

    def replace(self, entry: SourceEntry) -> None:
        self.replace_many([entry])

    def replace_many(self, entries: Iterable[SourceEntry]) -> None:
        with self._writing() as (connection, ledger):
            for entry in entries:
                writer.put(connection, ledger, entry, self._identity.dimension)

    def refresh(self, key: SourceKey, stat: FileStat, *, content_hash: str) -> None:
        if not self._database.exists():
            return
        with self._writing() as (connection, _):
            writer.refresh(connection, key, stat, content_hash)

    def label(self, key: SourceKey, labels: Labels, *, likenesses: Sequence[bytes]) -> None:
        if not self._database.exists():
            return
        with self._writing() as (connection, _):
            writer.label(connection, key, labels, likenesses)

    def together(self) -> AbstractContextManager[None]:
        return self._database.together()

    def snapshots(self, series: str) -> list[StoredSnapshot]:
        with self._database.reading() as connection:
            return series_of.snapshots(connection, series) if connection else []

    def series_by_other_rules(self, rules: str) -> list[str]:
        with self._database.reading() as connection:
            return series_of.by_other_rules(connection, rules) if connection else []

    def refold(
        self,
        series: str,
        *,
        rules: str,
        fold: Mapping[ChunkId, ChunkId],
        unfold: Mapping[ChunkId, tuple[Terms, bytes]],
    ) -> None:
        with self._writing() as (connection, ledger):
            series_of.refold(connection, ledger, series, rules=rules, fold=fold, unfold=unfold)

    def rename(self, old: SourceKey, new: SourceKey, *, stat: FileStat, labels: Labels) -> None:
        if not self._database.exists():
            raise KeyError(old)
        with self._writing() as (connection, ledger):
            writer.rename(connection, ledger, old, new, stat=stat, labels=labels)

    def record_failure(self, record: SourceRecord) -> None:
        with self._writing() as (connection, ledger):
            writer.record_failure(connection, ledger, record)

    def delete(self, keys: Collection[SourceKey]) -> int:
        if not self._database.exists():
            return 0
        with self._writing() as (connection, ledger):
            return writer.remove_many(connection, ledger, keys)

    def source(self, key: SourceKey) -> SourceRecord | None:
        with self._database.reading() as connection:
            return records.find(connection, key) if connection else None

    def sources(self, scope: Scope = ()) -> list[SourceRecord]:
        with self._database.reading() as connection:
            return records.in_scope(connection, scope) if connection else []

    def document(self, key: SourceKey) -> Document | None:
        with self._database.reading() as connection:
            return reader.document(connection, key) if connection else None

    def cut(self, key: SourceKey) -> Cut | None:
        with self._database.reading() as connection:
            return reader.cut(connection, key) if connection else None

    def chunks(self, key: SourceKey, first: int, last: int) -> list[StoredChunk]:
        with self._database.reading() as connection:
            return reader.chunks_of(connection, key, first, last) if connection else []

    def known_hashes(self, hashes: Collection[bytes]) -> set[bytes]:
        with self._database.reading() as connection:
            return reader.known_hashes(connection, hashes, self._model(connection)) if connection else set()

    def unembedded(self, *, limit: int) -> dict[bytes, str]:
        with self._database.reading() as connection:
            return reader.unembedded(connection, self._model(connection), limit) if connection else {}

    def add_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        if not self._database.exists():
            return
        with self._writing() as (connection, ledger):
            writer.add_vectors(connection, ledger, vectors, self._identity.dimension)

    def texts(self, *, after: int, limit: int) -> tuple[int, dict[bytes, str]]:
        with self._database.reading() as connection:
            return reader.texts(connection, after=after, limit=limit) if connection else (after, {})

    def renew_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        if not self._database.exists():
            return
        with self._writing() as (connection, ledger):
            writer.renew_vectors(connection, ledger, vectors, self._identity.dimension)

    def search_terms(
        self, terms: Sequence[str], *, limit: int, scope: Scope = (), doc_class: DocClass | None = None
    ) -> list[Scored]:
        with self._database.reading() as connection:
            if connection is None:
                return []
            within = extent(connection, scope, doc_class)
            found = words.search(connection, terms, limit=limit, within=within)
            return within.shown(found) if within else found

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        with self._database.reading() as connection:
            return words.frequencies(connection, terms) if connection else dict.fromkeys(terms, 0)

    def search_vector(
        self, vector: Vector, *, limit: int, scope: Scope = (), doc_class: DocClass | None = None
    ) -> list[Scored]:
        with self._database.reading() as connection:
            if connection is None:
                return []
            within = extent(connection, scope, doc_class)
            scan = self._vectors().scan(connection)
        found = scan.search(vector, limit=limit, ranges=within.chunks if within else None)
        return within.shown(found) if within else found

    def distances(self, vector: Vector, chunks: Sequence[ChunkId]) -> dict[ChunkId, float]:
        with self._database.reading() as connection:
            return reader.distances(connection, self._model(connection), vector, chunks) if connection else {}

    def owners(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, Owner]:
        with self._database.reading() as connection:
            return reader.owners(connection, chunks) if connection else {}

    def read(self, chunks: Sequence[ChunkId]) -> list[StoredChunk]:
        with self._database.reading() as connection:
            return reader.chunks(connection, chunks) if connection else []

    def sections(self, ids: Collection[SectionId]) -> dict[SectionId, str]:
        with self._database.reading() as connection:
            return reader.sections(connection, ids) if connection else {}

    def section(self, section_id: SectionId) -> StoredSection | None:
        with self._database.reading() as connection:
            return reader.section(connection, section_id) if connection else None

    def counts(self, fingerprint: Fingerprint) -> IndexCounts:
        with self._database.reading() as connection:
            if connection is None:
                return IndexCounts(sources=0, chunks=0, stale_chunks=0, unembedded_chunks=0)
            return reader.counts(connection, self._model(connection), fingerprint)

    def faults(self, *, progress: Callable[[Progress], None] = lambda _: None) -> list[IndexFault]:
        from minirag_mcp.store import soundness  # noqa: PLC0415 - only an examination needs it

        with self._database.reading() as connection:
            return soundness.faults(connection, progress=progress) if connection else []

    def steady(self) -> AbstractContextManager[None]:
        return self._database.steady()

    def close(self) -> None:
        self._database.close()
        if self._snapshot:
            self._snapshot.forget()

    def _vectors(self) -> "Snapshot":
        from minirag_mcp.store.snapshot import Snapshot  # noqa: PLC0415 - numpy, when a vector is first touched

        with self._snapshot_lock:
            self._snapshot = self._snapshot or Snapshot(self._identity)
            return self._snapshot

    def _model(self, connection: apsw.Connection) -> int | None:
        return model_number(connection, self._identity)

    @contextmanager
    def _writing(self) -> Iterator[tuple[apsw.Connection, Ledger]]:
        with self._database.writing() as connection, Ledger(connection, self._identity) as ledger:
            yield connection, ledger
