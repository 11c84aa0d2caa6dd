"""Which entries a sync is about: missing roots, former roots, one folder, one file."""

import shutil

import pytest
from tests.ingest.conftest import World

from minirag_mcp.errors import (
    MissingPathError,
    OutsideRootsError,
    UnsupportedFormatError,
)
from minirag_mcp.model import SourceKey, SyncCounts


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
