"""What the outside proof is pinned to: its own packages, and baselines that give a reason for every entry."""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "conformance"
BASELINES = sorted(FOLDER.glob("baseline-*.yml"))
LOCKED = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]


def test_each_package_from_npm_is_locked_by_its_hash_and_to_no_address() -> None:
    packages = {name: package for name, package in LOCKED.items() if name}
    assert [name for name, package in packages.items() if not package.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, package in packages.items() if "resolved" in package] == []


def test_the_lock_is_of_the_versions_that_are_asked_for() -> None:
    asked = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    for name, exact in (asked["dependencies"] | asked["optionalDependencies"]).items():
        assert LOCKED[f"node_modules/{name}"]["version"] == exact


def test_there_is_a_baseline_for_each_revision() -> None:
    assert [path.stem for path in BASELINES] == ["baseline-2025-11-25", "baseline-2026-07-28"]


@pytest.mark.parametrize("path", BASELINES, ids=lambda path: path.stem)
def test_each_entry_of_a_baseline_is_one_check_with_a_reason(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("  ")]
    assert lines
    assert [line for line in lines if not re.fullmatch(r"  - [\w-]+:[\w-]+  # \w.{10,}", line)] == []
    assert len(set(lines)) == len(lines)
