"""How the files under the roots and the indexed items stand to each other. Pure."""

import os
from collections.abc import Callable, Iterable, Sequence

from minirag_mcp.ingest.diff import state_of
from minirag_mcp.model import FileEntry, Fingerprint, ListedSource, SourceKey, SourceRecord, SourceState, SourceType

_FAILED = (SourceState.FAILED, SourceState.UNREADABLE)


def listing(
    files: Sequence[FileEntry],
    records: Iterable[SourceRecord],
    *,
    fingerprint: Fingerprint,
    display: Callable[[SourceKey], str],
) -> tuple[ListedSource, ...]:
    """Every file found and every record, once, ordered by key.

    A record without a file stands as it was indexed: its file may be gone, or in a folder that cannot be read.
    """
    known = {record.key: record for record in records}
    found = [_file(file, known.pop(SourceKey(file.path), None), fingerprint, display) for file in files]
    found.extend(_record(record, fingerprint, display) for record in known.values())
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
    )


def _record(record: SourceRecord, fingerprint: Fingerprint, display: Callable[[SourceKey], str]) -> ListedSource:
    if record.failure is not None:
        state = SourceState.FAILED
    else:
        state = SourceState.INGESTED if record.fingerprint == fingerprint else SourceState.STALE
    return ListedSource(
        source=record.key,
        display_path=display(record.key),
        source_type=record.source_type,
        title=record.title,
        state=state,
        chunk_count=record.chunk_count,
        error=record.failure[1] if record.failure else None,
    )
