"""Rows that do not fit together: damage, never a crash and never an empty answer."""

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from tests.store.entries import FINGERPRINT, IDENTITY, entry, vector_of

from minirag_mcp.errors import IndexDamagedError
from minirag_mcp.model import SourceKey
from minirag_mcp.store.contract import Store
from minirag_mcp.store.database import FILE_NAME
from minirag_mcp.store.sqlite import open_store

A, B = SourceKey("/d/a.md"), SourceKey("/d/b.md")
TEXT = "\n\n".join(f"paragraph {n} alpha" for n in range(200))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an index of two sources, each of several parts and blocks."""
    folder = tmp_path_factory.mktemp("sound")
    store = open_store(folder, identity=IDENTITY)
    store.replace_many([entry(A, TEXT), entry(B, TEXT + " long" * 6_000)])
    store.close()
    return folder / FILE_NAME


@pytest.fixture
def damaged(sound: Path, tmp_path: Path) -> Callable[[str], Store]:
    def opened(statement: str) -> Store:
        shutil.copy(sound, tmp_path / FILE_NAME)
        connection = apsw.Connection(str(tmp_path / FILE_NAME))
        connection.execute(statement)
        connection.close()
        return open_store(tmp_path, identity=IDENTITY)

    return opened


def by_words(store: Store) -> object:
    found = store.read([hit.chunk for hit in store.search_terms(["paragraph", "alpha"], limit=999)])
    return found, store.sections([chunk.section_id for chunk in found])


def by_meaning(store: Store) -> object:
    return store.read([hit.chunk for hit in store.search_vector(vector_of("alpha"), limit=999)])


def in_scope(store: Store) -> object:
    return store.search_terms(["alpha"], limit=5, scope=(A,)), store.search_vector(vector_of("a"), limit=5, scope=(A,))


def listed(store: Store) -> object:
    return store.sources(), store.source(A)


def counted(store: Store) -> object:
    return store.counts(FINGERPRINT)


def whole(store: Store) -> object:
    return [store.document(key) for key in (A, B)]


def cut(store: Store) -> object:
    return [store.cut(key) for key in (A, B)]


def neighbours(store: Store) -> object:
    return [store.chunks(key, 0, 999) for key in (A, B)]


def written(store: Store) -> object:
    store.replace(entry("/d/c.md"))
    return store.delete([A])


EVERYTHING = (by_words, by_meaning, in_scope, listed, counted, whole, cut, neighbours, written)


def with_json(value: object, table: str = "part SET data") -> str:
    """The statement that puts JSON, as it is kept uncompressed, in all rows of a table."""
    return f"UPDATE {table} = x'00{json.dumps(value).encode().hex()}'"


@pytest.mark.parametrize(
    ("statement", "seen_by"),
    [
        ("DELETE FROM state", (by_words, by_meaning, counted, written)),
        ("UPDATE state SET generation = 'x', chunks = 'x', model = 'x'", (by_words, by_meaning, counted, written)),
        ("DELETE FROM part", (by_words, by_meaning, cut, neighbours)),
        ("DELETE FROM part WHERE id IN (SELECT max(id) FROM part)", (by_words, by_meaning, cut, neighbours)),
        ("DELETE FROM block", (by_words, by_meaning, whole, cut, neighbours)),
        ("DELETE FROM block WHERE id IN (SELECT max(id) FROM block)", (by_words, by_meaning, whole, cut, neighbours)),
        ("DELETE FROM document", (whole, cut)),
        ("DELETE FROM chunk", (neighbours, written)),
        ("DELETE FROM chunk WHERE id = 7", (neighbours, written)),
        ("DELETE FROM fingerprint", (listed,)),
        ("UPDATE source SET first_chunk = first_chunk + 1", (by_words, by_meaning, neighbours, written)),
        ("UPDATE source SET first_chunk = first_chunk + 100", (by_words, by_meaning, neighbours, written)),
        ("UPDATE source SET first_chunk = NULL", (in_scope, neighbours)),
        ("UPDATE source SET type = 'photograph'", (listed, by_words)),
        ("UPDATE source SET chunks = 'many'", (listed, neighbours)),
        ("UPDATE source SET failure = x'7b7d'", (listed,)),
        ("UPDATE chunk SET section = section + 1", (by_words, neighbours)),
        (with_json([]), (by_words, cut, neighbours)),
        (with_json({"a": 1}), (by_words, cut, neighbours)),
        (with_json([[[1, 2]], [[3]]]), (by_words, cut, neighbours)),
        (with_json(7), (by_words, cut, neighbours)),
        (with_json(None, "document SET head"), (whole, cut)),
        (with_json(["markdown", False, [["moon", 1, 2, 3]], []], "document SET head"), (whole, cut)),
        ("UPDATE document SET head = 7", (whole, cut)),
        ("UPDATE block SET data = 'text'", (by_words, whole)),
        ("UPDATE vector SET data = x'00'", (by_meaning,)),
    ],
)
def test_rows_that_do_not_fit_together_are_damage(
    damaged: Callable[[str], Store], statement: str, seen_by: tuple[Callable[[Store], object], ...]
) -> None:
    store = damaged(statement)
    for use in seen_by:
        with pytest.raises(IndexDamagedError) as raised:
            use(store)
        assert FILE_NAME in str(raised.value)
    for use in set(EVERYTHING) - set(seen_by):
        with suppress(IndexDamagedError):
            use(store)
    store.close()


def test_a_vector_that_is_missing_is_counted_and_made_again(damaged: Callable[[str], Store]) -> None:
    store = damaged("DELETE FROM vector WHERE id % 2")
    missing = store.counts(FINGERPRINT).unembedded_chunks
    assert missing
    texts = store.unembedded(limit=10_000)
    assert texts
    store.add_vectors({key: vector_of(text) for key, text in texts.items()})
    assert store.counts(FINGERPRINT).unembedded_chunks == 0
    assert store.unembedded(limit=1) == {}
    assert len(store.search_vector(vector_of("alpha"), limit=999)) == store.counts(FINGERPRINT).chunks
    store.close()
