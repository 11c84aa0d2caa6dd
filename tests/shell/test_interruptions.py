"""Ctrl-C and cancelled calls: prompt, said, and never leaving anything half done."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client
from tests.fakes.embedder import HashedEmbedder
from tests.flows.launch import open_library
from tests.flows.surfaces import REPOSITORY
from tests.shell.client import HANDSHAKE, Session, environment, served
from tests.shell.test_cli import interrupted
from tests.shell.test_desk import MODES, Slow, desk, talk

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.shell import cli

SLOW = """
import sys, time
from minirag_mcp.ingest import entry
from tests.flows.launch import open_library
from minirag_mcp.__main__ import main
from minirag_mcp.shell import cli, opening

def slow(*args, **kwargs):
    print("at work", file=sys.stderr, flush=True)
    time.sleep(20)

entry.make_entry = slow
opening.open_library = open_library
sys.argv = ["minirag-mcp", *sys.argv[1:]]
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("command", [["sync"], ["ingest", "a.md", "b.md"]])
def test_an_interrupted_command_ends_at_once_and_leaves_the_old_state(command: Sequence[str], tmp_path: Path) -> None:
    root = tmp_path / "docs"
    root.mkdir()
    for name in ("a.md", "b.md"):
        (root / name).write_text("# Old\n\nThe old text.\n", "utf-8")
    flags = [f"--base-dir={root}", f"--db-path={tmp_path / 'index'}"]
    assert cli.run(["sync", *flags], opening=open_library) == 0
    for name in ("a.md", "b.md"):
        (root / name).write_text("# New\n\nThe new and longer text.\n", "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *command, *flags],
        cwd=root,
        env=environment(PYTHONPATH=os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "at work\n"
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 10
    assert (process.returncode, out) == (130, "")
    assert "error: Interrupted." in err
    settings = Settings(roots=(root,), db_path=tmp_path / "index", cache_dir=tmp_path)
    with Library(settings, embedder=HashedEmbedder()) as library:
        assert library.read(source="a.md").text == "# Old\n\nThe old text.\n"
        assert library.sync().counts.ingested == 2


def test_an_interruption_is_told_to_programs_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["list", "--json", f"--base-dir={tmp_path}"], opening=interrupted) == 130
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "cancelled"


INGESTS: list[tuple[str, dict[str, object]]] = [
    ("ingest_file", {"filePath": "pump.md"}),
    ("ingest_data", {"data": "The new seal.", "source": "note", "format": "text"}),
]


@pytest.mark.parametrize(("tool", "arguments"), INGESTS)
@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_ingest_leaves_the_old_state(
    mode: str, tool: str, arguments: dict[str, object], tmp_path: Path
) -> None:
    (tmp_path / "documents").mkdir()
    path = tmp_path / "documents" / "pump.md"
    path.write_text("# Pump\n\nThe old seal.\n", "utf-8")
    given = arguments | ({"filePath": str(path)} if "filePath" in arguments else {})
    slow = Slow()
    served = desk(tmp_path, slow)

    async def contents(client: Client) -> list[str]:
        read = [await client.call_tool("read_file", {"source": source}) for source in ("pump.md", "note")]
        return [answer.structured_content["text"] for answer in read]

    async def work(client: Client) -> None:
        slow.let.set()
        await client.call_tool("ingest_file", {"filePath": str(path)})
        await client.call_tool("ingest_data", {"data": "The old note.", "source": "note", "format": "text"})
        before = await contents(client)
        path.write_text("# Pump\n\nThe new seal.\n", "utf-8")
        slow.let.clear()
        slow.started.clear()
        slow.ended.clear()
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, tool, given)
            await anyio.to_thread.run_sync(slow.started.wait)
            group.cancel_scope.cancel()
        await client.call_tool("status", {})
        slow.let.set()
        await anyio.to_thread.run_sync(slow.ended.wait)
        await client.call_tool("ingest_data", {"data": "Time for a write.", "source": "other", "format": "text"})
        assert await contents(client) == before
        again = await client.call_tool(tool, given)
        assert not again.is_error
        assert "new" in "".join(await contents(client))

    try:
        talk(served, mode, work)
    finally:
        slow.let.set()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_an_interrupted_server_ends_within_two_seconds(tmp_path: Path) -> None:
    with served(HANDSHAKE, env=environment(), cwd=tmp_path) as session:
        session.open()
        began = time.monotonic()
        session.process.send_signal(signal.SIGINT)
        assert session.process.wait(timeout=20) == 130
        assert time.monotonic() - began < 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_server_interrupted_while_it_syncs_ends_within_two_seconds(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# New\n\nSome text.\n", "utf-8")
    paths = os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])
    command = (sys.executable, "-c", SLOW)
    with served(HANDSHAKE, env=environment(PYTHONPATH=paths), cwd=tmp_path, command=command) as session:
        session.open()
        job = session.call("sync_start")["jobId"]
        assert session.call("sync_status", jobId=job)["state"] == "running"
        began = time.monotonic()
        session.process.send_signal(signal.SIGINT)
        assert session.process.wait(timeout=20) == 130
        assert time.monotonic() - began < 2


LAUNCHER = """
import subprocess, sys
server = subprocess.Popen([sys.executable, "-m", "minirag_mcp"])
print(server.pid, file=sys.stderr, flush=True)
server.wait()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell who became the parent")
def test_a_server_whose_launcher_is_killed_ends_although_its_pipe_stays_open(tmp_path: Path) -> None:
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER],
        env=environment(),
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with Session(launcher, HANDSHAKE) as session:
        assert launcher.stderr is not None
        server = int(launcher.stderr.readline())
        session.open()
        launcher.kill()
        launcher.wait()
        deadline = time.monotonic() + 2
        while alive(server) and time.monotonic() < deadline:
            select.select([], [], [], 0.05)
        assert not alive(server)


def alive(process: int) -> bool:
    """Whether it runs; one that nobody has waited for has ended too."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        pass
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return not Path("/proc/self").exists()
