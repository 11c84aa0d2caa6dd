"""What an examination of an index finds: nothing in a sound one, and what a disk did to a damaged one."""

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from tests.store.entries import IDENTITY, OTHER_IDENTITY, entry, record, vector_of
from tests.store.index_files import harm
from tests.store.indexes import Index

from minirag_mcp.errors import IndexDamagedError, IndexNewerError
from minirag_mcp.model import Progress, SourceKey
from minirag_mcp.store.contract import Store
from minirag_mcp.store.database import FILE_NAME
from minirag_mcp.store.files import own_files
from minirag_mcp.store.sqlite import open_store

A, B = SourceKey("/d/a.md"), SourceKey("/d/b.md")
TEXT = "\n\n".join(f"paragraph {n} alpha" for n in range(200))
GOLDEN = Path(__file__).parents[1] / "golden" / "index-schema-1.db.gz"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an index of two sources, each of several parts and blocks."""
    folder = tmp_path_factory.mktemp("sound")
    store = open_store(folder, identity=IDENTITY)
    store.replace_many([entry(A, TEXT), entry(B, TEXT + " long" * 6_000)])
    store.close()
    return folder / FILE_NAME


@pytest.fixture
def damaged(sound: Path, tmp_path: Path) -> Callable[[str], Store]:
    def opened(statement: str) -> Store:
        shutil.copy(sound, tmp_path / FILE_NAME)
        harm(tmp_path / FILE_NAME, statement)
        return open_store(tmp_path, identity=IDENTITY)

    return opened


def told(store: Store) -> list[str]:
    """What is wrong, whether it is found or keeps the index from being read at all."""
    try:
        return [fault.message for fault in store.faults()]
    except (IndexDamagedError, IndexNewerError) as error:
        return [error.message]


def test_an_index_that_was_never_written_has_no_faults(store: Store) -> None:
    assert store.faults() == []


def test_an_index_has_no_faults_whatever_was_done_to_it(index: Index) -> None:
    store = index.open()
    store.replace_many([entry(A, TEXT), entry(B, "beta"), entry("/d/late.md", "gamma", identity=None)])
    store.record_failure(record("/d/scan.pdf", failure=("no_text", "A scan.")))
    store.record_failure(record(B, failure=("no_text", "A scan.")))
    store.replace(entry(A, TEXT[:500]))
    store.delete([B])
    assert store.faults() == []
    other = index.open(OTHER_IDENTITY)
    other.replace(entry("/d/other.md", "delta", identity=OTHER_IDENTITY))
    assert other.faults() == store.faults() == []


def test_progress_counts_the_sources(index: Index) -> None:
    store, seen = index.open(), list[Progress]()
    store.replace_many([entry(A), entry(B)])
    store.faults(progress=seen.append)
    assert (seen[-1].done, seen[-1].total) == (2, 2)


def test_an_index_of_a_released_schema_has_no_faults(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    store = open_store(tmp_path, identity=IDENTITY)
    assert store.faults() == []
    store.close()


@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("UPDATE block SET data = flipped(data) WHERE id = (SELECT min(id) FROM block)", A),
        ("UPDATE block SET data = flipped(data) WHERE id = (SELECT max(id) FROM block)", B),
        ("UPDATE part SET data = flipped(data) WHERE id = (SELECT min(id) FROM part)", A),
        ("UPDATE part SET data = flipped(data) WHERE id = (SELECT max(id) FROM part)", B),
        ("UPDATE document SET head = flipped(head) WHERE source = (SELECT max(source) FROM document)", B),
        ("DELETE FROM document WHERE source = (SELECT min(id) FROM source)", A),
        ("DELETE FROM part WHERE id = (SELECT max(id) FROM part)", B),
        ("DELETE FROM block WHERE id = (SELECT max(id) FROM block)", B),
        ("UPDATE chunk SET section = section + 1 WHERE id = (SELECT min(id) FROM chunk)", A),
        ("DELETE FROM words WHERE rowid = (SELECT max(id) FROM chunk)", B),
    ],
)
def test_a_damaged_document_is_named_and_indexing_it_again_mends_it(
    damaged: Callable[[str], Store], statement: str, key: SourceKey
) -> None:
    store = damaged(statement)
    assert [fault.source for fault in store.faults()] == [key]
    store.replace(entry(key, TEXT))
    assert store.faults() == []
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM state",
        "INSERT INTO state SELECT * FROM state",
        "UPDATE state SET chunks = chunks + 1",
        "UPDATE state SET chunks = 'x'",
        "UPDATE state SET next_chunk = 1",
        "DELETE FROM chunk WHERE id = 7",
        "DELETE FROM source WHERE id = 1",
        "UPDATE source SET first_chunk = first_chunk + 1",
        "UPDATE source SET chunks = 'many'",
        "UPDATE source SET type = 'photograph'",
        "UPDATE source SET failure = x'7b7d'",
        "DELETE FROM fingerprint",
        "DELETE FROM text WHERE id = 3",
        "DELETE FROM model",
        "INSERT INTO vector SELECT id + 100000, data FROM vector LIMIT 1",
        "UPDATE vector SET data = x'00'",
        "UPDATE vector SET data = zeroblob(24) WHERE id = (SELECT max(id) FROM vector)",
        "DELETE FROM words_data WHERE id = (SELECT max(id) FROM words_data)",
        "UPDATE words_data SET block = flipped(block) WHERE id = (SELECT max(id) FROM words_data)",
        "UPDATE words_docsize SET sz = x'050505' WHERE id = 5",
        "INSERT INTO words_docsize SELECT id + 100000, sz, origin FROM words_docsize LIMIT 1",
        "DROP TABLE block",
    ],
)
def test_rows_that_do_not_fit_together_are_a_fault_of_the_whole_index(
    damaged: Callable[[str], Store], statement: str
) -> None:
    store = damaged(statement)
    found = store.faults()
    assert found
    assert None in [fault.source for fault in found]
    assert all(fault.message for fault in found)
    store.close()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("harm", ["cut off", "zeroed"])
def test_a_file_that_lost_pages_is_told_and_never_a_crash(sound: Path, tmp_path: Path, harm: str, share: float) -> None:
    data = sound.read_bytes()
    keep = int(len(data) * share)
    rest = b"" if harm == "cut off" else bytes(len(data) - keep)
    (tmp_path / FILE_NAME).write_bytes(data[:keep] + rest)
    store = open_store(tmp_path, identity=IDENTITY)
    assert told(store)
    store.close()


def test_no_flipped_byte_anywhere_makes_an_examination_crash(sound: Path, tmp_path: Path) -> None:
    data = sound.read_bytes()
    for at in range(0, len(data), len(data) // 150):
        harmed = bytearray(data)
        harmed[at] ^= 0x41
        (tmp_path / FILE_NAME).write_bytes(harmed)
        store = open_store(tmp_path, identity=IDENTITY)
        told(store)
        store.close()


def test_a_vector_that_is_missing_is_counted_and_no_fault(damaged: Callable[[str], Store]) -> None:
    store = damaged("DELETE FROM vector WHERE id % 2")
    assert store.faults() == []
    assert store.search_vector(vector_of("alpha"), limit=5)
    store.close()


def test_only_files_of_an_index_are_set_aside(sound: Path, tmp_path: Path) -> None:
    assert own_files(tmp_path) == ()
    shutil.copy(sound, tmp_path / FILE_NAME)
    (tmp_path / "notes.db").write_bytes(b"mine")
    assert own_files(tmp_path) == (tmp_path / FILE_NAME,)
    (tmp_path / f"{FILE_NAME}-wal").write_bytes(b"")
    assert own_files(tmp_path) == (tmp_path / FILE_NAME, tmp_path / f"{FILE_NAME}-wal")
    (tmp_path / FILE_NAME).write_bytes(b"no database at all")
    assert tmp_path / FILE_NAME in own_files(tmp_path)


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / FILE_NAME))
    connection.execute("CREATE TABLE theirs(x)")
    connection.close()
    assert own_files(tmp_path) == ()
