"""Bring the index in step with the disk."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from minirag_mcp.ingest.diff import SyncPlan, all_again, move_candidates, plan
from minirag_mcp.ingest.lock import SyncLock
from minirag_mcp.ingest.outcome import Fate, Outcome
from minirag_mcp.ingest.pipeline import Indexer
from minirag_mcp.ingest.walk import Walked, walk
from minirag_mcp.model import (
    FileEntry,
    Progress,
    SourceKey,
    SourceRecord,
    SourceType,
    SyncCounts,
    SyncFailure,
    SyncReport,
)
from minirag_mcp.parse.registry import SUFFIXES


def sync(
    indexer: Indexer,
    *,
    folder: Path,
    start: Path | None = None,
    full: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> SyncReport:
    """Index what is new or changed under the roots (or under `start`), forget what is gone, keep the rest.

    With `full` every file is read, parsed, cut and embedded again, in place, whatever is known of it.

    Without `start`, items that are no files are cut again, from their stored text, when the scheme has changed.

    `folder` is the index folder: it holds the lock and is never walked. `progress` is called once when the lock is
    held, then counts the files that are new or changed and, after them, the chunks that get vectors; each stage ends
    with all of them done, and every step carries the report so far. Raises SyncBusyError, CancelledError,
    AccessError for `start`, ModelError and StoreError; whatever was finished before is kept, and the next sync does
    the rest.
    """
    with SyncLock(folder), indexer.store.steady():
        progress(Progress(done=0, total=0))
        walked = walk(indexer.roots, SUFFIXES, start, folder)
        records = _records(indexer, walked, start)
        todo = plan(walked.files, records, unlisted=walked.unlisted, fingerprint=indexer.fingerprint)
        renewed = full and bool(records)
        if full:
            todo, records = all_again(todo), [record for record in records if _is_item(record)]
        run = _Run(indexer, walked, todo, progress=progress, cancelled=cancelled)
        run.begin()
        run.rename_moved()
        run.index_new_and_changed(records)
        run.recut_items(records)
        run.forget_deleted()
        run.bring_labels_up_to_date(records)
        run.embed_missing()
        if renewed:
            run.embed_again()
    return run.report()


def _records(indexer: Indexer, walked: Walked, start: Path | None) -> list[SourceRecord]:
    records = indexer.store.sources(() if start is None else (indexer.roots.key(start),))
    if start is not None and not records and not walked.files:
        indexer.roots.resolve(start)
    if start is None:
        return [record for record in records if _is_item(record) or indexer.roots.covers(record.key)]
    return records


def _is_item(record: SourceRecord) -> bool:
    return record.source_type is not SourceType.FILE


class _Run:
    """One application of a plan, counting as it goes."""

    def __init__(
        self,
        indexer: Indexer,
        walked: Walked,
        todo: SyncPlan,
        *,
        progress: Callable[[Progress], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self._indexer = indexer
        self._walked = walked
        self._todo = todo
        self._progress = progress
        self._cancelled = cancelled
        self._new = {file.path: file for file in todo.new}
        self._gone = {record.key: record for record in todo.deleted}
        self._left = Counter(record.content_hash for record in todo.deleted if record.content_hash)
        self._counts: Counter[str] = Counter(skipped=len(todo.unchanged), failed=len(todo.failed))
        self._failures = [_as_failure(record) for record in todo.failed]
        self._sorted_failures: tuple[SyncFailure, ...] | None = None
        self._done = 0
        self._total = len(todo.new) + len(todo.changed)

    def begin(self) -> None:
        """Tell how much there is to do."""
        self._show(Progress(done=0, total=self._total))

    def rename_moved(self) -> None:
        """A file that went to another folder under its own name keeps everything: text, title, vectors."""
        for file, candidates in move_candidates(self._todo, fingerprint=self._indexer.fingerprint):
            seen = self._indexer.digest(file) if any(old.key in self._gone for old in candidates) else None
            for old in candidates:
                if seen is not None and old.key in self._gone and old.content_hash == seen[0]:
                    self._indexer.writing.move(old, SourceKey(file.path), stat=seen[1])
                    del self._new[file.path], self._gone[old.key]
                    self._left[old.content_hash] -= 1
                    self._step("moved", file.path)
                    break

    def index_new_and_changed(self, records: Iterable[SourceRecord]) -> None:
        """Read what is new or in doubt; words only."""
        work: list[FileEntry] = sorted([*self._new.values(), *self._todo.changed], key=lambda file: file.path)
        if work:
            known = {record.key: record for record in records}
            self._indexer.index_files(work, known=known, settled=self._settled, cancelled=self._cancelled)

    def recut_items(self, records: Iterable[SourceRecord]) -> None:
        """Bring what is no file to today's scheme; it is in none of the counts, which are of files."""
        self._indexer.recut_items(filter(_is_item, records), cancelled=self._cancelled)

    def forget_deleted(self) -> None:
        """Drop the entries of files that are gone; last, so that texts that only moved keep their vectors."""
        if self._gone:
            self._indexer.writing.forget(list(self._gone))
        self._counts["deleted"] += len(self._gone) - self._counts["renamed"]

    def bring_labels_up_to_date(self, records: Iterable[SourceRecord]) -> None:
        """Label anew what was labelled by other rules, and fold or unfold the series that stand by others."""
        writing = self._indexer.writing
        writing.relabel([record.key for record in records if not writing.is_labelled(record)])
        writing.settle_all()

    def embed_missing(self) -> None:
        """Complete what is found by its words with vectors."""
        self._indexer.embed_missing(progress=self._show, cancelled=self._cancelled)

    def embed_again(self) -> None:
        """Replace the vectors of all texts."""
        self._indexer.embed_again(progress=self._show, cancelled=self._cancelled)

    def report(self) -> SyncReport:
        """What was done so far."""
        counts = self._counts
        if self._sorted_failures is None:
            self._sorted_failures = tuple(sorted(self._failures, key=lambda failure: failure.source))
        return SyncReport(
            counts=SyncCounts(
                scanned=len(self._walked.files),
                ingested=counts["ingested"],
                skipped=counts["skipped"],
                moved=counts["moved"],
                deleted=counts["deleted"],
                unreadable=counts["unreadable"],
                failed=counts["failed"],
            ),
            failures=self._sorted_failures,
            unlisted=self._walked.unlisted,
        )

    def _settled(self, outcome: Outcome) -> None:
        record = outcome.record
        if outcome.fate is Fate.INDEXED and record.key in self._new and self._left[record.content_hash] > 0:
            self._left[record.content_hash] -= 1
            self._counts["renamed"] += 1
            self._step("moved", record.key)
            return
        if record.failure is not None:
            self._failures.append(_as_failure(record))
            self._sorted_failures = None
        self._step(_COUNTED[outcome.fate], record.key)

    def _step(self, count: str, path: str) -> None:
        self._counts[count] += 1
        self._done += 1
        self._show(Progress(done=self._done, total=self._total, current=path))

    def _show(self, step: Progress) -> None:
        self._progress(replace(step, report=self.report()))


_COUNTED = {
    Fate.INDEXED: "ingested",
    Fate.UNCHANGED: "skipped",
    Fate.FAILED: "failed",
    Fate.UNREADABLE: "unreadable",
}


def _as_failure(record: SourceRecord) -> SyncFailure:
    code, message = record.failure or ("", "")
    return SyncFailure(source=record.key, code=code, message=message)
