"""The two subcommands of rag-mcp: parsed arguments in, JSON printed, exit code out."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import IndexDamagedError
from minirag_mcp.ingest import renewal
from minirag_mcp.model import IndexCounts, Progress, Stage, SyncReport
from minirag_mcp.shell import knowledge_tool, knowledge_words, wire
from minirag_mcp.shell.cli_terminal import Terminal
from minirag_mcp.shell.exit_codes import DONE, FAILED
from minirag_mcp.shell.knowledge_opening import KnowledgeOpener
from minirag_mcp.shell.knowledge_settings import DEFAULT_COLLECTION, Given, knowledge_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """What an ingest did, what the index holds now, and why it was begun anew, if it was."""

    report: SyncReport
    counts: IndexCounts
    embedded: int
    rebuilt: str = ""


def ingest(given: argparse.Namespace, environment: Mapping[str, str], terminal: Terminal) -> int:
    """Bring the index in step with a folder."""
    chosen = Given(
        corpus=given.corpus,
        db=given.db,
        collection=given.collection,
        embedder=given.embedder,
        mirror_dir=given.handoff_mirror_dir,
        mirror_basenames=tuple(given.handoff_mirror_basename),
        dedupe=not given.no_snapshot_dedupe,
    )
    settings = knowledge_settings(chosen, environment)
    if given.clean:
        renewal.forget_index(settings.db_path)
    try:
        done = _ingested(settings, terminal, full=given.full)
    except IndexDamagedError as damage:
        aside = renewal.set_index_aside(settings.db_path)
        if aside is None:
            raise
        reason = f"{damage.message} It was set aside as {aside}, and everything was indexed again."
        terminal.warn(reason)
        done = _ingested(settings, terminal, full=False, rebuilt=reason)
    failed = bool(done.report.failures or done.report.unlisted)
    fields = _told(done, settings, given, environment, incremental=not (given.full or given.clean or done.rebuilt))
    if given.quiet:
        terminal.result(wire.compact(wire.sendable({"ok": not failed, **fields})))
    else:
        terminal.result_json(wire.sendable({"ok": not failed, **fields}))
    return FAILED if failed else DONE


def query(given: argparse.Namespace, environment: Mapping[str, str], terminal: Terminal) -> int:
    """Answer a question as the tool does."""
    chosen = Given(corpus=given.corpus, db=given.db, collection=given.collection, embedder=given.embedder)
    opener = KnowledgeOpener(chosen, environment=environment)
    try:
        asked = {"query": given.query, "k": given.k, "doc_class": given.doc_class}
        answer = knowledge_tool.answer(opener.library, asked)
    finally:
        opener.close()
    terminal.result_json(wire.sendable(knowledge_words.answer(answer)))
    return DONE if answer["ok"] else FAILED


def _ingested(settings: Settings, terminal: Terminal, *, full: bool, rebuilt: str = "") -> _Done:
    embedded = 0

    def watch(at: Progress) -> None:
        nonlocal embedded
        if at.stage is Stage.VECTORS:
            embedded = max(embedded, at.done)
        terminal.progress(at)

    with Library(settings) as library:
        report = library.sync(full=full, progress=watch)
        return _Done(report=report, counts=library.status().counts, embedded=embedded, rebuilt=rebuilt)


def _told(
    done: _Done, settings: Settings, given: argparse.Namespace, environment: Mapping[str, str], *, incremental: bool
) -> wire.Json:
    counts = done.report.counts
    fields: wire.Json = {
        "corpus": str(settings.roots[0]),
        "db": str(settings.db_path),
        "collection": given.collection or environment.get("RAG_MCP_COLLECTION") or DEFAULT_COLLECTION,
        "embedder": settings.model_name,
        "incremental": incremental,
        "files_seen": counts.scanned,
        "files_ingested": counts.ingested,
        "files_unchanged": counts.skipped,
        "files_moved": counts.moved,
        "files_deleted": counts.deleted,
        "files_failed": counts.failed + counts.unreadable,
        "chunks": done.counts.chunks,
        "chunks_embedded": done.embedded,
        "chunks_deduped": done.counts.repeated_chunks,
        "failures": [wire.failure(one) for one in done.report.failures],
        "unlisted": list(done.report.unlisted),
    }
    return fields | {"rebuilt": done.rebuilt} if done.rebuilt else fields
