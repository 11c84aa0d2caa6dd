"""What answers a query: candidates, rankings, passages, citations."""

from dataclasses import dataclass

from minirag_mcp.model.document import Place, SourceType
from minirag_mcp.model.ids import ChunkId, SectionId, SourceKey
from minirag_mcp.model.labels import DocClass, SnapshotDates


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate from one side of the search. Lexical: BM25, larger is better. Dense: cosine, larger is better."""

    chunk: ChunkId
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Both sides of a search, each best first, ties by chunk id."""

    lexical: tuple[Scored, ...]
    dense: tuple[Scored, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A fused candidate; `distance` is 1 − cosine, or None when only words found it."""

    chunk: ChunkId
    score: float
    distance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The source that a chunk belongs to."""

    source: SourceKey
    source_type: SourceType


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A chunk read back from the store, with what a citation needs; `dates` when it is of a dated series."""

    chunk: ChunkId
    source: SourceKey
    source_type: SourceType
    title: str
    ordinal: int
    section_id: SectionId
    headings: tuple[str, ...]
    label: str
    place: Place | None
    text: str
    doc_class: DocClass = DocClass.NOTE
    dates: SnapshotDates | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSection:
    """A section read back from the store, as it is shown, with what a citation needs."""

    section_id: SectionId
    source: SourceKey
    source_type: SourceType
    title: str
    headings: tuple[str, ...]
    place: Place | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a passage stands: file relative to its root (or id, or URL), heading path, place."""

    display_path: str
    headings: tuple[str, ...]
    place: Place | None

    def __str__(self) -> str:
        parts = [self.display_path, " > ".join(self.headings), str(self.place) if self.place else ""]
        return " · ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A search hit as shown."""

    source: SourceKey
    source_type: SourceType
    display_path: str
    title: str
    chunk_index: int
    section_id: SectionId
    text: str
    score: float
    distance: float | None
    citation: Citation
    doc_class: DocClass = DocClass.NOTE
    dates: SnapshotDates | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHits:
    """How many of the passages come from one source; in order of its first passage."""

    source: SourceKey
    display_path: str
    title: str
    hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a query gives: passages best first, each section once, and notices on anything degraded.

    `withheld` counts the hits, better than the last one shown, that may not be shown.
    """

    passages: tuple[Passage, ...]
    sources: tuple[SourceHits, ...]
    sections: dict[SectionId, str]
    notices: tuple[str, ...] = ()
    withheld: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbors:
    """Chunks around one chunk of a source, in order; the flags say that the source ends there."""

    source: SourceKey
    display_path: str
    title: str
    chunks: tuple[StoredChunk, ...]
    at_start: bool
    at_end: bool
