"""The same work through each way in: the Library, the command line, and an MCP client in both revisions."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

import pytest
from tests.fakes.embedder import HashedEmbedder
from tests.flows.launch import open_library
from tests.shell.client import REVISIONS, Json, Session, environment, served

from minirag_mcp.config import Flags, load_settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import MiniragError
from minirag_mcp.shell import cli, fit, wire

REPOSITORY = Path(__file__).parents[2]
PRODUCT = (sys.executable, "-m", "tests.flows.launch")
NAMES = ("library", "command line", *REVISIONS)


Target = Path | str
"""A file by its path, or any source by its id."""


class Surface(Protocol):
    """One way to ask for the product's work; every answer is the JSON that clients see."""

    def sync(self) -> Json: ...
    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json: ...
    def neighbors(self, target: Target, index: int) -> Json: ...
    def read(self, target: Target) -> Json: ...
    def list_files(self, scope: Sequence[str] = ()) -> Json: ...
    def ingest_file(self, path: Path) -> Json: ...
    def ingest_data(self, data: str, source: str, *, format: str, title: str | None = None) -> Json: ...  # noqa: A002
    def ingest_url(self, url: str, *, source: str | None = None, title: str | None = None) -> Json: ...
    def delete(self, target: Target) -> Json: ...
    def status(self) -> Json: ...
    def refusal(self, ask: "Ask") -> Json: ...


Ask = Callable[[Surface], Json]


class RefusedError(Exception):
    """What a shell said instead of an answer."""

    def __init__(self, said: Json) -> None:
        super().__init__(said)
        self.said = said


class InProcess:
    """The Library, its values put on the wire."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def sync(self) -> Json:
        return wire.sync_report(self.library.sync())

    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json:
        return fit.answer(self.library.query(query, top_k=top_k, scope=scope))

    def neighbors(self, target: Target, index: int) -> Json:
        return wire.neighbors(self.library.read_neighbors(index, **named(target)), chunk_index=index)

    def read(self, target: Target) -> Json:
        return fit.page(self.library.read(**named(target)), offset=0, limit=None)

    def list_files(self, scope: Sequence[str] = ()) -> Json:
        return fit.listing(self.library.list_files(scope=scope), offset=0, limit=None)

    def ingest_file(self, path: Path) -> Json:
        return wire.ingested(self.library.ingest_file(path))

    def ingest_data(self, data: str, source: str, *, format: str, title: str | None = None) -> Json:  # noqa: A002
        return wire.ingested(self.library.ingest_data(data, source, format=format, title=title))

    def ingest_url(self, url: str, *, source: str | None = None, title: str | None = None) -> Json:
        return wire.ingested(self.library.ingest_url(url, source=source, title=title))

    def delete(self, target: Target) -> Json:
        return wire.deleted(self.library.delete(**named(target)))

    def status(self) -> Json:
        return wire.settings(self.library.settings) | wire.status(self.library.status())

    def refusal(self, ask: Ask) -> Json:
        """The error of a request that must fail."""
        with pytest.raises(MiniragError) as caught:
            ask(self)
        return {"code": caught.value.code, "message": caught.value.message, "remedy": caught.value.remedy}


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What one command did."""

    returncode: int
    stdout: str
    stderr: str


class CommandLine:
    """Commands with their flags, run in this process."""

    def __init__(self, folder: Path, index: Path, **others: str) -> None:
        self.env, self.cwd, self.others = settings(folder, index, **others), folder, others
        self.flags = [f"--base-dir={folder}", f"--db-path={index}", f"--cache-dir={index / 'models'}"]

    def run(self, *arguments: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, self.others):
            code = cli.run([*arguments, *self.flags], opening=open_library)
        return Ran(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())

    def sync(self) -> Json:
        return self._json("sync")

    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json:
        return self._json("query", query, "--top-k", str(top_k), *(f"--scope={one}" for one in scope))

    def neighbors(self, target: Target, index: int) -> Json:
        option = "--source" if isinstance(target, str) else "--file-path"
        return self._json("read-neighbors", option, str(target), "--chunk-index", str(index))

    def read(self, target: Target) -> Json:
        return self._json("read", *self._named(target))

    def list_files(self, scope: Sequence[str] = ()) -> Json:
        return self._json("list", *(f"--scope={one}" for one in scope))

    def ingest_file(self, path: Path) -> Json:
        run = self._json("ingest", str(path))
        assert run["failed"] == []
        done = run["ingested"]
        assert isinstance(done, list)
        assert len(done) == 1
        return dict(done[0])

    def ingest_data(self, data: str, source: str, *, format: str, title: str | None = None) -> Json:  # noqa: A002
        """No command does this: it is done in the same index by a Library of its own."""
        try:
            with in_process(self.env, self.cwd) as library:
                return library.ingest_data(data, source, format=format, title=title)
        except MiniragError as error:
            said: Json = {"code": error.code, "message": error.message, "remedy": error.remedy}
            raise RefusedError(said) from error

    def ingest_url(self, url: str, *, source: str | None = None, title: str | None = None) -> Json:
        chosen = {"--source": source, "--title": title}
        return self._json("ingest-url", url, *(f"{name}={value}" for name, value in chosen.items() if value))

    def delete(self, target: Target) -> Json:
        return self._json("delete", *self._named(target))

    def status(self) -> Json:
        return self._json("status")

    def refusal(self, ask: Ask) -> Json:
        """The error of a command that must fail."""
        with pytest.raises(RefusedError) as caught:
            ask(self)
        return caught.value.said

    @staticmethod
    def _named(target: Target) -> tuple[str, ...]:
        return ("--source", target) if isinstance(target, str) else (str(target),)

    def _json(self, *arguments: str) -> Json:
        ran = self.run(*arguments, "--json")
        fields = json.loads(ran.stdout)
        assert isinstance(fields, dict)
        if "error" in fields:
            assert (ran.returncode, ran.stderr) == (1, "")
            raise RefusedError(fields["error"])
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
        started = self._call("sync_start")
        # The start may already say that a small sync has ended; only the status has its counts.
        job = self._call("sync_status", jobId=started["jobId"])
        while job["state"] == "running":
            job = self._call("sync_status", jobId=job["jobId"])
        assert job["state"] == "succeeded"
        return {name: job[name] for name in ("counts", "errors", "unlistedFolders")}

    def query(self, query: str, *, top_k: int = 8, scope: Sequence[str] = ()) -> Json:
        return self._call("query_documents", query=query, topK=top_k, scope=json.dumps(list(scope)))

    def neighbors(self, target: Target, index: int) -> Json:
        return self._call("read_chunk_neighbors", chunkIndex=index, **self._named(target))

    def read(self, target: Target) -> Json:
        return self._call("read_file", **self._named(target))

    def list_files(self, scope: Sequence[str] = ()) -> Json:
        return self._call("list_files", scope=list(scope))

    def ingest_file(self, path: Path) -> Json:
        return self._call("ingest_file", filePath=str(path))

    def ingest_data(self, data: str, source: str, *, format: str, title: str | None = None) -> Json:  # noqa: A002
        return self._call("ingest_data", data=data, source=source, format=format, title=title)

    def ingest_url(self, url: str, *, source: str | None = None, title: str | None = None) -> Json:
        return self._call("ingest_url", url=url, source=source, title=title)

    def delete(self, target: Target) -> Json:
        return self._call("delete_file", **self._named(target))

    def status(self) -> Json:
        return self._call("status")

    def refusal(self, ask: Ask) -> Json:
        """The text of a call that must fail."""
        with pytest.raises(RefusedError) as caught:
            ask(self)
        return caught.value.said

    @staticmethod
    def _named(target: Target) -> dict[str, str]:
        return {"source" if isinstance(target, str) else "filePath": str(target)}

    def _call(self, tool: str, /, **arguments: object) -> Json:
        result = self.session.ask(tool, **arguments)
        if result.get("isError"):
            raise RefusedError({"text": self.session.refused(result)})
        return self.session.answered(tool, result)


def named(target: Target) -> dict[str, Any]:
    """The argument of the Library that names a source."""
    return {"source": target} if isinstance(target, str) else {"file_path": target}


def settings(folder: Path, index: Path, **others: str) -> dict[str, str]:
    """An environment in which the product works on `folder`."""
    return environment(
        **others,
        BASE_DIR=str(folder),
        DB_PATH=str(index),
        CACHE_DIR=str(index / "models"),
        PYTHONPATH=os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)]),
    )


@contextmanager
def in_process(env: Mapping[str, str], cwd: Path) -> Iterator[InProcess]:
    """The Library in this process."""
    resolved = load_settings(Flags(), env, cwd=cwd, user_cache_dir=cwd)
    with Library(resolved, embedder=HashedEmbedder()) as library:
        yield InProcess(library)


@contextmanager
def opened(name: str, folder: Path, index: Path, **others: str) -> Iterator[Surface]:
    """The surface of this name on `folder`, with its index in `index`, and with `others` of the settings."""
    env = settings(folder, index, **others)
    if name == "library":
        with in_process(env, folder) as library:
            yield library
    elif name == "command line":
        yield CommandLine(folder, index, **others)
    else:
        with served(name, env=env, cwd=folder, command=PRODUCT) as session:
            session.open()
            yield Client(session)
