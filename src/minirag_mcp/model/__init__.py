"""The nouns of the product, and nothing else: frozen values that cross room boundaries.

root        a folder given by the user; the security boundary
source      one thing indexed: a file, a data item or a URL, addressed by its `SourceKey`
document    what a parser makes of a source: Markdown text, title, metadata, marks
mark        where a page, slide, sheet row, line … begins in the document text
section     the unit a reader gets back: a span of the document text
chunk       the unit that is embedded and ranked: a span inside one section
place       where in the original a span stands, in words a person can follow
series      dated snapshots of one document: `name-YYYY-MM-DD.ext` in one folder
passage     a search hit as shown: chunk text, its section, its citation

All offsets and spans count characters (Unicode code points) of `Document.text`.
"""

from minirag_mcp.model.document import (
    Chunk,
    Cut,
    Document,
    Mark,
    MarkKind,
    Place,
    Section,
    SectionKind,
    SourceType,
    Span,
    rules_off,
)
from minirag_mcp.model.health import Command, Finding, IndexFault, Verdict
from minirag_mcp.model.ids import (
    ChunkId,
    JobId,
    SectionId,
    SourceKey,
    Vector,
    Vectors,
)
from minirag_mcp.model.index import (
    Deleted,
    FileEntry,
    FileStat,
    Fingerprint,
    IndexCounts,
    Ingested,
    ListedSource,
    Listing,
    ModelIdentity,
    SourceEntry,
    SourceRecord,
    SourceState,
    SourceText,
    Status,
    Terms,
)
from minirag_mcp.model.labels import DocClass, Labels, Snapshot, SnapshotDates, StoredSnapshot
from minirag_mcp.model.search import (
    Answer,
    Candidates,
    Citation,
    Neighbors,
    Owner,
    Passage,
    Ranked,
    Scored,
    SourceHits,
    StoredChunk,
    StoredSection,
)
from minirag_mcp.model.sync import (
    IngestReport,
    Job,
    Progress,
    Stage,
    SyncCounts,
    SyncFailure,
    SyncReport,
    SyncState,
)

__all__ = [
    "Answer",
    "Candidates",
    "Chunk",
    "ChunkId",
    "Citation",
    "Command",
    "Cut",
    "Deleted",
    "DocClass",
    "Document",
    "FileEntry",
    "FileStat",
    "Finding",
    "Fingerprint",
    "IndexCounts",
    "IndexFault",
    "IngestReport",
    "Ingested",
    "Job",
    "JobId",
    "Labels",
    "ListedSource",
    "Listing",
    "Mark",
    "MarkKind",
    "ModelIdentity",
    "Neighbors",
    "Owner",
    "Passage",
    "Place",
    "Progress",
    "Ranked",
    "Scored",
    "Section",
    "SectionId",
    "SectionKind",
    "Snapshot",
    "SnapshotDates",
    "SourceEntry",
    "SourceHits",
    "SourceKey",
    "SourceRecord",
    "SourceState",
    "SourceText",
    "SourceType",
    "Span",
    "Stage",
    "Status",
    "StoredChunk",
    "StoredSection",
    "StoredSnapshot",
    "SyncCounts",
    "SyncFailure",
    "SyncReport",
    "SyncState",
    "Terms",
    "Vector",
    "Vectors",
    "Verdict",
    "rules_off",
]
