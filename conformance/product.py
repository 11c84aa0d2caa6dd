"""The product as the suites meet it: the example documents, indexed, behind stdio and behind loopback HTTP."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
BUILD = REPOSITORY / "build" / "conformance"
DOCUMENTS = REPOSITORY / "examples" / "documents"
PROGRAM = (sys.executable, "-m", "minirag_mcp")

_SETTINGS = ("BASE_", "DB_", "CACHE_", "MODEL_", "MAX_FILE", "CHUNK_", "RAG_", "ALLOW_", "MINIRAG_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where the product works: its documents, and a folder for all it writes."""

    documents: Path
    kept: Path

    def variables(self) -> dict[str, str]:
        """The product's own variables."""
        return {
            "BASE_DIR": str(self.documents),
            "DB_PATH": str(self.kept / "index"),
            "CACHE_DIR": str(BUILD / "models"),
        }

    def environment(self) -> dict[str, str]:
        """This process's environment with no other setting of the product; `kept` is the home of what runs in it."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)}
        return {**plain, "HOME": str(self.kept), **self.variables()}

    def sync(self) -> None:
        """Fill the index; all the documents must be readable."""
        subprocess.run(
            [*PROGRAM, "sync"], env=self.environment(), cwd=REPOSITORY, stdout=subprocess.DEVNULL, check=True
        )


@contextmanager
def over_http(setting: Setting) -> Iterator[str]:
    """The address of a server of its own process."""
    with subprocess.Popen(
        [sys.executable, "-m", "conformance.serve"],
        env=setting.environment(),
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=(setting.kept / "server.log").open("ab"),
        encoding="utf-8",
    ) as server:
        try:
            address = server.stdout.readline().strip() if server.stdout else ""
            if not address:
                raise RuntimeError(f"The server did not start; {setting.kept / 'server.log'} says why.")
            yield address
        finally:
            server.kill()
