"""Index several files that were asked for by name: as fast as a sync, each failure by itself."""

from collections.abc import Callable, Sequence
from pathlib import Path

from minirag_mcp.errors import AccessError, ParseError, RequestError
from minirag_mcp.ingest.outcome import Outcome
from minirag_mcp.ingest.pipeline import Indexer
from minirag_mcp.model import FileEntry, Ingested, IngestReport, Progress, SourceKey, SyncFailure


def ingest_files(
    indexer: Indexer,
    paths: Sequence[Path],
    *,
    progress: Callable[[Progress], None],
    cancelled: Callable[[], bool],
) -> IngestReport:
    """Index or re-index each of `paths`, unchanged ones too; by their words first, then their vectors in full batches.

    What cannot be indexed is in the report, under the path as given. Raises CancelledError, ModelError and
    StoreError; what was written before stands, and the next sync completes it.
    """
    given, failed = _entries(indexer, paths)
    ingested: dict[SourceKey, Ingested] = {}
    progress(Progress(done=0, total=len(given)))

    def settled(outcome: Outcome) -> None:
        record = outcome.record
        if record.failure is None:
            ingested[record.key] = Ingested(source=record.key, title=record.title, chunk_count=record.chunk_count)
        else:
            failed[Path(record.key)] = _failure(record.key, *record.failure)
        progress(Progress(done=len(ingested) + len(failed) - refused, total=len(given), current=record.key))

    refused = len(failed)
    indexer.index_files(given.values(), known={}, settled=settled, cancelled=cancelled)
    indexer.embed_missing(progress=progress, cancelled=cancelled)
    return IngestReport(
        ingested=tuple(ingested[key] for key in given if key in ingested),
        failures=tuple(sorted(failed.values(), key=lambda failure: failure.source)),
    )


def _entries(indexer: Indexer, paths: Sequence[Path]) -> tuple[dict[SourceKey, FileEntry], dict[Path, SyncFailure]]:
    given: dict[SourceKey, FileEntry] = {}
    failed: dict[Path, SyncFailure] = {}
    for path in paths:
        try:
            entry = indexer.file_entry(path)
        except (AccessError, ParseError, RequestError) as error:
            failed[path] = _failure(SourceKey(str(path)), error.code, error.explanation)
        else:
            given[SourceKey(entry.path)] = entry
    return given, failed


def _failure(source: SourceKey, code: str, message: str) -> SyncFailure:
    return SyncFailure(source=source, code=code, message=message)
