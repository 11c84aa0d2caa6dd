from pathlib import Path

from tests.shell import samples

from minirag_mcp.config import Settings
from minirag_mcp.model import (
    Deleted,
    Ingested,
    ListedSource,
    Listing,
    SourceKey,
    SourceState,
    SourceType,
    SyncCounts,
    SyncReport,
)
from minirag_mcp.shell import render, wire


def test_neighbors_show_which_chunk_was_asked_about() -> None:
    text = render.neighbors(samples.neighbors(0, 1), chunk_index=1)
    assert "\n  [0] manuals/pump.pdf · Faults\n  A chunk of text.\n" in text
    assert "\n> [1] manuals/pump.pdf · Faults\n" in text
    assert text.endswith("(end of the document)")


def test_a_list_is_aligned_and_counted() -> None:
    def listed(name: str, state: SourceState, chunks: int) -> ListedSource:
        return ListedSource(
            source=SourceKey(f"/docs/{name}"),
            display_path=name,
            source_type=SourceType.FILE,
            title=name,
            state=state,
            chunk_count=chunks,
        )

    files = (
        listed("a.md", SourceState.INGESTED, 12),
        listed("b.md", SourceState.NOT_INGESTED, 0),
        listed("c.md", SourceState.INGESTED, 3),
    )
    assert render.listing(Listing(files=files)).splitlines() == [
        "ingested      12  a.md",
        "not_ingested   0  b.md",
        "ingested       3  c.md",
        "",
        "3 sources: 2 ingested, 1 not_ingested",
    ]
    assert render.listing(Listing(files=())) == "No files."


def test_a_failed_file_is_named_once_in_its_line() -> None:
    failed = ListedSource(
        source=SourceKey("/docs/sub/a.pdf"),
        display_path="sub/a.pdf",
        source_type=SourceType.FILE,
        title="a",
        state=SourceState.FAILED,
        chunk_count=0,
        error="a.pdf: The PDF is damaged. Restore it.",
    )
    line = render.listing(Listing(files=(failed,))).splitlines()[0]
    assert line == "failed  0  sub/a.pdf  (The PDF is damaged. Restore it.)"


def test_a_sync_is_one_line_of_counts() -> None:
    counts = SyncCounts(scanned=12, ingested=3, skipped=8, moved=0, deleted=2, failed=1)
    assert render.sync_report(SyncReport(counts=counts)) == "12 files: 3 ingested, 8 unchanged, 2 dropped, 1 failed"
    assert render.sync_report(SyncReport(counts=SyncCounts())) == "0 files: nothing to do"


def test_an_ingest_names_each_source() -> None:
    done = [Ingested(source=SourceKey("/docs/a.md"), title="A", chunk_count=1)]
    failed = list(samples.job().report.failures)
    assert render.ingest_run(done, failed) == "/docs/a.md  (1 chunk)  A\n1 source indexed, 1 failed"


def test_a_deletion_says_that_the_disk_is_untouched() -> None:
    text = render.deleted(Deleted(source=SourceKey("/docs/a.md"), deleted_chunks=2))
    assert text == "/docs/a.md: 2 chunks removed from the index; the disk is untouched"


def test_status_has_a_row_for_everything_there_is() -> None:
    chosen = Settings(roots=(Path("/docs"), Path("/more")), db_path=Path("/i"), cache_dir=Path("/c"))
    fields = wire.settings(chosen) | wire.status(samples.status())
    rows = render.status(fields).splitlines()
    assert rows[0].split() == ["version", "1.2.3"]
    assert rows[1].split() == ["roots", "/docs"]
    assert rows[2].split() == ["/more"]
    assert any(row.split() == ["chunks", "40"] for row in rows)
    assert any(row.split() == ["grouping", "none"] for row in rows)
    assert any(row.split() == ["private", "URLs", "no"] for row in rows)
    assert any(row.split() == ["max", "file", "size", "104857600"] for row in rows)
    listed = len(chosen.roots) + len(chosen.handoff_mirror_basenames)
    assert len(rows) == len(fields) + listed - 2
    assert render.status({"version": "1.2.3", "configError": "no"}).split() == ["version", "1.2.3"]
