"""The index as files on a disk: made late, kept private, told apart from what is damaged, newer, busy or denied."""

import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from tests.store.entries import FINGERPRINT, STAT, entry, hash_of, vector_of
from tests.store.index_files import opened, texts, written

from minirag_mcp.errors import IndexBusyError, IndexDamagedError, IndexNewerError, StoreError
from minirag_mcp.model import Labels, SourceEntry, SourceKey
from minirag_mcp.store.database import FILE_NAME, Database

GOLDEN = Path(__file__).parents[1] / "golden" / "index-schema-1.db.gz"


def test_reading_and_forgetting_make_nothing_on_disk(tmp_path: Path) -> None:
    store = opened(tmp_path / "deep" / "index")
    store.sources()
    store.counts(FINGERPRINT)
    store.delete([SourceKey("/a")])
    store.add_vectors({})
    store.refresh(SourceKey("/a"), STAT, content_hash="ab")
    with pytest.raises(KeyError):
        store.rename(SourceKey("/a"), SourceKey("/b"), stat=STAT, labels=Labels())
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
