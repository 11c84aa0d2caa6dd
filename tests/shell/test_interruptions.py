"""Ctrl-C and cancelled calls: prompt, said, and never leaving anything half done."""

import json
import os
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
from tests.shell.client import HANDSHAKE, environment, served
from tests.shell.test_cli import interrupted
from tests.shell.test_desk import MODES, Slow, desk, talk

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.model import SourceState
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


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_call_leaves_the_old_state_or_the_new(mode: str, tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    path = tmp_path / "documents" / "pump.md"
    path.write_text("# Pump\n\nThe seal leaks.\n", "utf-8")
    slow = Slow()
    served = desk(tmp_path, slow)

    async def work(client: Client) -> None:
        slow.let.set()
        await client.call_tool("ingest_data", {"data": "Something else.", "source": "note", "format": "text"})
        slow.let.clear()
        slow.started.clear()
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "ingest_file", {"filePath": str(path)})
            await anyio.to_thread.run_sync(slow.started.wait)
            group.cancel_scope.cancel()
        old = await client.call_tool("list_files", {})
        assert [file["state"] for file in old.structured_content["files"]][:1] == [SourceState.NOT_INGESTED]
        slow.let.set()
        with anyio.fail_after(20):
            while True:
                seen = await client.call_tool("query_documents", {"query": "seal"})
                assert not seen.is_error, seen
                found = [hit for hit in seen.structured_content["results"] if hit["source"] == str(path)]
                if found:
                    break
        assert found[0]["distance"] is not None
        new = await client.call_tool("list_files", {})
        assert [file["state"] for file in new.structured_content["files"]] == [SourceState.INGESTED] * 2

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
