"""The store in SQLite against the one in memory, through anything a sync may do to it."""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.fakes.store import MemoryStore
from tests.store.entries import IDENTITY, OTHER_IDENTITY, record, vector_of
from tests.store.strategies import KEYS, SCOPES, WORDS, entries

from minirag_mcp.model import FileStat, Fingerprint, Labels, ModelIdentity, Scored, SourceEntry, SourceKey, StoredChunk
from minirag_mcp.store.contract import Scope, Store
from minirag_mcp.store.sqlite import open_store

COSINE_ERROR = 0.02
"""Of int8 rows with few dimensions; real models have hundreds and stay under 0.002."""


class StoreMachine(RuleBasedStateMachine):
    """Drives both stores through the same changes and asks both the same questions."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.identity = IDENTITY
        self.memory = MemoryStore(identity=IDENTITY)
        self.store: Store = open_store(self.folder / "index", identity=IDENTITY)

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)

    @rule(batch=st.lists(entries(), min_size=1, max_size=3))
    def replace_some(self, batch: list[SourceEntry]) -> None:
        whole = [self.with_own_vectors(entry) for entry in batch]
        self.store.replace_many(whole)
        self.memory.replace_many(whole)

    @rule(keys=st.lists(KEYS, max_size=2))
    def delete(self, keys: list[str]) -> None:
        gone = [SourceKey(key) for key in keys]
        assert self.store.delete(gone) == self.memory.delete(gone)

    @rule(old=KEYS, new=KEYS, size=st.integers(0, 9))
    def rename(self, old: str, new: str, size: int) -> None:
        stat = FileStat(size=size, mtime_ns=1)
        outcomes = []
        for store in (self.store, self.memory):
            try:
                store.rename(SourceKey(old), SourceKey(new), stat=stat, labels=Labels())
                outcomes.append("renamed")
            except KeyError:
                outcomes.append("not there")
        assert len(set(outcomes)) == 1

    @rule(key=KEYS, scheme=st.sampled_from(["1", "2"]))
    def fail(self, key: str, scheme: str) -> None:
        fingerprint = Fingerprint(model="bag-of-words", scheme=scheme)
        failed = record(key, title="failed", fingerprint=fingerprint, failure=("no_text", "A scan."))
        self.store.record_failure(failed)
        self.memory.record_failure(failed)

    @rule(key=KEYS, size=st.integers(0, 2**62))
    def refresh(self, key: str, size: int) -> None:
        stat = FileStat(size=size, mtime_ns=-size)
        self.store.refresh(SourceKey(key), stat, content_hash="ab")
        self.memory.refresh(SourceKey(key), stat, content_hash="ab")

    @rule()
    def embed_what_waits(self) -> None:
        waiting = self.memory.unembedded(limit=100)
        assert self.store.unembedded(limit=100) == waiting
        some = dict(list(waiting.items())[:3])
        vectors = {text_hash: vector_of(text, self.identity) for text_hash, text in some.items()}
        self.store.add_vectors(vectors)
        self.memory.add_vectors(vectors)

    @rule(identity=st.sampled_from([None, None, IDENTITY, OTHER_IDENTITY]))
    def reopen(self, identity: ModelIdentity | None) -> None:
        self.store.close()
        self.identity = identity or self.identity
        self.store = open_store(self.folder / "index", identity=self.identity)
        self.memory = self.memory.reopened(self.identity)

    @rule(words=st.lists(WORDS, max_size=4), scope=SCOPES)
    def search(self, words: list[str], scope: Scope) -> None:
        self.compare(
            self.store.search_terms(words, limit=100, scope=scope),
            self.memory.search_terms(words, limit=100, scope=scope),
            error=1e-9,
        )
        vector = vector_of(" ".join(words), self.identity)
        self.compare(
            self.store.search_vector(vector, limit=100, scope=scope),
            self.memory.search_vector(vector, limit=100, scope=scope),
            error=COSINE_ERROR,
        )

    @invariant()
    def both_hold_the_same(self) -> None:
        records = self.memory.sources()
        assert self.store.sources() == records
        for held in records:
            assert self.store.cut(held.key) == self.memory.cut(held.key)
            assert [c.text for c in self.store.chunks(held.key, 0, 99)] == [
                c.text for c in self.memory.chunks(held.key, 0, 99)
            ]
        fingerprint = Fingerprint(model="bag-of-words", scheme="1")
        assert self.store.counts(fingerprint) == self.memory.counts(fingerprint)
        assert self.store.faults() == self.memory.faults() == []

    def with_own_vectors(self, entry: SourceEntry) -> SourceEntry:
        """Strategies make vectors of the first model; leave them out under the other."""
        return entry if self.identity == IDENTITY else replace(entry, vectors={})

    def compare(self, found: list[Scored], expected: list[Scored], *, error: float) -> None:
        """The same passages with the same scores, each list best first with ties by id."""
        assert found == sorted(found, key=lambda hit: (-hit.score, hit.chunk))
        ours = {self.name(chunk): hit.score for chunk, hit in self.named(self.store, found)}
        theirs = {self.name(chunk): hit.score for chunk, hit in self.named(self.memory, expected)}
        assert ours == pytest.approx(theirs, abs=error)
        near = self.store.distances(vector_of("alpha", self.identity), [hit.chunk for hit in found])
        far = self.memory.distances(vector_of("alpha", self.identity), [hit.chunk for hit in expected])
        assert sorted(near.values()) == pytest.approx(sorted(far.values()), abs=COSINE_ERROR)

    def named(self, store: Store, hits: list[Scored]) -> list[tuple[StoredChunk, Scored]]:
        return list(zip(store.read([hit.chunk for hit in hits]), hits, strict=True))

    def name(self, chunk: StoredChunk) -> tuple[str, int, str]:
        return chunk.source, chunk.ordinal, chunk.text


StoreMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=14)
test_the_store_is_the_one_in_memory = pytest.mark.timeout(120)(StoreMachine.TestCase)
