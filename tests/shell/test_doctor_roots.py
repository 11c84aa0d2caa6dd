"""The doctor on the roots: missing, empty, too large, one inside another; and what named them."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.shell.doctored import Patient

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="commands are pasted into a POSIX shell")


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(tmp_path)


@pytest.fixture
def synced(patient: Patient) -> Patient:
    patient.sync()
    return patient


def test_what_named_the_roots_is_told_and_that_nothing_did(patient: Patient) -> None:
    named = patient.report(BASE_DIR=str(patient.docs))
    assert named.one("configuration")["message"].endswith("; roots named by BASE_DIR")
    assert "(BASE_DIR)" in named.one("roots")["message"]
    env = patient.environment()
    done = subprocess.run(
        [sys.executable, "-m", "tests.flows.launch", "doctor"],
        cwd=patient.docs,
        env=env,
        capture_output=True,
        check=False,
    )
    told = done.stdout.decode()
    assert "the root is the current directory" in told
    assert "(the current directory)" in told
    assert "BASE_DIR" not in told


def test_files_of_a_former_root_are_told_and_can_be_forgotten(synced: Patient) -> None:
    other = synced.folder / "other"
    other.mkdir()
    (other / "x.md").write_text("# X\n\nOther.\n", "utf-8")
    place = ("--base-dir", str(other), "--db-path", str(synced.index))
    synced.run("sync", *place)
    finding = synced.report().one("sources")
    assert "1 indexed file of folders that are no roots now" in finding["message"]
    assert synced.paste(finding["command"]).returncode == 0
    assert synced.report().states() == {}


def test_a_root_that_is_missing_is_told_by_the_setting_that_names_it(patient: Patient) -> None:
    report = patient.report(BASE_DIR=str(patient.folder / "gone"))
    assert report.states()["roots"] == "fail"
    assert "gone does not exist" in report.one("roots")["message"]
    assert "BASE_DIR" in report.one("roots")["fix"]


def test_nothing_is_called_sound_that_would_lie_in_a_missing_root(patient: Patient) -> None:
    states = patient.report("--base-dir", str(patient.folder / "gone")).states()
    assert {name: states.get(name) for name in ("roots", "index", "sources", "vectors")} == {
        "roots": "fail",
        "index": "skipped",
        "sources": "skipped",
        "vectors": "skipped",
    }


def test_a_root_that_only_the_index_is_left_in_is_told(synced: Patient) -> None:
    for document in synced.docs.glob("*.md"):
        document.unlink()
    finding = synced.report().one("roots")
    assert finding["state"] == "warn"
    assert "is empty, as an unmounted drive looks; what was indexed from it is kept" in finding["message"]


def test_files_of_a_root_that_went_are_not_called_sound(synced: Patient) -> None:
    where = ("--db-path", str(synced.folder / "index"))
    synced.run("sync", *where)
    synced.docs.rename(synced.folder / "elsewhere")
    assert synced.report(*where).states() == {"roots": "fail", "sources": "skipped"}


@pytest.mark.parametrize(
    ("roots", "message"),
    [
        (["my docs", "my docs/sub"], "sub lies in the root"),
        (["my docs", "link"], "is the same folder as"),
        (["/"], "holds everything"),
        (["empty"], "is empty"),
    ],
)
def test_roots_that_are_probably_not_meant_are_a_warning(patient: Patient, roots: list[str], message: str) -> None:
    (patient.docs / "sub").mkdir()
    patient.write("sub/c.md", "# C\n\nText.\n")
    (patient.folder / "link").symlink_to(patient.docs)
    (patient.folder / "empty").mkdir()
    flags = [word for root in roots for word in ("--base-dir", str(patient.folder / root))]
    if roots == ["/"]:
        from minirag_mcp.config import Settings
        from minirag_mcp.examine.roots import examine_roots

        (found,) = examine_roots(Settings(roots=(Path("/"),), db_path=patient.index, cache_dir=patient.folder))
        assert message in found.message
        return
    found_all = patient.report(*flags, "--db-path", str(patient.folder / "index")).of("roots")
    assert [finding["state"] for finding in found_all] == ["warn"]
    assert message in found_all[0]["message"]


def test_a_root_behind_a_hidden_name_in_another_is_no_mistake(patient: Patient) -> None:
    (patient.docs / ".notes").mkdir()
    (patient.docs / ".notes" / "n.md").write_text("# N\n\nText.\n", "utf-8")
    flags = ["--base-dir", str(patient.docs), "--base-dir", str(patient.docs / ".notes")]
    assert patient.report(*flags).one("roots")["state"] == "ok"
