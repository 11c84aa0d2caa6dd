"""Vectors as int8: near enough to the exact order, and in step with the index however it got there."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.store.entries import IDENTITY, STAT, entry, vector_of

from minirag_mcp.model import ModelIdentity, SourceKey
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store
from minirag_mcp.store.vectors import quantised, segment

DIMENSION = 384


def unit_rows(count: int, seed: int) -> npt.NDArray[np.float32]:
    """Rows around a common direction, as sentence models make them: cosines between .6 and .9."""
    numbers = np.random.default_rng(seed)
    rows = numbers.standard_normal((count, DIMENSION)) + 1.8 * np.random.default_rng(1).standard_normal(DIMENSION)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_int8_rows_keep_the_order_of_the_nearest() -> None:
    rows, questions = unit_rows(3000, 2), unit_rows(40, 3)
    kept = segment([quantised(row, DIMENSION) for row in rows], DIMENSION)
    found = 0
    for question in questions:
        exact, near = rows @ question, kept.cosines(question)
        assert np.abs(exact - near).max() < 0.002
        found += len(set(np.argsort(-exact)[:50]) & set(np.argsort(-near)[:50]))
    assert found / (50 * len(questions)) >= 0.97


def test_no_cosine_passes_one_and_a_zero_row_is_near_nothing() -> None:
    rows = unit_rows(200, 4)
    kept = segment([quantised(row, DIMENSION) for row in rows], DIMENSION)
    assert max(float(kept.cosines(row).max()) for row in rows) <= 1.0
    zero = segment([quantised(np.zeros(DIMENSION, dtype=np.float32), DIMENSION)], DIMENSION)
    assert zero.cosines(rows[0]).tolist() == [0.0]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path, identity=IDENTITY)
    yield store
    store.close()


def assert_in_step(store: Store, folder: Path, identity: ModelIdentity = IDENTITY) -> None:
    """The store's search equals that of one that loads everything anew."""
    fresh = open_store(folder, identity=identity)
    question = vector_of("w1 w2 w3")
    assert store.search_vector(question, limit=40) == fresh.search_vector(question, limit=40)
    everything = store.search_vector(question, limit=10**6)
    assert everything == fresh.search_vector(question, limit=10**6)
    assert len(everything) == sum(r.chunk_count for r in store.sources())
    fresh.close()


def text(choice: random.Random, lines: int) -> str:
    return "\n".join(" ".join(f"w{choice.randrange(40)}" for _ in range(4)) for _ in range(lines))


def test_a_scan_that_followed_many_changes_is_the_one_loaded_anew(store: Store, tmp_path: Path) -> None:
    choice = random.Random(5)  # noqa: S311 - a seed, not a secret
    writer = open_store(tmp_path, identity=IDENTITY)
    for step in range(90):
        key = f"/d/{choice.randrange(12)}.md"
        if choice.random() < 0.2:
            writer.delete([SourceKey(key)])
        else:
            writer.replace(entry(key, text(choice, choice.randrange(1, 6))))
        store.search_vector(vector_of("w1"), limit=3)
        if step % 30 == 29:
            assert_in_step(store, tmp_path)
    writer.close()


def test_vectors_that_followed_late_are_in_the_scan(store: Store, tmp_path: Path) -> None:
    choice = random.Random(6)  # noqa: S311 - a seed, not a secret
    for n in range(4):
        store.replace(entry(f"/d/{n}.md", text(choice, 8), identity=None))
    assert store.search_vector(vector_of("w1"), limit=3) == []
    while waiting := store.unembedded(limit=5):
        store.add_vectors({text_hash: vector_of(words) for text_hash, words in waiting.items()})
        assert store.search_vector(vector_of("w1"), limit=3)
        store.replace(entry(f"/e/{len(waiting)}.md", text(choice, 2)))
    assert_in_step(store, tmp_path)


def test_a_reader_far_behind_loads_anew(store: Store, tmp_path: Path) -> None:
    store.replace(entry("/d/a.md", "w1 w2"))
    store.search_vector(vector_of("w1"), limit=3)
    writer = open_store(tmp_path, identity=IDENTITY)
    writer.replace(entry("/d/a.md", "w3 w4\nw5"))
    for _ in range(1001):
        writer.refresh(SourceKey("/d/a.md"), STAT, content_hash="ab")
    writer.close()
    assert_in_step(store, tmp_path)


def test_rows_of_texts_that_went_do_not_pile_up(store: Store, tmp_path: Path) -> None:
    for n in range(9):
        lines = "\n".join(f"w{m} v{n}" for m in range(600))
        store.replace(entry("/d/a.md", lines))
        assert len(store.search_vector(vector_of("w1"), limit=10**6)) == 600
    held = store._vectors()._held  # type: ignore[attr-defined]
    assert sum(len(part.rows) for part in held.scan.segments) <= 4096 + 2 * 600
    assert_in_step(store, tmp_path)
