"""What is kept: terms, fingerprints, records and entries of sources, and how they are listed."""

from dataclasses import dataclass, field
from enum import StrEnum

from minirag_mcp.model.document import Cut, SourceType
from minirag_mcp.model.ids import SourceKey, Vector
from minirag_mcp.model.labels import DocClass, Labels
from minirag_mcp.model.search import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The words of one chunk by field, as `lexical/` made them; repeats count."""

    title: tuple[str, ...]
    context: tuple[str, ...]
    body: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """Which model made a vector. Two vectors compare only if their identities are equal.

    name       e.g. "multilingual-e5-small-q4"
    dimension  length of a vector
    window     tokens the model sees at most, its own prefix and special tokens included
    """

    name: str
    dimension: int
    window: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What must match for a source's index entry to be trusted: model, and the scheme that cut it."""

    model: str
    scheme: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStat:
    """Size in bytes and time of last change in nanoseconds, as the file system gave them."""

    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """A supported file found by the walk: `path` as reached from its root, not resolved."""

    path: str
    stat: FileStat


class SourceState(StrEnum):
    """How a source stands to the index."""

    INGESTED = "ingested"
    NOT_INGESTED = "not_ingested"
    STALE = "stale"
    FAILED = "failed"
    UNREADABLE = "unreadable"
    UNLISTED = "unlisted"
    """In a folder that cannot be listed now, as one that is not mounted: what was indexed is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """What the store knows of a source without its text.

    content_hash  SHA-256 hex of the bytes that were parsed
    stat          for files: as it was when parsed
    failure       (code, message) when the last attempt failed; then chunk_count is of the version before, or 0
    """

    key: SourceKey
    source_type: SourceType
    title: str
    content_hash: str
    fingerprint: Fingerprint
    chunk_count: int
    stat: FileStat | None = None
    failure: tuple[str, str] | None = None
    labels: Labels = field(default_factory=Labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEntry:
    """Everything the store keeps of one source; written and replaced in one transaction.

    terms       one per chunk
    hashes      one per chunk: SHA-256 digest (32 bytes) of `Chunk.embedded`; vectors are kept by it
    vectors     the rows that the store does not have yet, by hash
    likenesses  of a snapshot, one per chunk: 16 bytes, equal where chunks say the same under the same heading
    """

    record: SourceRecord
    cut: Cut
    terms: tuple[Terms, ...]
    hashes: tuple[bytes, ...]
    vectors: dict[bytes, Vector] = field(default_factory=dict)
    likenesses: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCounts:
    """Totals of the index.

    `unembedded` chunks have no vector of the current model. `repeated` ones, in dated series, need none: the snapshot
    before says the same, and they are not searched.
    """

    sources: int
    chunks: int
    stale_chunks: int
    unembedded_chunks: int
    repeated_chunks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """The outcome of indexing one source."""

    source: SourceKey
    title: str
    chunk_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSource:
    """A file under the roots, or an indexed item, and how it stands to the index; `error` says why it failed."""

    source: SourceKey
    display_path: str
    source_type: SourceType
    title: str
    state: SourceState
    chunk_count: int
    error: str | None = None
    doc_class: DocClass = DocClass.NOTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """All sources in scope, ordered by key; `unlisted` are folders that could not be read.

    `notices` say what makes the list less than it looks.
    """

    files: tuple[ListedSource, ...]
    unlisted: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A source read back: its whole document text, exactly, or the one section that `citation` names."""

    source: SourceKey
    display_path: str
    title: str
    text: str
    citation: Citation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """What a deletion removed from the index; nothing on disk is touched."""

    source: SourceKey
    deleted_chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Index health."""

    version: str
    chunk_scheme: str
    counts: IndexCounts
    warnings: tuple[str, ...] = ()
