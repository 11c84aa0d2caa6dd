"""Several processes and threads on one index: killed at any moment, seen at the next read, never half."""

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from tests.store.entries import FINGERPRINT, IDENTITY, STAT, entry, vector_of

from minirag_mcp.model import SourceKey
from minirag_mcp.store.contract import Store
from minirag_mcp.store.database import FILE_NAME
from minirag_mcp.store.sqlite import open_store

KEYS = tuple(f"/d/{n}.md" for n in range(4))

STUCK = """
def entries():
    for key in KEYS:
        yield version(key, "new")
        print("between", flush=True)
        if key == KEYS[int(sys.argv[2])]:
            sys.stdin.read()
store.replace_many(entries())
print("committed", flush=True)
sys.stdin.read()
"""

ENDLESS = """
n = 0
while True:
    n += 1
    print(n, flush=True)
    store.replace_many([version(key, f"v{n}") for key in KEYS])
"""

ONE_WRITE = """
sys.stdin.readline()
store.replace(version(sys.argv[2], "made"))
store.close()
print("done", flush=True)
"""

PROLOGUE = f"""
import sys
from pathlib import Path
from minirag_mcp.store.sqlite import open_store
from tests.store.entries import IDENTITY, entry
KEYS = {KEYS}
def version(key, name):
    return entry(key, "\\n".join(f"{{name}} line{{n}} of {{key}}" for n in range(20)), title=name)
store = open_store(Path(sys.argv[1]), identity=IDENTITY)
"""


@contextmanager
def child(program: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A child process with pipes; it is gone at the end."""
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", PROLOGUE + program, *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def opened(folder: Path) -> Store:
    return open_store(folder, identity=IDENTITY)


def versions(store: Store) -> set[str]:
    """The version each source is at, by everything that tells it; each source must be whole."""
    found = set()
    for record in store.sources():
        chunks = store.chunks(record.key, 0, 99)
        names = {record.title} | {c.text.split()[0] for c in chunks}
        assert len(names) == 1, f"{record.key} is at {names}"
        assert len(chunks) == record.chunk_count == 20
        found |= names
    return found


def assert_sound(folder: Path) -> None:
    connection = apsw.Connection(str(folder / FILE_NAME))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.execute("INSERT INTO words(words) VALUES ('integrity-check')")
    connection.close()


@pytest.mark.parametrize("last", range(len(KEYS)))
def test_a_writer_killed_between_two_sources_of_a_batch_leaves_the_old_state(tmp_path: Path, last: int) -> None:
    store = opened(tmp_path)
    store.replace_many([entry(key, "\n".join(f"old line{n} of {key}" for n in range(20)), title="old") for key in KEYS])
    with child(STUCK, str(tmp_path), str(last)) as process:
        for _ in range(last + 1):
            assert line(process) == "between"
        assert versions(store) == {"old"}
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert versions(store) == {"old"}
    store.replace_many([entry(key, "\n".join(f"next line{n}" for n in range(20)), title="next") for key in KEYS])
    assert versions(store) == {"next"}
    assert len(store.search_vector(vector_of("next"), limit=500)) == len(store.search_terms(["next"], limit=500)) == 80
    store.close()
    assert_sound(tmp_path)


def test_a_writer_killed_at_random_moments_leaves_one_whole_state(tmp_path: Path) -> None:
    moments = random.Random(7)  # noqa: S311 - a seed, not a secret
    for _ in range(6):
        with child(ENDLESS, str(tmp_path)) as process:
            for _ in range(moments.randrange(1, 40)):
                assert line(process)
            process.send_signal(signal.SIGKILL)
            process.wait()
        store = opened(tmp_path)
        assert len(versions(store)) <= 1
        counts = store.counts(FINGERPRINT)
        assert (counts.chunks, counts.unembedded_chunks) in {(80, 0), (0, 0)}
        store.close()
        assert_sound(tmp_path)


def test_what_another_process_wrote_is_seen_at_the_next_read(tmp_path: Path) -> None:
    store = opened(tmp_path / "index")
    assert store.sources() == []
    with child(STUCK, str(tmp_path / "index"), "-1") as process:
        for _ in KEYS:
            assert line(process) == "between"
        assert store.sources() == []
        process.stdin.close()  # type: ignore[union-attr]
        process.stdin = None
        assert line(process) == "committed"
        assert versions(store) == {"new"}
        assert len(store.search_vector(vector_of("new"), limit=500)) == 80
    store.close()


def test_two_processes_may_both_be_the_first_to_write(tmp_path: Path) -> None:
    for attempt in range(3):
        folder = tmp_path / f"{attempt}"
        with child(ONE_WRITE, str(folder), "/d/a.md") as one, child(ONE_WRITE, str(folder), "/d/b.md") as two:
            for process in (one, two):
                assert process.stdin is not None
                process.stdin.write("go\n")
                process.stdin.flush()
            assert [line(one), line(two)] == ["done", "done"]
        store = opened(folder)
        assert [r.key for r in store.sources()] == ["/d/a.md", "/d/b.md"]
        store.close()
        assert_sound(folder)


def test_readers_see_whole_versions_while_a_writer_works_and_do_not_wait_for_it(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.replace_many([entry(key, "\n".join(f"v0 line{n}" for n in range(20)), title="v0") for key in KEYS])
    problems: list[BaseException] = []
    done = threading.Event()
    rounds = [0, 0, 0]

    def read(reader: int) -> None:
        try:
            while not done.is_set() or rounds[reader] < 5:
                with_text = store.read([hit.chunk for hit in store.search_terms(["line7"], limit=50)])
                assert len({c.title for c in with_text}) <= 1
                assert len(store.search_vector(vector_of("line7"), limit=200)) == 80
                chunks = store.chunks(SourceKey(KEYS[reader]), 0, 99)
                assert len({c.title for c in chunks} | {c.text.split()[0] for c in chunks}) == 1
                assert [c.ordinal for c in chunks] == list(range(20))
                rounds[reader] += 1
        except BaseException as problem:  # noqa: BLE001 - reported by the main thread
            problems.append(problem)

    readers = [threading.Thread(target=read, args=(n,)) for n in range(3)]
    for thread in readers:
        thread.start()
    for n in range(1, 40):
        store.replace_many([entry(key, "\n".join(f"v{n} line{m}" for m in range(20)), title=f"v{n}") for key in KEYS])
    done.set()
    for thread in readers:
        thread.join()
    assert problems == []
    assert min(rounds) >= 5
    assert versions(store) == {"v39"}
    store.close()


def test_a_reader_inside_an_open_write_sees_the_state_before_it(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.replace(entry("/d/a.md", "old"))

    def entries() -> Iterator[object]:
        yield entry("/d/a.md", "new")
        seen = threading.Thread(target=lambda: found.extend(c.text for c in store.chunks(SourceKey("/d/a.md"), 0, 9)))
        seen.start()
        seen.join()

    found: list[str] = []
    store.replace_many(entries())  # type: ignore[arg-type]
    assert found == ["old"]
    assert [c.text for c in store.chunks(SourceKey("/d/a.md"), 0, 9)] == ["new"]
    store.close()


def test_threads_that_write_take_turns(tmp_path: Path) -> None:
    store = opened(tmp_path)
    threads = [threading.Thread(target=lambda n=n: store.replace(entry(f"/d/{n}.md", f"text {n}"))) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.sources()) == 12
    assert store.counts(FINGERPRINT).unembedded_chunks == 0
    store.refresh(SourceKey("/d/1.md"), STAT, content_hash="ab")
    store.close()
