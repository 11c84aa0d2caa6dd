"""However its client goes, the server goes with it, within two seconds, and takes its workers along."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.flows.surfaces import REPOSITORY, settings
from tests.shell.client import REVISIONS, Session, served
from tests.shell.test_interruptions import alive

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks processes up in /proc")

AT_WORK = """
import sys, time
from minirag_mcp.ingest import entry
from tests.flows.launch import open_library
from minirag_mcp.shell import mcp_server, opening

def never(*args, **kwargs):
    print("at work", file=sys.stderr, flush=True)
    time.sleep(60)

entry.make_entry = never
mcp_server.serve(opening.Opener(opening=open_library))
"""
LAUNCHER = """
import subprocess, sys
server = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=0)
print(server.pid, file=sys.stderr, flush=True)
server.wait()
"""
MARK = "MINIRAG_TEST_ENDING"


def marked(mark: str) -> Iterator[int]:
    """The processes that run with this mark in their environment."""
    for folder in Path("/proc").iterdir():
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes() and alive(int(folder.name)):
                yield int(folder.name)
        except (OSError, ValueError):
            continue


def seconds_until_gone(mark: str, most: float = 10) -> float:
    began = time.monotonic()
    while list(marked(mark)) and time.monotonic() - began < most:
        select.select([], [], [], 0.05)
    return time.monotonic() - began


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nSome text.\n", encoding="utf-8")
    return folder


def start_work(session: Session, root: Path, *, ask: str) -> None:
    """Let the server do what never ends; returns when it is at it."""
    session.open()
    if ask == "a sync":
        assert session.call("sync_start")["state"] == "running"
    else:
        params = {"name": "ingest_file", "arguments": {"filePath": str(root / "0.md")}}
        session.post("tools/call", **params)
    assert session.process.stderr is not None
    while "at work" not in session.process.stderr.readline():
        assert session.process.poll() is None


@pytest.mark.parametrize("ask", ["a sync", "an ingest"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_closing_stdin_ends_the_server_at_work_and_its_workers(revision: str, ask: str, root: Path) -> None:
    mark = str(root)
    env = {**settings(root, root.parent / "index"), MARK: mark}
    command = (sys.executable, "-c", AT_WORK)
    with served(revision, env=env, cwd=REPOSITORY, command=command, stderr=subprocess.PIPE) as session:
        start_work(session, root, ask=ask)
        assert list(marked(mark))
        assert session.close() < 2
        assert session.process.returncode == 0
        assert seconds_until_gone(mark) < 2


@pytest.mark.parametrize("ask", ["a sync", "an ingest"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_the_death_of_the_parent_ends_the_server_although_another_holds_its_stdin(
    revision: str, ask: str, root: Path
) -> None:
    mark = str(root)
    env = {**settings(root, root.parent / "index"), MARK: mark}
    command = (sys.executable, "-c", LAUNCHER, AT_WORK)
    with served(revision, env=env, cwd=REPOSITORY, command=command, stderr=subprocess.PIPE) as session:
        start_work(session, root, ask=ask)
        session.process.kill()  # this process still holds the write end of the server's stdin
        session.process.wait()
        assert seconds_until_gone(mark) < 2
        assert session.process.stdin is not None
        assert not session.process.stdin.closed


def test_a_killed_server_leaves_no_worker_behind(root: Path) -> None:
    mark = str(root)
    env = {**settings(root, root.parent / "index"), MARK: mark}
    command = (sys.executable, "-c", AT_WORK)
    with served(REVISIONS[0], env=env, cwd=REPOSITORY, command=command, stderr=subprocess.PIPE) as session:
        start_work(session, root, ask="a sync")
        os.kill(session.process.pid, 9)
        session.process.wait()
        assert seconds_until_gone(mark) < 2
