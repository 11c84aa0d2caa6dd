"""What every change does to an index and leaves alone. Each test runs on the store in memory and on the SQLite one."""

from dataclasses import replace

import pytest
from tests.store.entries import (
    FINGERPRINT,
    OTHER_IDENTITY,
    STAT,
    entry,
    hash_of,
    record,
    vector_of,
)
from tests.store.indexes import Index, keys_found, keys_near

from minirag_mcp.model import (
    ChunkId,
    FileStat,
    Fingerprint,
    IndexCounts,
    Labels,
    SourceKey,
)
from minirag_mcp.store.contract import Store


def test_a_batch_is_written_in_order(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "first"), entry("/d/b.md", "other"), entry("/d/a.md", "second")])
    assert keys_found(store, "first") == []
    assert keys_found(store, "second") == ["/d/a.md"]
    assert [r.key for r in store.sources()] == ["/d/a.md", "/d/b.md"]


def test_a_batch_that_fails_changes_nothing(index: Index) -> None:
    store = index.open()
    store.replace(entry("/d/a.md", "old"))
    good = entry("/d/a.md", "new")
    with pytest.raises(ValueError, match=r"step|zip"):
        store.replace_many([replace(good, terms=())])
    assert keys_found(store, "old") == ["/d/a.md"]


def test_a_renamed_source_keeps_its_title_words_passages_and_vectors(store: Store) -> None:
    old = entry("/d/a.md", "alpha beta", title="Draft")
    store.replace_many([old, entry("/d/other.md", "gamma"), entry("/d/third.md", "delta")])
    moved = FileStat(size=10, mtime_ns=5)
    store.rename(SourceKey("/d/a.md"), SourceKey("/e/b.md"), stat=moved, labels=Labels())
    assert store.source(SourceKey("/d/a.md")) is None
    assert store.source(SourceKey("/e/b.md")) == replace(old.record, key=SourceKey("/e/b.md"), stat=moved)
    assert store.document(SourceKey("/e/b.md")) == old.cut.document
    assert keys_found(store, "Draft") == ["/e/b.md"]
    assert keys_found(store, "alpha") == ["/e/b.md"]
    assert keys_near(store, "Draft alpha beta")[0] == "/e/b.md"
    assert store.known_hashes(old.hashes) == set(old.hashes)


def test_a_rename_replaces_what_the_new_key_held(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "alpha"), entry("/d/b.md", "beta")])
    store.rename(SourceKey("/d/a.md"), SourceKey("/d/b.md"), stat=STAT, labels=Labels())
    assert [r.key for r in store.sources()] == ["/d/b.md"]
    assert keys_found(store, "beta") == []
    assert keys_found(store, "alpha") == ["/d/b.md"]


def test_a_rename_of_what_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(KeyError):
        store.rename(SourceKey("/d/a.md"), SourceKey("/d/b.md"), stat=STAT, labels=Labels())


def test_a_refresh_changes_how_the_file_looks_and_nothing_else(store: Store) -> None:
    written = entry("/d/a.md")
    store.replace(written)
    store.refresh(SourceKey("/d/a.md"), FileStat(size=11, mtime_ns=12), content_hash="ab")
    store.refresh(SourceKey("/d/unknown.md"), FileStat(size=11, mtime_ns=12), content_hash="ab")
    seen = replace(written.record, stat=FileStat(size=11, mtime_ns=12), content_hash="ab")
    assert store.sources() == [seen]


def test_a_failed_attempt_keeps_the_chunks_of_the_one_before(store: Store) -> None:
    written = entry("/d/a.md", "alpha", title="Good")
    store.replace(written)
    failed = record("/d/a.md", title="a", failure=("corrupt_file", "It is «damaged»."))
    store.record_failure(failed)
    assert store.source(SourceKey("/d/a.md")) == replace(failed, title="Good", chunk_count=1)
    assert keys_found(store, "alpha") == ["/d/a.md"]
    assert store.document(SourceKey("/d/a.md")) == written.cut.document
    store.replace(written)
    assert store.source(SourceKey("/d/a.md")) == written.record


def test_a_first_attempt_that_failed_is_listed_but_holds_nothing(store: Store) -> None:
    failed = record("/d/a.md", chunk_count=3, failure=("no_text", "A scan."))
    store.record_failure(failed)
    store.record_failure(replace(failed, failure=("empty_file", "Empty.")))
    expected = replace(failed, chunk_count=0, failure=("empty_file", "Empty."))
    assert store.sources() == [expected]
    assert store.document(SourceKey("/d/a.md")) is None
    assert store.counts(FINGERPRINT).sources == 0
    store.rename(SourceKey("/d/a.md"), SourceKey("/d/b.md"), stat=STAT, labels=Labels())
    assert store.sources() == [replace(expected, key=SourceKey("/d/b.md"))]
    assert store.delete([SourceKey("/d/b.md")]) == 0
    assert store.sources() == []


def test_a_deletion_says_how_many_chunks_went(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "one\ntwo"), entry("/d/b.md", "three"), entry("/d/c.md", "four")])
    asked = [SourceKey("/d/a.md"), SourceKey("/d/b.md"), SourceKey("/d/a.md"), SourceKey("/d/none.md")]
    assert store.delete(asked) == 3
    assert [r.key for r in store.sources()] == ["/d/c.md"]
    assert keys_found(store, "one", "three") == []
    assert set(keys_near(store, "one two three")) == {"/d/c.md"}


def test_a_vector_stays_while_any_chunk_has_its_text(store: Store) -> None:
    first, copy = entry("/d/a.md", "same"), entry("/d/copy.md", "same")
    store.replace_many([first, replace(copy, vectors={})])
    assert store.counts(FINGERPRINT).unembedded_chunks == 0
    store.delete([SourceKey("/d/a.md")])
    assert store.known_hashes([*first.hashes, b"\0" * 32]) == set(first.hashes)
    assert keys_near(store, "same") == ["/d/copy.md"]
    store.delete([SourceKey("/d/copy.md")])
    assert store.known_hashes(first.hashes) == set()


def test_a_replace_reuses_the_vectors_of_texts_it_keeps(store: Store) -> None:
    store.replace(entry("/d/a.md", "kept line\nold line"))
    changed = entry("/d/a.md", "kept line\nnew line")
    missing = set(changed.hashes) - store.known_hashes(changed.hashes)
    store.replace(replace(changed, vectors={h: changed.vectors[h] for h in missing}))
    assert store.counts(FINGERPRINT).unembedded_chunks == 0
    assert len(missing) == 1


def test_vectors_may_follow_the_text(store: Store) -> None:
    store.replace(entry("/d/a.md", "alpha\nbeta", identity=None))
    assert keys_found(store, "alpha") == ["/d/a.md"]
    assert keys_near(store, "alpha") == []
    assert len(store.unembedded(limit=1)) == 1
    waiting = store.unembedded(limit=10)
    assert set(waiting.values()) == {"A title\nalpha", "A title\nbeta"}
    assert all(hash_of(text) == text_hash for text_hash, text in waiting.items())
    stranger = {b"\7" * 32: vector_of("stranger")}
    store.add_vectors({h: vector_of(text) for h, text in waiting.items()} | stranger)
    assert keys_near(store, "alpha") == ["/d/a.md", "/d/a.md"]
    assert store.unembedded(limit=10) == {}
    assert store.known_hashes(stranger) == set()


def test_another_model_keeps_documents_and_words_but_uses_no_vector_of_the_first(index: Index) -> None:
    index.open().replace(entry("/d/a.md", "alpha\nbeta"))
    other = index.open(OTHER_IDENTITY)
    assert keys_found(other, "alpha") == ["/d/a.md"]
    assert other.search_vector(vector_of("alpha", OTHER_IDENTITY), limit=5) == []
    assert other.distances(vector_of("alpha", OTHER_IDENTITY), [ChunkId(1)]) == {}
    assert other.known_hashes(entry("/d/a.md", "alpha\nbeta").hashes) == set()
    assert other.counts(Fingerprint(model="other-bag", scheme="1")) == IndexCounts(
        sources=1, chunks=2, stale_chunks=2, unembedded_chunks=2
    )
    waiting = other.unembedded(limit=10)
    other.add_vectors({h: vector_of(text, OTHER_IDENTITY) for h, text in waiting.items()})
    assert other.counts(FINGERPRINT).unembedded_chunks == 0
    nearest = other.search_vector(vector_of("A title beta", OTHER_IDENTITY), limit=1)[0].chunk
    assert other.read([nearest])[0].text == "beta"


def test_the_former_model_serves_until_the_new_one_has_every_vector(index: Index) -> None:
    former, later = index.open(), index.open(OTHER_IDENTITY)
    former.replace(entry("/d/a.md", "alpha\nbeta"))
    (first, text), *_ = later.unembedded(limit=1).items()
    later.add_vectors({first: vector_of(text, OTHER_IDENTITY)})
    assert keys_near(former, "A title alpha")[0] == "/d/a.md"
    assert later.counts(FINGERPRINT).unembedded_chunks == 1
    assert former.counts(FINGERPRINT).unembedded_chunks == 0
