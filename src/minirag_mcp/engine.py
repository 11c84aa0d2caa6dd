"""Library: the one object that every shell drives, and the only place where rooms meet.

    Library(settings).sync()            the disk, brought into the index
    Library(settings).query("…")        passages with citations, and the sections around them

Making one is cheap: model, index and parsers are opened by the first call that needs them.
All methods may be called from several threads; they raise MiniragError.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from minirag_mcp import version
from minirag_mcp.config import Settings
from minirag_mcp.embed.contract import Embedder
from minirag_mcp.embed.load import open_embedder
from minirag_mcp.errors import RequestError, SourceNotFoundError
from minirag_mcp.ingest.access import Access, not_indexed
from minirag_mcp.ingest.fingerprint import current_fingerprint
from minirag_mcp.ingest.ground import Ground
from minirag_mcp.ingest.guard import Roots
from minirag_mcp.ingest.jobs import Jobs
from minirag_mcp.ingest.pipeline import Indexer
from minirag_mcp.ingest.sync import sync
from minirag_mcp.model import (
    Answer,
    Citation,
    Deleted,
    DocClass,
    Ingested,
    IngestReport,
    Job,
    JobId,
    ListedSource,
    Listing,
    Neighbors,
    Progress,
    SectionId,
    SourceKey,
    SourceRecord,
    SourceText,
    Span,
    Status,
    SyncReport,
)
from minirag_mcp.parse.sandbox import Sandbox
from minirag_mcp.store.contract import covers
from minirag_mcp.store.sqlite import open_store

if TYPE_CHECKING:  # imported when it is asked for
    from minirag_mcp.examine.examination import Examination

PARSE_WORKERS = min(2, os.cpu_count() or 1)
"""Parsing and embedding take turns, so two workers keep two cores busy; each may hold its full memory limit."""

MOST_NEIGHBORS = 50
"""On either side of a chunk; more is what `read` is for."""


class Library:
    """One index over the configured roots. Making one raises StoreError when the index folder cannot be a folder."""

    def __init__(self, settings: Settings, *, embedder: Embedder | None = None) -> None:
        self.settings = settings
        self._roots = Roots(settings.roots)
        self._ground = Ground(self._roots, settings.db_path, setting=settings.roots_setting)
        self._ground.require_folder()
        self._embedder = embedder or open_embedder(settings.model_name, settings.cache_dir)
        self._store = open_store(settings.db_path, identity=self._embedder.identity)
        self._access = Access(self._roots, self._store)
        self._sandbox = Sandbox(workers=PARSE_WORKERS)
        self._jobs = Jobs()
        self._fingerprint = current_fingerprint(self._embedder.identity, budget=settings.chunk_token_budget)
        self._indexer = Indexer(
            self._store,
            self._embedder,
            self._sandbox,
            roots=self._roots,
            options=settings.indexing,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def sync(
        self,
        path: Path | None = None,
        *,
        full: bool = False,
        progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> SyncReport:
        """Bring the index in step with the disk under the roots, or under one `path` inside them.

        With `full` everything is read and embedded again, in place. One file's failure is in the report. Raises
        SyncBusyError, AccessError, CancelledError, ModelError and StoreError.
        """
        self._ground.require_root()
        folder = self.settings.db_path
        return sync(self._indexer, folder=folder, start=path, full=full, progress=progress, cancelled=cancelled)

    def start_sync(self, path: Path | None = None) -> Job:
        """As `sync`, in the background. Raises SyncBusyError, AccessError and RequestError (a hidden name)."""
        self._ground.require_root()
        if path is not None:
            self._roots.require_visible(self._roots.key(path))
        return self._jobs.start(lambda progress, cancelled: self.sync(path, progress=progress, cancelled=cancelled))

    def sync_status(self, job_id: JobId) -> Job:
        """How a background sync stands. Raises JobNotFoundError."""
        return self._jobs.status(job_id)

    def wait(self, job_id: JobId, *, seconds: float | None = None) -> Job:
        """The job when it has ended, or as it stands after `seconds`. Raises JobNotFoundError."""
        return self._jobs.wait(job_id, seconds=seconds)

    def ingest_file(
        self,
        path: Path,
        *,
        progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Ingested:
        """Index or re-index one file.

        Raises AccessError, ParseError, ModelError, StoreError and CancelledError; what was indexed before then stands.
        """
        self._ground.require_root()
        return self._indexer.index_file(path, progress=progress, cancelled=cancelled)

    def ingest_files(
        self,
        paths: Sequence[Path],
        *,
        progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> IngestReport:
        """As `ingest_file`, many at once, by their words first; one file's failure is in the report, not raised."""
        from minirag_mcp.ingest.batch import ingest_files  # noqa: PLC0415 - only this method needs it

        self._ground.require_root()
        return ingest_files(self._indexer, paths, progress=progress, cancelled=cancelled)

    def ingest_data(
        self,
        data: str,
        source: str,
        *,
        format: str,  # noqa: A002 - its public name
        title: str | None = None,
        progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Ingested:
        """Index `data` ("text", "markdown" or "html") under the id `source`, replacing what the id held.

        Raises RequestError, MissingPathError, ParseError, ModelError, StoreError and CancelledError; the index is then
        unchanged.
        """
        from minirag_mcp.ingest.items import data_item  # noqa: PLC0415 - only this method needs it

        self._ground.require_home()
        item = data_item(data, source, format=format, title=title)
        return self._indexer.index_item(item, progress=progress, cancelled=cancelled)

    def ingest_url(
        self,
        url: str,
        *,
        source: str | None = None,
        title: str | None = None,
        progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Ingested:
        """Fetch an http(s) page and index it under its URL, or under the id `source`.

        Raises FetchError, RequestError, MissingPathError, ParseError, ModelError, StoreError and CancelledError; the
        index is then unchanged.
        """
        from minirag_mcp.fetch.client import fetch  # noqa: PLC0415 - the network is for this method alone
        from minirag_mcp.ingest.items import page_item  # noqa: PLC0415

        self._ground.require_home()
        progress(Progress(done=0, total=1, current=url))
        page = fetch(url, allow_private=self.settings.allow_private_urls)
        item = page_item(
            page.data,
            url,
            content_type=page.content_type,
            charset=page.charset,
            final_url=page.final_url,
            source=source,
            title=title,
        )
        return self._indexer.index_item(item, progress=progress, cancelled=cancelled)

    def query(
        self, query: str, *, top_k: int = 8, scope: Sequence[str] = (), doc_class: DocClass | None = None
    ) -> Answer:
        """The passages that answer `query`, best first, of one class of sources if one is given.

        Raises RequestError, AccessError, ModelError and StoreError.
        """
        from minirag_mcp.retrieve.query import make_query  # noqa: PLC0415 - commands that do not search start without it
        from minirag_mcp.retrieve.search import search  # noqa: PLC0415

        answer = search(
            make_query(query, top_k=top_k, scope=self._access.scope(scope), doc_class=doc_class),
            store=self._store,
            embedder=self._embedder,
            options=self.settings.search,
            display=self._roots.display,
            permitted=self._access.may_find,
        )
        return replace(answer, notices=(*self._ground.missing_roots(), *answer.notices))

    def marks(self, text: str, *, question: str) -> tuple[Span, ...]:
        """Where the words of `question` stand in a text of its answer, in any of their forms."""
        from minirag_mcp.lexical.found import found  # noqa: PLC0415 - only this method needs it

        return found(text, question)

    def read_neighbors(
        self,
        chunk_index: int,
        *,
        file_path: Path | None = None,
        source: str | None = None,
        before: int = 1,
        after: int = 1,
    ) -> Neighbors:
        """The chunk, with up to `before` and `after` chunks around it.

        Raises RequestError, AccessError and StoreError.
        """
        if not (0 <= before <= MOST_NEIGHBORS and 0 <= after <= MOST_NEIGHBORS):
            raise RequestError(f"before is {before} and after is {after}; each must be from 0 to {MOST_NEIGHBORS}.")
        record = self._access.indexed(file_path, source)
        last = record.chunk_count - 1
        if not 0 <= chunk_index <= last:
            raise RequestError(f"There is no chunk {chunk_index} in {record.key}; its chunks are 0 to {last}.")
        first, final = max(0, chunk_index - before), min(last, chunk_index + after)
        return Neighbors(
            source=record.key,
            display_path=self._roots.display(record.key),
            title=record.title,
            chunks=tuple(self._store.chunks(record.key, first, final)),
            at_start=first == 0,
            at_end=final == last,
        )

    def read(
        self, *, file_path: Path | None = None, source: str | None = None, section: SectionId | None = None
    ) -> SourceText:
        """An indexed document, exactly as it was parsed, or the one section of this id.

        Raises RequestError, AccessError and StoreError.
        """
        if section is not None:
            return self._section(section)
        record = self._access.indexed(file_path, source)
        document = self._store.document(record.key)
        if document is None:
            raise not_indexed(record.key)
        return SourceText(
            source=record.key,
            display_path=self._roots.display(record.key),
            title=document.title or record.title,
            text=document.text,
        )

    def _section(self, section_id: SectionId) -> SourceText:
        found = self._store.section(section_id)
        if found is None:
            raise SourceNotFoundError(
                f"No section {section_id!r} is in the index; ids change when a document is indexed again.",
                remedy="Search again and take the parentId of a result.",
            )
        self._access.require_shown(found)
        display_path = self._roots.display(found.source)
        return SourceText(
            source=found.source,
            display_path=display_path,
            title=found.title,
            text=found.text,
            citation=Citation(display_path=display_path, headings=found.headings, place=found.place),
        )

    def indexed(self) -> list[SourceRecord]:
        """What can be read and found now, ordered by key; the disk is not looked at. Raises StoreError."""
        return [record for record in self._store.sources() if record.chunk_count and self._access.may_show(record)]

    def display_path(self, key: SourceKey) -> str:
        """How a source is named to a person: its path relative to its root, its id or its URL."""
        return self._roots.display(key)

    def list_files(self, *, scope: Sequence[str] = ()) -> Listing:
        """Every supported file under the roots and every indexed item, or those in `scope`.

        A list of nothing says so in its notices. Raises RequestError, AccessError and StoreError.
        """
        from minirag_mcp.ingest.listing import listing  # noqa: PLC0415 - only this method needs them
        from minirag_mcp.ingest.walk import walk  # noqa: PLC0415
        from minirag_mcp.parse.registry import SUFFIXES  # noqa: PLC0415

        within = self._access.scope(scope)
        walked = walk(self._roots, SUFFIXES, None, self.settings.db_path)
        files = [file for file in walked.files if covers(within, SourceKey(file.path))]
        records = [record for record in self._store.sources(within) if self._access.may_show(record)]
        found = listing(
            files, records, unlisted=walked.unlisted, fingerprint=self._fingerprint, display=self._roots.display
        )
        return Listing(
            files=found, unlisted=walked.unlisted, notices=(*self._ground.missing_roots(), *_nothing(found, scope))
        )

    def delete(self, *, file_path: Path | None = None, source: str | None = None) -> Deleted:
        """Forget one source; nothing on disk is touched. Raises RequestError, AccessError and StoreError."""
        record = self._access.known(file_path, source)
        return Deleted(source=record.key, deleted_chunks=self._indexer.writing.forget([record.key]))

    def status(self) -> Status:
        """Health of the index; the configuration is `settings`. Raises StoreError."""
        return Status(
            version=version(),
            chunk_scheme=self._fingerprint.scheme,
            counts=self._store.counts(self._fingerprint),
            warnings=self._ground.missing_roots(),
        )

    def examine(self) -> "Examination":
        """The checks of configuration, folders, index and engines, each with what to do; to be run one by one."""
        from minirag_mcp.examine.examination import Examination  # noqa: PLC0415 - only this method needs it

        return Examination(self.settings, listing=self.list_files, embedder=self._embedder)

    def warm_up(self) -> None:
        """Load what the first query needs. Raises ModelError and StoreError."""
        from minirag_mcp.retrieve import search  # noqa: F401, PLC0415

        self._embedder.load()
        self._store.search_vector(self._embedder.embed_query("warm-up"), limit=1)

    def close(self) -> None:
        """Stop a background sync, end the parse workers, close the index. The Library cannot be used afterwards."""
        self._sandbox.close()
        self._jobs.close()
        self._store.close()


def _nothing(found: Sequence[ListedSource], scope: Sequence[str]) -> tuple[str, ...]:
    if found:
        return ()
    if scope:
        return (f"No supported file and no indexed item is under the scope {', '.join(scope)}.",)
    return ("No supported file is under the roots, and nothing is indexed.",)
