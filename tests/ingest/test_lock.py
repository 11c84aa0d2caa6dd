import os
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from minirag_mcp.errors import StoreError, SyncBusyError
from minirag_mcp.ingest.lock import LOCK_NAME, Holder, SyncLock

HOLD = textwrap.dedent("""
    import sys
    from pathlib import Path
    from minirag_mcp.ingest.lock import SyncLock
    with SyncLock(Path(sys.argv[1])):
        print("held", flush=True)
        sys.stdin.read()
    print("released", flush=True)
""")


def holder(folder: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_and_told_who_holds_the_lock(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with pytest.raises(SyncBusyError) as refused, SyncLock(tmp_path):
            pass
        assert f"process {process.pid} on " in str(refused.value)
        assert "seconds ago" in str(refused.value) or "1 second ago" in str(refused.value)
        process.communicate("")
    with SyncLock(tmp_path):
        pass


def test_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.kill()
        process.wait()
    with SyncLock(tmp_path):
        pass


def test_a_second_sync_of_the_same_process_is_refused_too(tmp_path: Path) -> None:
    with SyncLock(tmp_path):
        with pytest.raises(SyncBusyError, match=f"process {os.getpid()} "), SyncLock(tmp_path):
            pass
        with pytest.raises(SyncBusyError), SyncLock(tmp_path):  # the refusal did not free it
            pass


def test_the_lock_is_free_again_after_an_error(tmp_path: Path) -> None:
    def fail() -> None:
        with SyncLock(tmp_path):
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with SyncLock(tmp_path):
        pass


def test_the_index_folder_is_made_when_it_is_missing(tmp_path: Path) -> None:
    with SyncLock(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b" / LOCK_NAME).exists()


def test_a_folder_that_cannot_be_made_is_an_index_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be written") as refused, SyncLock(tmp_path / "file" / "index"):
        pass
    assert "DB_PATH" in refused.value.remedy


def test_a_lock_whose_holder_could_not_write_its_name_is_still_a_lock(tmp_path: Path) -> None:
    with SyncLock(tmp_path):
        (tmp_path / LOCK_NAME).write_text("{")
        with pytest.raises(SyncBusyError, match="another process"), SyncLock(tmp_path):
            pass


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (61, "1 minute"), (7300, "2 hours"), (90_000, "1 day")],
)
def test_the_age_of_the_lock_is_told_in_its_largest_unit(seconds: int, text: str) -> None:
    assert f" {text} ago" in str(Holder(pid=1, host="h", started=time.time() - seconds))


def test_a_clock_that_was_set_back_gives_no_negative_age() -> None:
    assert "0 seconds ago" in str(Holder(pid=1, host="h", started=time.time() + 1000))


def test_the_folder_it_makes_is_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "index"
    with SyncLock(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / LOCK_NAME).stat().st_mode) == 0o600


def test_the_folder_is_left_out_of_version_control_when_the_lock_made_it_and_only_then(tmp_path: Path) -> None:
    with SyncLock(tmp_path / "deep" / "index"):
        assert (tmp_path / "deep" / "index" / ".gitignore").read_text() == "*\n"
    with SyncLock(tmp_path):
        assert not (tmp_path / ".gitignore").exists()


def test_a_folder_that_is_a_file_cannot_be_locked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "deep" / "index"):
        with pytest.raises(StoreError, match="cannot be written"), SyncLock(folder):
            pass
