"""How the files under the roots and the indexed items stand to each other. Pure."""

import os
from collections.abc import Callable, Iterable, Sequence

from minirag_mcp.ingest.diff import HiddenFolders, state_of
from minirag_mcp.model import (
    DocClass,
    FileEntry,
    Fingerprint,
    ListedSource,
    SourceKey,
    SourceRecord,
    SourceState,
    SourceType,
)

_FAILED = (SourceState.FAILED, SourceState.UNREADABLE)


def listing(
    files: Sequence[FileEntry],
    records: Iterable[SourceRecord],
    *,
    unlisted: Sequence[str],
    fingerprint: Fingerprint,
    display: Callable[[SourceKey], str],
) -> tuple[ListedSource, ...]:
    """Every file found and every record, once, ordered by key.

    A file that was indexed and is not found is stale, and the next sync drops it; in one of the folders `unlisted`,
    which could not be read, it is unlisted.
    """
    known = {record.key: record for record in records}
    hidden = HiddenFolders(unlisted)
    found = [_file(file, known.pop(SourceKey(file.path), None), fingerprint, display) for file in files]
    found.extend(_record(record, hidden, fingerprint, display) for record in known.values())
    return tuple(sorted(found, key=lambda listed: listed.source))


def _file(
    file: FileEntry, record: SourceRecord | None, fingerprint: Fingerprint, display: Callable[[SourceKey], str]
) -> ListedSource:
    key = SourceKey(file.path)
    state = state_of(file.stat, record, fingerprint=fingerprint)
    return ListedSource(
        source=key,
        display_path=display(key),
        source_type=SourceType.FILE,
        title=record.title if record else os.path.splitext(os.path.basename(file.path))[0],  # noqa: PTH119, PTH122 - one Path a file is slow
        state=state,
        chunk_count=record.chunk_count if record else 0,
        error=record.failure[1] if record and record.failure and state in _FAILED else None,
        doc_class=record.labels.doc_class if record else DocClass.NOTE,
    )


def _record(
    record: SourceRecord, hidden: HiddenFolders, fingerprint: Fingerprint, display: Callable[[SourceKey], str]
) -> ListedSource:
    return ListedSource(
        source=record.key,
        display_path=display(record.key),
        source_type=record.source_type,
        title=record.title,
        state=_state(record, hidden, fingerprint),
        chunk_count=record.chunk_count,
        error=record.failure[1] if record.failure else None,
        doc_class=record.labels.doc_class,
    )


def _state(record: SourceRecord, hidden: HiddenFolders, fingerprint: Fingerprint) -> SourceState:
    """Of an item, or of a file that is not found."""
    if record.failure is not None:
        return SourceState.FAILED
    if record.source_type is SourceType.FILE:
        return SourceState.UNLISTED if hidden.covers(record.key) else SourceState.STALE
    return SourceState.INGESTED if record.fingerprint == fingerprint else SourceState.STALE
