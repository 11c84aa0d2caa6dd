"""Where values become JSON: the one place that knows the camelCase names of the wire."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from minirag_mcp.config import Settings
from minirag_mcp.model import (
    Answer,
    Citation,
    Deleted,
    Finding,
    Ingested,
    Job,
    ListedSource,
    Listing,
    MarkKind,
    Neighbors,
    Passage,
    Place,
    Progress,
    SourceHits,
    SourceText,
    Status,
    StoredChunk,
    SyncFailure,
    SyncReport,
    SyncState,
)
from minirag_mcp.shell.printable import one_line
from minirag_mcp.shell.spelling import spelled

Json = dict[str, object]

_DIGITS = 6
"""Decimals kept of scores and distances; neighbours in rank differ by 1e-4 and more."""

_NAMES = frozenset({"source", "displayPath"})
"""Fields whose values a client sends back."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def compact(value: Mapping[str, object]) -> str:
    """JSON on one line, without spaces; every character as itself."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def with_names_spelled(fields: Json) -> Json:
    """`fields` with every source, and path as displayed, as a client can send it back."""
    return {
        name: spelled(value) if name in _NAMES and isinstance(value, str) else _with_names_spelled(value)
        for name, value in fields.items()
    }


def _with_names_spelled(value: object) -> object:
    if isinstance(value, list):
        return [_with_names_spelled(item) for item in value]
    return with_names_spelled(value) if isinstance(value, dict) else value


def sendable(value: Json) -> Json:
    """`value` with undecodable bytes of file names written out as text: UTF-8 cannot carry them otherwise."""
    text = compact(value)
    if not _LONE_SURROGATE.search(text):
        return value
    escaped = _LONE_SURROGATE.sub(lambda found: rf"\\u{ord(found[0]):04x}", text)
    clean: Json = json.loads(escaped)
    return clean


def error(code: str, *, message: str, remedy: str) -> Json:
    """`{error: {code, message, remedy}}`."""
    return {"error": {"code": code, "message": message, "remedy": remedy}}


def answer(found: Answer) -> Json:
    """`{results, sources, parents, notice?}`."""
    fields: Json = {
        "results": [passage(hit) for hit in found.passages],
        "sources": [source_hits(hits) for hits in found.sources],
        "parents": dict(found.sections),
    }
    if found.notices:
        fields["notice"] = " ".join(found.notices)
    return fields


def passage(hit: Passage) -> Json:
    """One search hit; with its dates if it is of a dated series."""
    fields: Json = {
        "text": hit.text,
        "source": hit.source,
        "sourceType": hit.source_type.value,
        "displayPath": hit.display_path,
        "title": hit.title or hit.display_path,
        "chunkIndex": hit.chunk_index,
        "score": round(hit.score, _DIGITS),
        "distance": None if hit.distance is None else round(hit.distance, _DIGITS),
        "parentId": hit.section_id,
        "citation": citation(hit.citation),
    }
    if hit.dates is None:
        return fields
    fields["snapshotDate"] = hit.dates.own
    if hit.dates.others:
        fields |= {"alsoUnchangedOn": hit.dates.some_others, "snapshotsCovered": hit.dates.covered}
    return fields


def citation(where: Citation) -> Json:
    """`text` is the whole citation on one line, ready to quote; the other fields are its parts, empty when unknown.

    `position` says the same as `place`, for programs; it is absent when the place is unknown.
    """
    fields: Json = {
        "text": one_line(str(where)),
        "displayPath": where.display_path,
        "headings": [one_line(heading) for heading in where.headings],
        "place": one_line(str(where.place)) if where.place else "",
    }
    return fields | {"position": position(where.place)} if where.place else fields


def position(place: Place) -> Json:
    """`{kind, name?, first?, last?}`: numbers as a person counts them, of a time the seconds from the beginning."""
    fields: Json = {"kind": place.kind.value}
    if place.name:
        fields["name"] = one_line(place.name)
    if place.first or place.kind is MarkKind.TIME:
        fields |= {"first": place.first, "last": place.last}
    return fields


def source_hits(hits: SourceHits) -> Json:
    """How many results one source gave."""
    return {
        "source": hits.source,
        "displayPath": hits.display_path,
        "title": hits.title or hits.display_path,
        "hits": hits.hits,
    }


def neighbors(read: Neighbors, *, chunk_index: int) -> Json:
    """Chunks in reading order; `isTarget` marks the one that was asked about."""
    return {
        "source": read.source,
        "displayPath": read.display_path,
        "title": read.title or read.display_path,
        "chunks": [_neighbor(chunk, display_path=read.display_path, target=chunk_index) for chunk in read.chunks],
        "atStart": read.at_start,
        "atEnd": read.at_end,
    }


def _neighbor(chunk: StoredChunk, *, display_path: str, target: int) -> Json:
    return {
        "chunkIndex": chunk.ordinal,
        "isTarget": chunk.ordinal == target,
        "text": chunk.text,
        "parentId": chunk.section_id,
        "citation": citation(Citation(display_path=display_path, headings=chunk.headings, place=chunk.place)),
    }


def source_text(read: SourceText) -> Json:
    """A whole source, or one section of it, which then has its `citation`."""
    fields: Json = {
        "source": read.source,
        "displayPath": read.display_path,
        "title": read.title or read.display_path,
        "text": read.text,
    }
    return fields | {"citation": citation(read.citation)} if read.citation else fields


def listing(listed: Listing) -> Json:
    """`{files, unlistedFolders, notice?}`."""
    fields: Json = {"files": [_listed(file) for file in listed.files], "unlistedFolders": list(listed.unlisted)}
    if listed.notices:
        fields["notice"] = " ".join(listed.notices)
    return fields


def _listed(file: ListedSource) -> Json:
    return {
        "source": file.source,
        "displayPath": file.display_path,
        "sourceType": file.source_type.value,
        "title": file.title or file.display_path,
        "state": file.state.value,
        "docClass": file.doc_class.value,
        "chunkCount": file.chunk_count,
        "error": file.error,
    }


def ingested(done: Ingested) -> Json:
    """`{source, chunkCount, title}`."""
    return {"source": done.source, "chunkCount": done.chunk_count, "title": done.title or done.source}


def ingest_run(done: Sequence[Ingested], failed: Sequence[SyncFailure]) -> Json:
    """What one `ingest` command did: `{ingested, failed}`."""
    return {"ingested": [ingested(one) for one in done], "failed": [failure(one) for one in failed]}


def failure(one: SyncFailure) -> Json:
    """One source that could not be indexed."""
    return {"source": one.source, "code": one.code, "error": one.message}


def sync_report(report: SyncReport) -> Json:
    """`{counts, errors, unlistedFolders}`."""
    return {
        "counts": asdict(report.counts),
        "errors": [failure(one) for one in report.failures],
        "unlistedFolders": list(report.unlisted),
    }


def started(job: Job) -> Json:
    """`{jobId, state}`."""
    return {"jobId": job.job_id, "state": job.state.value}


def job(one: Job, *, now: datetime | None = None) -> Json:
    """A sync job; `now` is the moment its rate is measured at while it runs."""
    return {
        **started(one),
        "startedAt": one.started_at,
        "finishedAt": one.finished_at,
        "progress": _progress(one.progress, one, now or datetime.now(UTC)),
        **sync_report(one.report),
        "error": one.error,
    }


def _progress(at: Progress, one: Job, now: datetime) -> Json:
    end = datetime.fromisoformat(one.finished_at) if one.finished_at else now
    seconds = (end - datetime.fromisoformat(one.stage_started_at)).total_seconds()
    rate = at.done / seconds if seconds > 0 else 0.0
    estimate = None
    if one.state is SyncState.RUNNING and rate > 0:
        estimate = (now + timedelta(seconds=(at.total - at.done) / rate)).isoformat(timespec="seconds")
    return {
        "stage": at.stage.value,
        "done": at.done,
        "total": at.total,
        "current": at.current,
        "itemsPerSecond": round(rate, 2),
        "estimatedEnd": estimate,
    }


def deleted(gone: Deleted) -> Json:
    """`{source, deletedChunks}`."""
    return {"source": gone.source, "deletedChunks": gone.deleted_chunks}


def settings(chosen: Settings) -> Json:
    """Every setting in force; null where none limits anything."""
    search = chosen.search
    return {
        "roots": [str(root) for root in chosen.roots],
        "dbPath": str(chosen.db_path),
        "cacheDir": str(chosen.cache_dir),
        "model": chosen.model_name,
        "chunkTokenBudget": chosen.chunk_token_budget,
        "maxFileSize": chosen.max_file_size,
        "hybridWeight": search.hybrid_weight,
        "grouping": search.grouping.value if search.grouping else None,
        "maxDistance": search.max_distance,
        "maxFiles": search.max_files,
        "allowPrivateUrls": chosen.allow_private_urls,
        "snapshotDedupe": chosen.snapshot_dedupe,
        "handoffMirrorDir": chosen.handoff_mirror_dir,
        "handoffMirrorBasenames": list(chosen.handoff_mirror_basenames),
        "instructionsAppend": chosen.instructions_append or None,
    }


def status(now: Status) -> Json:
    """Index health; `schemeWarning` and `warnings` only when there is something to say."""
    fields: Json = {
        "version": now.version,
        "chunkScheme": now.chunk_scheme,
        "chunkCount": now.counts.chunks,
        "sourceCount": now.counts.sources,
        "staleChunkCount": now.counts.stale_chunks,
        "unembeddedChunkCount": now.counts.unembedded_chunks,
        "repeatedChunkCount": now.counts.repeated_chunks,
    }
    if now.counts.stale_chunks:
        fields["schemeWarning"] = (
            f"{now.counts.stale_chunks} chunks were made by another model, another CHUNK_TOKEN_BUDGET or an older "
            "chunking scheme, and searches still use them; run `minirag-mcp sync` to rebuild them."
        )
    if now.warnings:
        fields["warnings"] = list(now.warnings)
    return fields


def finding(check: str, found: Finding, *, command: str) -> Json:
    """`{check, state, message, fix, command}`; the last two are null where nothing is to be done, or by no command."""
    return {
        "check": check,
        "state": found.verdict.value,
        "message": found.message,
        "fix": found.fix or None,
        "command": command or None,
    }
