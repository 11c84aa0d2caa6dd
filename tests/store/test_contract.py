"""What every store must do; each test runs on the one in memory and on the one in SQLite."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.fakes.store import MemoryStore
from tests.store.entries import (
    FINGERPRINT,
    IDENTITY,
    OTHER_IDENTITY,
    STAT,
    cut_by_line,
    entry,
    entry_of,
    hash_of,
    record,
    terms_of,
    vector_of,
)

from minirag_mcp.model import (
    Chunk,
    ChunkId,
    Cut,
    Document,
    FileStat,
    Fingerprint,
    IndexCounts,
    ModelIdentity,
    Section,
    SectionId,
    SectionKind,
    SourceKey,
    Span,
    Terms,
)
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store


class Index:
    """One index, opened as often as a test likes."""

    def __init__(self, kind: str, path: Path) -> None:
        self._memory = MemoryStore(identity=IDENTITY) if kind == "memory" else None
        self._path = path
        self._open: list[Store] = []

    def open(self, identity: ModelIdentity = IDENTITY) -> Store:
        store = self._memory.reopened(identity) if self._memory else open_store(self._path, identity=identity)
        self._open.append(store)
        return store

    def close(self) -> None:
        for store in self._open:
            store.close()


@pytest.fixture(params=["memory", "sqlite"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    opened = Index(request.param, tmp_path / "index")
    yield opened
    opened.close()


@pytest.fixture
def store(index: Index) -> Store:
    return index.open()


def keys_found(store: Store, *terms: str, scope: tuple[str, ...] = ()) -> list[str]:
    keys = tuple(SourceKey(part) for part in scope)
    return [c.source for c in store.read([hit.chunk for hit in store.search_terms(terms, limit=50, scope=keys)])]


def keys_near(store: Store, text: str, scope: tuple[str, ...] = ()) -> list[str]:
    keys = tuple(SourceKey(part) for part in scope)
    hits = store.search_vector(vector_of(text), limit=50, scope=keys)
    return [c.source for c in store.read([hit.chunk for hit in hits])]


def test_an_index_never_written_answers_everything_with_nothing(store: Store) -> None:
    key = SourceKey("/a.md")
    assert store.source(key) is None
    assert store.sources() == []
    assert store.document(key) is None
    assert store.cut(key) is None
    assert store.chunks(key, 0, 9) == []
    assert store.known_hashes([b"x" * 32]) == set()
    assert store.unembedded(limit=5) == {}
    assert store.search_terms(["word"], limit=5) == []
    assert store.search_vector(vector_of("word"), limit=5) == []
    assert store.distances(vector_of("word"), [ChunkId(1)]) == {}
    assert store.read([ChunkId(1)]) == []
    assert store.sections([SectionId("1:0")]) == {}
    assert store.counts(FINGERPRINT) == IndexCounts(sources=0, chunks=0, stale_chunks=0, unembedded_chunks=0)
    assert store.delete([key]) == 0
    store.add_vectors({b"x" * 32: vector_of("word")})


def test_a_source_is_read_back_exactly_as_it_was_written(index: Index, store: Store) -> None:
    written = entry("/d/a.md", "# Größe\n\nодин два\nтри\n\n" + "long " * 9000 + "\n\nend")
    store.replace(written)
    again = index.open()
    assert again.source(SourceKey("/d/a.md")) == written.record
    assert again.document(SourceKey("/d/a.md")) == written.cut.document
    assert again.cut(SourceKey("/d/a.md")) == written.cut


def test_a_name_that_is_no_text_survives(store: Store) -> None:
    written = entry("/d/\udcff\udc80.txt", title="\udcff")
    store.replace(written)
    assert store.source(SourceKey("/d/\udcff\udc80.txt")) == written.record
    assert [r.key for r in store.sources((SourceKey("/d"),))] == ["/d/\udcff\udc80.txt"]


def test_passages_carry_what_a_citation_needs(store: Store) -> None:
    store.replace(entry("/d/a.md", "one\ntwo\n\nthree", title="Numbers"))
    passage = store.chunks(SourceKey("/d/a.md"), 2, 2)[0]
    assert (passage.source, passage.title, passage.ordinal, passage.text) == ("/d/a.md", "Numbers", 2, "three")
    assert (passage.headings, passage.label, str(passage.place)) == (("Part", "1"), "[1]", "page 2")
    assert store.sections([passage.section_id]) == {passage.section_id: "three"}


def test_a_table_header_is_shown_above_its_later_pieces(store: Store) -> None:
    text = "| a |\n|---|\n| 1 |\n| 2 |"
    later = Span(start=18, end=len(text))
    cut = Cut(
        document=Document(text=text, title="T", own_title=True, format="markdown"),
        sections=(Section(ordinal=0, span=later, kind=SectionKind.BLOCK, header="| a |\n|---|"),),
        chunks=(Chunk(ordinal=0, section=0, span=later, context="T", header="| a |\n|---|"),),
    )
    store.replace(entry_of(cut, "/t.md"))
    passage = store.chunks(SourceKey("/t.md"), 0, 0)[0]
    assert passage.text == "| a |\n|---|\n| 2 |"
    assert store.sections([passage.section_id])[passage.section_id] == "| a |\n|---|\n| 2 |"


def test_a_chunk_across_two_text_blocks_is_whole(store: Store) -> None:
    text = "x" * 16_380 + " middle words " + "y" * 16_380
    store.replace(entry("/d/a.md", text))
    assert store.chunks(SourceKey("/d/a.md"), 0, 0)[0].text == text


def test_many_sections_are_read_back_in_order(store: Store) -> None:
    text = "\n\n".join(f"paragraph {n}\nline {n}" for n in range(200))
    written = entry("/d/a.md", text)
    store.replace(written)
    assert store.cut(SourceKey("/d/a.md")) == written.cut
    assert [c.text for c in store.chunks(SourceKey("/d/a.md"), 297, 300)] == [
        "line 148",
        "paragraph 149",
        "line 149",
        "paragraph 150",
    ]


def test_neighbours_beyond_the_ends_are_left_out(store: Store) -> None:
    store.replace(entry("/d/a.md", "one\ntwo\nthree"))
    assert [c.text for c in store.chunks(SourceKey("/d/a.md"), -3, 1)] == ["one", "two"]
    assert [c.text for c in store.chunks(SourceKey("/d/a.md"), 2, 99)] == ["three"]
    assert store.chunks(SourceKey("/d/a.md"), 5, 9) == []


def test_a_replaced_source_is_found_by_its_new_words_only(store: Store) -> None:
    store.replace(entry("/d/a.md", "old words"))
    old = store.search_terms(["old"], limit=5)[0].chunk
    store.replace(entry("/d/a.md", "new words"))
    assert keys_found(store, "old") == []
    assert keys_found(store, "new") == ["/d/a.md"]
    assert store.read([old]) == []
    assert [c.text for c in store.chunks(SourceKey("/d/a.md"), 0, 9)] == ["new words"]


def test_section_ids_of_a_former_version_lead_nowhere(store: Store) -> None:
    store.replace(entry("/d/a.md", "old words"))
    former = store.chunks(SourceKey("/d/a.md"), 0, 0)[0].section_id
    store.replace(entry("/d/a.md", "new words"))
    assert store.sections([former]) == {}


@pytest.mark.parametrize("wrong", ["", ":", "1", "1:", ":0", "a:b", "1:0:0", "01:0", "1:99", "-1:0", "9" * 40 + ":0"])
def test_what_is_no_section_id_is_no_section(store: Store, wrong: str) -> None:
    store.replace(entry("/d/a.md", "words"))
    assert store.sections([SectionId(wrong)]) == {}


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


@pytest.mark.parametrize(
    "term",
    [
        'quo"te',
        "it's",
        "a b",
        "NEAR",
        "AND",
        "*",
        "^x",
        "body:alpha",
        "C++",
        "(",
        "-",
        "\x00",
        "\x01a",
        "A",
        "ÀÉ",
        "ERR_CONN_4012",
        "ß",
        "東京",
        "\udcff",
        "é",
        "\t",
        "{x}",
        "\\",
    ],
)
def test_any_term_is_found_as_it_stands_and_none_is_syntax(store: Store, term: str) -> None:
    cut = cut_by_line(Document(text="x", title="", own_title=False, format="text"))
    made = entry_of(cut, "/d/a.md")
    store.replace(replace(made, terms=(Terms(title=(), context=(), body=("other", term)),)))
    assert keys_found(store, term) == ["/d/a.md"]
    assert keys_found(store, term + "x") == []


def test_a_page_of_text_is_a_question_too(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "needle one"), entry("/d/b.md", "other"), entry("/d/c.md", "third")])
    assert keys_found(store, *(f"word{n}" for n in range(5000)), "needle") == ["/d/a.md"]
    store.replace(entry("/d/long.md", " ".join(f"word{n}" for n in range(5000))))
    assert keys_found(store, *(f"word{n}" for n in range(5000)), "needle") == ["/d/long.md", "/d/a.md"]


def test_a_word_of_any_length_is_found(store: Store) -> None:
    store.replace(entry("/d/a.md", "x" * 50_000))
    assert keys_found(store, "x" * 50_000) == ["/d/a.md"]


def test_terms_differ_by_case(store: Store) -> None:
    store.replace(entry("/d/a.md", "Case"))
    assert keys_found(store, "case") == []
    assert keys_found(store, "CASE") == []


def test_a_word_of_the_title_finds_the_source(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "body", title="Invoice"), entry("/d/b.md", "mentions Invoice here", title="")])
    assert keys_found(store, "Invoice") == ["/d/a.md", "/d/b.md"]


def test_rarer_words_weigh_more(store: Store) -> None:
    store.replace_many([entry(f"/d/{n}.md", "common filler") for n in range(4)])
    store.replace_many([entry(f"/e/{n}.md", "plain filler") for n in range(9)])
    store.replace(entry("/d/rare.md", "rare filler"))
    assert keys_found(store, "common", "rare")[0] == "/d/rare.md"


def test_words_nearly_everywhere_are_left_out_beside_a_rarer_one(store: Store) -> None:
    store.replace_many([entry(f"/d/{n}.md", f"the word{n}", title="") for n in range(5)])
    assert keys_found(store, "the", "word3") == ["/d/3.md"]
    assert len(keys_found(store, "the")) == 5


def test_equal_hits_come_in_the_order_of_their_ids_and_no_more_than_asked(store: Store) -> None:
    store.replace_many([entry(f"/d/{n}.md", "same text") for n in range(6)])
    for hits in (
        store.search_terms(["same"], limit=4),
        store.search_vector(vector_of("A title\nsame text"), limit=4),
    ):
        assert [hit.chunk for hit in hits] == sorted(hit.chunk for hit in hits)
        assert len(hits) == 4
    assert store.search_vector(vector_of("same"), limit=0) == []


def test_asking_a_word_twice_changes_nothing(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "one two"), entry("/d/b.md", "two three"), entry("/d/c.md", "four")])
    assert store.search_terms(["two", "one", "two"], limit=9) == store.search_terms(["two", "one"], limit=9)


def test_the_nearest_text_comes_first(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "red apples", title=""), entry("/d/b.md", "steel bridges", title="")])
    assert keys_near(store, "steel bridges")[0] == "/d/b.md"
    best = store.search_vector(vector_of("steel bridges"), limit=1)[0]
    assert best.score == pytest.approx(1.0, abs=0.01)
    assert best.score <= 1.0
    assert store.distances(vector_of("steel bridges"), [best.chunk])[best.chunk] == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        ((), {"/docs/proj/a.md", "/docs/project-secret/b.md", "/docs/proj", "https://h.org/p/1", "note%1", "note/1"}),
        (("/docs/proj",), {"/docs/proj/a.md", "/docs/proj"}),
        (("/docs/proj/",), {"/docs/proj/a.md"}),
        (("/docs/proj/a.md",), {"/docs/proj/a.md"}),
        (("/",), {"/docs/proj/a.md", "/docs/project-secret/b.md", "/docs/proj"}),
        (("/docs/pro",), set()),
        (("/docs/%",), set()),
        (("/docs/proj*",), set()),
        (("/DOCS/proj",), set()),
        (("https://h.org",), {"https://h.org/p/1"}),
        (("note",), {"note/1"}),
        (("note%1",), {"note%1"}),
        (("/docs/proj", "note", "/docs"), {"/docs/proj/a.md", "/docs/project-secret/b.md", "/docs/proj", "note/1"}),
    ],
)
def test_a_scope_covers_a_key_and_what_lies_under_it(store: Store, scope: tuple[str, ...], covered: set[str]) -> None:
    keys = ["/docs/proj/a.md", "/docs/project-secret/b.md", "/docs/proj", "https://h.org/p/1", "note%1", "note/1"]
    store.replace_many([entry(key, "shared words") for key in keys])
    assert {r.key for r in store.sources(tuple(map(SourceKey, scope)))} == covered
    assert set(keys_found(store, "shared", scope=scope)) == covered
    assert set(keys_near(store, "shared words", scope)) == covered


def test_a_renamed_source_keeps_its_passages_and_vectors_and_takes_its_new_title_words(store: Store) -> None:
    old = entry("/d/a.md", "alpha beta", title="Draft")
    store.replace_many([old, entry("/d/other.md", "gamma"), entry("/d/third.md", "delta")])
    cut = store.cut(SourceKey("/d/a.md"))
    assert cut is not None
    terms = terms_of(replace(cut, document=replace(cut.document, title="Final")))
    moved = FileStat(size=10, mtime_ns=5)
    store.rename(SourceKey("/d/a.md"), SourceKey("/e/b.md"), title="Final", stat=moved, terms=terms)
    assert store.source(SourceKey("/d/a.md")) is None
    assert store.source(SourceKey("/e/b.md")) == replace(
        old.record, key=SourceKey("/e/b.md"), title="Final", stat=moved
    )
    assert store.document(SourceKey("/e/b.md")) == replace(old.cut.document, title="Final")
    assert keys_found(store, "Final") == ["/e/b.md"]
    assert keys_found(store, "Draft") == []
    assert keys_found(store, "alpha") == ["/e/b.md"]
    assert keys_near(store, "Draft alpha beta")[0] == "/e/b.md"
    assert store.known_hashes(old.hashes) == set(old.hashes)


def test_a_rename_without_new_words_is_found_by_the_old(store: Store) -> None:
    store.replace(entry("/d/a.md", "alpha", title="Draft"))
    store.rename(SourceKey("/d/a.md"), SourceKey("/d/b.md"), title="Final", stat=STAT)
    assert keys_found(store, "Draft") == ["/d/b.md"]
    assert store.chunks(SourceKey("/d/b.md"), 0, 0)[0].title == "Final"


def test_a_rename_replaces_what_the_new_key_held(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "alpha"), entry("/d/b.md", "beta")])
    store.rename(SourceKey("/d/a.md"), SourceKey("/d/b.md"), title="B", stat=STAT)
    assert [r.key for r in store.sources()] == ["/d/b.md"]
    assert keys_found(store, "beta") == []
    assert keys_found(store, "alpha") == ["/d/b.md"]


def test_a_rename_of_what_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(KeyError):
        store.rename(SourceKey("/d/a.md"), SourceKey("/d/b.md"), title="B", stat=STAT)


def test_a_rename_with_too_few_words_is_refused(store: Store) -> None:
    store.replace(entry("/d/a.md", "one\ntwo"))
    short = (Terms(title=(), context=(), body=()),)
    with pytest.raises(ValueError, match=r"step|zip"):
        store.rename(SourceKey("/d/a.md"), SourceKey("/d/a.md"), title="B", stat=STAT, terms=short)


def test_a_refresh_changes_how_the_file_looks_and_nothing_else(store: Store) -> None:
    written = entry("/d/a.md")
    store.replace(written)
    store.refresh(SourceKey("/d/a.md"), FileStat(size=11, mtime_ns=12))
    store.refresh(SourceKey("/d/unknown.md"), FileStat(size=11, mtime_ns=12))
    assert store.sources() == [replace(written.record, stat=FileStat(size=11, mtime_ns=12))]


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
    store.rename(SourceKey("/d/a.md"), SourceKey("/d/b.md"), title="b", stat=STAT)
    assert store.sources() == [replace(expected, key=SourceKey("/d/b.md"), title="b")]
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


def test_counts_tell_sources_chunks_stale_and_unembedded(store: Store) -> None:
    store.replace_many(
        [
            entry("/d/a.md", "one\ntwo"),
            entry("/d/b.md", "three", fingerprint=Fingerprint(model="bag-of-words", scheme="0")),
            entry("/d/c.md", "four\nfive", identity=None),
        ]
    )
    assert store.counts(FINGERPRINT) == IndexCounts(sources=3, chunks=5, stale_chunks=1, unembedded_chunks=2)


def test_chunks_are_read_in_the_order_asked(store: Store) -> None:
    store.replace_many([entry("/d/a.md", "one\ntwo"), entry("/d/b.md", "three")])
    ids = [c.chunk for c in (*store.chunks(SourceKey("/d/b.md"), 0, 0), *store.chunks(SourceKey("/d/a.md"), 0, 1))]
    asked = [ids[2], ids[0], ChunkId(99_999), ids[1], ids[0]]
    assert [c.text for c in store.read(asked)] == ["two", "three", "one", "three"]


def test_a_source_without_chunks_is_kept(store: Store) -> None:
    empty = Cut(document=Document(text="", title="T", own_title=False, format="text"), sections=(), chunks=())
    store.replace(entry_of(empty, "/d/empty.txt"))
    assert store.cut(SourceKey("/d/empty.txt")) == empty
    assert store.counts(FINGERPRINT).sources == 1
    assert store.chunks(SourceKey("/d/empty.txt"), 0, 5) == []


def test_closing_twice_is_allowed(store: Store) -> None:
    store.replace(entry("/d/a.md"))
    store.close()
    store.close()
