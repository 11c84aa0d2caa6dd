from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shell import samples

from minirag_mcp.errors import RequestError
from minirag_mcp.model import Answer, ListedSource, Listing, SourceKey, SourceState, SourceText, SourceType
from minirag_mcp.shell import fit, wire


def size(fields: wire.Json) -> int:
    return len(wire.compact(fields))


def broad(hits: int, *, section: int = 100, text: int = 20) -> Answer:
    passages = [
        samples.passage(number, source=SourceKey(f"/docs/{number % 3}.md"), text="w" * text) for number in range(hits)
    ]
    return samples.answer(*passages, section_text="s" * section)


def source(text: str) -> SourceText:
    return SourceText(source=SourceKey("/docs/a.md"), display_path="a.md", title="A", text=text)


def files(number: int) -> Listing:
    return Listing(
        files=tuple(
            ListedSource(
                source=SourceKey(f"/docs/{index:05}.md"),
                display_path=f"{index:05}.md",
                source_type=SourceType.FILE,
                title=f"Document {index}",
                state=SourceState.INGESTED,
                chunk_count=3,
            )
            for index in range(number)
        )
    )


def passages(found: Answer, first: int, last: int) -> list[wire.Json]:
    return [wire.passage(hit) for hit in found.passages[first:last]]


def test_an_answer_that_fits_comes_whole() -> None:
    found = broad(8)
    assert fit.answer(found) == fit.whole_answer(found) == wire.answer(found) | {"nextOffset": None}


def test_the_sections_of_the_lowest_ranks_go_first_and_the_notice_counts_them() -> None:
    found = replace(broad(8, section=5_000), notices=("Look here.",))
    shown: Any = fit.answer(found)
    assert shown["results"] == passages(found, 0, 8)
    assert list(shown["parents"]) == list(found.sections)[: len(shown["parents"])]
    assert 0 < len(shown["parents"]) < 8
    assert shown["notice"].startswith("Look here. ")
    assert f"Only the first {len(shown['parents'])} of these have their section" in shown["notice"]
    assert shown["nextOffset"] is None
    assert size(shown) <= fit.MOST_CHARACTERS


def test_of_very_many_results_the_lowest_go_and_the_best_keep_their_sections() -> None:
    found = broad(100, section=3_000, text=900)
    shown: Any = fit.answer(found)
    count, sections = len(shown["results"]), list(shown["parents"])
    assert 8 <= count < 100
    assert shown["results"] == passages(found, 0, count)
    assert sections == [hit.section_id for hit in found.passages[: len(sections)]]
    assert len(sections) >= 5
    assert sum(one["hits"] for one in shown["sources"]) == count
    assert shown["nextOffset"] == count
    assert f"results 1 to {count} of 100; for the next ask again with offset={count}" in shown["notice"]
    assert f"the first {len(sections)} of these have their section in `parents`" in shown["notice"]
    assert "read_file with its parentId" in shown["notice"]
    assert 26_000 < size(shown) <= fit.MOST_CHARACTERS


def test_when_no_section_fits_the_notice_says_so_plainly() -> None:
    shown: Any = fit.answer(broad(8, section=60_000))
    assert (len(shown["results"]), shown["parents"]) == (8, {})
    assert (
        "None of these has its section in `parents`; to read one call read_file with its parentId." in shown["notice"]
    )


def test_small_sections_stay_with_every_result_that_is_shown() -> None:
    shown: Any = fit.answer(broad(100, text=900))
    assert len(shown["parents"]) == len(shown["results"]) > 8
    assert "parents" not in shown["notice"]


def test_a_section_that_many_results_share_is_counted_once() -> None:
    hits = [samples.passage(number, section=f"1:{number // 10}", text="w" * 500) for number in range(100)]
    shown: Any = fit.answer(samples.answer(*hits, section_text="s" * 3_000))
    assert {hit["parentId"] for hit in shown["results"]} == set(shown["parents"])
    assert len(shown["results"]) > 8


def pages(found: Answer, *, most: int) -> list[Any]:
    shown: list[Any] = [fit.answer(found, most=most)]
    while shown[-1]["nextOffset"] is not None:
        shown.append(fit.answer(found, offset=shown[-1]["nextOffset"], most=most))
    return shown


@settings(max_examples=60)
@given(
    hits=st.integers(0, 60),
    section=st.integers(0, 5_000),
    text=st.integers(0, 1_200),
    escaped=st.booleans(),
    most=st.integers(5_000, 50_000),
)
def test_an_answer_of_any_shape_fits_and_its_pages_hold_every_result_once(
    *, hits: int, section: int, text: int, escaped: bool, most: int
) -> None:
    found = broad(hits, section=section, text=text)
    if escaped:
        found = replace(found, sections=dict.fromkeys(found.sections, '"\n' * section))
    shown = pages(found, most=most)
    assert all(size(page) <= most for page in shown)
    assert [hit for page in shown for hit in page["results"]] == passages(found, 0, hits)
    for page in shown:
        assert Counter(hit["source"] for hit in page["results"]) == {
            one["source"]: one["hits"] for one in page["sources"]
        }
        assert {hit["parentId"] for hit in page["results"]} >= set(page["parents"])
        left_out = page["nextOffset"] is not None or len(page["parents"]) < len(page["results"])
        assert ("notice" in page) == left_out


def test_of_an_answer_too_small_for_one_result_that_one_still_comes_whole() -> None:
    shown = pages(broad(3, text=4_000), most=fit.LOWER_LIMIT)
    assert [len(page["results"]) for page in shown] == [1, 1, 1]


@pytest.mark.parametrize("offset", [-1, 8, 100])
def test_an_offset_outside_the_results_is_refused(offset: int) -> None:
    with pytest.raises(RequestError, match=rf"offset {offset} lies outside the 8 results there are"):
        fit.answer(broad(8), offset=offset)


def test_a_document_that_fits_comes_whole() -> None:
    fields = fit.page(source("Text.\n"), offset=0, limit=None)
    assert (fields["text"], fields["nextOffset"]) == ("Text.\n", None)
    assert "notice" not in fields


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(["word ", "\n", '"quoted"', "Ж", "日本", "\x07"]), max_size=60),
    st.integers(0, 3_000),
    st.none() | st.integers(1, 40_000),
)
def test_the_pages_of_a_document_joined_are_the_document(words: list[str], repeat: int, limit: int | None) -> None:
    text = "".join(words) * min(repeat, 100_000 // max(len("".join(words)), 1))
    parts: list[str] = []
    following: object = 0
    while isinstance(following, int):
        fields = fit.page(source(text), offset=following, limit=max(limit, 2_000) if limit else None)
        assert size(fields) <= fit.MOST_CHARACTERS
        assert ("notice" in fields) == (fields["nextOffset"] is not None)
        parts.append(str(fields["text"]))
        following = fields["nextOffset"]
    assert "".join(parts) == text


def test_a_page_ends_at_the_end_of_a_line() -> None:
    fields = fit.page(source("A line of some length.\n" * 5_000), offset=0, limit=None)
    assert str(fields["text"]).endswith("\n")
    assert str(fields["notice"]).startswith("Characters 1 to ")
    assert "read on with offset=" in str(fields["notice"])


def test_a_smaller_page_can_be_asked_for() -> None:
    fields = fit.page(source("0123456789"), offset=2, limit=3)
    assert (fields["text"], fields["offset"], fields["nextOffset"], fields["totalChars"]) == ("234", 2, 5, 10)


@pytest.mark.parametrize(("offset", "limit"), [(-1, None), (10, None), (99, None), (0, 0), (0, -5)])
def test_a_page_that_cannot_be_is_refused(offset: int, limit: int | None) -> None:
    with pytest.raises(RequestError):
        fit.page(source("0123456789"), offset=offset, limit=limit)


def test_an_empty_document_has_an_empty_page() -> None:
    assert fit.page(source(""), offset=0, limit=None)["text"] == ""


def test_a_long_list_comes_in_pages_that_miss_nothing() -> None:
    listed = files(1_000)
    seen: list[str] = []
    following: object = 0
    while isinstance(following, int):
        fields = fit.listing(listed, offset=following, limit=None)
        assert size(fields) <= fit.MOST_CHARACTERS
        first = len(seen) + 1
        shown, following = fields["files"], fields["nextOffset"]
        assert isinstance(shown, list)
        assert fields["total"] == 1_000
        seen += [file["displayPath"] for file in shown]
        told = f"Files {first:,} to {len(seen):,} of 1,000; go on with offset={following}"
        assert following is None or told in str(fields["notice"])
    assert seen == [file.display_path for file in listed.files]


def test_a_short_page_of_a_list_can_be_asked_for() -> None:
    fields = fit.listing(files(10), offset=8, limit=1)
    assert (len(fields["files"]), fields["nextOffset"]) == (1, 9)  # type: ignore[arg-type]


def test_neighbors_that_fit_come_whole() -> None:
    fields = fit.neighbors(samples.neighbors(0, 4), chunk_index=2)
    assert fields == wire.neighbors(samples.neighbors(0, 4), chunk_index=2)


@pytest.mark.parametrize("target", [0, 50, 99])
def test_of_too_many_neighbors_the_nearest_stay(target: int) -> None:
    fields = fit.neighbors(samples.neighbors(0, 99, text="t" * 1_000), chunk_index=target)
    assert size(fields) <= fit.MOST_CHARACTERS
    chunks = fields["chunks"]
    assert isinstance(chunks, list)
    numbers = [one["chunkIndex"] for one in chunks]
    assert target in numbers
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert fields["atStart"] == (numbers[0] == 0)
    assert fields["atEnd"] == (numbers[-1] == 99)
    assert f"{len(numbers)} nearest of 100 chunks" in str(fields["notice"])


def test_one_chunk_too_large_for_an_answer_is_still_given() -> None:
    fields = fit.neighbors(samples.neighbors(0, 2, text="t" * 40_000), chunk_index=1)
    assert [one["chunkIndex"] for one in fields["chunks"]] == [1]  # type: ignore[attr-defined]


def test_the_errors_of_a_job_come_in_pages_with_all_counts_on_each() -> None:
    job = samples.job(failures=5_000)
    shown: list[Any] = [fit.job(job)]
    while shown[-1]["nextOffset"] is not None:
        shown.append(fit.job(job, offset=shown[-1]["nextOffset"]))
    assert all(size(page) <= fit.MOST_CHARACTERS for page in shown)
    assert all(page["counts"]["failed"] == 5_000 for page in shown)
    assert len(shown[0]["errors"]) > 100
    assert [error for page in shown for error in page["errors"]] == wire.job(job)["errors"]
    assert f"Errors 1 to {len(shown[0]['errors'])} of 5,000" in shown[0]["notice"]
    assert "notice" not in shown[-1]


def test_a_job_shows_as_many_errors_as_are_asked_for() -> None:
    shown: Any = fit.job(samples.job(failures=9), offset=3, limit=2)
    assert [error["source"] for error in shown["errors"]] == ["/docs/bad-3.pdf", "/docs/bad-4.pdf"]
    assert shown["nextOffset"] == 5


def test_a_job_with_few_errors_shows_all() -> None:
    assert fit.job(samples.job()) == wire.job(samples.job()) | {"nextOffset": None}


def far_away(number: int) -> tuple[str, ...]:
    return tuple(f"/docs/{index:03}/{'far/' * 1_000}" for index in range(number))


def test_a_job_with_long_paths_of_unlisted_folders_fits_and_tells_how_many_there_are() -> None:
    job = samples.job(failures=5_000)
    fields = fit.job(replace(job, report=replace(job.report, unlisted=far_away(21))))
    assert size(fields) <= fit.MOST_CHARACTERS
    assert 1 <= len(fields["unlistedFolders"]) < 21  # type: ignore[arg-type]
    assert len(fields["errors"]) > 100  # type: ignore[arg-type]
    assert "of 21 unlistedFolders" in str(fields["notice"])


def test_long_paths_of_unlisted_folders_leave_room_for_the_files_of_a_list() -> None:
    fields = fit.listing(replace(files(1_000), unlisted=far_away(21)), offset=0, limit=None)
    assert size(fields) <= fit.MOST_CHARACTERS
    assert len(fields["files"]) > 100  # type: ignore[arg-type]
    assert "of 21 unlistedFolders" in str(fields["notice"])
    whole = fit.listing(replace(files(1), unlisted=far_away(21)), offset=0, limit=None)
    assert "of 21 unlistedFolders" in str(whole["notice"])


def test_many_short_unlisted_folders_are_all_shown_where_they_fit() -> None:
    unlisted = tuple(f"/docs/{index}" for index in range(100))
    fields = fit.listing(replace(files(1_000), unlisted=unlisted), offset=0, limit=None)
    assert fields["unlistedFolders"] == list(unlisted)


def test_a_notice_that_repeats_a_huge_scope_is_cut() -> None:
    notice = f"Nothing is under the scope {'x' * 1_000_000}."
    fields = fit.listing(Listing(files=(), unlisted=(), notices=(notice,)), offset=0, limit=None)
    assert size(fields) < 5_000
    answer = fit.answer(Answer(passages=(), sources=(), sections={}, notices=(notice,)))
    assert size(answer) < 5_000
