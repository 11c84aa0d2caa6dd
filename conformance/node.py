"""Programs from npm, as installed by `make conformance`, under the Node that was locked with them."""

import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from conformance.product import BUILD

_OLDEST = 22
"""What the suite and the inspector ask for in their package files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a program did."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A Node, and where its programs may keep their files."""

    binary: Path

    def run(self, program: str, *arguments: str, environment: dict[str, str], seconds: float = 600) -> Ran:
        """Run the `program` (a file below node_modules)."""
        done = subprocess.run(
            [self.binary, BUILD / "node_modules" / program, *arguments],
            env={**environment, "NO_COLOR": "1", "PATH": f"{self.binary.parent}:{environment.get('PATH', '')}"},
            cwd=BUILD,
            capture_output=True,
            encoding="utf-8",
            timeout=seconds,
            check=False,
        )
        return Ran(code=done.returncode, out=done.stdout, err=done.stderr)


def found() -> Node:
    """The Node that was installed, or else one on the PATH. Raises RuntimeError when there is none.

    The binary packages are locked with their hashes; the package `node` would fetch them unchecked as it installs.
    No release of them is for Apple silicon.
    """
    installed = sorted((BUILD / "node_modules").glob("node-*/bin/node"))
    for binary in [*installed, *map(Path, filter(None, [shutil.which("node")]))]:
        if _major(binary) >= _OLDEST:
            return Node(binary=binary)
    raise RuntimeError(f"Node {_OLDEST} or newer must be on the PATH: none comes from npm for {platform.machine()}.")


def _major(binary: Path) -> int:
    done = subprocess.run([binary, "--version"], capture_output=True, encoding="utf-8", check=True)
    return int(done.stdout.removeprefix("v").partition(".")[0])
