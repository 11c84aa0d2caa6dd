"""search_knowledge as a function: cited passages, and every failure in the same shape."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import ModelError
from minirag_mcp.knowledge import ALLOWED_DOC_CLASSES, MAX_K, search_knowledge
from minirag_mcp.model import FileStat, SourceKey
from minirag_mcp.store.sqlite import open_store
from tests.fakes.embedder import HashedEmbedder

SHAPE = {"ok", "query", "k", "count", "dropped_out_of_scope", "results"}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    (docs / "manuals").mkdir(parents=True)
    (docs / "manuals" / "pump.md").write_text("# Pump\n\n## Errors\n\nE42: the inlet valve is blocked.\n", "utf-8")
    (docs / "handoff-2026-09-03.md").write_text("# Monday\n\nE42 was looked at, the valve waits.\n", "utf-8")
    for day in (1, 2, 3):
        (docs / f"fleet-2026-07-0{day}.md").write_text(f"# Fleet 0{day}\n\n## Red\n\nDrawdown 23 percent.\n", "utf-8")
    return docs


def library_of(docs: Path, embedder: HashedEmbedder | None = None) -> Library:
    settings = Settings(roots=(docs,), db_path=docs.parent / "index", cache_dir=docs.parent / "cache")
    return Library(settings, embedder=embedder or HashedEmbedder())


@pytest.fixture
def library(docs: Path) -> Iterator[Library]:
    with library_of(docs) as library:
        library.sync()
        yield library


def results(answer: dict[str, object]) -> list[dict[str, object]]:
    assert answer["ok"] is True, answer
    found = answer["results"]
    assert isinstance(found, list)
    assert answer["count"] == len(found)
    return found


def sources(answer: dict[str, object]) -> set[object]:
    return {citation_of(result)["source"] for result in results(answer)}


def citation_of(result: dict[str, object]) -> dict[str, object]:
    citation = result["citation"]
    assert isinstance(citation, dict)
    return citation


def kind(answer: dict[str, object]) -> object:
    assert answer["ok"] is False
    assert answer.keys() >= SHAPE
    assert (answer["results"], answer["count"]) == ([], 0)
    error = answer["error"]
    assert isinstance(error, dict)
    assert error["message"]
    return error["type"]


def test_a_question_gives_passages_with_relative_source_heading_and_chunk_index(library: Library) -> None:
    answer = search_knowledge("inlet valve blocked", store=library)
    assert (answer["query"], answer["k"], answer["dropped_out_of_scope"]) == ("inlet valve blocked", 5, 0)
    best = results(answer)[0]
    assert "inlet valve is blocked" in str(best["text"])
    assert citation_of(best) == {
        "source": "manuals/pump.md",
        "heading": "Errors",
        "headings": ["Pump", "Errors"],
        "chunk_index": 0,
        "title": "Pump",
        "place": "lines 1–5",
        "doc_class": "note",
    }


@pytest.mark.parametrize(("k", "clamped"), [(-3, 1), (0, 1), (2, 2), (20, 20), (500, 20), ("3", 3), (4.0, 4)])
def test_k_is_clamped(library: Library, k: object, clamped: int) -> None:
    answer = search_knowledge("valve", k, store=library)
    assert answer["k"] == clamped
    assert len(results(answer)) <= clamped
    assert MAX_K == 20


@pytest.mark.parametrize("query", ["", "  \n", "\0", None, 7, "x" * 10_001])
def test_what_is_no_question_is_an_invalid_query(library: Library, query: object) -> None:
    assert kind(search_knowledge(query, store=library)) == "invalid_query"


@pytest.mark.parametrize("k", ["many", None, True, [1], float("inf"), float("nan")])
def test_what_is_no_number_is_an_invalid_k(library: Library, k: object) -> None:
    assert kind(search_knowledge("valve", k, store=library)) == "invalid_k"


def test_a_class_keeps_the_other_out(library: Library) -> None:
    assert "handoff-2026-09-03.md" in sources(search_knowledge("E42 valve", store=library))
    assert "handoff-2026-09-03.md" not in sources(search_knowledge("E42 valve", store=library, doc_class="note"))
    assert sources(search_knowledge("E42 valve", store=library, doc_class="handoff")) == {"handoff-2026-09-03.md"}
    assert ALLOWED_DOC_CLASSES == ("note", "handoff")


def test_a_class_without_sources_gives_an_empty_answer_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pump.md").write_text("# Pump\n\nE42: the valve.\n", "utf-8")
    with library_of(tmp_path / "docs") as library:
        library.sync()
        assert results(search_knowledge("E42", store=library, doc_class="handoff")) == []


@pytest.mark.parametrize("doc_class", ["Note", "HANDOFF", "notes", "", 1, ["note"], False])
def test_any_other_class_is_an_invalid_one(library: Library, doc_class: object) -> None:
    assert kind(search_knowledge("valve", store=library, doc_class=doc_class)) == "invalid_doc_class"


def test_a_hit_of_a_series_tells_on_which_dates_it_held(library: Library) -> None:
    hits = [hit for hit in results(search_knowledge("drawdown percent", store=library)) if "snapshot_date" in hit]
    [hit] = [hit for hit in hits if "Drawdown" in str(hit["text"])]
    assert hit["snapshot_date"] == "2026-07-01"
    assert hit["also_unchanged_on"] == ["2026-07-02", "2026-07-03"]
    assert hit["snapshots_covered"] == 3


def test_of_a_long_run_the_first_dates_and_the_last_are_told(docs: Path) -> None:
    for month in range(1, 13):
        for day in range(1, 6):
            path = docs / f"report-2025-{month:02}-{day:02}.md"
            path.write_text("# Report\n\n## State\n\nQuiescent throughout.\n", "utf-8")
    with library_of(docs) as library:
        library.sync()
        best = results(search_knowledge("quiescent", 1, store=library))[0]
    dates = best["also_unchanged_on"]
    assert isinstance(dates, list)
    assert (len(dates), dates[0], dates[-1]) == (31, "2025-01-02", "2025-12-05")
    assert best["snapshots_covered"] == 60


def test_an_empty_index_says_so(docs: Path) -> None:
    with library_of(docs) as library:
        assert kind(search_knowledge("valve", store=library)) == "empty_store"
    assert kind(search_knowledge("valve", store=docs.parent / "nowhere", corpus_root=docs)) == "empty_store"


def test_an_index_that_cannot_be_read_says_so(docs: Path) -> None:
    index = docs.parent / "broken"
    index.mkdir()
    (index / "index.db").write_bytes(b"no database at all" * 100)
    assert kind(search_knowledge("valve", store=index, corpus_root=docs)) == "store_unreachable"
    assert kind(search_knowledge("valve", store=index / "index.db", corpus_root=docs)) == "store_unreachable"
    assert kind(search_knowledge("valve", store=index)) == "not_configured"


def test_a_failing_model_leaves_the_words_and_says_so(docs: Path) -> None:
    embedder = HashedEmbedder()
    with library_of(docs, embedder) as library:
        library.sync()
        embedder.fail_with = ModelError("The model is gone.")
        answer = search_knowledge("inlet valve", store=library)
        assert "manuals/pump.md" in sources(answer)
        assert "words only" in str(answer["notice"])


def test_a_narrower_root_drops_and_counts_what_lies_outside(library: Library, docs: Path) -> None:
    answer = search_knowledge("E42 valve", store=library, corpus_root=docs / "manuals")
    assert sources(answer) == {"pump.md"}
    assert int(str(answer["dropped_out_of_scope"])) > 0


def test_a_file_that_became_a_link_out_of_the_root_is_dropped(library: Library, docs: Path) -> None:
    secret = docs.parent / "secret.md"
    secret.write_text("E42 is secret.", "utf-8")
    (docs / "manuals" / "pump.md").unlink()
    (docs / "manuals" / "pump.md").symlink_to(secret)
    answer = search_knowledge("inlet valve blocked", store=library)
    assert "manuals/pump.md" not in sources(answer)
    assert answer["dropped_out_of_scope"] == 1
    assert len(results(search_knowledge("inlet valve blocked", 2, store=library))) == 2


@pytest.mark.parametrize("escape", ["../secret.md", "/etc/passwd", "manuals/../../secret.md"])
def test_what_an_index_says_is_not_believed(docs: Path, escape: str) -> None:
    with library_of(docs) as library:
        library.sync()
    rename(docs, old=str(docs / "manuals" / "pump.md"), new=os.path.join(docs, escape))  # noqa: PTH118
    with library_of(docs) as library:
        answer = search_knowledge("inlet valve blocked", store=library)
        assert not any("inlet valve is blocked" in str(result["text"]) for result in results(answer))
        assert answer["dropped_out_of_scope"] == 1


@pytest.mark.parametrize("name", ["../secret", "/etc/notes", "C:\\notes", "a/../../b"])
def test_an_id_that_reads_as_a_way_out_is_dropped(library: Library, docs: Path, name: str) -> None:
    library.ingest_data("The quokka is nocturnal.", "nocturnal", format="text")
    library.ingest_data("The quokka is a marsupial.", "quokka", format="text")
    rename(docs, old="nocturnal", new=name)
    answer = search_knowledge("quokka", store=library)
    assert name not in sources(answer)
    assert "quokka" in sources(answer)
    assert answer["dropped_out_of_scope"] == 1


def rename(docs: Path, *, old: str, new: str) -> None:
    """An index could hold any key, whoever wrote it."""
    store = open_store(docs.parent / "index", identity=HashedEmbedder().identity)
    record = store.source(SourceKey(old))
    assert record is not None
    store.rename(record.key, SourceKey(new), stat=FileStat(size=1, mtime_ns=1), labels=record.labels)
    store.close()
