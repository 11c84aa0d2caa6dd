"""Files that were named are indexed as a sync would, each failure by itself."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.fakes.embedder import HashedEmbedder

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import CancelledError
from minirag_mcp.model import Progress, Stage, Vectors


class Counting(HashedEmbedder):
    """Counts how often the model is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        return super().embed_passages(texts)


def opened(tmp_path: Path, embedder: HashedEmbedder | None = None) -> Library:
    (tmp_path / "docs").mkdir(exist_ok=True)
    settings = Settings(roots=(tmp_path / "docs",), db_path=tmp_path / "index", cache_dir=tmp_path)
    return Library(settings, embedder=embedder or HashedEmbedder())


def written(tmp_path: Path, count: int) -> list[Path]:
    (tmp_path / "docs").mkdir(exist_ok=True)
    paths = [tmp_path / "docs" / f"{number:03}.md" for number in range(count)]
    for path in paths:
        path.write_text(f"# Pump {path.stem}\n\nThe seal number {path.stem} leaks.\n", "utf-8")
    return paths


def test_many_files_are_embedded_together_and_all_found(tmp_path: Path) -> None:
    paths, model = written(tmp_path, 40), Counting()
    with opened(tmp_path, model) as library:
        report = library.ingest_files(paths)
        assert [Path(one.source) for one in report.ingested] == paths
        assert {one.chunk_count for one in report.ingested} == {1}
        assert report.ingested[0].title == "Pump 000"
        assert model.calls == 1
        assert library.status().counts.unembedded_chunks == 0
        assert library.query("seal 007").passages[0].display_path == "007.md"
        assert library.ingest_files(paths).failures == ()
        assert model.calls == 1


def test_each_failure_is_told_under_its_path_and_stops_nothing(tmp_path: Path) -> None:
    good = written(tmp_path, 2)
    root = tmp_path / "docs"
    (root / "empty.txt").write_bytes(b"")
    (root / "broken.docx").write_bytes(b"no archive")
    (root / "x.bin").write_bytes(b"x")
    named = ["absent.md", "empty.txt", "broken.docx", "x.bin", ".hidden.md", "../outside.md", "."]
    with opened(tmp_path) as library:
        report = library.ingest_files([*(root / name for name in named), *good])
        assert [Path(one.source) for one in report.ingested] == good
        assert {Path(one.source).name: one.code for one in report.failures} == {
            "absent.md": "path_not_found",
            "empty.txt": "empty_file",
            "broken.docx": "wrong_format",
            "x.bin": "unsupported_format",
            ".hidden.md": "invalid_request",
            "outside.md": "outside_roots",
            "docs": "invalid_request",
        }
        assert {file.display_path: file.state.value for file in library.list_files().files}["empty.txt"] == "failed"


def test_progress_counts_files_then_vectors(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with opened(tmp_path) as library:
        library.ingest_files([*written(tmp_path, 3), tmp_path / "docs" / "absent.md"], progress=seen.append)
    files = [(at.done, at.total) for at in seen if at.stage is Stage.FILES]
    assert (files[0], files[-1]) == ((0, 3), (3, 3))
    assert [(at.done, at.total) for at in seen if at.stage is Stage.VECTORS][-1] == (3, 3)


def test_a_stopped_run_keeps_what_is_written_and_a_sync_completes_it(tmp_path: Path) -> None:
    paths = written(tmp_path, 30)
    with opened(tmp_path) as library:
        with pytest.raises(CancelledError):
            library.ingest_files(paths, cancelled=lambda: True)
        assert library.sync().counts.failed == 0
        counts = library.status().counts
        assert (counts.sources, counts.unembedded_chunks) == (30, 0)


def test_nothing_named_is_nothing_done(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        assert library.ingest_files([]).ingested == ()
    assert not (tmp_path / "index").exists()
