"""The same work through each way in: the Library, the command line, and an MCP client in both revisions."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.fakes.embedder import HashedEmbedder
from tests.flows.launch import open_library
from tests.shell.client import REVISIONS, Json, Session, environment, served

from minirag_mcp.config import Flags, load_settings
from minirag_mcp.engine import Library
from minirag_mcp.shell import cli, fit, wire

REPOSITORY = Path(__file__).parents[2]
PRODUCT = (sys.executable, "-m", "tests.flows.launch")
NAMES = ("library", "command line", *REVISIONS)


class Surface(Protocol):
    """One way to ask for the product's work; every answer is the JSON that clients see."""

    def sync(self) -> Json: ...
    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json: ...
    def neighbors(self, path: Path, index: int) -> Json: ...
    def read(self, path: Path) -> Json: ...
    def list_files(self, scope: Sequence[str] = ()) -> Json: ...
    def ingest_file(self, path: Path) -> Json: ...
    def delete(self, path: Path) -> Json: ...
    def status(self) -> Json: ...


class InProcess:
    """The Library, its values put on the wire."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def sync(self) -> Json:
        return wire.sync_report(self.library.sync())

    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json:
        return fit.answer(self.library.query(query, top_k=top_k, scope=scope))

    def neighbors(self, path: Path, index: int) -> Json:
        return wire.neighbors(self.library.read_neighbors(index, file_path=path), chunk_index=index)

    def read(self, path: Path) -> Json:
        return fit.page(self.library.read(file_path=path), offset=0, limit=None)

    def list_files(self, scope: Sequence[str] = ()) -> Json:
        return fit.listing(self.library.list_files(scope=scope), offset=0, limit=None)

    def ingest_file(self, path: Path) -> Json:
        return wire.ingested(self.library.ingest_file(path))

    def delete(self, path: Path) -> Json:
        return wire.deleted(self.library.delete(file_path=path))

    def status(self) -> Json:
        return wire.settings(self.library.settings) | wire.status(self.library.status())


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What one command did."""

    returncode: int
    stdout: str
    stderr: str


class CommandLine:
    """Commands with their flags, run in this process."""

    def __init__(self, folder: Path, index: Path) -> None:
        self.flags = [f"--base-dir={folder}", f"--db-path={index}", f"--cache-dir={index / 'models'}"]

    def run(self, *arguments: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = cli.run([*arguments, *self.flags], opening=open_library)
        return Ran(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())

    def sync(self) -> Json:
        return self._json("sync")

    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json:
        return self._json("query", query, "--top-k", str(top_k), *(f"--scope={one}" for one in scope))

    def neighbors(self, path: Path, index: int) -> Json:
        return self._json("read-neighbors", "--file-path", str(path), "--chunk-index", str(index))

    def read(self, path: Path) -> Json:
        return self._json("read", str(path))

    def list_files(self, scope: Sequence[str] = ()) -> Json:
        return self._json("list", *(f"--scope={one}" for one in scope))

    def ingest_file(self, path: Path) -> Json:
        run = self._json("ingest", str(path))
        assert run["failed"] == []
        done = run["ingested"]
        assert isinstance(done, list)
        assert len(done) == 1
        return dict(done[0])

    def delete(self, path: Path) -> Json:
        return self._json("delete", str(path))

    def status(self) -> Json:
        return self._json("status")

    def _json(self, *arguments: str) -> Json:
        fields = json.loads(self.run(*arguments, "--json").stdout)
        assert isinstance(fields, dict)
        return fields


class Shell(CommandLine):
    """Commands as processes, in a current directory of their own."""

    def __init__(self, env: dict[str, str], cwd: Path) -> None:
        self.env, self.cwd = env, cwd

    def run(self, *arguments: str) -> Ran:
        done = subprocess.run(
            [*PRODUCT, *arguments],
            env=self.env,
            cwd=self.cwd,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return Ran(returncode=done.returncode, stdout=done.stdout, stderr=done.stderr)


class Client:
    """An MCP client and its server process."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def sync(self) -> Json:
        started = self.session.call("sync_start")
        # The start may already say that a small sync has ended; only the status has its counts.
        job = self.session.call("sync_status", jobId=started["jobId"])
        while job["state"] == "running":
            job = self.session.call("sync_status", jobId=job["jobId"])
        assert job["state"] == "succeeded"
        return {name: job[name] for name in ("counts", "errors", "unlistedFolders")}

    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json:
        return self.session.call("query_documents", query=query, topK=top_k, scope=json.dumps(list(scope)))

    def neighbors(self, path: Path, index: int) -> Json:
        return self.session.call("read_chunk_neighbors", chunkIndex=index, filePath=str(path))

    def read(self, path: Path) -> Json:
        return self.session.call("read_file", filePath=str(path))

    def list_files(self, scope: Sequence[str] = ()) -> Json:
        return self.session.call("list_files", scope=list(scope))

    def ingest_file(self, path: Path) -> Json:
        return self.session.call("ingest_file", filePath=str(path))

    def delete(self, path: Path) -> Json:
        return self.session.call("delete_file", filePath=str(path))

    def status(self) -> Json:
        return self.session.call("status")


def settings(folder: Path, index: Path) -> dict[str, str]:
    """An environment in which the product works on `folder`."""
    return environment(
        BASE_DIR=str(folder),
        DB_PATH=str(index),
        CACHE_DIR=str(index / "models"),
        PYTHONPATH=os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)]),
    )


@contextmanager
def opened(name: str, folder: Path, index: Path) -> Iterator[Surface]:
    """The surface of this name on `folder`, with its index in `index`."""
    env = settings(folder, index)
    if name == "library":
        resolved = load_settings(Flags(), env, cwd=folder, user_cache_dir=index / "models")
        with Library(resolved, embedder=HashedEmbedder()) as library:
            yield InProcess(library)
    elif name == "command line":
        yield CommandLine(folder, index)
    else:
        with served(name, env=env, cwd=folder, command=PRODUCT) as session:
            session.open()
            yield Client(session)
