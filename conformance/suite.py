"""The official test suite: every scenario of each revision, against what is known not to pass."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from conformance.node import Node
from conformance.product import REPOSITORY, Setting, over_http

REVISIONS = ("2025-11-25", "2026-07-28")

_PROGRAM = "@modelcontextprotocol/conformance/dist/index.js"
_BAD = {"FAILURE", "WARNING"}
_WHEN = re.compile(r"-\d{4}-\d\d-\d\dT[\d-]+Z$")
_ENTRY = re.compile(r"^  - (\S+:\S+)", re.MULTILINE)


def baseline(revision: str) -> Path:
    """The checks of a revision that a server of this kind cannot pass."""
    return REPOSITORY / "conformance" / f"baseline-{revision}.yml"


def run(node: Node, setting: Setting, revision: str) -> list[str]:
    """What differs from the baseline, as lines to read; stale entries differ, too."""
    results = setting.kept / f"suite-{revision}"
    known = baseline(revision)
    with over_http(setting) as address:
        told = ["server", "--url", address, "--suite", "all", "--spec-version", revision]
        told += ["--expected-failures", str(known), "--output-dir", str(results)]
        done = node.run(_PROGRAM, *told, environment=setting.environment())
    total, _, judged = done.out.partition("\nTotal: ")[2].partition("\n")
    not_passed = dict(_not_passed(results))
    unmet = sorted(entries(known) - not_passed.keys())
    print(f"suite {revision}: {total or 'no summary'}, {len(entries(known))} in the baseline; exit code {done.code}")
    if done.code == 0 and total and not unmet:
        return []
    return [
        *(judged or done.out + done.err).splitlines(),
        f"In the baseline of {revision} although passed, or never checked: {', '.join(unmet) or 'none'}",
        f"Not passed in {revision}:",
        *(f"  - {check}  # {reason}" for check, reason in not_passed.items()),
    ]


def entries(known: Path) -> set[str]:
    """The checks that a baseline names, as `scenario:check`."""
    return set(_ENTRY.findall(known.read_text(encoding="utf-8")))


def _not_passed(results: Path) -> Iterator[tuple[str, str]]:
    """Each check as a baseline would name it, and the suite's reason."""
    for file in sorted(results.rglob("checks.json")):
        scenario = _WHEN.sub("", file.parent.name.removeprefix("server-"))
        for check in json.loads(file.read_text(encoding="utf-8")):
            if check["status"] in _BAD:
                yield f"{scenario}:{check['id']}", check.get("errorMessage") or check["status"]
