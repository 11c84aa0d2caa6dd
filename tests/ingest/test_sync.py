import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fakes.store import MemoryStore
from tests.ingest.conftest import World

from minirag_mcp.errors import (
    CancelledError,
    MissingPathError,
    ModelError,
    OutsideRootsError,
    SyncBusyError,
    UnsupportedFormatError,
)
from minirag_mcp.ingest.lock import SyncLock
from minirag_mcp.ingest.sync import sync
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.model import Document, Progress, SourceKey, SourceType, SyncCounts


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


class Thief:
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


def test_a_deleted_file_is_forgotten(world: World) -> None:
    world.write("a.md", "a")
    world.write("b.md", "b").unlink()
    gone = world.write("c.md", "c")
    world.sync()
    gone.unlink()
    assert world.counts() == SyncCounts(scanned=1, skipped=1, deleted=1)
    assert world.paths() == ["a.md"]


def test_a_moved_folder_keeps_its_entries_without_parsing_or_embedding(world: World) -> None:
    for number in range(4):
        world.write(f"old/{number}.md", f"some text {number}")
    world.sync()
    world.parser.parsed.clear()
    world.embedder.embedded.clear()
    (world.root / "old").rename(world.root / "new")
    assert world.counts() == SyncCounts(scanned=4, moved=4)
    assert world.paths() == [f"new/{number}.md" for number in range(4)]
    assert (world.parser.parsed, world.embedder.embedded) == ([], [])
    assert world.counts() == SyncCounts(scanned=4, skipped=4)


def test_a_renamed_file_with_a_title_of_its_own_is_not_embedded_again(world: World) -> None:
    path = world.write("a.md", "# The Storage Manual\n\nHow to store.")
    world.sync()
    world.embedder.embedded.clear()
    path.rename(world.root / "manual.md")
    assert world.counts() == SyncCounts(scanned=1, moved=1)
    assert world.paths() == ["manual.md"]
    assert world.embedder.embedded == []


def test_a_renamed_file_takes_its_new_name_as_title(world: World) -> None:
    path = world.write("first plan.txt", "some text")
    world.sync()
    path.rename(world.root / "second plan.txt")
    world.sync()
    record = world.record("second plan.txt")
    assert record is not None
    assert record.title == "second plan"


def test_files_that_swap_names_are_told_apart_and_not_embedded_again(world: World) -> None:
    first = world.write("a.md", "# One\n\nalpha text")
    second = world.write("b.md", "# Two\n\nbravo text")
    world.sync()
    world.embedder.embedded.clear()
    first.rename(world.root / "x")
    second.rename(first)
    (world.root / "x").rename(second)
    world.sync()
    assert (world.text("a.md"), world.text("b.md")) == ("# Two\n\nbravo text", "# One\n\nalpha text")
    assert world.embedder.embedded == []


def test_a_copied_file_is_indexed_without_being_embedded_again(world: World) -> None:
    path = world.write("a.md", "# One\n\nalpha text")
    world.sync()
    world.embedder.embedded.clear()
    shutil.copy(path, world.root / "copy.md")
    assert world.counts().ingested == 1
    assert world.embedder.embedded == []


def test_equal_files_that_move_at_once_are_matched_one_to_one(world: World) -> None:
    for folder in ("a", "b", "c"):
        world.write(f"{folder}/same.md", "same text")
    world.sync()
    for folder in ("a", "b"):
        (world.root / folder).rename(world.root / f"{folder}-moved")
    shutil.rmtree(world.root / "c")
    assert world.counts() == SyncCounts(scanned=2, moved=2, deleted=1)
    assert world.paths() == ["a-moved/same.md", "b-moved/same.md"]


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

    report = sync(world.indexer(parser=Thief(world, replace_by_pipe)), folder=world.index)
    assert report.counts == SyncCounts(scanned=2, ingested=1, unreadable=1)
    record = world.record("z.md")
    assert record is not None
    assert record.failure is not None
    path.unlink()
    path.write_text("text")
    assert world.counts() == SyncCounts(scanned=2, ingested=1, skipped=1)


def test_a_missing_root_keeps_its_entries_and_says_so(world: World) -> None:
    other = world.root.parent / "drive"
    other.mkdir()
    (other / "x.md").write_text("on the drive")
    world.write("a.md", "a")
    world.others = (other,)
    world.sync()
    other.rename(world.root.parent / "unplugged")
    report = world.sync()
    assert report.counts == SyncCounts(scanned=1, skipped=1)
    assert report.unlisted == (str(other),)
    other.mkdir()  # an empty mount point looks like this
    report = world.sync()
    assert report.counts.deleted == 0
    assert report.unlisted == (str(other),)
    assert world.store.source(SourceKey(str(other / "x.md"))) is not None


def test_a_root_where_the_last_document_was_deleted_is_not_an_empty_one(world: World) -> None:
    world.write("picture.png", "x")
    path = world.write("a.md", "a")
    world.sync()
    path.unlink()
    assert world.counts() == SyncCounts(deleted=1)


def test_entries_of_roots_that_are_not_configured_now_are_left_alone(world: World) -> None:
    other = world.root.parent / "other"
    other.mkdir()
    (other / "x.md").write_text("x")
    world.others = (other,)
    world.sync()
    world.others = ()
    assert world.counts() == SyncCounts()
    assert world.store.source(SourceKey(str(other / "x.md"))) is not None


def test_a_sync_of_one_folder_leaves_the_others_alone(world: World) -> None:
    world.write("a/1.md", "1")
    world.write("b/2.md", "2")
    world.sync()
    (world.root / "a" / "1.md").unlink()
    (world.root / "b" / "2.md").unlink()
    world.write("a/3.md", "3")
    assert world.counts("a") == SyncCounts(scanned=1, ingested=1, deleted=1)
    assert world.paths() == ["a/3.md", "b/2.md"]


def test_a_sync_of_one_file_looks_at_it_alone(world: World) -> None:
    world.write("a.md", "a")
    world.write("b.md", "b")
    assert world.counts("a.md") == SyncCounts(scanned=1, ingested=1)
    assert world.paths() == ["a.md"]


def test_a_sync_of_a_folder_that_is_gone_forgets_it(world: World) -> None:
    world.write("a/1.md", "1")
    world.write("b.md", "b")
    world.sync()
    shutil.rmtree(world.root / "a")
    assert world.counts("a") == SyncCounts(deleted=1)
    assert world.paths() == ["b.md"]


def test_a_sync_of_a_path_that_never_was_is_an_error(world: World) -> None:
    world.write("a.md", "a")
    with pytest.raises(MissingPathError):
        world.sync("nowhere")
    with pytest.raises(OutsideRootsError):
        world.sync("..")
    world.write("a.bin", "a")
    with pytest.raises(UnsupportedFormatError):
        world.sync("a.bin")


def test_verification_finds_nothing_to_do_when_nothing_changed(world: World) -> None:
    world.write("a.md", "a")
    world.sync()
    assert world.sync(verify=True).counts == SyncCounts(scanned=1, skipped=1)


def test_a_change_of_the_cutting_scheme_indexes_everything_again_but_embeds_only_new_texts(world: World) -> None:
    world.write("short.md", "# Short\n\nfew words")
    world.write("long.md", "# Long\n\n" + "many words here " * 60)
    world.sync()
    world.embedder.embedded.clear()
    indexer = world.indexer(budget=40)
    assert sync(indexer, folder=world.index).counts == SyncCounts(scanned=2, ingested=2)
    assert world.store.counts(indexer.fingerprint).stale_chunks == 0
    assert all("few words" not in text for text in world.embedder.embedded)


def test_progress_begins_when_the_lock_is_held_and_ends_complete(world: World) -> None:
    for number in range(3):
        world.write(f"{number}.md", f"text {number}")
    seen: list[Progress] = []
    sync(world.indexer(), folder=world.index, progress=seen.append)
    assert seen[0] == Progress(done=0, total=0)
    files = [step for step in seen if step.current.endswith(".md")]
    assert [step.done for step in files] == [1, 2, 3]
    assert {step.total for step in files} == {3}
    assert seen[-1].current == "vectors"
    with SyncLock(world.index), pytest.raises(SyncBusyError):
        sync(world.indexer(), folder=world.index, progress=seen.append)
    assert seen[-1].current == "vectors"


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


@pytest.mark.usefixtures("one_at_a_time")
def test_a_file_that_vanishes_before_it_is_read_leaves_no_trace(world: World) -> None:
    world.write("a.md", "a")
    later = world.write("z.md", "z")

    report = sync(world.indexer(parser=Thief(world, later.unlink)), folder=world.index)
    assert report.counts == SyncCounts(scanned=2, ingested=1, unreadable=1)
    assert [failure.code for failure in report.failures] == ["path_not_found"]
    assert world.paths() == ["a.md"]


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
    from minirag_mcp.ingest.items import data_item

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
