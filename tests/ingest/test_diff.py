from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.ingest.diff import (
    ALWAYS_RETRIED,
    IN_DOUBT,
    RACY_WINDOW_NS,
    SyncPlan,
    move_candidates,
    plan,
    recorded_stat,
    state_of,
)
from minirag_mcp.model import (
    FileEntry,
    FileStat,
    Fingerprint,
    SourceKey,
    SourceRecord,
    SourceState,
    SourceType,
)

NOW = Fingerprint(model="m", scheme="2")
BEFORE = Fingerprint(model="m", scheme="1")
STAT = FileStat(size=10, mtime_ns=1_000)


def entry(path: str, stat: FileStat = STAT) -> FileEntry:
    return FileEntry(path=path, stat=stat)


def record(path: str, stat: FileStat | None = STAT, **changes: object) -> SourceRecord:
    made = SourceRecord(
        key=SourceKey(path),
        source_type=SourceType.FILE,
        title="t",
        content_hash="h",
        fingerprint=NOW,
        chunk_count=1,
        stat=stat,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def planned(files: list[FileEntry], records: list[SourceRecord], unlisted: tuple[str, ...] = ()) -> SyncPlan:
    return plan(files, records, unlisted=unlisted, fingerprint=NOW)


def test_a_file_without_an_entry_is_new() -> None:
    assert planned([entry("/r/a.md")], []).new == (entry("/r/a.md"),)


def test_a_file_that_looks_as_it_did_is_unchanged() -> None:
    assert planned([entry("/r/a.md")], [record("/r/a.md")]).unchanged == (entry("/r/a.md"),)


def test_a_file_of_another_size_or_time_is_looked_at() -> None:
    for stat in (FileStat(size=11, mtime_ns=1_000), FileStat(size=10, mtime_ns=999)):
        assert planned([entry("/r/a.md", stat)], [record("/r/a.md")]).changed


def test_a_file_cut_by_an_older_scheme_is_indexed_again() -> None:
    assert planned([entry("/r/a.md")], [record("/r/a.md", fingerprint=BEFORE)]).changed


def test_a_file_that_failed_and_did_not_change_is_not_parsed_again_but_still_counts() -> None:
    failed = record("/r/a.pdf", failure=("corrupt_file", "damaged"))
    assert planned([entry("/r/a.pdf")], [failed]).failed == (failed,)


def test_a_file_that_failed_is_tried_again_when_it_changes_or_the_parser_does() -> None:
    failed = record("/r/a.pdf", failure=("corrupt_file", "damaged"))
    assert planned([entry("/r/a.pdf", FileStat(size=1, mtime_ns=1))], [failed]).changed
    assert planned([entry("/r/a.pdf")], [replace(failed, fingerprint=BEFORE)]).changed


def test_a_failure_that_may_pass_by_itself_is_tried_again_each_time() -> None:
    for code in ALWAYS_RETRIED:
        assert planned([entry("/r/a.md")], [record("/r/a.md", failure=(code, "…"))]).changed


def test_an_entry_without_a_file_is_deleted() -> None:
    assert planned([], [record("/r/a.md")]).deleted == (record("/r/a.md"),)


def test_an_entry_below_a_folder_that_could_not_be_read_is_kept() -> None:
    kept, gone = record("/r/sub/deep/a.md"), record("/r/sub-2/a.md")
    todo = planned([], [kept, gone], unlisted=("/r/sub",))
    assert (todo.kept, todo.deleted) == ((kept,), (gone,))


def test_data_and_pages_are_no_business_of_a_sync() -> None:
    notes = record("notes", None, source_type=SourceType.DATA)
    assert planned([], [notes]) == planned([], [])


def test_a_file_changed_just_before_it_was_read_stays_in_doubt() -> None:
    stat = FileStat(size=10, mtime_ns=5 * RACY_WINDOW_NS)
    recorded = recorded_stat(stat, read_at_ns=stat.mtime_ns + RACY_WINDOW_NS // 2)
    assert recorded.mtime_ns == IN_DOUBT
    assert planned([entry("/r/a.md", stat)], [record("/r/a.md", recorded)]).changed


def test_a_file_from_the_future_stays_in_doubt() -> None:
    assert recorded_stat(FileStat(size=1, mtime_ns=10**19), read_at_ns=10**18).mtime_ns == IN_DOUBT


def test_a_file_that_had_rested_is_trusted() -> None:
    stat = FileStat(size=10, mtime_ns=5 * RACY_WINDOW_NS)
    assert recorded_stat(stat, read_at_ns=stat.mtime_ns + 2 * RACY_WINDOW_NS) == stat


def test_a_moved_file_is_suspected_by_name_and_size() -> None:
    gone, other = record("/r/old/a.md"), record("/r/old/b.md")
    moved = entry("/r/new/a.md")
    todo = planned([moved, entry("/r/new/c.md"), entry("/r/new/b.md", FileStat(size=11, mtime_ns=1))], [gone, other])
    assert move_candidates(todo, fingerprint=NOW) == [(moved, (gone,))]


def test_an_outdated_or_failed_entry_is_no_origin_of_a_move() -> None:
    records = [
        record("/r/1/a.md", fingerprint=BEFORE),
        record("/r/2/a.md", failure=("no_text", "")),
        record("/r/3/a.md", None),
    ]
    assert move_candidates(planned([entry("/r/new/a.md")], records), fingerprint=NOW) == []


def test_the_state_of_a_file_is_told_by_its_stat() -> None:
    def state(known: SourceRecord | None, stat: FileStat = STAT) -> SourceState:
        return state_of(stat, known, fingerprint=NOW)

    assert state(None) is SourceState.NOT_INGESTED
    assert state(record("/r/a")) is SourceState.INGESTED
    assert state(record("/r/a", FileStat(size=10, mtime_ns=IN_DOUBT))) is SourceState.INGESTED
    assert state(record("/r/a", FileStat(size=9, mtime_ns=IN_DOUBT))) is SourceState.STALE
    assert state(record("/r/a", None)) is SourceState.STALE
    assert state(record("/r/a", fingerprint=BEFORE)) is SourceState.STALE
    assert state(record("/r/a", failure=("no_text", ""))) is SourceState.FAILED
    assert state(record("/r/a", failure=("no_text", ""), fingerprint=BEFORE)) is SourceState.FAILED
    assert state(record("/r/a", failure=("unreadable_file", ""))) is SourceState.UNREADABLE


Files = dict[str, FileStat]
Records = dict[str, tuple[FileStat | None, Fingerprint, tuple[str, str] | None]]

PATHS = st.lists(st.sampled_from(["a", "b", "ab", "c d", "é"]), min_size=1, max_size=3).map(
    lambda parts: "/r/" + "/".join(parts) + ".md"
)
STATS = st.builds(FileStat, size=st.integers(0, 3), mtime_ns=st.integers(0, 3))
FILES = st.dictionaries(PATHS, STATS, max_size=8)
FAILURES = st.sampled_from([None, None, ("corrupt_file", "x"), ("unreadable_file", "x")])
RECORDS = st.dictionaries(PATHS, st.tuples(st.none() | STATS, st.sampled_from([NOW, BEFORE]), FAILURES), max_size=8)
UNLISTED = st.lists(st.sampled_from(["/r", "/r/a", "/r/ab", "/r/b/c d", "/elsewhere"]), max_size=2).map(tuple)


def listed(files: Files) -> list[FileEntry]:
    return [entry(path, files[path]) for path in sorted(files)]


def known(records: Records) -> list[SourceRecord]:
    return [
        record(path, stat, fingerprint=made, failure=failure) for path, (stat, made, failure) in sorted(records.items())
    ]


@given(FILES, RECORDS, UNLISTED)
def test_a_plan_puts_every_file_and_every_entry_in_exactly_one_place(
    files: Files, records: Records, unlisted: tuple[str, ...]
) -> None:
    todo = planned(listed(files), known(records), unlisted)
    seen = [file.path for file in (*todo.new, *todo.changed, *todo.unchanged)] + [r.key for r in todo.failed]
    assert sorted(seen) == sorted(files)
    without_file = [r.key for r in (*todo.deleted, *todo.kept)]
    assert sorted(without_file) == sorted(set(records) - set(files))


@given(FILES, RECORDS, UNLISTED)
def test_a_plan_applied_and_planned_again_is_empty(files: Files, records: Records, unlisted: tuple[str, ...]) -> None:
    todo = planned(listed(files), known(records), unlisted)
    after = {r.key: r for r in known(records)}
    for gone in todo.deleted:
        del after[gone.key]
    for file in (*todo.new, *todo.changed):
        after[SourceKey(file.path)] = record(file.path, file.stat)
    again = planned(listed(files), list(after.values()), unlisted)
    assert (again.new, again.changed, again.deleted) == ((), (), ())
    assert again.kept == todo.kept


@given(FILES, UNLISTED)
def test_nothing_under_an_unreadable_folder_is_ever_deleted(files: Files, unlisted: tuple[str, ...]) -> None:
    todo = planned([], [record(path, stat) for path, stat in files.items()], unlisted)
    assert not [r for r in todo.deleted for folder in unlisted if r.key.startswith(folder + "/")]
