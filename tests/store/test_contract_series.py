"""Labels and dated series in a store: what is kept, what is searched, and that all of it happens at once."""

from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from tests.store.entries import IDENTITY, STAT, entry, record, vector_of
from tests.store.indexes import Index, keys_found, keys_near

from minirag_mcp.model import DocClass, Labels, Owner, Snapshot, SourceEntry, SourceKey, SourceType
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store

A, B = SourceKey("/d/x-2026-01-01.md"), SourceKey("/d/x-2026-01-02.md")
SERIES = "/d/x-.md"


def labels(date: str, doc_class: DocClass = DocClass.NOTE) -> Labels:
    return Labels(doc_class=doc_class, snapshot=Snapshot(series=SERIES, date=date), rules="test")


def snapshot(key: str, date: str, text: str = "alpha\nbeta") -> SourceEntry:
    made = entry(key, text)
    said = tuple(line.encode().ljust(16) for line in text.split("\n"))
    return replace(made, record=replace(made.record, labels=labels(date)), likenesses=said)


@pytest.fixture
def folded(store: Store) -> Store:
    """Two snapshots that say the same; the first chunk of the second is a repeat."""
    store.replace_many([snapshot(A, "2026-01-01"), snapshot(B, "2026-01-02")])
    first, second = store.snapshots(SERIES)
    store.refold(SERIES, rules="on", fold={second.chunks[0]: first.chunks[0]}, unfold={})
    return store


def test_labels_are_kept_and_may_be_changed_without_touching_anything_else(store: Store) -> None:
    store.replace(snapshot(A, "2026-01-01"))
    record = store.source(A)
    assert record is not None
    assert record.labels == labels("2026-01-01")
    before = store.cut(A), keys_near(store, "alpha")
    store.label(A, Labels(doc_class=DocClass.HANDOFF, rules="other"), likenesses=())
    store.label(SourceKey("/unknown"), Labels(), likenesses=())
    assert store.sources() == [replace(record, labels=Labels(doc_class=DocClass.HANDOFF, rules="other"))]
    assert (store.cut(A), keys_near(store, "alpha")) == before
    assert store.snapshots(SERIES) == []
    assert store.faults() == []


def test_likenesses_go_in_step_with_the_chunks(store: Store) -> None:
    with pytest.raises(ValueError, match="step"):
        store.replace(replace(snapshot(A, "2026-01-01"), likenesses=(b"only one of two",)))
    assert store.sources() == []


def test_a_snapshot_that_fails_stays_one_with_what_was_indexed_of_it(folded: Store) -> None:
    before = folded.snapshots(SERIES)
    folded.record_failure(record(B, failure=("empty_file", "Empty.")))
    assert folded.snapshots(SERIES) == before
    kept = folded.source(B)
    assert kept is not None
    assert kept.labels == labels("2026-01-02")
    assert folded.faults() == []


def test_a_rename_takes_the_snapshot_along(store: Store) -> None:
    store.replace(snapshot(A, "2026-01-01"))
    [before] = store.snapshots(SERIES)
    store.rename(A, B, stat=STAT, labels=labels("2026-01-02"))
    assert store.snapshots(SERIES) == [replace(before, source=B, date="2026-01-02")]


def test_a_repeat_is_not_searched_but_read_and_counted(folded: Store) -> None:
    assert keys_found(folded, "alpha") == [A]
    assert keys_found(folded, "beta") == [A, B]
    assert [chunk.text for chunk in folded.chunks(B, 0, 9)] == ["alpha", "beta"]
    counts = folded.counts(entry(A).record.fingerprint)
    assert (counts.chunks, counts.repeated_chunks, counts.unembedded_chunks) == (4, 1, 0)
    assert folded.frequencies(["alpha", "beta"]) == {"alpha": 1, "beta": 2}
    assert folded.faults() == []


def test_a_repeat_shows_the_dates_of_its_run_and_has_the_distance_of_its_first(folded: Store) -> None:
    first, second = folded.snapshots(SERIES)
    shown = {chunk.chunk: chunk.dates for chunk in folded.read([first.chunks[0], second.chunks[0], second.chunks[1]])}
    told = {chunk: (dates.own, dates.others) for chunk, dates in shown.items() if dates}
    assert told == {
        first.chunks[0]: ("2026-01-01", ("2026-01-02",)),
        second.chunks[0]: ("2026-01-02", ("2026-01-01",)),
        second.chunks[1]: ("2026-01-02", ()),
    }
    near = folded.distances(vector_of("alpha"), [first.chunks[0], second.chunks[0]])
    assert near[first.chunks[0]] == near[second.chunks[0]]


def test_a_chunk_that_is_no_repeat_any_more_is_found_again(folded: Store) -> None:
    second = folded.snapshots(SERIES)[1]
    made = snapshot(B, "2026-01-02")
    assert keys_near(folded, "alpha").count(B) == 1
    folded.refold(SERIES, rules="off", fold={}, unfold={second.chunks[0]: (made.terms[0], made.hashes[0])})
    assert keys_found(folded, "alpha") == [A, B]
    folded.add_vectors({made.hashes[0]: vector_of("alpha")})
    assert keys_near(folded, "alpha").count(B) == 2
    assert folded.faults() == []


def test_series_are_known_by_the_rules_they_stand_by(folded: Store) -> None:
    assert folded.series_by_other_rules("on") == []
    assert folded.series_by_other_rules("off") == [SERIES]
    folded.delete([A, B])
    assert folded.series_by_other_rules("off") == []


def test_what_is_done_together_happens_at_once_or_not_at_all(store: Store) -> None:
    store.replace(entry("/d/a.md", "alpha"))

    def half() -> None:
        with store.together():
            store.replace(entry("/d/b.md", "alpha"))
            with store.together():
                store.delete([SourceKey("/d/a.md")])
            assert keys_found(store, "alpha") == ["/d/b.md"]
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        half()
    assert keys_found(store, "alpha") == ["/d/a.md"]
    with store.together():
        store.replace(entry("/d/b.md", "alpha"))
        store.delete([SourceKey("/d/a.md")])
    assert keys_found(store, "alpha") == ["/d/b.md"]


def test_a_search_may_ask_for_one_class_of_sources(store: Store) -> None:
    note, handoff = entry("/d/a.md", "alpha"), entry("/d/b.md", "alpha")
    marked = replace(handoff, record=replace(handoff.record, labels=Labels(doc_class=DocClass.HANDOFF)))
    store.replace_many([note, marked])
    for wanted, key in ((DocClass.NOTE, "/d/a.md"), (DocClass.HANDOFF, "/d/b.md")):
        words = store.search_terms(["alpha"], limit=9, doc_class=wanted)
        near = store.search_vector(vector_of("alpha"), limit=9, doc_class=wanted)
        for hits in (words, near):
            assert {chunk.source for chunk in store.read([hit.chunk for hit in hits])} == {key}
        assert store.search_terms(["alpha"], limit=9, doc_class=wanted, scope=(SourceKey("/e"),)) == []


def test_owners_are_told_of_the_chunks_that_exist(store: Store) -> None:
    store.replace(entry("/d/a.md", "alpha"))
    [hit] = store.search_terms(["alpha"], limit=1)
    assert store.owners([hit.chunk, type(hit.chunk)(99)]) == {
        hit.chunk: Owner(source=SourceKey("/d/a.md"), source_type=SourceType.FILE)
    }


def test_a_store_that_searched_before_sees_what_is_folded_and_unfolded_since(index: Index) -> None:
    writer, reader = index.open(), index.open()
    made = [snapshot(A, "2026-01-01"), snapshot(B, "2026-01-02"), entry("/d/other.md", "gamma")]
    writer.replace_many(made)
    assert keys_near(reader, "alpha").count(B) == 2
    first, second = writer.snapshots(SERIES)
    writer.refold(SERIES, rules="on", fold={second.chunks[0]: first.chunks[0]}, unfold={})
    assert keys_near(reader, "alpha").count(B) == 1
    again = {second.chunks[0]: (made[1].terms[0], made[1].hashes[0])}
    writer.refold(SERIES, rules="off", fold={}, unfold=again)
    writer.add_vectors({made[1].hashes[0]: vector_of("alpha")})
    writer.replace(entry("/d/late.md", "delta"))
    assert sorted(keys_near(reader, "alpha")) == sorted(keys_near(writer, "alpha"))
    assert keys_near(reader, "alpha").count(B) == 2


def test_an_index_without_labels_gets_room_for_them_when_it_is_opened(tmp_path: Path) -> None:
    store = open_store(tmp_path, identity=IDENTITY)
    store.replace(entry("/d/a.md", "alpha"))
    store.close()
    connection = apsw.Connection(str(tmp_path / "index.db"))
    connection.execute("DROP INDEX source_series; DROP TABLE series; DROP TABLE likeness; DROP TABLE repeat")
    for column in ("doc_class", "series", "date", "rules"):
        connection.execute(f"ALTER TABLE source DROP COLUMN {column}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    store = open_store(tmp_path, identity=IDENTITY)
    assert keys_found(store, "alpha") == ["/d/a.md"]
    record = store.source(SourceKey("/d/a.md"))
    assert record is not None
    assert record.labels == Labels()
    store.replace(snapshot(A, "2026-01-01"))
    assert store.faults() == []
    store.close()


def test_texts_are_gone_through_once_and_their_vectors_may_be_renewed(index: Index) -> None:
    writer, reader = index.open(), index.open()
    made = entry("/d/a.md", "alpha\nbeta\ngamma")
    writer.replace_many([made, entry("/d/b.md", "alpha\nbeta\ngamma")])
    found: dict[bytes, str] = {}
    last, some = writer.texts(after=0, limit=2)
    while some:
        assert not found.keys() & some.keys()
        found |= some
        last, some = writer.texts(after=last, limit=2)
    assert found == {h: c.embedded(made.cut.document.text) for h, c in zip(made.hashes, made.cut.chunks, strict=True)}
    assert best(reader, "alpha") == "alpha"
    turned = dict(zip(made.hashes, (vector_of("beta"), vector_of("alpha"), vector_of("gamma")), strict=True))
    writer.renew_vectors(turned | {b"unknown".ljust(32): vector_of("delta")})
    assert best(reader, "alpha") == "beta"
    assert writer.faults() == []


def best(store: Store, text: str) -> str:
    [chunk] = store.read([hit.chunk for hit in store.search_vector(vector_of(text), limit=1)])
    return chunk.text
