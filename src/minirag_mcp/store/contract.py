"""What the rest of the product may ask of a store. Nothing here knows SQL."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

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

Scope = tuple[SourceKey, ...]
"""Keys; each stands for itself and everything under it (a separator must follow). Empty: everything."""

SEPARATORS = "/\\" if os.sep == "\\" else "/"
"""Paths, URLs and data ids are cut at `/`; on Windows paths also at the backslash."""


def covers(scope: Scope, key: SourceKey) -> bool:
    """Whether `key` is in `scope`."""
    if not scope:
        return True
    return any(
        key == part or key.startswith(tuple(part.rstrip(SEPARATORS) + separator for separator in SEPARATORS))
        for part in scope
    )


class Store(Protocol):
    """One index. Every change is one transaction; a reader sees a source whole, old or new, never between.

    Safe to call from several threads, and from several processes on the same folder; what one has written, the
    next read of any other sees. Reading an index that was never written gives empty answers.
    Vectors of another model than the store's are not used; they go with a write once every text has one of this model.
    All methods raise StoreError (damaged, newer, busy).
    """

    def replace(self, entry: SourceEntry) -> None:
        """Put `entry` in place of whatever its key held.

        A vector of one of its `hashes` that the store has already is kept; one that nothing refers to any more goes.
        """
        ...

    def replace_many(self, entries: Iterable[SourceEntry]) -> None:
        """As `replace` for each entry in order, in one transaction."""
        ...

    def refresh(self, key: SourceKey, stat: FileStat, *, content_hash: str) -> None:
        """Record that the file looks different but says what is indexed. An unknown key is no error."""
        ...

    def rename(self, old: SourceKey, new: SourceKey, *, stat: FileStat, labels: Labels) -> None:
        """Give the source a new key, replacing what the new key held. Raises KeyError if `old` is not there.

        Title, text, cut, words, likenesses and vectors stay.
        """
        ...

    def label(self, key: SourceKey, labels: Labels, *, likenesses: Sequence[bytes]) -> None:
        """Say something else about a source, with the likenesses of its chunks if it is a snapshot.

        Text, words and vectors stay. An unknown key is no error.
        """
        ...

    def together(self) -> AbstractContextManager[None]:
        """Inside, all that this thread asks of the store is one transaction: others see all of it or nothing."""
        ...

    def snapshots(self, series: str) -> list[StoredSnapshot]:
        """The snapshots of a series, by date."""
        ...

    def series_by_other_rules(self, rules: str) -> list[str]:
        """The series that stand by other rules than these, or by none yet."""
        ...

    def refold(
        self,
        series: str,
        *,
        rules: str,
        fold: Mapping[ChunkId, ChunkId],
        unfold: Mapping[ChunkId, tuple[Terms, bytes]],
    ) -> None:
        """Make a series stand by `rules`.

        fold    chunks that are repeats from now on, and the chunk that stands for each: they are not searched, and
                need no vector
        unfold  chunks that are repeats no longer, with their terms and the hash of their text
        A chunk that stands for others must be folded back before its source goes: in one transaction, by `together`.
        """
        ...

    def record_failure(self, record: SourceRecord) -> None:
        """Remember a failed attempt (`record.failure`), keeping title, chunks and labels of an earlier one."""
        ...

    def delete(self, keys: Collection[SourceKey]) -> int:
        """Forget these sources; returns how many chunks went. Unknown keys count nothing."""
        ...

    def source(self, key: SourceKey) -> SourceRecord | None:
        """What is known of one source."""
        ...

    def sources(self, scope: Scope = ()) -> list[SourceRecord]:
        """All sources in scope, failed ones too, ordered by key."""
        ...

    def document(self, key: SourceKey) -> Document | None:
        """The stored document, exactly as the parser made it."""
        ...

    def cut(self, key: SourceKey) -> Cut | None:
        """The stored document with its sections and chunks, exactly as written."""
        ...

    def chunks(self, key: SourceKey, first: int, last: int) -> list[StoredChunk]:
        """Chunks `first`…`last` (inclusive ordinals) of a source, in order; those that exist."""
        ...

    def known_hashes(self, hashes: Collection[bytes]) -> set[bytes]:
        """Which of these text hashes already have a vector of the store's model."""
        ...

    def unembedded(self, *, limit: int) -> dict[bytes, str]:
        """Up to `limit` texts (`Chunk.embedded`, by hash) that have no vector of the store's model, oldest first."""
        ...

    def add_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        """Keep vectors of texts that the store holds; a hash that no chunk has is left out."""
        ...

    def texts(self, *, after: int, limit: int) -> tuple[int, dict[bytes, str]]:
        """Up to `limit` embedded texts by hash, in a fixed order, and where to go on after them; none at the end.

        Begin with `after` 0.
        """
        ...

    def renew_vectors(self, vectors: Mapping[bytes, Vector]) -> None:
        """Put these in the place of the vectors that texts have; a hash without one is left out."""
        ...

    def search_terms(
        self, terms: Sequence[str], *, limit: int, scope: Scope = (), doc_class: DocClass | None = None
    ) -> list[Scored]:
        """BM25 over title, context and body for any of `terms`, best first, ties by chunk id.

        A term counts once however often it is asked. Terms found in more than half of all chunks are left out when a
        rarer one is found at all; in a large index, so are the commonest of many.
        """
        ...

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        """In how many chunks each term stands; 0 for one that stands in none."""
        ...

    def search_vector(
        self, vector: Vector, *, limit: int, scope: Scope = (), doc_class: DocClass | None = None
    ) -> list[Scored]:
        """Cosine with every stored vector, best first, ties by chunk id.

        Both searches look at sources in scope, of one class if one is given. A repeat is found where `scope` names
        its very source: by the chunk that stands for it, and in its place.
        """
        ...

    def distances(self, vector: Vector, chunks: Sequence[ChunkId]) -> dict[ChunkId, float]:
        """1 − cosine for those of `chunks` that have a vector, or are repeats of one that has."""
        ...

    def owners(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, Owner]:
        """The source of each chunk that exists."""
        ...

    def read(self, chunks: Sequence[ChunkId]) -> list[StoredChunk]:
        """These chunks in the order asked; one that is gone is left out."""
        ...

    def sections(self, ids: Collection[SectionId]) -> dict[SectionId, str]:
        """The shown text of each section that exists, in the order asked."""
        ...

    def section(self, section_id: SectionId) -> StoredSection | None:
        """One section; None when it does not exist, as after its source was replaced."""
        ...

    def counts(self, fingerprint: Fingerprint) -> IndexCounts:
        """Totals of sources that hold a document; one whose fingerprint differs counts its chunks as stale."""
        ...

    def faults(self, *, progress: Callable[[Progress], None] = lambda _: None) -> list[IndexFault]:
        """What in the index was never written by these methods: nothing, unless a disk or another program did it.

        Reads everything; `progress` counts the sources. What only lacks a vector is in `counts`, and no fault.
        """
        ...

    def steady(self) -> AbstractContextManager[None]:
        """Inside, the index stays the one that it was: deleted or exchanged, the next write or the end says so."""
        ...

    def close(self) -> None:
        """Release files and memory. Closing twice is allowed."""
        ...
