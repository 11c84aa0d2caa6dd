"""What a sync does and says."""

from dataclasses import dataclass
from enum import StrEnum

from minirag_mcp.model.ids import JobId, SourceKey
from minirag_mcp.model.index import Ingested


class SyncState(StrEnum):
    """How a sync job stands."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Stage(StrEnum):
    """What a sync is at: first the files, by their words, then the vectors of their chunks."""

    FILES = "files"
    VECTORS = "vectors"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncCounts:
    """What a sync did, in files. `unreadable` and `failed` are disjoint from each other and from `ingested`."""

    scanned: int = 0
    ingested: int = 0
    skipped: int = 0
    moved: int = 0
    deleted: int = 0
    unreadable: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncFailure:
    """One file that could not be indexed, and why (message and remedy)."""

    source: SourceKey
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of files that were named: those that are indexed, in their order, and those that are not."""

    ingested: tuple[Ingested, ...]
    failures: tuple[SyncFailure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync did, all or so far; `unlisted` are folders that could not be read, whose entries were kept."""

    counts: SyncCounts
    failures: tuple[SyncFailure, ...] = ()
    unlisted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a long work is: items of its stage (files or chunks) done of those to do, and the current one.

    `report` is what a sync has done so far.
    """

    done: int
    total: int
    current: str = ""
    stage: Stage = Stage.FILES
    report: SyncReport | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A sync job; times are ISO 8601 in UTC, `error` is set when the state is FAILED, `report` grows while it runs."""

    job_id: JobId
    state: SyncState
    started_at: str
    stage_started_at: str
    finished_at: str | None
    progress: Progress
    report: SyncReport
    error: str | None = None
