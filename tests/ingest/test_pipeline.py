from pathlib import Path

import pytest
from tests.fakes.embedder import HashedEmbedder
from tests.ingest.conftest import World

from minirag_mcp.errors import (
    CancelledError,
    MissingPathError,
    ModelError,
    OutsideRootsError,
    ParseError,
    RequestError,
    UnsupportedFormatError,
)
from minirag_mcp.ingest.items import data_item
from minirag_mcp.ingest.sync import sync
from minirag_mcp.model import SyncCounts
from minirag_mcp.parse.sandbox import Sandbox


def test_one_file_is_indexed_whole_with_its_vectors(world: World) -> None:
    path = world.write("a.md", "# Alpha\n\ntext")
    done = world.indexer().index_file(path)
    assert (done.source, done.title, done.chunk_count) == (world.key("a.md"), "Alpha", 1)
    assert world.store.counts(world.indexer().fingerprint).unembedded_chunks == 0


def test_a_file_is_parsed_again_on_request_but_known_texts_are_not_embedded_again(world: World) -> None:
    path = world.write("a.md", "# Alpha\n\ntext")
    world.indexer().index_file(path)
    world.embedder.embedded.clear()
    world.indexer().index_file(path)
    assert world.parser.parsed == ["a.md", "a.md"]
    assert world.embedder.embedded == []


def test_a_text_that_occurs_twice_is_embedded_once(world: World) -> None:
    text = "# One\n\nalpha text"
    world.write("a.md", text)
    world.write("b.md", text)
    world.sync()
    assert len(world.embedder.embedded) == 1


def test_a_file_indexed_by_hand_is_skipped_by_the_next_sync(world: World) -> None:
    world.indexer().index_file(world.write("a.md", "text"))
    assert world.counts() == SyncCounts(scanned=1, skipped=1)


def test_a_file_reached_by_a_link_is_indexed_under_the_links_name(world: World) -> None:
    path = world.write("a.md", "text")
    (world.root / "link.md").symlink_to(path)
    assert world.indexer().index_file(world.root / "link.md").source == world.key("link.md")


def test_a_failure_is_raised_and_remembered(world: World) -> None:
    path = world.write("bad.docx", b"no zip")
    with pytest.raises(ParseError) as failed:
        world.indexer().index_file(path)
    record = world.record("bad.docx")
    assert record is not None
    assert record.failure is not None
    assert record.failure[0] == failed.value.code
    assert failed.value.remedy in record.failure[1]


def test_what_may_not_or_cannot_be_read_is_not_remembered(world: World) -> None:
    indexer = world.indexer()
    outside = world.root.parent / "secret.md"
    outside.write_text("x")
    with pytest.raises(OutsideRootsError):
        indexer.index_file(outside)
    with pytest.raises(MissingPathError):
        indexer.index_file(world.root / "gone.md")
    assert world.store.sources() == []


def test_an_unsupported_file_or_a_folder_is_a_typed_error(world: World) -> None:
    with pytest.raises(UnsupportedFormatError):
        world.indexer().index_file(world.write("a.bin", "x"))
    (world.root / "folder.md").mkdir()
    with pytest.raises(RequestError):
        world.indexer().index_file(world.root / "folder.md")
    assert world.store.sources() == []


def test_without_a_model_a_single_file_or_item_is_not_half_indexed(world: World) -> None:
    world.embedder.fail_with = ModelError("no weights")
    with pytest.raises(ModelError):
        world.indexer().index_file(world.write("a.md", "x"))
    with pytest.raises(ModelError):
        world.indexer().index_item(data_item("x", "n", format="text"))
    assert world.store.sources() == []


def test_the_real_sandbox_is_a_parser(world: World) -> None:
    world.write("a.md", "# Alpha\n\ntext")
    world.write("b.txt", "plain")
    with Sandbox() as sandbox:
        indexer = world.indexer(parser=sandbox)
        assert indexer.index_file(world.root / "a.md").title == "Alpha"
        assert indexer.index_file(world.root / "b.txt").title == "b"


def test_a_closed_parser_stops_a_sync_as_cancelled(world: World) -> None:
    world.write("a.md", "x")
    sandbox = Sandbox()
    sandbox.close()
    with pytest.raises(CancelledError):
        sync(world.indexer(parser=sandbox), folder=world.index)
    assert world.store.sources() == []


def test_no_chunk_is_longer_than_what_the_model_reads(tmp_path: Path) -> None:
    world = World(root=tmp_path / "docs", index=tmp_path / "index", embedder=HashedEmbedder(window=32))
    world.write("a.md", "words of a long paragraph " * 40 + "\n\n```\n" + "line of code\n" * 25 + "```\n")
    world.sync()
    assert max(len(text.split()) for text in world.embedder.embedded) <= 30
    world.store.close()
