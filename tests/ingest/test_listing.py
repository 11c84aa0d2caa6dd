from tests.ingest.conftest import World

from minirag_mcp.ingest.items import data_item
from minirag_mcp.ingest.listing import listing
from minirag_mcp.ingest.walk import walk
from minirag_mcp.model import SourceState
from minirag_mcp.parse.registry import SUFFIXES


def states(world: World) -> dict[str, SourceState]:
    indexer = world.indexer()
    walked = walk(world.roots, SUFFIXES, None, world.index)
    found = listing(
        walked.files,
        world.store.sources(),
        unlisted=walked.unlisted,
        fingerprint=indexer.fingerprint,
        display=world.roots.display,
    )
    assert [listed.source for listed in found] == sorted(listed.source for listed in found)
    return {listed.display_path: listed.state for listed in found}


def test_every_file_and_item_is_listed_with_how_it_stands(world: World) -> None:
    world.write("good.md", "text")
    world.write("bad.md", "")
    world.write("changed.md", "text")
    world.write("gone.md", "text")
    world.sync()
    world.indexer().index_item(data_item("text", "note", format="text"))
    world.write("changed.md", "other text")
    world.write("new.md", "text")
    (world.root / "gone.md").unlink()
    assert states(world) == {
        "good.md": SourceState.INGESTED,
        "bad.md": SourceState.FAILED,
        "changed.md": SourceState.STALE,
        "gone.md": SourceState.STALE,
        "new.md": SourceState.NOT_INGESTED,
        "note": SourceState.INGESTED,
    }


def test_a_failed_file_that_is_gone_still_says_that_it_failed(world: World) -> None:
    path = world.write("bad.md", "")
    world.sync()
    path.unlink()
    assert states(world) == {"bad.md": SourceState.FAILED}


def test_what_was_indexed_from_a_root_that_is_not_mounted_now_is_unlisted(world: World) -> None:
    path = world.write("good.md", "text")
    world.sync()
    path.unlink()
    assert states(world) == {"good.md": SourceState.UNLISTED}
