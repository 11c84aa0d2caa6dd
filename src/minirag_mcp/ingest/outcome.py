"""What becomes of a file on its way to the index. Pure."""

from dataclasses import dataclass, replace
from enum import Enum

from minirag_mcp.errors import AccessError, ParseError, UnreadableFileError
from minirag_mcp.ingest.diff import ALWAYS_RETRIED
from minirag_mcp.model import FileStat, SourceEntry, SourceRecord


class Fate(Enum):
    """What became of a file."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    FAILED = "failed"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a file: its record now, the entry to write if it was parsed, and what was raised, if anything."""

    fate: Fate
    record: SourceRecord
    entry: SourceEntry | None = None
    error: ParseError | AccessError | None = None


def is_same(known: SourceRecord, record: SourceRecord) -> bool:
    """Whether these bytes were settled before, for good: indexed, or failed in a way that will not pass."""
    if (known.content_hash, known.fingerprint) != (record.content_hash, record.fingerprint):
        return False
    return known.failure is None or known.failure[0] not in ALWAYS_RETRIED


def as_before(known: SourceRecord, stat: FileStat | None) -> Outcome:
    """What becomes of a file that is as it was known, however it looks on disk."""
    fate = Fate.UNCHANGED if known.failure is None else Fate.FAILED
    return Outcome(fate=fate, record=replace(known, stat=stat))


def failed(record: SourceRecord, error: ParseError | AccessError) -> Outcome:
    """What becomes of a file that cannot be read, or not be parsed."""
    fate = Fate.UNREADABLE if isinstance(error, (AccessError, UnreadableFileError)) else Fate.FAILED
    return Outcome(fate=fate, record=replace(record, failure=(error.code, error.explanation)), error=error)
