import json
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shell import samples

from minirag_mcp.config import Settings
from minirag_mcp.model import (
    Citation,
    Deleted,
    Ingested,
    ListedSource,
    Listing,
    MarkKind,
    Place,
    Progress,
    SourceKey,
    SourceState,
    SourceText,
    SourceType,
    Stage,
    SyncState,
)
from minirag_mcp.retrieve.options import Grouping, SearchOptions
from minirag_mcp.shell import fit, schemas, wire


def conforms(fields: Mapping[str, object], schema: schemas.Schema) -> bool:
    """Whether `fields` has every required field and no undeclared one, at every depth."""
    jsonschema.validate(fields, _closed(schema))
    return True


def _closed(schema: object) -> object:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(value) for name, value in schema.items()}
    return closed | {"additionalProperties": False} if "properties" in schema and "type" in schema else closed


def test_an_answer_has_the_fields_clients_know() -> None:
    fields = wire.answer(samples.answer(samples.passage(0), samples.passage(1), notices=("No model.", "Words only.")))
    assert conforms(fields | {"nextOffset": None}, schemas.ANSWER)
    assert fields["notice"] == "No model. Words only."
    assert fields["parents"] == {"1:0": "Faults\n\nReplace the seal.", "1:1": "Faults\n\nReplace the seal."}
    assert fields["sources"] == [
        {"source": "/docs/manuals/pump.pdf", "displayPath": "manuals/pump.pdf", "title": "Pump manual", "hits": 2}
    ]
    results = fields["results"]
    assert isinstance(results, list)
    assert results[0] == {
        "text": "Replace the seal.",
        "source": "/docs/manuals/pump.pdf",
        "sourceType": "file",
        "displayPath": "manuals/pump.pdf",
        "title": "Pump manual",
        "chunkIndex": 0,
        "score": 0.016393,
        "distance": 0.123457,
        "parentId": "1:0",
        "citation": {
            "text": "manuals/pump.pdf · Faults > Leaks · pages 12–13",
            "displayPath": "manuals/pump.pdf",
            "headings": ["Faults", "Leaks"],
            "place": "pages 12–13",
            "position": {"kind": "page", "first": 12, "last": 13},
        },
    }
    assert results[1]["distance"] is None


def test_an_answer_without_notice_has_no_such_field() -> None:
    fields = wire.answer(samples.answer(samples.passage()))
    assert conforms(fields | {"nextOffset": None}, schemas.ANSWER)
    assert "notice" not in fields


def test_neighbors_mark_the_chunk_asked_about() -> None:
    fields = wire.neighbors(samples.neighbors(2, 4), chunk_index=3)
    assert conforms(fields, schemas.NEIGHBORS)
    chunks = fields["chunks"]
    assert isinstance(chunks, list)
    assert [(one["chunkIndex"], one["isTarget"]) for one in chunks] == [(2, False), (3, True), (4, False)]
    assert chunks[0]["citation"]["text"] == "manuals/pump.pdf · Faults"
    assert chunks[0]["citation"]["place"] == ""
    assert "position" not in chunks[0]["citation"]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place(kind=MarkKind.PAGE, first=3, last=3), {"kind": "page", "first": 3, "last": 3}),
        (
            Place(kind=MarkKind.ROW, first=2, last=9, name="Q1, rows 5"),
            {"kind": "row", "name": "Q1, rows 5", "first": 2, "last": 9},
        ),
        (
            Place(kind=MarkKind.SHEET, first=1, last=1, name="Q1"),
            {"kind": "sheet", "name": "Q1", "first": 1, "last": 1},
        ),
        (Place(kind=MarkKind.ROW, name="Q1"), {"kind": "row", "name": "Q1"}),
        (Place(kind=MarkKind.TIME, first=0, last=65), {"kind": "time", "first": 0, "last": 65}),
    ],
)
def test_a_place_is_told_in_numbers_too(place: Place, expected: dict[str, object]) -> None:
    fields = wire.citation(Citation(display_path="a.xlsx", headings=(), place=place))
    assert fields["position"] == expected
    assert conforms(fields, schemas._CITATION)


@given(st.text(), st.text(), st.text())
def test_no_name_in_a_citation_can_end_its_line_or_steer_a_terminal(path: str, heading: str, sheet: str) -> None:
    place = Place(kind=MarkKind.ROW, first=1, last=1, name=sheet)
    fields = wire.citation(Citation(display_path=path, headings=(heading,), place=place))
    assert fields["displayPath"] == path
    shown = [fields["text"], fields["place"], *fields["headings"], str(fields["position"])]  # type: ignore[misc]
    for text in shown:
        assert isinstance(text, str)
        assert len(text.splitlines()) <= 1
        assert not any(unicodedata.category(character) == "Cc" for character in text)


def test_a_running_job_tells_its_rate_and_its_end() -> None:
    now = datetime(2026, 3, 1, 10, 0, 10, tzinfo=UTC)
    fields = wire.job(samples.job(), now=now)
    assert conforms(fields | {"nextOffset": None}, schemas.JOB)
    assert fields["jobId"] == "job-1"
    assert fields["state"] == "running"
    assert fields["finishedAt"] is None
    assert fields["error"] is None
    assert fields["progress"] == {
        "stage": "files",
        "done": 20,
        "total": 100,
        "current": "/docs/a.md",
        "itemsPerSecond": 2.0,
        "estimatedEnd": "2026-03-01T10:00:50+00:00",
    }
    assert fields["counts"] == {
        "scanned": 100,
        "ingested": 18,
        "skipped": 1,
        "moved": 0,
        "deleted": 0,
        "unreadable": 0,
        "failed": 1,
    }
    assert fields["errors"] == [{"source": "/docs/bad-0.pdf", "code": "corrupt_file", "error": "It is damaged."}]
    assert fields["unlistedFolders"] == ["/docs/private"]


def test_the_rate_is_that_of_the_stage_at_work() -> None:
    now = datetime(2026, 3, 1, 10, 1, 0, tzinfo=UTC)
    vectors = Progress(stage=Stage.VECTORS, done=20, total=100)
    running = replace(samples.job(), stage_started_at="2026-03-01T10:00:50.000+00:00", progress=vectors)
    progress = wire.job(running, now=now)["progress"]
    assert isinstance(progress, dict)
    assert (progress["stage"], progress["itemsPerSecond"]) == ("vectors", 2.0)
    assert progress["estimatedEnd"] == "2026-03-01T10:01:40+00:00"


def test_a_job_that_has_just_begun_promises_no_end() -> None:
    fields = wire.job(samples.job(), now=datetime(2026, 3, 1, 10, 0, 0, tzinfo=UTC))
    progress = fields["progress"]
    assert isinstance(progress, dict)
    assert (progress["itemsPerSecond"], progress["estimatedEnd"]) == (0.0, None)


def test_a_finished_job_is_measured_to_its_own_end() -> None:
    fields = wire.job(samples.job(SyncState.SUCCEEDED, finished_at="2026-03-01T10:00:04Z"))
    progress = fields["progress"]
    assert isinstance(progress, dict)
    assert (progress["itemsPerSecond"], progress["estimatedEnd"]) == (5.0, None)
    assert conforms(fields | {"nextOffset": None}, schemas.JOB)


def test_status_names_what_is_stale_and_what_to_do() -> None:
    quiet, stale = wire.status(samples.status()), wire.status(samples.status(stale=7, warnings=("Look.",)))
    assert conforms(quiet, schemas.STATUS)
    assert conforms(stale, schemas.STATUS)
    assert "schemeWarning" not in quiet
    assert "warnings" not in quiet
    assert "7 chunks" in str(stale["schemeWarning"])
    assert "sync" in str(stale["schemeWarning"])
    assert stale["warnings"] == ["Look."]
    assert stale["staleChunkCount"] == 7


def test_every_setting_is_told(tmp_path: Path) -> None:
    chosen = Settings(
        roots=(tmp_path, tmp_path / "more"),
        db_path=tmp_path / "index",
        cache_dir=tmp_path / "cache",
        search=SearchOptions(grouping=Grouping.SIMILAR, max_distance=0.5, max_files=3),
        allow_private_urls=True,
        instructions_append="About pumps.",
    )
    told = wire.settings(chosen)
    assert conforms(told | wire.status(samples.status()), schemas.STATUS)
    assert told == {
        "roots": [str(tmp_path), str(tmp_path / "more")],
        "dbPath": str(tmp_path / "index"),
        "cacheDir": str(tmp_path / "cache"),
        "model": "multilingual-e5-small-q4",
        "chunkTokenBudget": 160,
        "maxFileSize": 100 * 1024 * 1024,
        "hybridWeight": 0.6,
        "grouping": "similar",
        "maxDistance": 0.5,
        "maxFiles": 3,
        "allowPrivateUrls": True,
        "snapshotDedupe": True,
        "handoffMirrorDir": "context",
        "handoffMirrorBasenames": ["handoff.md", "active.md", "resume.md"],
        "instructionsAppend": "About pumps.",
    }
    unset = wire.settings(Settings(roots=(tmp_path,), db_path=tmp_path, cache_dir=tmp_path))
    assert [name for name, value in unset.items() if value is None] == [
        "grouping",
        "maxDistance",
        "maxFiles",
        "instructionsAppend",
    ]
    assert conforms(unset | wire.status(samples.status()), schemas.STATUS)
    told_once = {*Settings.__dataclass_fields__} - {"roots_setting", "search"}
    assert len(told) == len({*told_once, *SearchOptions.__dataclass_fields__})


def test_small_answers_have_their_fields() -> None:
    done = Ingested(source=SourceKey("notes"), title="Notes", chunk_count=2)
    assert wire.ingested(done) == {"source": "notes", "chunkCount": 2, "title": "Notes"}
    assert conforms(wire.ingested(done), schemas.INGESTED)
    gone = wire.deleted(Deleted(source=SourceKey("notes"), deleted_chunks=2))
    assert gone == {"source": "notes", "deletedChunks": 2}
    assert conforms(gone, schemas.DELETED)
    assert conforms(wire.started(samples.job()), schemas.STARTED)
    run = wire.ingest_run([done], list(samples.job().report.failures))
    assert run == {
        "ingested": [{"source": "notes", "chunkCount": 2, "title": "Notes"}],
        "failed": [{"source": "/docs/bad-0.pdf", "code": "corrupt_file", "error": "It is damaged."}],
    }


def test_a_list_has_its_fields() -> None:
    file = ListedSource(
        source=SourceKey("/docs/a.md"),
        display_path="a.md",
        source_type=SourceType.FILE,
        title="A",
        state=SourceState.NOT_INGESTED,
        chunk_count=0,
    )
    fields = fit.listing(Listing(files=(file,), unlisted=("/docs/secret",)), offset=0, limit=None)
    assert conforms(fields, schemas.LISTING)
    assert fields["files"] == [
        {
            "source": "/docs/a.md",
            "displayPath": "a.md",
            "sourceType": "file",
            "title": "A",
            "state": "not_ingested",
            "docClass": "note",
            "chunkCount": 0,
            "error": None,
        }
    ]
    assert fields["unlistedFolders"] == ["/docs/secret"]


def test_a_document_has_its_fields() -> None:
    read = SourceText(source=SourceKey("/docs/a.md"), display_path="a.md", title="A", text="# A\n\nText.\n")
    fields = fit.page(read, offset=0, limit=None)
    assert conforms(fields, schemas.SOURCE_TEXT)
    assert (fields["text"], fields["totalChars"], fields["nextOffset"]) == ("# A\n\nText.\n", 11, None)


def test_a_source_without_a_title_is_shown_by_its_name() -> None:
    untitled = replace(samples.passage(), title="")
    fields = wire.answer(
        replace(samples.answer(untitled), sources=(replace(samples.answer(untitled).sources[0], title=""),))
    )
    assert [one["title"] for name in ("results", "sources") for one in fields[name]] == ["manuals/pump.pdf"] * 2  # type: ignore[attr-defined]
    assert wire.neighbors(replace(samples.neighbors(0, 1), title=""), chunk_index=0)["title"] == "manuals/pump.pdf"
    assert wire.ingested(Ingested(source=SourceKey("notes"), title="", chunk_count=1))["title"] == "notes"
    read = SourceText(source=SourceKey("notes"), display_path="notes", title="", text="x")
    assert wire.source_text(read)["title"] == "notes"


def test_an_error_is_an_object_with_code_message_and_remedy() -> None:
    assert wire.error("source_not_found", message="No source 'x'.", remedy="List them.") == {
        "error": {"code": "source_not_found", "message": "No source 'x'.", "remedy": "List them."}
    }


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("plain", "plain"),
        ("naïve 日本 🙂", "naïve 日本 🙂"),
        ("bad\udcff.txt", r"bad\udcff.txt"),
        ("\\\ud800", r"\\ud800"),
    ],
)
def test_undecodable_file_names_are_written_out(text: str, sent: str) -> None:
    assert wire.sendable({"source": text, "deep": [{text: 1}]}) == {"source": sent, "deep": [{sent: 1}]}


@given(st.dictionaries(st.text(st.characters()), st.text(st.characters())))
def test_whatever_is_sent_is_utf_8_and_reads_back_equal(fields: dict[str, object]) -> None:
    sent = wire.sendable(fields)
    line = wire.compact(sent).encode("utf-8")
    assert b"\n" not in line
    assert json.loads(line) == sent
