"""The index as files on a disk: made late, kept private, told apart from what is damaged, newer, busy or denied."""

import gzip
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from tests.store.entries import FINGERPRINT, IDENTITY, STAT, entry, hash_of, record, vector_of

from minirag_mcp.errors import IndexBusyError, IndexDamagedError, IndexNewerError, StoreError
from minirag_mcp.model import FileStat, SourceEntry, SourceKey
from minirag_mcp.store.contract import Store
from minirag_mcp.store.database import FILE_NAME, Database
from minirag_mcp.store.sqlite import open_store

GOLDEN = Path(__file__).parents[1] / "golden" / "index-schema-1.db.gz"


def opened(folder: Path, *, busy_timeout: float = 10.0) -> Store:
    return open_store(folder, identity=IDENTITY, busy_timeout=busy_timeout)


def written(folder: Path, text: str = "alpha beta") -> Path:
    """An index with one source, closed; gives its file."""
    store = opened(folder)
    store.replace(entry("/d/a.md", text))
    store.close()
    return folder / FILE_NAME


def texts(store: Store) -> list[str]:
    return [c.text for r in store.sources() for c in store.chunks(r.key, 0, 99)]


def test_reading_and_forgetting_make_nothing_on_disk(tmp_path: Path) -> None:
    store = opened(tmp_path / "deep" / "index")
    store.sources()
    store.counts(FINGERPRINT)
    store.delete([SourceKey("/a")])
    store.add_vectors({})
    store.refresh(SourceKey("/a"), STAT)
    with pytest.raises(KeyError):
        store.rename(SourceKey("/a"), SourceKey("/b"), stat=STAT)
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_the_first_write_makes_a_private_folder_that_is_never_committed(tmp_path: Path) -> None:
    file = written(tmp_path / "deep" / "index")
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (file.parent / ".gitignore").read_text() == "*\n"
    assert sorted(path.name for path in file.parent.iterdir()) == [".gitignore", FILE_NAME]


def test_a_folder_that_is_there_is_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine\n")
    tmp_path.chmod(0o755)
    written(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE_NAME, "mine.md"]
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_an_empty_file_is_an_index_not_written_yet(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    store = opened(tmp_path)
    assert store.sources() == []
    store.replace(entry("/d/a.md", "alpha"))
    assert texts(store) == ["alpha"]
    store.close()


def test_a_first_write_that_fails_leaves_an_index_that_can_be_read_and_written(tmp_path: Path) -> None:
    store = opened(tmp_path / "index")
    with pytest.raises(ValueError, match="shape"):
        store.replace(replace(entry("/d/a.md", "alpha"), vectors={hash_of("A title\nalpha"): vector_of("alpha")[:3]}))
    assert store.sources() == []
    store.replace(entry("/d/a.md", "alpha"))
    assert texts(store) == ["alpha"]
    store.close()


def test_an_index_deleted_while_open_is_empty_and_can_be_written_again(tmp_path: Path) -> None:
    store = opened(tmp_path / "index")
    store.replace(entry("/d/a.md", "alpha"))
    assert len(store.search_vector(vector_of("alpha"), limit=5)) == 1
    shutil.rmtree(tmp_path / "index")
    assert store.sources() == []
    assert store.search_vector(vector_of("alpha"), limit=5) == []
    store.replace(entry("/d/b.md", "beta\ngamma"))
    assert texts(store) == ["beta", "gamma"]
    assert len(store.search_vector(vector_of("alpha"), limit=5)) == 2
    store.close()


def test_an_index_exchanged_while_open_is_the_one_that_is_read(tmp_path: Path) -> None:
    other = written(tmp_path / "other", "restored")
    store = opened(tmp_path / "index")
    store.replace(entry("/d/a.md", "alpha"))
    other.replace(tmp_path / "index" / FILE_NAME)
    for name in ("-wal", "-shm"):
        (tmp_path / "index" / (FILE_NAME + name)).unlink()
    assert texts(store) == ["restored"]
    store.close()


def test_a_write_whose_file_goes_meanwhile_fails(tmp_path: Path) -> None:
    store = opened(tmp_path / "index")

    def entries() -> Iterator[SourceEntry]:
        yield entry("/d/a.md", "alpha")
        shutil.rmtree(tmp_path / "index")

    with pytest.raises(StoreError, match="deleted or exchanged"):
        store.replace_many(entries())
    store.replace(entry("/d/b.md", "beta"))
    assert texts(store) == ["beta"]
    store.close()


def test_an_index_deleted_where_it_must_stay_fails_the_next_write_and_the_end(tmp_path: Path) -> None:
    store = opened(tmp_path / "index")
    place = store.steady()
    place.__enter__()
    store.replace(entry("/d/a.md", "alpha"))
    shutil.rmtree(tmp_path / "index")
    assert store.sources() == []
    with pytest.raises(StoreError, match="deleted or exchanged"):
        store.replace(entry("/d/b.md", "beta"))
    with pytest.raises(StoreError, match="deleted or exchanged"):
        place.__exit__(None, None, None)
    assert not (tmp_path / "index").exists()
    store.replace(entry("/d/b.md", "beta"))
    with store.steady():
        store.replace(entry("/d/a.md", "alpha"))
    assert texts(store) == ["alpha", "beta"]
    store.close()


def test_an_index_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path)
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    store = opened(tmp_path)
    for action in (store.sources, lambda: store.replace(entry("/d/b.md"))):
        with pytest.raises(IndexNewerError, match="99"):
            action()
    store.close()


def test_the_database_of_another_program_is_not_touched(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / FILE_NAME))
    connection.execute("CREATE TABLE theirs(x); INSERT INTO theirs VALUES (1)")
    connection.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    store = opened(tmp_path)
    for action in (store.sources, lambda: store.replace(entry("/d/b.md"))):
        with pytest.raises(IndexDamagedError, match="another program") as raised:
            action()
        assert "another folder" in raised.value.remedy
        assert "delete" not in raised.value.remedy.lower()
    store.close()
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_database_that_another_program_marked_its_own_before_making_tables_is_not_touched(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / FILE_NAME))
    connection.execute("PRAGMA application_id = 77")
    connection.close()
    store = opened(tmp_path)
    with pytest.raises(IndexDamagedError, match="another program"):
        store.replace(entry("/d/b.md"))
    store.close()


def garbage(file: Path) -> None:
    file.write_bytes(b"This is no database at all. " * 400)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 3])


def overwritten(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    file.write_bytes(data)


def without_a_table(file: Path) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("DROP TABLE source")
    connection.close()


def with_broken_records(file: Path) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("UPDATE block SET data = x'78ffff'; UPDATE part SET data = x'00ff'")
    connection.close()


@pytest.mark.parametrize("damage", [garbage, cut_short, overwritten, without_a_table, with_broken_records])
def test_a_damaged_index_is_told_as_such_and_left_as_it_is(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    file = written(tmp_path, "some words of text\n" * 300)
    damage(file)
    before = file.read_bytes()
    store = opened(tmp_path)
    with pytest.raises(IndexDamagedError) as raised:
        [store.cut(r.key) for r in store.sources()]
    assert str(file) in str(raised.value)
    assert "sync" in raised.value.remedy
    assert f"{file}, with {FILE_NAME}-wal and {FILE_NAME}-shm" in raised.value.remedy
    assert "folder" not in raised.value.remedy
    store.close()
    assert file.read_bytes() == before


def test_a_file_that_is_no_database_may_be_another_programs(tmp_path: Path) -> None:
    garbage(tmp_path / FILE_NAME)
    store = opened(tmp_path)
    with pytest.raises(IndexDamagedError) as raised:
        store.sources()
    assert "another program" in raised.value.remedy
    store.close()


def test_a_vector_of_the_wrong_length_is_damage(tmp_path: Path) -> None:
    file = written(tmp_path)
    connection = apsw.Connection(str(file))
    connection.execute("UPDATE vector SET data = x'00'")
    connection.close()
    store = opened(tmp_path)
    with pytest.raises(IndexDamagedError):
        store.search_vector(vector_of("alpha"), limit=5)
    store.close()


def test_a_writer_that_does_not_end_in_time_makes_the_index_busy_for_writers_only(tmp_path: Path) -> None:
    file = written(tmp_path)
    other = apsw.Connection(str(file))
    other.execute("BEGIN IMMEDIATE")
    store = opened(tmp_path, busy_timeout=0.05)
    with pytest.raises(IndexBusyError):
        store.replace(entry("/d/b.md"))
    assert texts(store) == ["alpha beta"]
    other.execute("ROLLBACK")
    store.replace(entry("/d/b.md", "gamma"))
    assert texts(store) == ["alpha beta", "gamma"]
    other.close()
    store.close()


def test_a_second_thread_waits_no_longer_than_the_timeout(tmp_path: Path) -> None:
    database = Database(tmp_path / "index", busy_timeout=0.05)
    with database.writing(), pytest.raises(IndexBusyError), database.writing():
        pass
    database.close()


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = opened(tmp_path / "index")
    store.replace(entry("/d/a.md"))
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.sources()


def test_a_connection_in_use_when_the_store_closes_is_closed_after(tmp_path: Path) -> None:
    written(tmp_path)
    database = Database(tmp_path, busy_timeout=1)
    with database.reading() as connection:
        database.close()
        assert connection is not None
        assert connection.execute("SELECT count(*) FROM source").get == 1
    with pytest.raises(apsw.ConnectionClosedError):
        connection.execute("SELECT 1")


@pytest.mark.skipif(sys.platform == "win32", reason="names devices of POSIX")
@pytest.mark.parametrize("place", ["{tmp}/file", "{tmp}/file/deep/index", "/dev/null", "/dev/null/x", "/proc/x"])
def test_a_place_where_no_index_can_be_is_refused_by_the_first_read(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")
    store = opened(Path(place.format(tmp=tmp_path)))
    for action in (store.sources, lambda: store.delete([SourceKey("/a")]), lambda: store.replace(entry("/d/a.md"))):
        with pytest.raises(StoreError) as raised:
            action()
        assert "DB_PATH" in raised.value.remedy
    store.close()


READ_ONLY = """
import os, sys
from pathlib import Path
from minirag_mcp.errors import StoreError
from minirag_mcp.store import snapshot  # before the user changes: it may not read what Python imports
from minirag_mcp.store.sqlite import open_store
from tests.store.entries import IDENTITY, entry, vector_of
store = open_store(Path(sys.argv[1]), identity=IDENTITY)
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
store_texts = [c.text for r in store.sources() for c in store.chunks(r.key, 0, 9)]
print(store_texts, len(store.search_terms(["beta"], limit=5)), len(store.search_vector(vector_of("beta"), limit=5)))
try:
    store.replace(entry("/d/b.md"))
except StoreError as error:
    print(type(error).__name__, "DB_PATH" in error.remedy)
store.close()
"""

DISK_FULL = """
import resource, sys
from pathlib import Path
from minirag_mcp.errors import StoreError
from minirag_mcp.store.sqlite import open_store
from tests.store.entries import IDENTITY, entry
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
store = open_store(Path(sys.argv[1]), identity=IDENTITY)
text = " ".join(f"word{n}" for n in range(200_000))
try:
    store.replace_many([entry(f"/d/{n}.md", f"{n} " + text) for n in range(2)])
    print("written")
except StoreError as error:
    print(type(error).__name__, bool(error.remedy))
print([c.text for r in store.sources() for c in store.chunks(r.key, 0, 9)])
store.close()
"""


NO_SPACE_AT_ALL = """
import resource, sys
from pathlib import Path
from minirag_mcp.errors import StoreError
from minirag_mcp.store.sqlite import open_store
from tests.store.entries import IDENTITY, entry, vector_of
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
store = open_store(Path(sys.argv[1]), identity=IDENTITY)
for _ in range(2):
    print([c.text for r in store.sources() for c in store.chunks(r.key, 0, 9)],
          len(store.search_terms(["beta"], limit=5)), len(store.search_vector(vector_of("beta"), limit=5)))
try:
    store.replace(entry("/d/b.md"))
except StoreError as error:
    print("no space" in str(error), "space" in error.remedy)
store.close()
"""

KILLED = """
import os, sys
from pathlib import Path
from minirag_mcp.store.sqlite import open_store
from tests.store.entries import IDENTITY, entry
store = open_store(Path(sys.argv[1]), identity=IDENTITY)
store.replace(entry("/d/a.md", "alpha beta"))
os._exit(0)
"""


def child(program: str, *arguments: str) -> list[str]:
    """What a child process prints; it must end well."""
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.splitlines()


@pytest.fixture
def reachable(tmp_path: Path) -> Path:
    """A folder that another user can reach, when the tests run as the superuser."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and not folder.stat().st_mode & stat.S_IXOTH:
            folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
    return tmp_path


def test_a_folder_that_may_not_be_written_still_answers_reads(reachable: Path) -> None:
    file = written(reachable / "index")
    file.chmod(0o444)
    file.parent.chmod(0o555)
    try:
        assert child(READ_ONLY, str(file.parent)) == ["['alpha beta'] 1 1", "StoreError True"]
    finally:
        file.parent.chmod(0o700)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    file = written(tmp_path / "index")
    limit = file.stat().st_size + 100_000
    assert child(DISK_FULL, str(file.parent), str(limit)) == ["StoreError True", "['alpha beta']"]
    store = opened(file.parent)
    store.replace(entry("/d/b.md", "gamma"))
    assert texts(store) == ["alpha beta", "gamma"]
    store.close()


@pytest.mark.parametrize("killed", [False, True])
def test_without_any_space_an_index_is_read_all_the_same(tmp_path: Path, *, killed: bool) -> None:
    if killed:  # what was written last is in the log alone
        child(KILLED, str(tmp_path))
        (tmp_path / f"{FILE_NAME}-shm").unlink()
        assert (tmp_path / f"{FILE_NAME}-wal").stat().st_size
    else:
        written(tmp_path)
    assert child(NO_SPACE_AT_ALL, str(tmp_path)) == ["['alpha beta'] 1 1"] * 2 + ["True True"]
    store = opened(tmp_path)
    store.replace(entry("/d/b.md", "gamma"))
    assert texts(store) == ["alpha beta", "gamma"]
    store.close()


def test_what_the_store_imports_is_light(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from minirag_mcp.store.sqlite import open_store
from minirag_mcp.model import ModelIdentity, Fingerprint
store = open_store(Path(sys.argv[1]), identity=ModelIdentity(name="m", dimension=3, window=4))
store.counts(Fingerprint(model="m", scheme="1")), store.sources()
print(sorted({"numpy", "onnxruntime", "sqlite3", "asyncio", "mcp"} & set(sys.modules)))
"""
    written(tmp_path)
    assert child(program, str(tmp_path)) == ["[]"]


def test_an_index_written_by_the_first_schema_opens(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    store = opened(tmp_path)
    expected = entry("/docs/größe.md", "alpha beta\ngamma\n\nдельта 東京 C++", title="Größe")
    assert store.cut(SourceKey("/docs/größe.md")) == expected.cut
    assert store.source(SourceKey("/docs/größe.md")) == expected.record
    assert store.source(SourceKey("/docs/scan.pdf")) == record("/docs/scan.pdf", failure=("no_text", "A scan."))
    assert [store.read([hit.chunk])[0].text for hit in store.search_terms(["C++"], limit=5)] == ["дельта 東京 C++"]
    nearest = store.search_vector(vector_of("Größe gamma"), limit=1)[0].chunk
    assert store.read([nearest])[0].text == "gamma"
    store.replace(entry("/docs/new.md", "new"))
    store.refresh(SourceKey("/docs/new.md"), FileStat(size=1, mtime_ns=2))
    assert store.counts(FINGERPRINT).sources == 2
    store.close()


def test_space_of_deleted_sources_goes_back_to_the_disk(tmp_path: Path) -> None:
    store = opened(tmp_path)
    text = "\n".join(" ".join(f"w{n * 7 % 5000}-{m}" for m in range(60)) for n in range(200))
    store.replace_many([entry(f"/d/{n}.md", f"{n} {text}", identity=None) for n in range(30)])
    store.close()
    full = (tmp_path / FILE_NAME).stat().st_size
    store = opened(tmp_path)
    store.delete([SourceKey(f"/d/{n}.md") for n in range(1, 30)])
    store.close()
    assert (tmp_path / FILE_NAME).stat().st_size < full / 2
