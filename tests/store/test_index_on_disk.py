"""What a full, read-only or suddenly ended disk leaves of an index: each seen in a process of its own."""

import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.measuring import unmeasured
from tests.store.entries import FINGERPRINT, entry, record, vector_of
from tests.store.index_files import opened, texts, written

from minirag_mcp.model import FileStat, SourceKey
from minirag_mcp.store.database import FILE_NAME

GOLDEN = Path(__file__).parents[1] / "golden" / "index-schema-1.db.gz"

READ_ONLY = """
import os, sys
from pathlib import Path
from minirag_mcp.errors import StoreError
from minirag_mcp.store.sqlite import open_store
from tests.store.entries import IDENTITY, entry, vector_of
def ask(store):
    texts = [chunk.text for record in store.sources() for chunk in store.chunks(record.key, 0, 9)]
    return texts, len(store.search_terms(["beta"], limit=5)), len(store.search_vector(vector_of("beta"), limit=5))
# All that Python imports, before the user changes: that user may not read it.
elsewhere = open_store(Path(sys.argv[1]).parent / "elsewhere", identity=IDENTITY)
elsewhere.replace(entry("/d/a.md"))
ask(elsewhere)
elsewhere.close()
Path(sys.argv[1]).as_uri()
store = open_store(Path(sys.argv[1]), identity=IDENTITY)
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
print(*ask(store))
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
        env=unmeasured() | {"PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"},
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
    store.refresh(SourceKey("/docs/new.md"), FileStat(size=1, mtime_ns=2), content_hash="ab")
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
