"""What a sync makes of files that were deleted, moved, renamed, swapped or copied."""

import shutil

from tests.ingest.conftest import World

from minirag_mcp.model import SyncCounts


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
