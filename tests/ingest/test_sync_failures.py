"""What a sync makes of files that cannot be parsed or read."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.ingest.conftest import World

from minirag_mcp.errors import StoreError
from minirag_mcp.ingest.sync import sync
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.model import Document, SyncCounts


class InterferingParser:
    """A parser during whose first file something happens on the disk, before any other file is read."""

    def __init__(self, world: World, act: Callable[[], None]) -> None:
        self._world = world
        self._act: Callable[[], None] | None = act

    def parse(self, data: bytes, *, name: str, title: str | None = None, stem: str | None = None) -> Document:
        if self._act is not None:
            self._act()
            self._act = None
        return self._world.parser.parse(data, name=name, title=title, stem=stem)


@pytest.fixture
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minirag_mcp.ingest.pipeline.AHEAD", 1)


def test_one_file_that_cannot_be_parsed_costs_only_itself(world: World) -> None:
    world.write("bad.docx", b"this is no zip")
    world.write("empty.md", "")
    world.write("good.md", "good text")
    report = world.sync()
    assert report.counts == SyncCounts(scanned=3, ingested=1, failed=2)
    assert [(Path(failure.source).name, failure.code) for failure in report.failures] == [
        ("bad.docx", report.failures[0].code),
        ("empty.md", "empty_file"),
    ]
    assert all(len(failure.message.split(".")) > 1 for failure in report.failures)
    assert world.store.search_terms(terms("good"), limit=5)


@pytest.mark.usefixtures("at_rest")
def test_a_failed_file_is_not_parsed_at_every_sync_but_is_always_reported(world: World) -> None:
    world.write("bad.docx", b"this is no zip")
    first = world.sync()
    world.parser.parsed.clear()
    again = world.sync()
    assert world.parser.parsed == []
    assert (again.counts, again.failures) == (first.counts, first.failures)


def test_a_failed_file_that_only_looks_different_is_not_parsed_again(world: World) -> None:
    path = world.write("bad.docx", b"this is no zip")
    first = world.sync()
    world.parser.parsed.clear()
    os.utime(path)
    assert world.sync() == first
    assert world.parser.parsed == []


def test_a_failed_file_that_was_repaired_is_indexed(world: World) -> None:
    world.write("a.md", "")
    world.sync()
    world.write("a.md", "text at last")
    assert world.counts() == SyncCounts(scanned=1, ingested=1)
    assert world.record("a.md").failure is None  # type: ignore[union-attr]


def test_a_file_that_breaks_keeps_what_was_indexed_of_it(world: World) -> None:
    world.write("a.md", "the good text")
    world.sync()
    world.write("a.md", "")
    assert world.counts() == SyncCounts(scanned=1, failed=1)
    assert world.text("a.md") == "the good text"


def test_a_file_over_the_limit_fails_and_is_indexed_once_the_limit_is_raised(world: World) -> None:
    world.write("a.md", "x " * 100)
    small, large = world.indexer(limit=10), world.indexer()
    report = sync(small, folder=world.index)
    assert [failure.code for failure in report.failures] == ["file_too_large"]
    assert sync(large, folder=world.index).counts == SyncCounts(scanned=1, ingested=1)


def test_a_file_that_becomes_a_link_to_another_has_the_others_text(world: World) -> None:
    path = world.write("a.md", "text")
    world.sync()
    path.unlink()
    path.symlink_to(world.root / "b.md")
    world.write("b.md", "text b")
    world.sync()
    assert world.text("a.md") == "text b"


def test_a_file_that_cannot_be_read_is_reported_and_tried_again(world: World) -> None:
    path = world.write("a.md", "text")
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    path.chmod(0)
    assert world.counts() == SyncCounts(scanned=1, unreadable=1)
    path.chmod(0o644)
    assert world.counts() == SyncCounts(scanned=1, ingested=1)


@pytest.mark.usefixtures("one_at_a_time")
def test_a_file_replaced_by_a_pipe_before_it_is_read_is_unreadable_and_tried_again(world: World) -> None:
    path = world.write("z.md", "text")
    world.write("a.md", "text")

    def replace_by_pipe() -> None:
        path.unlink()
        os.mkfifo(path)

    report = sync(world.indexer(parser=InterferingParser(world, replace_by_pipe)), folder=world.index)
    assert report.counts == SyncCounts(scanned=2, ingested=1, unreadable=1)
    record = world.record("z.md")
    assert record is not None
    assert record.failure is not None
    path.unlink()
    path.write_text("text")
    assert world.counts() == SyncCounts(scanned=2, ingested=1, skipped=1)


@pytest.mark.usefixtures("one_at_a_time")
def test_a_file_that_vanishes_before_it_is_read_leaves_no_trace(world: World) -> None:
    world.write("a.md", "a")
    later = world.write("z.md", "z")

    report = sync(world.indexer(parser=InterferingParser(world, later.unlink)), folder=world.index)
    assert report.counts == SyncCounts(scanned=2, ingested=1, unreadable=1)
    assert [failure.code for failure in report.failures] == ["path_not_found"]
    assert world.paths() == ["a.md"]


@pytest.mark.usefixtures("one_at_a_time")
def test_a_sync_whose_index_is_deleted_meanwhile_fails_and_the_next_one_does_it_all(world: World) -> None:
    world.write("old.md", "old text")
    world.sync()
    for name in ("a.md", "b.md"):
        world.write(name, f"text of {name}")
    parser = InterferingParser(world, lambda: shutil.rmtree(world.index))
    with pytest.raises(StoreError, match="deleted or exchanged"):
        sync(world.indexer(parser=parser), folder=world.index)
    assert world.counts() == SyncCounts(scanned=3, ingested=3)
