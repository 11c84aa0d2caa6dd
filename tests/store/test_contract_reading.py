"""What every store must give back. Each test runs on the store in memory and the SQLite one."""

import pytest
from tests.store.entries import (
    FINGERPRINT,
    entry,
    entry_of,
    vector_of,
)
from tests.store.indexes import Index, keys_found

from minirag_mcp.model import (
    Chunk,
    ChunkId,
    Cut,
    Document,
    Fingerprint,
    IndexCounts,
    Section,
    SectionId,
    SectionKind,
    SourceKey,
    Span,
)
from minirag_mcp.store.contract import Store


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


def test_sections_come_in_the_order_asked(store: Store) -> None:
    for name in "abcd":
        store.replace(entry(f"/d/{name}.md", f"text of {name}"))
    ids = [store.chunks(SourceKey(f"/d/{name}.md"), 0, 0)[0].section_id for name in "cadb"]
    assert list(store.sections(ids)) == ids


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


def test_one_section_is_read_with_the_names_of_its_source(store: Store) -> None:
    assert store.section(SectionId("1:0")) is None
    store.replace_many([entry("/d/a.md", "one\ntwo"), entry("/d/b.md", "three")])
    chunk = store.chunks(SourceKey("/d/b.md"), 0, 0)[0]
    found = store.section(chunk.section_id)
    assert found is not None
    assert (found.source, found.source_type, found.title) == (chunk.source, chunk.source_type, chunk.title)
    assert (found.headings, found.text) == (chunk.headings, "three")
    assert found.section_id == chunk.section_id


def test_section_ids_of_a_former_version_lead_nowhere(store: Store) -> None:
    store.replace(entry("/d/a.md", "old words"))
    former = store.chunks(SourceKey("/d/a.md"), 0, 0)[0].section_id
    store.replace(entry("/d/a.md", "new words"))
    assert store.sections([former]) == {}
    assert store.section(former) is None


@pytest.mark.parametrize("wrong", ["", ":", "1", "1:", ":0", "a:b", "1:0:0", "01:0", "1:99", "-1:0", "9" * 40 + ":0"])
def test_what_is_no_section_id_is_no_section(store: Store, wrong: str) -> None:
    store.replace(entry("/d/a.md", "words"))
    assert store.sections([SectionId(wrong)]) == {}
    assert store.section(SectionId(wrong)) is None


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
