"""What every store must find. Each test runs on the store in memory and the SQLite one."""

from dataclasses import replace

import pytest
from tests.store.entries import (
    cut_by_line,
    entry,
    entry_of,
    vector_of,
)
from tests.store.indexes import keys_found, keys_near

from minirag_mcp.model import (
    Document,
    SourceKey,
    Terms,
)
from minirag_mcp.store.contract import Store


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
