"""A Store made of dicts: the same contract as the real one, by the plainest means, for tests of every other room."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import count, islice

import numpy as np

from minirag_mcp.model import (
    ChunkId,
    Cut,
    Document,
    FileStat,
    Fingerprint,
    IndexCounts,
    IndexFault,
    ModelIdentity,
    Progress,
    Scored,
    SectionId,
    SourceEntry,
    SourceKey,
    SourceRecord,
    StoredChunk,
    StoredSection,
    Terms,
    Vector,
)
from minirag_mcp.store.contract import Scope, covers

IDENTITY = ModelIdentity(name="bag-of-words", dimension=64, window=512)

TITLE_WEIGHT, CONTEXT_WEIGHT, BODY_WEIGHT = 2.0, 1.0, 1.0
SATURATION, LENGTH_SHARE, LEAST_IDF = 1.2, 0.75, 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One chunk as kept: where it belongs, and what it is found by."""

    key: SourceKey
    ordinal: int
    terms: Terms
    text_hash: bytes


class MemoryStore:
    """An index in memory, of one process. `reopened` gives the same index under another (or the same) model."""

    def __init__(self, *, identity: ModelIdentity = IDENTITY) -> None:
        self._identity = identity
        self._records: dict[SourceKey, SourceRecord] = {}
        self._cuts: dict[SourceKey, Cut] = {}
        self._numbers: dict[SourceKey, int] = {}
        self._rows: dict[ChunkId, _Row] = {}
        self._vectors: dict[tuple[ModelIdentity, bytes], Vector] = {}
        self._next_number = count(1)
        self._next_chunk = count(1)

    def reopened(self, identity: ModelIdentity | None = None) -> "MemoryStore":
        """A store over the same data, as another process would open it."""
        other = MemoryStore(identity=identity or self._identity)
        for name in ("_records", "_cuts", "_numbers", "_rows", "_vectors", "_next_number", "_next_chunk"):
            setattr(other, name, getattr(self, name))
        return other

    def replace(self, entry: SourceEntry) -> None:
        self.replace_many([entry])

    def replace_many(self, entries: Iterable[SourceEntry]) -> None:
        whole = list(entries)
        for entry in whole:
            _check_step(len(entry.cut.chunks), entry.terms, entry.hashes)
        for entry in whole:
            self._put(entry)
        self._settle_vectors()

    def refresh(self, key: SourceKey, stat: FileStat) -> None:
        if key in self._records:
            self._records[key] = replace(self._records[key], stat=stat)
        self._settle_vectors()

    def rename(self, old: SourceKey, new: SourceKey, *, stat: FileStat) -> None:
        record = self._records[old]
        if new != old:
            self._forget(new)
        self._settle_vectors()
        self._records.pop(old)
        self._records[new] = replace(record, key=new, stat=stat)
        if old not in self._cuts:
            return
        self._cuts[new] = self._cuts.pop(old)
        self._numbers[new] = self._numbers.pop(old)
        self._rows = {number: replace(row, key=new) if row.key == old else row for number, row in self._rows.items()}

    def record_failure(self, record: SourceRecord) -> None:
        known = self._records.get(record.key)
        if known is not None and record.key in self._cuts:
            record = replace(record, title=known.title, chunk_count=known.chunk_count)
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
        missing = {
            row.text_hash: self._cuts[row.key].chunks[row.ordinal].embedded(self._cuts[row.key].document.text)
            for row in self._rows.values()
            if (self._identity, row.text_hash) not in self._vectors
        }
        return dict(islice(missing.items(), limit))

    def add_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        self._keep_vectors(vectors)
        self._settle_vectors()

    def search_terms(self, terms: Sequence[str], *, limit: int, scope: Scope = ()) -> list[Scored]:
        bags = {number: _bag(row.terms) for number, row in self._rows.items()}
        frequency = {term: sum(1 for bag in bags.values() if term in bag) for term in terms}
        found = [term for term in frequency if frequency[term]]
        wanted = [term for term in found if 2 * frequency[term] <= len(bags)] or found
        lengths = {number: _length(row.terms) for number, row in self._rows.items()}
        average = sum(lengths.values()) / max(len(lengths), 1)
        scored = [
            Scored(
                chunk=number,
                score=sum(
                    _idf(frequency[term], len(bags)) * _saturated(bag[term], lengths[number] / average)
                    for term in wanted
                    if term in bag
                ),
            )
            for number, bag in bags.items()
            if covers(scope, self._rows[number].key) and any(term in bag for term in wanted)
        ]
        return _best(scored, limit)

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        bags = [_bag(row.terms) for row in self._rows.values()]
        return {term: sum(term in bag for bag in bags) for term in terms}

    def search_vector(self, vector: Vector, *, limit: int, scope: Scope = ()) -> list[Scored]:
        scored = [
            Scored(chunk=number, score=float(vector @ found))
            for number, row in self._rows.items()
            if (found := self._vectors.get((self._identity, row.text_hash))) is not None and covers(scope, row.key)
        ]
        return _best(scored, limit)

    def distances(self, vector: Vector, chunks: Sequence[ChunkId]) -> dict[ChunkId, float]:
        found = {number: self._vector_of(number) for number in chunks}
        return {number: 1.0 - float(vector @ row) for number, row in found.items() if row is not None}

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
        unembedded = [row for row in self._rows.values() if (self._identity, row.text_hash) not in self._vectors]
        return IndexCounts(
            sources=len(self._cuts),
            chunks=len(self._rows),
            stale_chunks=sum(stale),
            unembedded_chunks=len(unembedded),
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

    def close(self) -> None:
        """Nothing is held open."""

    def _put(self, entry: SourceEntry) -> None:
        key = entry.record.key
        self._keep_vectors(entry.vectors)
        self._forget(key)
        self._records[key] = replace(entry.record, title=entry.cut.document.title, chunk_count=len(entry.cut.chunks))
        self._cuts[key] = entry.cut
        self._numbers[key] = next(self._next_number)
        for chunk, terms, text_hash in zip(entry.cut.chunks, entry.terms, entry.hashes, strict=True):
            row = _Row(key=key, ordinal=chunk.ordinal, terms=terms, text_hash=text_hash)
            self._rows[ChunkId(next(self._next_chunk))] = row

    def _forget(self, key: SourceKey) -> int:
        self._records.pop(key, None)
        self._cuts.pop(key, None)
        self._numbers.pop(key, None)
        gone = [number for number, row in self._rows.items() if row.key == key]
        for number in gone:
            del self._rows[number]
        return len(gone)

    def _keep_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        for text_hash, vector in vectors.items():
            self._vectors.setdefault((self._identity, text_hash), np.array(vector, dtype=np.float32))

    def _settle_vectors(self) -> None:
        """Drop vectors of texts that went, and of other models once every text has one of this model."""
        used = {row.text_hash for row in self._rows.values()}
        whole = all((self._identity, text_hash) in self._vectors for text_hash in used)
        for identity, text_hash in list(self._vectors):
            if text_hash not in used or (whole and identity != self._identity):
                del self._vectors[identity, text_hash]

    def _vector_of(self, chunk: ChunkId) -> "Vector | None":
        row = self._rows.get(chunk)
        return self._vectors.get((self._identity, row.text_hash)) if row else None

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
        )


def _check_step(chunks: int, *per_chunk: Sequence[object]) -> None:
    if any(len(each) != chunks for each in per_chunk):
        raise ValueError("chunks, terms and hashes go in step")


def _bag(terms: Terms) -> Counter[str]:
    """How often each term occurs, a title word counting more."""
    bag: Counter[str] = Counter()
    for words, weight in ((terms.title, TITLE_WEIGHT), (terms.context, CONTEXT_WEIGHT), (terms.body, BODY_WEIGHT)):
        for word in words:
            bag[word] += weight  # type: ignore[assignment]
    return bag


def _length(terms: Terms) -> int:
    return len(terms.title) + len(terms.context) + len(terms.body)


def _idf(holding: int, total: int) -> float:
    return max(math.log((total - holding + 0.5) / (holding + 0.5)), LEAST_IDF)


def _saturated(frequency: float, relative_length: float) -> float:
    length = 1 - LENGTH_SHARE + LENGTH_SHARE * relative_length
    return frequency * (SATURATION + 1) / (frequency + SATURATION * length)


def _best(scored: list[Scored], limit: int) -> list[Scored]:
    return sorted(scored, key=lambda hit: (-hit.score, hit.chunk))[:limit]
