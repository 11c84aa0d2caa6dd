"""One function per tool: checked arguments in, the tool's JSON answer out."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from minirag_mcp.model import DocClass, JobId, Progress
from minirag_mcp.shell import fit, wire
from minirag_mcp.shell.arguments import Arguments

if TYPE_CHECKING:  # the engine is imported by the first call, not before the handshake
    from minirag_mcp.engine import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who waits for a long call: hears how far it is, and may want it no more."""

    progress: Callable[[Progress], None]
    cancelled: Callable[[], bool]


NOBODY = Caller(progress=lambda _: None, cancelled=lambda: False)
"""For a call that ends before anyone could ask."""

Call = Callable[["Library", Arguments, Caller], wire.Json]


def query_documents(library: "Library", given: Arguments, _caller: Caller) -> wire.Json:
    """Search."""
    doc_class = given.optional_text("docClass")
    found = library.query(
        given.text("query"),
        top_k=given.integer("topK"),
        scope=given.scope(),
        doc_class=DocClass(doc_class) if doc_class else None,
    )
    return fit.answer(found, offset=given.integer("offset"), most=given.most_characters())


def read_chunk_neighbors(library: "Library", given: Arguments, _caller: Caller) -> wire.Json:
    """Read around one chunk."""
    path, source = given.target()
    index = given.integer("chunkIndex")
    read = library.read_neighbors(
        index, file_path=path, source=source, before=given.integer("before"), after=given.integer("after")
    )
    return fit.neighbors(read, chunk_index=index)


def read_file(library: "Library", given: Arguments, _caller: Caller) -> wire.Json:
    """Read a source or one section back, a page at a time."""
    section = given.section()
    path, source = (None, None) if section else given.target("parentId")
    read = library.read(file_path=path, source=source, section=section)
    return fit.page(read, offset=given.integer("offset"), limit=given.optional_integer("limit"))


def list_files(library: "Library", given: Arguments, _caller: Caller) -> wire.Json:
    """List files and indexed items."""
    listed = library.list_files(scope=given.scope())
    return fit.listing(listed, offset=given.integer("offset"), limit=given.optional_integer("limit"))


def sync_start(library: "Library", given: Arguments, _caller: Caller) -> wire.Json:
    """Start a sync in the background."""
    return wire.started(library.start_sync(given.absolute_path("path")))


def sync_status(library: "Library", given: Arguments, _caller: Caller) -> wire.Json:
    """How a sync stands."""
    job = library.sync_status(JobId(given.text("jobId")))
    return fit.job(job, offset=given.integer("offset"), limit=given.optional_integer("limit"))


def ingest_file(library: "Library", given: Arguments, caller: Caller) -> wire.Json:
    """Index one file."""
    path = given.absolute_path("filePath") or Path()
    return wire.ingested(library.ingest_file(path, progress=caller.progress, cancelled=caller.cancelled))


def ingest_data(library: "Library", given: Arguments, caller: Caller) -> wire.Json:
    """Index text the client holds."""
    done = library.ingest_data(
        given.text("data"),
        given.text("source"),
        format=given.text("format"),
        title=given.optional_text("title"),
        progress=caller.progress,
        cancelled=caller.cancelled,
    )
    return wire.ingested(done)


def ingest_url(library: "Library", given: Arguments, caller: Caller) -> wire.Json:
    """Fetch and index a page."""
    done = library.ingest_url(
        given.text("url"),
        source=given.optional_text("source"),
        title=given.optional_text("title"),
        progress=caller.progress,
        cancelled=caller.cancelled,
    )
    return wire.ingested(done)


def delete_file(library: "Library", given: Arguments, _caller: Caller) -> wire.Json:
    """Remove a source from the index."""
    path, source = given.target()
    return wire.deleted(library.delete(file_path=path, source=source))


CALLS: dict[str, Call] = {
    "query_documents": query_documents,
    "read_chunk_neighbors": read_chunk_neighbors,
    "read_file": read_file,
    "list_files": list_files,
    "sync_start": sync_start,
    "sync_status": sync_status,
    "ingest_file": ingest_file,
    "ingest_data": ingest_data,
    "ingest_url": ingest_url,
    "delete_file": delete_file,
}
"""Every tool but `status`, which must answer without a Library."""
