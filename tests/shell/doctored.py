"""A library of documents that tests break, and the doctor that looks at it, each command a process."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.shell.client import environment

REPOSITORY = Path(__file__).parents[2]
CHECKS = (
    "configuration",
    "roots",
    "index folder",
    "model",
    "parser",
    "sync",
    "index",
    "sources",
    "vectors",
    "platform",
)

Finding = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the doctor said."""

    code: int
    checks: list[Finding]

    def of(self, check: str) -> list[Finding]:
        return [finding for finding in self.checks if finding["check"] == check]

    def one(self, check: str) -> Finding:
        (finding,) = self.of(check)
        return finding

    def states(self) -> dict[str, str]:
        """The state of each check that is not ok."""
        return {finding["check"]: finding["state"] for finding in self.checks if finding["state"] != "ok"}


class Patient:
    """One root with two indexed documents, its index inside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.docs = folder / "my docs"
        self.index = self.docs / ".minirag" / "index"
        self.db = self.index / "index.db"
        self.docs.mkdir()
        self.write("a.md", "# Pump\n\nThe seal must be replaced every two years.\n")
        self.write("b.md", "# Motor\n\nThe motor runs at 3000 turns a minute.\n")

    def write(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.write_text(text, "utf-8")
        return path

    def run(self, *arguments: str, **settings: str) -> "subprocess.CompletedProcess[bytes]":
        """One command, on the root unless it or a variable names others."""
        named = "--base-dir" in arguments or {"BASE_DIR", "BASE_DIRS"} & set(settings)
        roots = [] if named else ["--base-dir", str(self.docs)]
        return subprocess.run(
            [sys.executable, "-m", "tests.flows.launch", *arguments, *roots],
            cwd=self.folder,
            env=self.environment(**settings),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    def sync(self) -> None:
        self.run("sync")

    def report(self, *arguments: str, **settings: str) -> Report:
        """What the doctor says, as JSON."""
        done = self.run("doctor", "--json", *arguments, **settings)
        assert done.stderr == b""
        told = json.loads(done.stdout)
        assert set(told) == {"version", "checks", "counts"}
        assert all(set(finding) == {"check", "state", "message", "fix", "command"} for finding in told["checks"])
        assert sum(told["counts"].values()) == len(told["checks"])
        for finding in told["checks"]:
            assert bool(finding["fix"]) == (finding["state"] in ("warn", "fail")), finding
            assert not finding["command"] or finding["fix"]
        assert done.returncode == (1 if told["counts"]["fail"] else 0)
        return Report(code=done.returncode, checks=told["checks"])

    def paste(self, command: str) -> "subprocess.CompletedProcess[bytes]":
        """Run a command as a person would who copied it, in another folder and without the variables of before."""
        shims = self.folder / "bin"
        shims.mkdir(exist_ok=True)
        shim = shims / "minirag-mcp"
        shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tests.flows.launch "$@"\n', "utf-8")
        shim.chmod(0o755)
        env = self.environment()
        env["PATH"] = f"{shims}{os.pathsep}{env['PATH']}"
        return subprocess.run(
            ["/bin/sh", "-c", command], cwd=shims, env=env, capture_output=True, timeout=60, check=False
        )

    def environment(self, **settings: str) -> dict[str, str]:
        return environment(PYTHONPATH=os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)]), **settings)
