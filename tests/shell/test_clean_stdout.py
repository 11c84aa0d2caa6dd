"""Stdout carries the protocol and nothing else, whatever a library prints, when and how it does."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.flows.surfaces import settings
from tests.shell.client import HANDSHAKE, REVISIONS, Json, served

NOISY = """
import ctypes, logging, os, subprocess, sys, threading, warnings

def noise(*_):
    print("print")
    sys.stdout.write("write"); sys.stdout.flush()
    sys.__stdout__.write("original stdout\\n"); sys.__stdout__.flush()
    os.write(1, b"file descriptor\\n")
    libc = ctypes.CDLL(None)
    libc.printf(b"printf\\n"); libc.puts(b"puts"); libc.fflush(None)
    subprocess.run([sys.executable, "-c", "import os; print('child'); os.write(1, b'child')"], check=True)
    os.system("echo shell")
    warnings.warn("a warning", stacklevel=1)
    logging.getLogger("library").error("logged")
    other = threading.Thread(target=print, args=("thread",)); other.start(); other.join()

class Importing:
    def find_spec(self, name, path=None, target=None):
        if name == "minirag_mcp.engine":
            noise()

sys.meta_path.insert(0, Importing())
from minirag_mcp.shell import mcp_server, opening

def open_library(settings):
    from minirag_mcp.engine import Library
    from tests.fakes.embedder import HashedEmbedder
    class Noisy(HashedEmbedder):
        def load(self): noise(); super().load()
        def embed_passages(self, texts): noise(); return super().embed_passages(texts)
        def embed_query(self, text): noise(); return super().embed_query(text)
    noise()
    return Library(settings, embedder=Noisy())

mcp_server.serve(opening.Opener(opening=open_library))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the C library is found by another name there")
@pytest.mark.parametrize("revision", REVISIONS)
def test_no_library_gets_a_word_in_while_the_work_is_done(revision: str, tmp_path: Path) -> None:
    root = tmp_path / "documents"
    root.mkdir()
    (root / "pump.md").write_text("# Pump\n\nThe seal leaks.\n", encoding="utf-8")
    env = settings(root, tmp_path / "index")
    with served(revision, env=env, cwd=root, command=(sys.executable, "-c", NOISY)) as session:
        session.open()
        session.request("tools/list")
        assert session.call("ingest_file", filePath=str(root / "pump.md"))["chunkCount"] == 1
        found = session.call("query_documents", query="which seal")
        assert str(root / "pump.md") in str(found["results"])
        job = session.call("sync_start")
        while job["state"] == "running":
            job = session.call("sync_status", jobId=job["jobId"])
        assert session.close() < 2
        assert session.rest() == ""


def test_what_a_library_prints_goes_to_stderr(tmp_path: Path) -> None:
    (tmp_path / "pump.md").write_text("# Pump\n\nThe seal leaks.\n", encoding="utf-8")
    hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    messages: list[Json] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_files", "arguments": {}}},
    ]
    done = subprocess.run(
        [sys.executable, "-c", NOISY],
        input="".join(json.dumps(message) + "\n" for message in messages),
        env=settings(tmp_path, tmp_path / ".index"),
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    for word in ("print", "original stdout", "file descriptor", "printf", "puts", "child", "shell", "thread"):
        assert word in done.stderr
    assert [line[:15] for line in done.stdout.splitlines()] == ['{"jsonrpc":"2.0'] * 2
