"""The doctor: every broken thing is told, with what to do; what a command mends is mended when it is pasted."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from tests.ingest.test_lock import HOLD
from tests.shell.doctored import CHECKS, Patient
from tests.store.index_files import harm

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="commands are pasted into a POSIX shell")


Case = tuple[Callable[[Patient], None], str, str, str]
"""What breaks it; and check, state and message that tell."""


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(tmp_path)


@pytest.fixture
def synced(patient: Patient) -> Patient:
    patient.sync()
    return patient


def a_new_file(patient: Patient) -> None:
    patient.write("c.md", "# New\n\nNobody indexed this.\n")


def a_changed_file(patient: Patient) -> None:
    patient.write("a.md", "# Pump\n\nThe seal must be replaced every year now.\n")


def a_vanished_file(patient: Patient) -> None:
    (patient.docs / "b.md").unlink()


def vectors_that_went(patient: Patient) -> None:
    harm(patient.db, "DELETE FROM vector")


def a_damaged_text(patient: Patient) -> None:
    harm(patient.db, "UPDATE block SET data = flipped(data) WHERE id = (SELECT min(id) FROM block)")


def words_that_went(patient: Patient) -> None:
    harm(patient.db, "DELETE FROM words WHERE rowid = 1")


def an_index_cut_off(patient: Patient) -> None:
    patient.db.write_bytes(patient.db.read_bytes()[: patient.db.stat().st_size // 2])


def an_index_of_nothing(patient: Patient) -> None:
    patient.db.write_bytes(os.urandom(50_000))


def a_header_gone(patient: Patient) -> None:
    patient.db.write_bytes(bytes(4096) + patient.db.read_bytes()[4096:])


def a_chunk_that_went(patient: Patient) -> None:
    harm(patient.db, "DELETE FROM chunk WHERE id = 1")


def vectors_cut_short(patient: Patient) -> None:
    harm(patient.db, "UPDATE vector SET data = x'0102'")


def an_index_for_all_to_read(patient: Patient) -> None:
    patient.index.chmod(0o755)
    patient.db.chmod(0o644)


MENDED: list[Case] = [
    (a_new_file, "sources", "warn", "1 source not indexed yet: c.md."),
    (a_changed_file, "sources", "warn", "1 source changed since"),
    (a_vanished_file, "sources", "warn", "1 source indexed but no longer on the disk: b.md."),
    (vectors_that_went, "vectors", "warn", "2 of 2 chunks have no vector"),
    (a_damaged_text, "index", "fail", "a.md is damaged"),
    (words_that_went, "index", "fail", "a.md is damaged: 1 chunks are missing from the word index"),
    (an_index_cut_off, "index", "fail", "cannot be read"),
    (an_index_of_nothing, "index", "fail", "is no index, or a destroyed one"),
    (a_header_gone, "index", "fail", "is no index, or a destroyed one"),
    (a_chunk_that_went, "index", "fail", "The index is damaged"),
    (vectors_cut_short, "index", "fail", "2 vectors are empty or have the wrong length"),
    (an_index_for_all_to_read, "index folder", "warn", "Other users of this machine may read"),
]


def test_a_sound_library_passes_every_check(synced: Patient) -> None:
    report = synced.report()
    assert [finding["check"] for finding in report.checks] == list(CHECKS)
    assert report.states() == {}
    assert report.code == 0
    assert "2 sources with 2 chunks" in report.one("index")["message"]
    for part in ("minirag-mcp", "Python", "SQLite 3.", "onnxruntime 1.", "cores"):
        assert part in report.one("platform")["message"]


@pytest.mark.parametrize("case", MENDED, ids=lambda case: case[0].__name__)
def test_what_is_broken_is_told_and_the_command_mends_it(synced: Patient, case: Case) -> None:
    breaking, check, state, message = case
    breaking(synced)
    report = synced.report()
    (finding,) = [finding for finding in report.of(check) if finding["state"] != "ok"]
    assert (finding["state"], report.code) == (state, 1 if state == "fail" else 0)
    assert message in finding["message"]
    done = synced.paste(finding["command"])
    assert done.returncode == 0, done.stderr
    after = synced.report()
    assert (after.states(), after.code) == ({}, 0)


def test_a_damaged_index_is_set_aside_and_never_overwritten(synced: Patient) -> None:
    for _ in range(2):
        an_index_cut_off(synced)
        broken = synced.db.read_bytes()
        command = synced.report().one("index")["command"]
        assert synced.paste(command).returncode == 0
        assert broken in [path.read_bytes() for path in synced.index.glob("index.db.damaged*")]
    assert len(list(synced.index.glob("index.db.damaged*"))) == 2


def test_what_depends_on_a_damaged_index_says_so(synced: Patient) -> None:
    an_index_of_nothing(synced)
    report = synced.report()
    assert report.states() == {"index": "fail", "sources": "skipped", "vectors": "skipped"}
    assert "index" in report.one("sources")["message"]


def test_a_damaged_item_that_is_no_file_is_to_be_removed(synced: Patient) -> None:
    from tests.flows.launch import open_library

    from minirag_mcp.config import Settings

    settings = Settings(roots=(synced.docs,), db_path=synced.index, cache_dir=synced.folder)
    with open_library(settings) as library:
        library.ingest_data("# Note\n\nSaid once.", "note: it's 1", format="markdown")
    harm(synced.db, "UPDATE block SET data = flipped(data) WHERE id = (SELECT max(id) FROM block)")
    finding = synced.report().one("index")
    assert "note: it's 1" in finding["message"]
    assert "ingest it again" in finding["fix"]
    assert synced.paste(finding["command"]).returncode == 0
    assert synced.report().states() == {}


def test_many_damaged_documents_are_named_in_part_and_counted(synced: Patient) -> None:
    for number in range(5):
        synced.write(f"{number}.md", f"# Text {number}\n\nThis is number {number}.\n")
    synced.sync()
    harm(synced.db, "UPDATE block SET data = flipped(data)")
    found = synced.report().of("index")
    assert len(found) == 4
    assert found[-1]["message"].startswith("4 more documents")


def test_the_database_of_another_program_is_not_touched(patient: Patient) -> None:
    patient.index.mkdir(parents=True)
    connection = apsw.Connection(str(patient.db))
    connection.execute("CREATE TABLE theirs(x)")
    connection.close()
    report = patient.report()
    finding = report.one("index")
    assert (finding["state"], finding["command"], report.code) == ("fail", None, 1)
    assert "another program" in finding["message"]
    assert "DB_PATH" in finding["fix"]


def test_an_index_of_a_newer_version_asks_for_an_upgrade(synced: Patient) -> None:
    harm(synced.db, "PRAGMA user_version = 99")
    finding = synced.report().one("index")
    assert (finding["state"], finding["command"]) == ("fail", None)
    assert "schema 99" in finding["message"]
    assert "Upgrade" in finding["fix"]


def test_a_file_that_failed_is_told_with_its_own_remedy(synced: Patient) -> None:
    path = synced.docs / "scan.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing that follows")
    synced.sync()
    report = synced.report()
    finding = report.one("sources")
    assert (finding["state"], report.code) == ("warn", 0)
    assert "scan.pdf" in finding["message"]
    assert "Restore the file from a good copy" in finding["fix"]
    assert str(path) in finding["command"]


def test_a_failed_file_that_vanished_is_dropped_by_the_next_sync(synced: Patient) -> None:
    path = synced.docs / "scan.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing that follows")
    synced.sync()
    path.unlink()
    finding = synced.report().one("sources")
    assert finding["message"] == "1 source indexed but no longer on the disk: scan.pdf."
    assert synced.paste(finding["command"]).returncode == 0
    assert synced.report().states() == {}


def test_a_file_over_the_limit_gets_a_command_that_raises_it(synced: Patient) -> None:
    synced.write("large.md", "# Large\n\n" + "word " * 1000)
    small = {"MAX_FILE_SIZE": "1000"}
    synced.run("sync", **small)
    finding = synced.report(**small).one("sources")
    assert "large.md (5,009 bytes)" in finding["message"]
    assert "MAX_FILE_SIZE=6000 minirag-mcp sync" in finding["command"]
    assert synced.paste(finding["command"]).returncode == 0
    assert synced.report().states() == {}
    assert synced.report(**small).states() == {}


def test_commands_carry_the_settings_in_force(synced: Patient) -> None:
    where, cache = synced.folder / "my index", synced.folder / "cache"
    given = {
        "BASE_DIRS": f'["{synced.docs}"]',
        "DB_PATH": str(where),
        "CACHE_DIR": str(cache),
        "CHUNK_TOKEN_BUDGET": "99",
    }
    command = synced.report(**given).one("sources")["command"]
    assert command == (
        f"CHUNK_TOKEN_BUDGET=99 minirag-mcp sync --base-dir '{synced.docs}' --db-path '{where}' --cache-dir {cache}"
    )
    assert synced.paste(command).returncode == 0
    assert synced.report(**given).states() == {}


def test_a_file_in_place_of_the_index_folder_is_told_and_the_rest_looked_at(patient: Patient) -> None:
    place = patient.write("taken.txt", "not a folder")
    report = patient.report("--db-path", str(place / "index"))
    assert report.states() == {"index folder": "fail", "index": "skipped", "sources": "skipped", "vectors": "skipped"}
    assert f"{place} is not a folder" in report.one("index folder")["message"]
    assert "DB_PATH" in report.one("index folder")["fix"]
    assert report.code == 1


def test_an_index_that_git_would_see_is_a_warning(synced: Patient) -> None:
    (synced.docs / ".git").mkdir()
    assert synced.report().states() == {}
    (synced.index / ".gitignore").unlink()
    finding = synced.report().one("index folder")
    assert (finding["state"], "could be committed" in finding["message"]) == ("warn", True)
    (synced.index / ".gitignore").write_text("index.db*\n", "utf-8")
    assert synced.report().states() == {}


@pytest.mark.parametrize(
    ("given", "places"),
    [
        ({"MAX_FILE_SIZE": "0", "RAG_GROUPING": "x"}, False),
        ({"BASE_DIRS": "nonsense", "RAG_MAX_FILES": "-1"}, True),
        ({"DB_PATH": "~nobody-of-this-name/x"}, True),
    ],
)
def test_every_wrong_setting_is_told_and_what_can_be_looked_at_is(
    synced: Patient,
    given: dict[str, str],
    places: bool,  # noqa: FBT001 - a column of the table
) -> None:
    report = synced.report(**given)
    found = report.of("configuration")
    assert {finding["state"] for finding in found} == {"fail"}
    assert sorted(finding["message"].split()[0] for finding in found) == sorted(given)
    assert report.code == 1
    assert bool(report.of("index")) != places
    assert report.one("platform")["state"] == "ok"
    if places:
        assert [finding["state"] for finding in report.checks if finding["state"] == "skipped"] == ["skipped"]


def test_a_running_sync_is_named_and_commands_wait_for_it(synced: Patient) -> None:
    a_new_file(synced)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(synced.index)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=synced.environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        report = synced.report()
        process.communicate("")
    assert f"process {process.pid} on" in report.one("sync")["message"]
    assert "ago" in report.one("sync")["message"]
    assert report.one("sources")["command"] is None
    assert "wait" in report.one("sources")["fix"]
    assert synced.report().one("sync")["message"] == "none is at work"


def test_looking_does_not_change_what_is_looked_at(patient: Patient) -> None:
    before = sorted(patient.folder.rglob("*"))
    assert patient.report().code == 0
    assert sorted(patient.folder.rglob("*")) == before


def test_the_text_names_each_check_and_has_the_command_on_a_line_of_its_own(synced: Patient) -> None:
    a_new_file(synced)
    done = synced.run("doctor")
    lines = done.stdout.decode().splitlines()
    assert done.stderr == b""
    assert lines[0].startswith("ok       configuration: ")
    at = next(n for n, line in enumerate(lines) if line.startswith("warn"))
    assert lines[at + 2].strip() == f"minirag-mcp sync --base-dir '{synced.docs}'"
    assert lines[-1] == "9 ok, 1 warn"
