"""What has to be done to bring the index in step with the disk. Pure: values in, a plan out."""

import os
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from minirag_mcp.model import FileEntry, FileStat, Fingerprint, SourceKey, SourceRecord, SourceState, SourceType

RACY_WINDOW_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again without its times moving: FAT counts in
steps of two seconds, the coarsest of the file systems in use. git calls such an entry racily clean."""

IN_DOUBT = -1
"""Recorded as the time of a racily clean file; no file has it, so the next sync looks at the content."""

ALWAYS_RETRIED = frozenset({"unreadable_file", "path_not_found", "outside_roots", "file_too_large"})
"""Failures that may pass without the file changing (a permission, a lock, a setting) and cost nothing to try
again. A parse that hit its limit is not among them: it would cost its full limit at every sync."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPlan:
    """What a sync has to do; the fields partition the walked files and the known records.

    new        files without an entry
    changed    files whose stat or fingerprint differs: to be read; equal content proves them unchanged
    unchanged  files as indexed
    failed     records of files that failed before and have not changed since
    deleted    records whose file is gone
    kept       records whose file was not seen, but under a folder of which nothing is known
    """

    new: tuple[FileEntry, ...]
    changed: tuple[FileEntry, ...]
    unchanged: tuple[FileEntry, ...]
    failed: tuple[SourceRecord, ...]
    deleted: tuple[SourceRecord, ...]
    kept: tuple[SourceRecord, ...]


def plan(
    files: Sequence[FileEntry],
    records: Iterable[SourceRecord],
    *,
    unlisted: Sequence[str],
    fingerprint: Fingerprint,
) -> SyncPlan:
    """Compare the walked files with the records of the same scope; only records of files are looked at."""
    known = {record.key: record for record in records if record.source_type is SourceType.FILE}
    fresh: list[FileEntry] = []
    changed: list[FileEntry] = []
    unchanged: list[FileEntry] = []
    failed: list[SourceRecord] = []
    for file in files:
        record = known.pop(SourceKey(file.path), None)
        if record is None:
            fresh.append(file)
        elif not _is_settled(file.stat, record, fingerprint=fingerprint):
            changed.append(file)
        elif record.failure is None:
            unchanged.append(file)
        else:
            failed.append(record)
    hidden = HiddenFolders(unlisted)
    return SyncPlan(
        new=tuple(fresh),
        changed=tuple(changed),
        unchanged=tuple(unchanged),
        failed=tuple(failed),
        deleted=tuple(record for record in known.values() if not hidden.covers(record.key)),
        kept=tuple(record for record in known.values() if hidden.covers(record.key)),
    )


def all_again(todo: SyncPlan) -> SyncPlan:
    """The plan in which nothing that is known of a file saves reading it."""
    failed = tuple(FileEntry(path=record.key, stat=record.stat) for record in todo.failed if record.stat is not None)
    return replace(todo, changed=(*todo.changed, *todo.unchanged, *failed), unchanged=(), failed=())


def move_candidates(todo: SyncPlan, *, fingerprint: Fingerprint) -> list[tuple[FileEntry, tuple[SourceRecord, ...]]]:
    """New files with the deleted records they may come from: same name and size, so the title is the same too.

    Only the content can tell; the list is as short as it can be without reading.
    """
    gone: dict[tuple[str, int], list[SourceRecord]] = defaultdict(list)
    for record in todo.deleted:
        if record.stat is not None and record.failure is None and record.fingerprint == fingerprint:
            gone[_name(record.key), record.stat.size].append(record)
    found = ((file, gone.get((_name(file.path), file.stat.size))) for file in todo.new)
    return [(file, tuple(records)) for file, records in found if records]


def _is_settled(stat: FileStat, record: SourceRecord, *, fingerprint: Fingerprint) -> bool:
    """Whether the record still stands for a file with this stat, so that reading the file is needless."""
    if record.fingerprint != fingerprint or record.stat != stat:
        return False
    return record.failure is None or record.failure[0] not in ALWAYS_RETRIED


def state_of(stat: FileStat, record: SourceRecord | None, *, fingerprint: Fingerprint) -> SourceState:
    """How a file on disk stands to its record, judged by stat alone."""
    if record is None:
        return SourceState.NOT_INGESTED
    if not _looks_same(stat, record.stat):
        return SourceState.STALE
    if record.failure is not None:
        return SourceState.UNREADABLE if record.failure[0] == "unreadable_file" else SourceState.FAILED
    return SourceState.INGESTED if record.fingerprint == fingerprint else SourceState.STALE


def recorded_stat(stat: FileStat, *, read_at_ns: int) -> FileStat:
    """The stat to record for a file read at that time: in doubt if it could change unseen."""
    racy = stat.mtime_ns > read_at_ns - RACY_WINDOW_NS
    return replace(stat, mtime_ns=IN_DOUBT) if racy else stat


def _looks_same(stat: FileStat, recorded: FileStat | None) -> bool:
    if recorded is None:
        return False
    return recorded == stat or (recorded.mtime_ns == IN_DOUBT and recorded.size == stat.size)


def _name(path: str) -> str:
    return path.rpartition(os.sep)[2]


class HiddenFolders:
    """Folders of which nothing is known, searched by bisection: there may be as many as there are files."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = sorted(folders)

    def covers(self, path: str) -> bool:
        """Whether `path` is one of the folders or lies under one."""
        while True:
            at = bisect_left(self._folders, path)
            if at < len(self._folders) and self._folders[at] == path:
                return True
            above = os.path.dirname(path)  # noqa: PTH120 - one Path per level of every missing file is slow
            if above == path:
                return False
            path = above
