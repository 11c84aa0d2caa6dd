"""What a Library promises whatever shell drives it: the boundary, the targets, the life of an index."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import MissingPathError, OutsideRootsError, RequestError, SourceNotFoundError, StoreError
from minirag_mcp.model import SourceState, SyncState
from tests.fakes.embedder import HashedEmbedder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "pump.md").write_text("# Pump manual\n\nError E42 means that the inlet valve is blocked.\n", "utf-8")
    return root


def opened(root: Path, index: Path) -> Library:
    settings = Settings(roots=(root,), db_path=index, cache_dir=index.parent / "cache")
    return Library(settings, embedder=HashedEmbedder())


@pytest.fixture
def library(folder: Path, tmp_path: Path) -> Iterator[Library]:
    with opened(folder, tmp_path / "index") as library:
        library.sync()
        yield library


def test_a_synced_folder_answers_with_a_citation(library: Library) -> None:
    best = library.query("what does E42 mean").passages[0]
    assert "inlet valve is blocked" in best.text
    assert str(best.citation) == "pump.md · Pump manual · lines 1–3"


def test_a_document_is_read_back_exactly(library: Library, folder: Path) -> None:
    assert library.read(file_path=folder / "pump.md").text == (folder / "pump.md").read_text("utf-8")


def test_a_source_may_be_named_as_it_is_displayed(library: Library, folder: Path) -> None:
    assert library.read(source="pump.md").source == str(folder / "pump.md")


def test_a_file_that_vanished_is_still_named_as_it_was_displayed(library: Library, folder: Path) -> None:
    (folder / "pump.md").unlink()
    assert library.read(source="pump.md").source == str(folder / "pump.md")
    assert library.delete(source="pump.md").deleted_chunks == 1


def test_files_of_roots_no_longer_configured_are_not_shown(library: Library, folder: Path, tmp_path: Path) -> None:
    library.ingest_data("The code E42 is retired.", "note", format="text")
    other = tmp_path / "other"
    other.mkdir()
    (other / "pump.txt").write_text("E42 is also the name of a road.", "utf-8")
    with opened(other, tmp_path / "index") as narrow:
        narrow.sync()
        answer = narrow.query("E42")
        assert {passage.source for passage in answer.passages} == {"note", str(other / "pump.txt")}
        assert any("outside the configured roots" in notice for notice in answer.notices)
        assert [listed.source for listed in narrow.list_files().files] == sorted([str(other / "pump.txt"), "note"])
        for source in (str(folder / "pump.md"),):
            with pytest.raises(OutsideRootsError):
                narrow.read(source=source)
            with pytest.raises(OutsideRootsError):
                narrow.delete(source=source)


def test_neighbors_stop_at_the_ends_and_say_so(library: Library, folder: Path) -> None:
    around = library.read_neighbors(0, file_path=folder / "pump.md", before=3, after=3)
    assert (around.at_start, around.at_end) == (True, True)


@pytest.mark.parametrize(("index", "before"), [(-1, 1), (99, 1), (0, -1), (0, 51)])
def test_neighbors_that_cannot_be_are_refused(library: Library, index: int, before: int) -> None:
    with pytest.raises(RequestError):
        library.read_neighbors(index, source="pump.md", before=before)


@pytest.mark.parametrize(("path", "source"), [(None, None), (Path("/a"), "a")])
def test_a_target_is_one_thing(library: Library, path: Path | None, source: str | None) -> None:
    with pytest.raises(RequestError, match="not both"):
        library.read(file_path=path, source=source)


def test_what_is_not_indexed_is_not_read(library: Library, folder: Path) -> None:
    (folder / "new.md").write_text("new", "utf-8")
    with pytest.raises(SourceNotFoundError):
        library.read(file_path=folder / "new.md")
    with pytest.raises(SourceNotFoundError):
        library.delete(source="nothing of that name")


def test_a_file_that_failed_says_why_when_it_is_read(library: Library, folder: Path) -> None:
    (folder / "broken.docx").write_bytes(b"this is no zip archive")
    assert library.sync().counts.failed == 1
    with pytest.raises(SourceNotFoundError, match=r"broken\.docx"):
        library.read(source="broken.docx")
    assert library.list_files(scope=["broken.docx"]).files[0].state is SourceState.FAILED


def test_a_scope_that_matches_nothing_is_told_by_a_list_and_by_a_query(library: Library) -> None:
    listed, answer = library.list_files(scope=["nowhere"]), library.query("valve", scope=["nowhere"])
    assert (listed.files, answer.passages) == ((), ())
    for notices in (listed.notices, answer.notices):
        assert "under the scope nowhere" in notices[0]


def test_a_list_of_nothing_says_that_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    with opened(tmp_path / "docs", tmp_path / "index") as library:
        assert "No supported file" in library.list_files().notices[0]


@pytest.mark.parametrize("name", [".hidden.md", ".git/notes.md", "a/.b/c.md", "~$plan.docx"])
def test_a_hidden_file_is_refused_by_name_and_not_dropped_later(library: Library, folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("the valve", "utf-8")
    hidden = next(part for part in Path(name).parts if part.startswith((".", "~$")))
    works: list[Callable[[Path], object]] = [library.ingest_file, library.sync, library.start_sync]
    for work in works:
        with pytest.raises(RequestError, match=f"name {re.escape(hidden)} is hidden"):
            work(folder / name)
    assert [listed.display_path for listed in library.list_files().files] == ["pump.md"]


def test_a_root_may_be_hidden_itself(tmp_path: Path) -> None:
    root = tmp_path / ".notes"
    root.mkdir()
    (root / "a.md").write_text("the valve", "utf-8")
    settings = Settings(roots=(tmp_path, root), db_path=tmp_path / "index", cache_dir=tmp_path)
    with Library(settings, embedder=HashedEmbedder()) as library:
        assert library.ingest_file(root / "a.md").chunk_count == 1
        assert library.sync(root).counts.skipped == 1
        assert library.sync().counts.skipped == 1


def test_a_missing_file_is_not_ingested(library: Library, folder: Path) -> None:
    with pytest.raises(MissingPathError):
        library.ingest_file(folder / "absent.md")


def test_a_background_sync_can_be_asked_about(library: Library, folder: Path) -> None:
    (folder / "second.md").write_text("second", "utf-8")
    job = library.start_sync()
    assert library.wait(job.job_id).state is SyncState.SUCCEEDED
    assert library.sync_status(job.job_id).report.counts.ingested == 1


def test_a_root_that_is_missing_is_a_warning_in_the_status(tmp_path: Path) -> None:
    with opened(tmp_path / "absent", tmp_path / "index") as library:
        assert any("absent" in warning for warning in library.status().warnings)


@pytest.mark.parametrize("below", ["", "deeper/index"])
def test_an_index_folder_that_is_a_file_is_an_error_for_everything(folder: Path, tmp_path: Path, below: str) -> None:
    (tmp_path / "index").write_text("not a folder", "utf-8")
    with pytest.raises(StoreError, match="index is not a folder") as caught:
        opened(folder, tmp_path / "index" / below)
    assert "DB_PATH" in caught.value.remedy


def test_the_status_counts_what_is_indexed(library: Library) -> None:
    assert (library.status().counts.sources, library.status().counts.stale_chunks) == (1, 0)


def test_warming_up_leaves_everything_as_it_was(library: Library) -> None:
    before = library.status()
    library.warm_up()
    assert library.status() == before


def test_a_new_budget_makes_the_index_stale_until_the_next_sync(library: Library, folder: Path, tmp_path: Path) -> None:
    settings = Settings(roots=(folder,), db_path=tmp_path / "index", cache_dir=tmp_path, chunk_token_budget=40)
    with Library(settings, embedder=HashedEmbedder()) as again:
        assert again.status().counts.stale_chunks == library.status().counts.chunks
        assert again.sync().counts.ingested == 1
        assert again.status().counts.stale_chunks == 0


def test_fewer_passages_are_the_first_of_more(library: Library, folder: Path) -> None:
    for number in range(40):
        (folder / f"order-{number}.md").write_text(
            f"# Order {number}\n\nORD-{10_000 + number} waits for valves.", "utf-8"
        )
    library.sync()
    many = [passage.source for passage in library.query("ORD-10017", top_k=40).passages]
    assert Path(many[0]).name == "order-17.md"
    for top_k in (1, 3, 8):
        assert [passage.source for passage in library.query("ORD-10017", top_k=top_k).passages] == many[:top_k]


@pytest.mark.parametrize("name", ["../{}", "x/../../{}", "../../{}/../{}", "out/{}", "out/../{}"])
def test_nothing_tells_whether_a_file_outside_the_roots_exists(
    name: str, library: Library, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n", "utf-8")
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "secret.md").write_text("# Secret\n", "utf-8")
    (folder / "out").symlink_to(tmp_path / "away", target_is_directory=True)

    def said(work: Callable[[str], object], target: str) -> str:
        with pytest.raises(OutsideRootsError) as caught:
            work(name.format(target, target))
        return caught.value.explanation.replace(target, "NAME")

    works: list[Callable[[str], object]] = [
        lambda text: library.list_files(scope=[text]),
        lambda text: library.query("seal", scope=[text]),
        lambda text: library.read(source=text),
        lambda text: library.read_neighbors(0, source=text),
        lambda text: library.delete(source=text),
    ]
    for work in works:
        assert said(work, "secret.md") == said(work, "nothing.md")
