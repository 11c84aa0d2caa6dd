"""Values as the Library gives them, for tests of what the shells make of them."""

from minirag_mcp.model import (
    Answer,
    ChunkId,
    Citation,
    IndexCounts,
    Job,
    JobId,
    MarkKind,
    Neighbors,
    Passage,
    Place,
    Progress,
    SectionId,
    SourceHits,
    SourceKey,
    SourceType,
    Status,
    StoredChunk,
    SyncCounts,
    SyncFailure,
    SyncReport,
    SyncState,
)

PUMP = SourceKey("/docs/manuals/pump.pdf")


def passage(
    number: int = 0, *, source: SourceKey = PUMP, section: str | None = None, text: str = "Replace the seal."
) -> Passage:
    display = source.removeprefix("/docs/")
    return Passage(
        source=source,
        source_type=SourceType.FILE,
        display_path=display,
        title="Pump manual",
        chunk_index=number,
        section_id=SectionId(section or f"1:{number}"),
        text=text,
        score=0.0163934426 - number / 10_000,
        distance=None if number % 2 else 0.1234567891,
        citation=Citation(
            display_path=display,
            headings=("Faults", "Leaks"),
            place=Place(kind=MarkKind.PAGE, first=12, last=13),
        ),
    )


def answer(
    *passages: Passage, section_text: str = "Faults\n\nReplace the seal.", notices: tuple[str, ...] = ()
) -> Answer:
    hits: dict[SourceKey, int] = {}
    for hit in passages:
        hits[hit.source] = hits.get(hit.source, 0) + 1
    return Answer(
        passages=passages,
        sources=tuple(
            SourceHits(source=key, display_path=key.removeprefix("/docs/"), title="Pump manual", hits=number)
            for key, number in hits.items()
        ),
        sections={hit.section_id: section_text for hit in passages},
        notices=notices,
    )


def chunk(number: int, *, text: str = "A chunk of text.") -> StoredChunk:
    return StoredChunk(
        chunk=ChunkId(number + 100),
        source=PUMP,
        source_type=SourceType.FILE,
        title="Pump manual",
        ordinal=number,
        section_id=SectionId("1:2"),
        headings=("Faults",),
        label="",
        place=None,
        text=text,
    )


def neighbors(first: int, last: int, *, text: str = "A chunk of text.") -> Neighbors:
    return Neighbors(
        source=PUMP,
        display_path="manuals/pump.pdf",
        title="Pump manual",
        chunks=tuple(chunk(number, text=text) for number in range(first, last + 1)),
        at_start=first == 0,
        at_end=True,
    )


def job(state: SyncState = SyncState.RUNNING, *, failures: int = 1, finished_at: str | None = None) -> Job:
    return Job(
        job_id=JobId("job-1"),
        state=state,
        started_at="2026-03-01T10:00:00+00:00",
        stage_started_at="2026-03-01T10:00:00+00:00",
        finished_at=finished_at,
        progress=Progress(done=20, total=100, current="/docs/a.md"),
        report=SyncReport(
            counts=SyncCounts(scanned=100, ingested=18, skipped=1, failed=failures),
            failures=tuple(
                SyncFailure(source=SourceKey(f"/docs/bad-{number}.pdf"), code="corrupt_file", message="It is damaged.")
                for number in range(failures)
            ),
            unlisted=("/docs/private",),
        ),
    )


def status(*, stale: int = 0, warnings: tuple[str, ...] = ()) -> Status:
    return Status(
        version="1.2.3",
        chunk_scheme="v1/160",
        counts=IndexCounts(sources=3, chunks=40, stale_chunks=stale, unembedded_chunks=0),
        warnings=warnings,
    )
