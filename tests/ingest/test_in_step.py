"""Whatever happens on the disk, after a sync the index says what the disk says."""

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.ingest.conftest import World

from minirag_mcp.model import SyncCounts

FOLDERS = st.sampled_from(["", "a", "a/b", "c", ".hidden"])
NAMES = st.sampled_from(["one.md", "two.md", "three.txt", "Ünï.md", "four.png"])
TEXTS = st.sampled_from(["alpha", "bravo", "# Title\n\ncharlie", "# Other\n\ndelta words", "", "   "])
PICK = st.integers(0, 10_000)


class InStep(RuleBasedStateMachine):
    """Random changes of a folder, and syncs between them."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp())
        self.world = World(root=self.base / "docs", index=self.base / "index")
        self.world.write("keep.png", "so that the folder is never empty")
        self.in_step = False

    def teardown(self) -> None:
        self.world.store.close()
        shutil.rmtree(self.base)

    def files(self) -> list[Path]:
        return sorted(path for path in self.world.root.rglob("*") if path.is_file() and path.name != "keep.png")

    def picked(self, number: int) -> Path | None:
        files = self.files()
        self.in_step = False
        return files[number % len(files)] if files else None

    @rule(folder=FOLDERS, name=NAMES, text=TEXTS)
    def write(self, folder: str, name: str, text: str) -> None:
        if (self.world.root / folder / name).is_symlink():
            (self.world.root / folder / name).unlink()
        self.world.write(os.path.join(folder, name), text)  # noqa: PTH118 - the folder may be empty
        self.in_step = False

    @rule(number=PICK)
    def delete(self, number: int) -> None:
        if path := self.picked(number):
            path.unlink()

    @rule(number=PICK, folder=FOLDERS, name=NAMES)
    def move(self, number: int, folder: str, name: str) -> None:
        if path := self.picked(number):
            (self.world.root / folder).mkdir(parents=True, exist_ok=True)
            path.rename(self.world.root / folder / name)

    @rule(first=PICK, second=PICK)
    def swap(self, first: int, second: int) -> None:
        one, two = self.picked(first), self.picked(second)
        if one and two:
            one.rename(self.base / "aside")
            if one != two:
                two.rename(one)
            (self.base / "aside").rename(two)

    @rule(number=PICK)
    def edit_unseen_by_size_and_date(self, number: int) -> None:
        self.world.sync()
        if path := self.picked(number):
            before = path.stat()
            path.write_text(path.read_text()[::-1])
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
            self.sync()

    @rule(number=PICK, name=NAMES)
    def link(self, number: int, name: str) -> None:
        path = self.picked(number)
        target = self.world.root / f"link-{name}"
        if path and not os.path.lexists(target) and not path.is_symlink():
            target.symlink_to(path)

    @rule()
    def move_a_folder(self) -> None:
        old, new = self.world.root / "a", self.world.root / "c" / "moved"
        if old.exists() and not new.exists():
            new.parent.mkdir(exist_ok=True)
            old.rename(new)
            self.in_step = False

    @rule()
    def sync(self) -> None:
        self.world.sync()
        self.in_step = True

    @rule()
    def sync_twice(self) -> None:
        self.world.sync()
        again = self.world.counts()
        assert again == SyncCounts(scanned=again.scanned, skipped=again.skipped, failed=again.failed)
        self.in_step = True

    @invariant()
    def the_index_says_what_the_disk_says(self) -> None:
        if not self.in_step:
            return
        expected = {
            str(path): path.read_text().strip()
            for path in self.files()
            if path.suffix in (".md", ".txt") and not path.relative_to(self.world.root).as_posix().startswith(".")
        }
        records = {record.key: record for record in self.world.store.sources()}
        assert sorted(records) == sorted(expected)
        for key, text in expected.items():
            record = next(record for known, record in records.items() if known == key)
            assert (record.failure is None) == bool(text)
            if text:
                assert self.world.text(os.path.relpath(key, self.world.root)) == text
        assert self.world.store.counts(self.world.indexer().fingerprint).unembedded_chunks == 0


InStep.TestCase.settings = settings(
    max_examples=20, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestInStep = InStep.TestCase
