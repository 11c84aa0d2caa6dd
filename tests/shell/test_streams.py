"""Streams that are closed or full when the product starts, as scripts and services leave them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.shell.client import environment

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")

COMMANDS = ["--version", "list", "list --json", "status", "sync", "query x", "query x --json", ""]


def shell(line: str, cwd: Path, *, sent: str = "") -> "subprocess.CompletedProcess[str]":
    command = f"exec {sys.executable} -m minirag_mcp {line}"
    return subprocess.run(
        ["/bin/sh", "-c", command],
        env=environment(),
        cwd=cwd,
        input=sent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("stdout", "reason"), [(">&-", "closed"), (">/dev/full", "No space left")])
def test_a_result_that_cannot_be_written_is_a_failure_that_says_why(
    command: str, stdout: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("", "utf-8")
    done = shell(f"{command} {stdout}", tmp_path, sent=PING)
    assert done.returncode == 1, done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert "defect" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_a_result_comes_although_nothing_can_be_warned_of(stderr: str, tmp_path: Path) -> None:
    done = shell(f"list {stderr}", tmp_path)
    assert done.returncode == 0
    assert done.stdout
    assert shell(f"read nothing.md {stderr}", tmp_path).returncode == 1
    assert json.loads(shell(stderr, tmp_path, sent=PING).stdout)["id"] == 1


def test_a_closed_stdin_is_an_empty_one(tmp_path: Path) -> None:
    assert shell("list <&-", tmp_path).returncode == 0
    served = shell("<&-", tmp_path)
    assert (served.returncode, served.stdout, served.stderr) == (0, "", "")
