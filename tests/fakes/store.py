"""A Store made of dicts: the same contract as the real one, by the plainest means, for tests of every other room."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import count, islice

import numpy as np

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
    SnapshotDates,
    SourceEntry,
    SourceKey,
    SourceRecord,
    StoredChunk,
    StoredSection,
    StoredSnapshot,
    Terms,
    Vector,
)
from minirag_mcp.store.contract import Scope, covers
from tests.fakes.scoring import bag, best, check_step, idf, length, saturated

IDENTITY = ModelIdentity(name="bag-of-words", dimension=64, window=512)


_TABLES = ("_records", "_cuts", "_numbers", "_rows", "_vectors", "_rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One chunk as kept: where it belongs, and what it is found by; a repeat by the chunk `first` alone."""

    key: SourceKey
    ordinal: int
    terms: Terms | None
    text_hash: bytes
    likeness: bytes | None = None
    first: ChunkId | None = None


class MemoryStore:
    """An index in memory, of one process. `reopened` gives the same index under another (or the same) model."""

    def __init__(self, *, identity: ModelIdentity = IDENTITY) -> None:
        self._identity = identity
        self._records: dict[SourceKey, SourceRecord] = {}
        self._cuts: dict[SourceKey, Cut] = {}
        self._numbers: dict[SourceKey, int] = {}
        self._rows: dict[ChunkId, _Row] = {}
        self._vectors: dict[tuple[ModelIdentity, bytes], Vector] = {}
        self._rules: dict[str, str] = {}
        self._next_number = count(1)
        self._next_chunk = count(1)

    def reopened(self, identity: ModelIdentity | None = None) -> "MemoryStore":
        """A store over the same data, as another process would open it."""
        other = MemoryStore(identity=identity or self._identity)
        for name in (*_TABLES, "_next_number", "_next_chunk"):
            setattr(other, name, getattr(self, name))
        return other

    def replace(self, entry: SourceEntry) -> None:
        self.replace_many([entry])

    def replace_many(self, entries: Iterable[SourceEntry]) -> None:
        whole = list(entries)
        for entry in whole:
            check_step(len(entry.cut.chunks), entry.terms, entry.hashes, *filter(None, [entry.likenesses]))
        for entry in whole:
            self._put(entry)
        self._settle_vectors()

    def refresh(self, key: SourceKey, stat: FileStat, *, content_hash: str) -> None:
        if key in self._records:
            self._records[key] = replace(self._records[key], stat=stat, content_hash=content_hash)
        self._settle_vectors()

    def label(self, key: SourceKey, labels: Labels, *, likenesses: Sequence[bytes]) -> None:
        if key not in self._records:
            return
        self._records[key] = replace(self._records[key], labels=labels)
        said = dict(enumerate(likenesses))
        for number, row in self._rows.items():
            if row.key == key:
                self._rows[number] = replace(row, likeness=said.get(row.ordinal))

    @contextmanager
    def together(self) -> Iterator[None]:
        before = {name: dict(getattr(self, name)) for name in _TABLES}
        try:
            yield
        except BaseException:
            for name, table in before.items():
                setattr(self, name, table)
            raise

    def snapshots(self, series: str) -> list[StoredSnapshot]:
        found = [
            (snapshot.date, key)
            for key, record in self._records.items()
            if (snapshot := record.labels.snapshot) and snapshot.series == series and key in self._cuts
        ]
        return [self._snapshot(key, date) for date, key in sorted(found)]

    def series_by_other_rules(self, rules: str) -> list[str]:
        held = {record.labels.snapshot.series for record in self._records.values() if record.labels.snapshot}
        return sorted(series for series in held if self._rules.get(series, "") != rules)

    def refold(
        self,
        series: str,
        *,
        rules: str,
        fold: Mapping[ChunkId, ChunkId],
        unfold: Mapping[ChunkId, tuple[Terms, bytes]],
    ) -> None:
        for chunk, (terms, text_hash) in unfold.items():
            self._rows[chunk] = replace(self._rows[chunk], first=None, terms=terms, text_hash=text_hash)
        for chunk, first in fold.items():
            self._rows[chunk] = replace(self._rows[chunk], first=first, terms=None, text_hash=b"")
        self._rules[series] = rules
        self._settle_vectors()

    def rename(self, old: SourceKey, new: SourceKey, *, stat: FileStat, labels: Labels) -> None:
        record = self._records[old]
        if new != old:
            self._forget(new)
        self._settle_vectors()
        self._records.pop(old)
        self._records[new] = replace(record, key=new, stat=stat, labels=labels)
        if old not in self._cuts:
            return
        self._cuts[new] = self._cuts.pop(old)
        self._numbers[new] = self._numbers.pop(old)
        self._rows = {number: replace(row, key=new) if row.key == old else row for number, row in self._rows.items()}

    def record_failure(self, record: SourceRecord) -> None:
        known = self._records.get(record.key)
        if known is not None and record.key in self._cuts:
            record = replace(record, title=known.title, chunk_count=known.chunk_count, labels=known.labels)
        else:
            record = replace(record, chunk_count=0)
        self._records[record.key] = record
        self._settle_vectors()

    def delete(self, keys: Collection[SourceKey]) -> int:
        gone = sum(self._forget(key) for key in set(keys))
        self._settle_vectors()
        return gone

    def source(self, key: SourceKey) -> SourceRecord | None:
        return self._records.get(key)

    def sources(self, scope: Scope = ()) -> list[SourceRecord]:
        return [self._records[key] for key in sorted(self._records) if covers(scope, key)]

    def document(self, key: SourceKey) -> Document | None:
        cut = self._cuts.get(key)
        return cut.document if cut else None

    def cut(self, key: SourceKey) -> Cut | None:
        return self._cuts.get(key)

    def chunks(self, key: SourceKey, first: int, last: int) -> list[StoredChunk]:
        rows = self._rows.items()
        return self.read([number for number, row in rows if row.key == key and first <= row.ordinal <= last])

    def known_hashes(self, hashes: Collection[bytes]) -> set[bytes]:
        return {text_hash for text_hash in hashes if (self._identity, text_hash) in self._vectors}

    def unembedded(self, *, limit: int) -> dict[bytes, str]:
        missing = (row for row in self._searched() if (self._identity, row.text_hash) not in self._vectors)
        return dict(islice({row.text_hash: self._embedded(row) for row in missing}.items(), limit))

    def add_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        self._keep_vectors(vectors)
        self._settle_vectors()

    def texts(self, *, after: int, limit: int) -> tuple[int, dict[bytes, str]]:
        held = {row.text_hash: self._embedded(row) for row in self._searched()}
        found = dict(islice(held.items(), after, after + limit))
        return after + len(found), found

    def renew_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        new = {(self._identity, text_hash): np.array(row, np.float32) for text_hash, row in vectors.items()}
        self._vectors |= {name: row for name, row in new.items() if name in self._vectors}

    def search_terms(
        self, terms: Sequence[str], *, limit: int, scope: Scope = (), doc_class: DocClass | None = None
    ) -> list[Scored]:
        searched = {number: row.terms for number, row in self._rows.items() if row.terms is not None}
        bags = {number: bag(own) for number, own in searched.items()}
        frequency = {term: sum(1 for bag in bags.values() if term in bag) for term in terms}
        found = [term for term in frequency if frequency[term]]
        wanted = [term for term in found if 2 * frequency[term] <= len(bags)] or found
        lengths = {number: length(own) for number, own in searched.items()}
        average = sum(lengths.values()) / max(len(lengths), 1)
        shown = self._shown(scope, doc_class)
        scored = [
            Scored(
                chunk=shown[number],
                score=sum(
                    idf(frequency[term], len(bags)) * saturated(bag[term], lengths[number] / average)
                    for term in wanted
                    if term in bag
                ),
            )
            for number, bag in bags.items()
            if number in shown and any(term in bag for term in wanted)
        ]
        return best(scored, limit)

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        bags = [bag(row.terms) for row in self._rows.values() if row.terms is not None]
        return {term: sum(term in bag for bag in bags) for term in terms}

    def search_vector(
        self, vector: Vector, *, limit: int, scope: Scope = (), doc_class: DocClass | None = None
    ) -> list[Scored]:
        shown = self._shown(scope, doc_class)
        scored = [
            Scored(chunk=shown[number], score=float(vector @ found))
            for number in self._rows
            if number in shown and (found := self._vector_of(number)) is not None
        ]
        return best(scored, limit)

    def distances(self, vector: Vector, chunks: Sequence[ChunkId]) -> dict[ChunkId, float]:
        found = {number: self._vector_of(number) for number in chunks}
        return {number: 1.0 - float(vector @ row) for number, row in found.items() if row is not None}

    def owners(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, Owner]:
        rows = {number: self._rows[number].key for number in chunks if number in self._rows}
        return {n: Owner(source=key, source_type=self._records[key].source_type) for n, key in rows.items()}

    def read(self, chunks: Sequence[ChunkId]) -> list[StoredChunk]:
        return [self._stored(number) for number in chunks if number in self._rows]

    def sections(self, ids: Collection[SectionId]) -> dict[SectionId, str]:
        shown = {
            SectionId(f"{self._numbers[key]}:{section.ordinal}"): section.shown(cut.document.text)
            for key, cut in self._cuts.items()
            for section in cut.sections
        }
        return {section_id: shown[section_id] for section_id in ids if section_id in shown}

    def section(self, section_id: SectionId) -> StoredSection | None:
        for key, cut in self._cuts.items():
            for section in cut.sections:
                if section_id == f"{self._numbers[key]}:{section.ordinal}":
                    return StoredSection(
                        section_id=section_id,
                        source=key,
                        source_type=self._records[key].source_type,
                        title=self._records[key].title,
                        headings=section.headings,
                        place=section.place,
                        text=section.shown(cut.document.text),
                    )
        return None

    def counts(self, fingerprint: Fingerprint) -> IndexCounts:
        stale = [self._records[key].chunk_count for key in self._cuts if self._records[key].fingerprint != fingerprint]
        searched = self._searched()
        unembedded = [row for row in searched if (self._identity, row.text_hash) not in self._vectors]
        return IndexCounts(
            sources=len(self._cuts),
            chunks=len(self._rows),
            stale_chunks=sum(stale),
            unembedded_chunks=len(unembedded),
            repeated_chunks=len(self._rows) - len(searched),
        )

    def faults(self, *, progress: Callable[[Progress], None] = lambda _: None) -> list[IndexFault]:
        progress(Progress(done=len(self._records), total=len(self._records)))
        held = Counter(row.key for row in self._rows.values())
        return [
            IndexFault(message="a source and its chunks do not fit together", source=key)
            for key in self._records.keys() | held.keys()
            if held[key] != (len(self._cuts[key].chunks) if key in self._cuts else 0)
        ]

    def steady(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None: ...

    def _put(self, entry: SourceEntry) -> None:
        key = entry.record.key
        self._keep_vectors(entry.vectors)
        self._forget(key)
        self._records[key] = replace(entry.record, title=entry.cut.document.title, chunk_count=len(entry.cut.chunks))
        self._cuts[key] = entry.cut
        self._numbers[key] = next(self._next_number)
        said = dict(enumerate(entry.likenesses))
        for n, (terms, text_hash) in enumerate(zip(entry.terms, entry.hashes, strict=True)):
            row = _Row(key=key, ordinal=n, terms=terms, text_hash=text_hash, likeness=said.get(n))
            self._rows[ChunkId(next(self._next_chunk))] = row

    def _forget(self, key: SourceKey) -> int:
        self._records.pop(key, None)
        self._cuts.pop(key, None)
        self._numbers.pop(key, None)
        gone = [self._rows.pop(number) for number, row in list(self._rows.items()) if row.key == key]
        return len(gone)

    def _keep_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        for text_hash, vector in vectors.items():
            self._vectors.setdefault((self._identity, text_hash), np.array(vector, dtype=np.float32))

    def _settle_vectors(self) -> None:
        """Drop vectors of texts that went, and of other models once every text has one of this model."""
        used = {row.text_hash for row in self._searched()}
        whole = all((self._identity, text_hash) in self._vectors for text_hash in used)
        for identity, text_hash in list(self._vectors):
            if text_hash not in used or (whole and identity != self._identity):
                del self._vectors[identity, text_hash]

    def _searched(self) -> list[_Row]:
        return [row for row in self._rows.values() if row.first is None]

    def _embedded(self, row: _Row) -> str:
        return self._cuts[row.key].chunks[row.ordinal].embedded(self._cuts[row.key].document.text)

    def _vector_of(self, chunk: ChunkId) -> "Vector | None":
        row = self._rows.get(self._first(chunk))
        return self._vectors.get((self._identity, row.text_hash)) if row else None

    def _first(self, chunk: ChunkId) -> ChunkId:
        return (self._rows[chunk].first if chunk in self._rows else None) or chunk

    def _shown(self, scope: Scope, doc_class: DocClass | None) -> dict[ChunkId, ChunkId]:
        """The chunks that are searched, and which to show for each: a repeat for what stands for it elsewhere."""
        inside = {
            number: row
            for number, row in self._rows.items()
            if covers(scope, row.key) and doc_class in {None, self._records[row.key].labels.doc_class}
        }
        shown = {number: number for number, row in inside.items() if row.first is None}
        keys = {number: row.key for number, row in inside.items() if row.key in scope}
        for number in sorted(keys, key=lambda n: (keys[n], n)):
            if self._rows[self._first(number)].key not in {row.key for row in inside.values()}:
                shown.setdefault(self._first(number), number)
        return shown

    def _snapshot(self, key: SourceKey, date: str) -> StoredSnapshot:
        rows = {number: row for number, row in self._rows.items() if row.key == key}
        return StoredSnapshot(
            source=key,
            date=date,
            doc_class=self._records[key].labels.doc_class,
            chunks=tuple(rows),
            likenesses=tuple(row.likeness or b"" for row in rows.values()),
            firsts={number: row.first for number, row in rows.items() if row.first is not None},
        )

    def _dates(self, chunk: ChunkId) -> SnapshotDates | None:
        own = self._records[self._rows[chunk].key].labels.snapshot
        if own is None:
            return None
        run = [row.key for number, row in self._rows.items() if self._first(chunk) in {number, row.first}]
        dates = {snapshot.date for key in run if (snapshot := self._records[key].labels.snapshot)}
        return SnapshotDates(own=own.date, others=tuple(sorted(dates - {own.date})))

    def _stored(self, chunk: ChunkId) -> StoredChunk:
        row = self._rows[chunk]
        record, cut = self._records[row.key], self._cuts[row.key]
        own = cut.chunks[row.ordinal]
        section = cut.sections[own.section]
        return StoredChunk(
            chunk=chunk,
            source=row.key,
            source_type=record.source_type,
            title=record.title,
            ordinal=row.ordinal,
            section_id=SectionId(f"{self._numbers[row.key]}:{own.section}"),
            headings=section.headings,
            label=section.label,
            place=own.place,
            text=own.shown(cut.document.text),
            doc_class=record.labels.doc_class,
            dates=self._dates(chunk),
        )
