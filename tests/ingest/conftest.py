"""A little world to sync: a folder of documents, an index, an embedder that remembers its work."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.fakes.embedder import HashedEmbedder

from minirag_mcp.ingest.guard import Roots
from minirag_mcp.ingest.options import IndexOptions, WritingOptions
from minirag_mcp.ingest.pipeline import Indexer, Parser
from minirag_mcp.ingest.sync import sync
from minirag_mcp.model import Document, SourceKey, SourceRecord, SyncCounts, SyncReport
from minirag_mcp.parse import registry
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store

LIMIT = 100_000


class CountingParser:
    """The registry, in this process, remembering the names it was asked for."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def parse(self, data: bytes, *, name: str, title: str | None = None, stem: str | None = None) -> Document:
        self.parsed.append(name)
        return registry.parse(data, name=name, title=title, stem=stem)


@dataclass
class World:
    """Documents under `root`, and everything needed to index them; `age` lets written files come to rest."""

    root: Path
    index: Path
    embedder: HashedEmbedder = field(default_factory=lambda: HashedEmbedder(dimension=64))
    parser: CountingParser = field(default_factory=CountingParser)
    others: tuple[Path, ...] = ()
    writing: WritingOptions = field(default_factory=WritingOptions)
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.root.mkdir(exist_ok=True)
        self.store = open_store(self.index, identity=self.embedder.identity)

    @property
    def roots(self) -> Roots:
        return Roots([self.root, *self.others])

    def indexer(self, *, budget: int = 110, parser: Parser | None = None, limit: int = LIMIT) -> Indexer:
        options = IndexOptions(budget=budget, max_file_size=limit, writing=self.writing)
        return Indexer(self.store, self.embedder, parser or self.parser, roots=self.roots, options=options)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def key(self, name: str) -> SourceKey:
        return SourceKey(str(self.root / name))

    def record(self, name: str) -> SourceRecord | None:
        return self.store.source(self.key(name))

    def text(self, name: str) -> str | None:
        document = self.store.document(self.key(name))
        return document.text.strip() if document else None

    def sync(self, start: str | None = None) -> SyncReport:
        return sync(self.indexer(), folder=self.index, start=self.root / start if start is not None else None)

    def counts(self, start: str | None = None) -> SyncCounts:
        return self.sync(start).counts

    def paths(self) -> list[str]:
        return [os.path.relpath(record.key, self.root) for record in self.store.sources()]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(root=tmp_path / "docs", index=tmp_path / "index")
    yield made
    made.store.close()


@pytest.fixture
def at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every file as if it had been written long ago."""
    later = time.time_ns() + 3600 * 10**9
    monkeypatch.setattr("minirag_mcp.ingest.pipeline.time.time_ns", lambda: later)
