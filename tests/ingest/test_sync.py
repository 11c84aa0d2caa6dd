"""What a sync indexes, what it leaves alone, and how it ends."""

import os

import pytest
from tests.fakes.store import MemoryStore
from tests.ingest.conftest import World

from minirag_mcp.errors import (
    CancelledError,
    ModelError,
    SyncBusyError,
)
from minirag_mcp.ingest.items import data_item
from minirag_mcp.ingest.lock import SyncLock
from minirag_mcp.ingest.sync import sync
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.model import Progress, SourceKey, SourceType, Stage, SyncCounts


def test_a_first_sync_indexes_every_document_with_words_and_vectors(world: World) -> None:
    world.write("a.md", "# Alpha\n\nThe first letter.")
    world.write("sub/b.txt", "The second letter.")
    world.write("c.bin", "no document")
    assert world.counts() == SyncCounts(scanned=2, ingested=2)
    assert world.paths() == ["a.md", "sub/b.txt"]
    counts = world.store.counts(world.indexer().fingerprint)
    assert (counts.sources, counts.stale_chunks, counts.unembedded_chunks) == (2, 0, 0)
    assert world.store.search_terms(terms("second"), limit=5)


@pytest.mark.usefixtures("at_rest")
def test_a_second_sync_reads_and_embeds_nothing(world: World) -> None:
    for number in range(5):
        world.write(f"{number}.md", f"# Note {number}\n\ntext {number}")
    world.sync()
    world.parser.parsed.clear()
    world.embedder.embedded.clear()
    assert world.counts() == SyncCounts(scanned=5, skipped=5)
    assert (world.parser.parsed, world.embedder.embedded) == ([], [])


def test_a_file_written_in_the_same_tick_as_it_was_indexed_is_not_missed(world: World) -> None:
    path = world.write("a.md", "one one one")
    world.sync()
    before = path.stat()
    path.write_text("two two two")  # same size; the file system may not have ticked
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert world.counts() == SyncCounts(scanned=1, ingested=1)
    assert world.text("a.md") == "two two two"


@pytest.mark.usefixtures("at_rest")
def test_a_change_that_keeps_size_and_date_is_seen(world: World) -> None:
    path = world.write("a.md", "one one one")
    old = (10**18, 10**18)
    os.utime(path, ns=old)
    world.sync()
    path.write_text("two two two")
    os.utime(path, ns=old)
    assert world.counts().ingested == 1


@pytest.mark.usefixtures("at_rest")
def test_a_touched_file_is_read_but_not_indexed_again(world: World) -> None:
    path = world.write("a.md", "text")
    world.sync()
    os.utime(path)
    world.parser.parsed.clear()
    assert world.counts() == SyncCounts(scanned=1, skipped=1)
    assert world.parser.parsed == []
    assert sync_reads(world) == []


def sync_reads(world: World) -> list[str]:
    """The files that a sync now would look into."""
    seen: list[str] = []
    sync(world.indexer(), folder=world.index, progress=lambda step: seen.append(step.current))
    return [current for current in seen if current]


def test_a_changed_file_embeds_only_what_changed(world: World) -> None:
    sections = [f"## Part {number}\n\n" + f"word{number} " * 60 for number in range(6)]
    world.write("a.md", "# Title\n\n" + "\n\n".join(sections))
    world.sync()
    world.embedder.embedded.clear()
    sections[3] = "## Part 3\n\n" + "fresh " * 60
    world.write("a.md", "# Title\n\n" + "\n\n".join(sections))
    world.sync()
    assert world.embedder.embedded
    assert all("fresh" in text for text in world.embedder.embedded)


def test_a_change_of_the_cutting_scheme_indexes_everything_again_but_embeds_only_new_texts(world: World) -> None:
    world.write("short.md", "# Short\n\nfew words")
    world.write("long.md", "# Long\n\n" + "many words here " * 60)
    world.sync()
    world.embedder.embedded.clear()
    indexer = world.indexer(budget=40)
    assert sync(indexer, folder=world.index).counts == SyncCounts(scanned=2, ingested=2)
    assert world.store.counts(indexer.fingerprint).stale_chunks == 0
    assert all("few words" not in text for text in world.embedder.embedded)


def test_a_change_of_the_cutting_scheme_parses_nothing_again(world: World) -> None:
    path = world.write("long.md", "# Long\n\n" + "many words here " * 60)
    world.sync()
    path.write_bytes(path.read_bytes())
    world.parser.parsed.clear()
    sync(world.indexer(budget=40), folder=world.index)
    assert world.parser.parsed == []
    cut = world.store.cut(world.key("long.md"))
    assert cut is not None
    assert cut.document.title == "Long"
    assert len(cut.chunks) > 3


def test_a_change_of_the_parser_parses_everything_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.write("a.md", "# Alpha\n\nThe first letter.")
    world.sync()
    world.parser.parsed.clear()
    monkeypatch.setattr("minirag_mcp.ingest.fingerprint.PARSE_VERSION", "next")
    assert world.counts().ingested == 1
    assert world.parser.parsed == ["a.md"]


def test_what_is_no_file_is_cut_again_too_when_the_scheme_changes(world: World) -> None:
    world.indexer().index_item(data_item("many words here " * 60, "note", format="text"))
    world.embedder.embedded.clear()
    indexer = world.indexer(budget=40)
    before = world.store.counts(indexer.fingerprint)
    assert before.stale_chunks == before.chunks > 0
    assert sync(indexer, folder=world.index).counts == SyncCounts()
    after = world.store.counts(indexer.fingerprint)
    assert (after.stale_chunks, after.unembedded_chunks) == (0, 0)
    assert after.chunks > before.chunks
    assert sync(indexer, folder=world.index, start=world.root).counts == SyncCounts()


def test_progress_begins_when_the_lock_is_held_and_ends_complete(world: World) -> None:
    for number in range(3):
        world.write(f"{number}.md", f"text {number}")
    seen: list[Progress] = []
    sync(world.indexer(), folder=world.index, progress=seen.append)
    assert seen[0] == Progress(done=0, total=0)
    files = [step for step in seen if step.current.endswith(".md")]
    assert [step.done for step in files] == [1, 2, 3]
    assert {step.total for step in files} == {3}
    assert [(step.done, step.total) for step in seen if step.stage is Stage.VECTORS] == [(0, 3), (3, 3)]
    assert [step.stage for step in seen] == sorted(step.stage for step in seen)
    with SyncLock(world.index), pytest.raises(SyncBusyError):
        sync(world.indexer(), folder=world.index, progress=seen.append)
    assert seen[-1].stage is Stage.VECTORS


def test_each_step_of_a_sync_carries_what_was_done_so_far(world: World) -> None:
    world.write("a.md", "text a")
    world.write("b.md", "")
    world.write("gone.md", "text gone")
    world.sync()
    (world.root / "gone.md").unlink()
    world.write("c.md", "text c")
    world.write("d.docx", "no archive")
    seen: list[Progress] = []
    report = sync(world.indexer(), folder=world.index, progress=seen.append)
    reports = [step.report for step in seen if step.report is not None]
    ingested = [one.counts.ingested for one in reports]
    failed = [one.counts.failed for one in reports]
    assert (ingested, failed) == (sorted(ingested), sorted(failed))
    assert {one.counts.scanned for one in reports} == {4}
    assert all(len(one.failures) == one.counts.failed for one in reports)
    assert reports[-1] == report
    assert report.counts == SyncCounts(scanned=4, ingested=1, skipped=1, deleted=1, failed=2)


@pytest.mark.usefixtures("at_rest")
def test_progress_counts_what_there_is_to_do_and_texts_that_repeat_once_each(world: World) -> None:
    for number in range(4):
        world.write(f"{number}.md", f"text {number}")
    world.sync()
    for number in range(3):
        world.write(f"copy-{number}.txt", "the same text")
    seen: list[Progress] = []
    sync(world.indexer(), folder=world.index, progress=seen.append)
    ends = {stage: [step for step in seen if step.stage is stage][-1] for stage in Stage}
    assert {stage: (step.done, step.total) for stage, step in ends.items()} == {
        Stage.FILES: (3, 3),
        Stage.VECTORS: (3, 3),
    }


def test_a_cancelled_sync_keeps_what_was_done_and_the_next_one_finishes(world: World) -> None:
    for number in range(30):
        world.write(f"{number:02}.md", f"text {number}")
    done: list[str] = []
    with pytest.raises(CancelledError):
        sync(
            world.indexer(),
            folder=world.index,
            progress=lambda step: done.append(step.current),
            cancelled=lambda: len(world.parser.parsed) >= 10,
        )
    kept = len(world.store.sources())
    assert 0 < kept < 30
    counts = world.counts()
    assert (counts.ingested, counts.skipped) == (30 - kept, kept)
    assert world.store.counts(world.indexer().fingerprint).unembedded_chunks == 0


def test_without_a_model_the_words_are_indexed_and_the_vectors_follow_later(world: World) -> None:
    world.write("a.md", "searchable words")
    world.embedder.fail_with = ModelError("no weights")
    with pytest.raises(ModelError):
        world.sync()
    assert world.store.search_terms(terms("searchable"), limit=5)
    world.embedder.fail_with = None
    assert world.counts() == SyncCounts(scanned=1, skipped=1)
    assert len(world.embedder.embedded) == 1


def test_names_that_are_no_text_are_indexed_and_found_again(world: World) -> None:
    raw = os.fsencode(world.root) + b"/\xff report.txt"
    try:
        with open(raw, "wb") as file:  # noqa: PTH123 - a path of bytes
            file.write(b"some text")
    except OSError:
        pytest.skip("this file system takes only text")
    assert world.counts() == SyncCounts(scanned=1, ingested=1)
    assert world.counts() == SyncCounts(scanned=1, skipped=1)
    (record,) = world.store.sources()
    assert record.title == "\ufffd report"


def test_data_sources_outlive_every_sync(world: World) -> None:
    world.indexer().index_item(data_item("some text", "note", format="text"))
    world.sync()
    kept = world.store.source(SourceKey("note"))
    assert kept is not None
    assert kept.source_type is SourceType.DATA


def test_many_files_are_written_in_groups(world: World) -> None:
    sizes: list[int] = []

    class Watched(MemoryStore):
        def replace_many(self, entries) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
            found = list(entries)
            sizes.append(len(found))
            super().replace_many(found)

    for number in range(150):
        world.write(f"{number}.md", f"text {number}")
    world.store = Watched(identity=world.embedder.identity)
    world.sync()
    assert sum(sizes) == 150
    assert len(sizes) < 50
