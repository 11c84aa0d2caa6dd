"""From bytes to the index: read, parse, cut, analyse, write; then the vectors.

Words come first: a source is written, and found by its words, as soon as it is parsed. Vectors follow in full
batches, for whatever lacks them: a text that the index has seen before is never embedded again, and work that an
earlier run left undone is finished by the next. Both halves keep both cores busy on their own, so they take turns.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeGuard

from minirag_mcp.embed.contract import Embedder
from minirag_mcp.errors import (
    AccessError,
    CancelledError,
    FileTooLargeError,
    OutsideRootsError,
    ParseError,
    RequestError,
    UnreadableFileError,
)
from minirag_mcp.ingest.diff import recorded_stat
from minirag_mcp.ingest.fingerprint import current_fingerprint, same_parser
from minirag_mcp.ingest.guard import Roots, change_stat
from minirag_mcp.ingest.options import IndexOptions
from minirag_mcp.ingest.outcome import Fate, Outcome, as_before, failed, is_same
from minirag_mcp.ingest.writing import Writing
from minirag_mcp.model import (
    Document,
    FileEntry,
    FileStat,
    Ingested,
    Progress,
    SourceEntry,
    SourceKey,
    SourceRecord,
    SourceType,
    Stage,
    Vector,
)
from minirag_mcp.parse.registry import format_of
from minirag_mcp.store.contract import Store

if TYPE_CHECKING:  # a sync that changes nothing does not pay for what only content needs
    from minirag_mcp.ingest.items import Item

_BATCH_TEXTS = 256
"""Texts embedded between two looks at `cancelled`: two to four seconds of work, many batches of the model."""

GROUP_SOURCES = 64
_GROUP_CHUNKS = 1024
_GROUP_SECONDS = 1.0
"""What is written in one transaction: enough to spread its cost, little enough to hold in memory and to wait for."""

AHEAD = 4
"""Files in work at once: one in the parser, the others being read or cut. Memory grows with it."""


class Parser(Protocol):
    """Bytes to a document; `parse.sandbox.Sandbox` is one."""

    def parse(self, data: bytes, *, name: str, title: str | None = None, stem: str | None = None) -> Document:
        """As `parse.registry.parse`; safe to call from several threads. Raises ParseError."""
        ...


class Indexer:
    """Puts sources into the index. Making one is cheap; safe to use from several threads."""

    def __init__(
        self, store: Store, embedder: Embedder, parser: Parser, *, roots: Roots, options: IndexOptions
    ) -> None:
        self.store = store
        self.roots = roots
        self.fingerprint = current_fingerprint(embedder.identity, budget=options.budget)
        self.writing = Writing(store, options.writing)
        self._embedder = embedder
        self._parser = parser
        self._options = options

    def index_file(
        self,
        path: Path,
        *,
        progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Ingested:
        """Index or re-index one file, whole with its vectors.

        Raises RequestError, AccessError, ParseError (which is also remembered), ModelError, StoreError, and
        CancelledError, which leaves the index as it was.
        """
        file = self.file_entry(path)
        progress(Progress(done=0, total=1, current=file.path))
        outcome = self._prepare(file, None)
        _stop_if(cancelled)
        if outcome.error is not None:
            self._settle([outcome])
            raise outcome.error
        assert outcome.entry is not None, "parsed, as nothing was known that it could equal"  # noqa: S101
        return self._write_whole(outcome.entry, progress=progress, cancelled=cancelled)

    def file_entry(self, path: Path) -> FileEntry:
        """A file that was named, as it is on disk now. Raises RequestError, AccessError and ParseError."""
        key = self.roots.key(path)
        self.roots.require_visible(key)
        real = self.roots.resolve(Path(key))
        if real.is_dir():
            raise RequestError(f"{path} is a folder, not a file.", remedy="Index folders with `minirag-mcp sync PATH`.")
        format_of(key)
        if not real.is_file():
            raise UnreadableFileError(f"{path} is not a regular file.", remedy="Give the path of a document.")
        return FileEntry(path=key, stat=change_stat(real.stat()))

    def index_item(
        self,
        item: "Item",
        *,
        progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Ingested:
        """Index content that is no file, whole with its vectors; the same content again costs nothing.

        Raises RequestError if its key is a path inside a root or belongs to a file, ParseError, ModelError,
        StoreError and CancelledError; after any of them the index is unchanged.
        """
        self._refuse_large(item)
        known = self.store.source(item.key)
        self._refuse_file_keys(item.key, known)
        if known and (known.content_hash, known.fingerprint) == (item.content_hash, self.fingerprint):
            return Ingested(source=known.key, title=known.title, chunk_count=known.chunk_count)
        record = self._record(item.key, item.source_type, content_hash=item.content_hash)
        _stop_if(cancelled)
        progress(Progress(done=0, total=1, current=item.key))
        document = self._parser.parse(item.data, name=item.name, title=item.title)
        _stop_if(cancelled)
        return self._write_whole(self._entry(document, record), progress=progress, cancelled=cancelled)

    def index_files(
        self,
        files: Iterable[FileEntry],
        *,
        known: Mapping[SourceKey, SourceRecord],
        settled: Callable[[Outcome], None],
        cancelled: Callable[[], bool],
    ) -> None:
        """Index files by their words, leaving those whose content is as `known`; one file's failure is its own.

        `settled` hears of each file, in order, after it is written. Raises CancelledError between files,
        ModelError (no tokenizer) and StoreError; what was settled before stands.
        """
        from contextlib import closing  # noqa: PLC0415 - only a sync with work to do pays

        with closing(self._prepared(files, known)) as prepared:
            for group in _grouped(prepared, cancelled):
                self._settle(group)
                for outcome in group:
                    settled(replace(outcome, entry=None))

    def recut_items(self, records: Iterable[SourceRecord], *, cancelled: Callable[[], bool]) -> None:
        """Cut what is no file again, from its stored text, where that was done in another way than today's.

        Raises CancelledError between groups, ModelError (no tokenizer) and StoreError; what was written stands.
        """
        stale = [record for record in records if record.fingerprint != self.fingerprint]
        for group in _grouped((outcome for record in stale for outcome in self._recut(record)), cancelled):
            self._settle(group)

    def _recut(self, record: SourceRecord) -> Iterator[Outcome]:
        document = self.store.document(record.key)
        if document is not None:
            entry = self._entry(document, replace(record, fingerprint=self.fingerprint))
            yield Outcome(fate=Fate.INDEXED, record=entry.record, entry=entry)

    def embed_missing(self, *, progress: Callable[[Progress], None], cancelled: Callable[[], bool]) -> None:
        """Give a vector to every text that lacks one. Raises CancelledError between batches, ModelError, StoreError."""
        done = total = 0
        while batch := self.store.unembedded(limit=_BATCH_TEXTS):
            left = self.store.counts(self.fingerprint).unembedded_chunks
            total = max(total, done + left)
            done = total - left
            progress(Progress(stage=Stage.VECTORS, done=done, total=total))
            _stop_if(cancelled)
            vectors = self._embedder.embed_passages(list(batch.values()))
            self.store.add_vectors(dict(zip(batch, vectors, strict=True)))
        if total:
            progress(Progress(stage=Stage.VECTORS, done=total, total=total))

    def embed_again(self, *, progress: Callable[[Progress], None], cancelled: Callable[[], bool]) -> None:
        """Give every text its vector anew, in place; searches go on with those that are there.

        Raises CancelledError between batches, ModelError and StoreError.
        """
        counts = self.store.counts(self.fingerprint)
        done, total = 0, counts.chunks - counts.repeated_chunks
        last, batch = self.store.texts(after=0, limit=_BATCH_TEXTS)
        while batch:
            progress(Progress(stage=Stage.VECTORS, done=min(done, total), total=total))
            _stop_if(cancelled)
            vectors = self._embedder.embed_passages(list(batch.values()))
            self.store.renew_vectors(dict(zip(batch, vectors, strict=True)))
            done += len(batch)
            last, batch = self.store.texts(after=last, limit=_BATCH_TEXTS)
        progress(Progress(stage=Stage.VECTORS, done=total, total=total))

    def digest(self, file: FileEntry) -> tuple[str, FileStat] | None:
        """The content hash and the stat to record of a file that can be read now, else None."""
        try:
            _, record = self._read(file)
        except (ParseError, AccessError):
            return None
        return record.content_hash, record.stat or file.stat

    def _prepared(self, files: Iterable[FileEntry], known: Mapping[SourceKey, SourceRecord]) -> Generator[Outcome]:
        """Outcomes in the order of `files`, several files in work at a time."""
        from collections import deque  # noqa: PLC0415 - only a sync with work to do pays
        from concurrent.futures import Future, ThreadPoolExecutor  # noqa: PLC0415 - 15 ms

        waiting: deque[Future[Outcome]] = deque()
        pool = ThreadPoolExecutor(AHEAD, thread_name_prefix="ingest")
        try:
            for file in files:
                waiting.append(pool.submit(self._prepare, file, known.get(SourceKey(file.path))))
                if len(waiting) == AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # what is in work writes nothing, and may take minutes

    def _prepare(self, file: FileEntry, known: SourceRecord | None) -> Outcome:
        """Everything about one file short of writing it."""
        record = self._record(SourceKey(file.path), SourceType.FILE, stat=file.stat)
        try:
            data, record = self._read(file)
            if known is not None and is_same(known, record):
                return as_before(known, record.stat)
            document = self._kept(known, record) or self._parser.parse(
                data, name=Path(file.path).name, stem=_stem(file.path)
            )
        except (ParseError, AccessError) as error:
            return failed(record, error)
        if self._says_the_same(known, document):
            return as_before(replace(known, content_hash=record.content_hash), record.stat)
        entry = self._entry(document, record)
        return Outcome(fate=Fate.INDEXED, record=entry.record, entry=entry)

    def _says_the_same(self, known: SourceRecord | None, document: Document) -> TypeGuard[SourceRecord]:
        """Whether a file's other bytes are the text that is indexed, as after a change of encoding alone."""
        if known is None or known.failure is not None or known.fingerprint != self.fingerprint:
            return False
        return self.store.document(known.key) == document

    def _kept(self, known: SourceRecord | None, record: SourceRecord) -> Document | None:
        """The stored text of a file whose bytes and parser are those of `known`: it need only be cut again."""
        if known is None or known.failure is not None or known.content_hash != record.content_hash:
            return None
        return self.store.document(known.key) if same_parser(known.fingerprint, self.fingerprint) else None

    def _read(self, file: FileEntry) -> tuple[bytes, SourceRecord]:
        from hashlib import sha256  # noqa: PLC0415 - 4 ms, and only a file that is read needs it

        before = time.time_ns()
        data, stat = self.roots.read(Path(file.path), limit=self._options.max_file_size)
        return data, self._record(
            SourceKey(file.path),
            SourceType.FILE,
            content_hash=sha256(data).hexdigest(),
            stat=recorded_stat(stat, read_at_ns=before),
        )

    def _entry(self, document: Document, record: SourceRecord) -> SourceEntry:
        from minirag_mcp.ingest.entry import make_entry  # noqa: PLC0415 - cutter and analyzer, for content only

        entry = make_entry(document, record, counter=self._embedder.tokenizer, budget=self._options.budget)
        return self.writing.labelled(entry)

    def _settle(self, outcomes: list[Outcome]) -> None:
        """Write a group: the parsed sources in one transaction, then what was learned of the others."""
        entries = [outcome.entry for outcome in outcomes if outcome.entry is not None]
        if entries:
            self.writing.write(entries)
        for outcome in outcomes:
            record = outcome.record
            if outcome.fate is Fate.UNCHANGED and record.stat is not None:
                self.store.refresh(record.key, record.stat, content_hash=record.content_hash)
            elif record.failure is not None and not isinstance(outcome.error, AccessError):
                self.store.record_failure(record)

    def _write_whole(
        self, entry: SourceEntry, *, progress: Callable[[Progress], None], cancelled: Callable[[], bool]
    ) -> Ingested:
        text, repeated = entry.cut.document.text, self.writing.repeated(entry)
        whole = zip(entry.hashes, entry.cut.chunks, strict=True)
        texts = {name: chunk.embedded(text) for name, chunk in whole if chunk.ordinal not in repeated}
        vectors: dict[bytes, Vector] = {}

        for batch in self._embedded(texts, of=entry.record.key, progress=progress, cancelled=cancelled):
            vectors |= batch
        _stop_if(cancelled)
        again = self.writing.write([replace(entry, vectors=vectors)])
        for batch in self._embedded(again, of=entry.record.key, progress=progress, cancelled=lambda: False):
            self.store.add_vectors(batch)
        return Ingested(source=entry.record.key, title=entry.record.title, chunk_count=len(entry.cut.chunks))

    def _embedded(
        self,
        texts: Mapping[bytes, str],
        *,
        of: SourceKey,
        progress: Callable[[Progress], None],
        cancelled: Callable[[], bool],
    ) -> Iterator[dict[bytes, Vector]]:
        """The vectors of those texts that have none, by hash, a batch at a time."""
        known = self.store.known_hashes(texts)
        missing = [name for name in texts if name not in known]
        for start in range(0, len(missing), _BATCH_TEXTS):
            progress(Progress(stage=Stage.VECTORS, done=start, total=len(missing), current=of))
            _stop_if(cancelled)
            batch = missing[start : start + _BATCH_TEXTS]
            yield dict(zip(batch, self._embedder.embed_passages([texts[name] for name in batch]), strict=True))

    def _record(
        self, key: SourceKey, source_type: SourceType, *, content_hash: str = "", stat: FileStat | None = None
    ) -> SourceRecord:
        return SourceRecord(
            key=key,
            source_type=source_type,
            title=_stem(key) if source_type is SourceType.FILE else "",
            content_hash=content_hash,
            fingerprint=self.fingerprint,
            chunk_count=0,
            stat=stat,
        )

    def _refuse_large(self, item: "Item") -> None:
        limit = self._options.max_file_size
        if item.size > limit:
            raise FileTooLargeError(
                f"The content for {item.key} has {item.size:,} bytes; MAX_FILE_SIZE is {limit:,}.",
                remedy="Raise MAX_FILE_SIZE (bytes), or split the content.",
            )

    def _refuse_file_keys(self, key: SourceKey, known: SourceRecord | None) -> None:
        if known is not None and known.source_type is SourceType.FILE:
            raise RequestError(f"{key} is an indexed file; choose another source id.")
        try:
            meant = self.roots.scope(key)
        except OutsideRootsError:
            return
        if self.roots.covers(meant):
            raise RequestError(
                f"{key} is a path inside a document root.",
                remedy="Index the file itself with `minirag-mcp ingest`, or choose another source id.",
            )


def _grouped(outcomes: Iterator[Outcome], cancelled: Callable[[], bool]) -> Iterator[list[Outcome]]:
    """Lists of outcomes to write together, bounded in number, size and time; what is complete is never held back."""
    group: list[Outcome] = []
    chunks, since = 0, time.monotonic()
    for outcome in outcomes:
        group.append(outcome)
        chunks += outcome.record.chunk_count if outcome.entry is not None else 0
        stop = cancelled()
        late = time.monotonic() - since > _GROUP_SECONDS
        if stop or late or len(group) >= GROUP_SOURCES or chunks >= _GROUP_CHUNKS:
            yield group
            group, chunks, since = [], 0, time.monotonic()
        if stop:
            _stop_if(cancelled)
    if group:
        yield group


def _stop_if(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise CancelledError("This was stopped; what had been finished is kept.")


def _stem(path: str) -> str:
    """The file stem as text: bytes that are no characters become replacement characters."""
    return Path(path).stem.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
