"""What the doctor says of rights that lack, and of a model that is not to be had."""

import os
import sys
from pathlib import Path

import pytest
from tests.shell.client import environment, run
from tests.shell.doctored import Patient

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="commands are pasted into a POSIX shell")
AS_ROOT = os.geteuid() == 0 if hasattr(os, "geteuid") else False


@pytest.fixture
def synced(tmp_path: Path) -> Patient:
    patient = Patient(tmp_path)
    patient.sync()
    return patient


@pytest.mark.skipif(AS_ROOT, reason="root may read and write everything")
@pytest.mark.parametrize(
    "case",
    [
        ("my docs/a.md", 0o000, "sources", "a.md may not be read"),
        ("my docs/sub", 0o000, "sources", "cannot be listed"),
        ("my docs/.minirag/index", 0o000, "index folder", "may not be written"),
        ("my docs/.minirag/index", 0o500, "index folder", "may not be written"),
        ("my docs/.minirag/index/index.db", 0o400, "index folder", "index.db"),
        ("my docs/.minirag/index/index.db", 0o000, "index folder", "index.db"),
        ("my docs", 0o300, "roots", "may not be read"),
    ],
)
def test_rights_that_lack_are_told_and_the_command_gives_them(synced: Patient, case: tuple[str, int, str, str]) -> None:
    name, mode, check, message = case
    (synced.docs / "sub").mkdir()
    synced.write("sub/c.md", "# C\n\nText.\n")
    synced.sync()
    path = synced.folder / name
    before = path.stat().st_mode
    path.chmod(mode)
    try:
        synced.run("sync")
        finding = synced.report().of(check)[0]
        assert message in finding["message"]
        assert synced.paste(finding["command"]).returncode == 0
        assert [found["state"] for found in synced.report().of(check)] == ["ok"]
    finally:
        path.chmod(before)


@pytest.mark.parametrize("harm", ["missing", "cut off"])
def test_weights_that_lack_or_are_damaged_are_made_again(tmp_path: Path, harm: str) -> None:
    docs, cache = tmp_path / "docs", tmp_path / "cache"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nText.\n", "utf-8")
    here = environment(BASE_DIR=str(docs), CACHE_DIR=str(cache))
    if harm == "cut off":
        assert run(["doctor"], env=here, cwd=tmp_path).returncode == 0
        (weights,) = cache.rglob("weights.bin")
        weights.write_bytes(weights.read_bytes()[:1000])
    done = run(["doctor"], env=here, cwd=tmp_path)
    assert done.returncode == 0
    assert b"ok       model: multilingual-e5-small-q4 loads" in done.stdout
    (weights,) = cache.rglob("weights.bin")
    assert weights.stat().st_size > 10**7


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"CACHE_DIR": "a.file"}, "cannot be written"),
        ({"MODEL_NAME": "no/such-model"}, "MODEL_NAME"),
    ],
)
def test_a_model_that_cannot_be_had_hides_nothing_else(tmp_path: Path, given: dict[str, str], message: str) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nText.\n", "utf-8")
    (tmp_path / "a.file").write_text("x", "utf-8")
    done = run(["doctor"], env=environment(BASE_DIR=str(docs), **given), cwd=tmp_path)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 1
    (model,) = [line for line in lines if " model: " in line and line.startswith("fail")]
    assert message in model or any(message in line for line in lines)
    assert any(line.startswith("ok       index: ") for line in lines)
