import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from tests.shell.client import environment

from minirag_mcp.shell import stdio


class Lines:
    """Two lines and an end."""

    async def __aiter__(self) -> AsyncIterator[str]:
        yield "one"
        yield "two"


@pytest.mark.parametrize(("turns", "seconds"), [(0, 0.5), (3, 0.5), (10_000, 1.5)])
def test_the_end_of_stdin_waits_for_calls_at_work_but_not_for_long(turns: int, seconds: float) -> None:
    left = iter(range(turns))

    def busy() -> bool:
        return next(left, None) is not None

    async def read() -> list[str]:
        with anyio.fail_after(seconds + 5):
            return [line async for line in stdio.LingeringLines(Lines(), busy=busy)]

    assert anyio.run(read) == ["one", "two"]


def test_a_close_that_hangs_does_not_keep_the_process(tmp_path: Path) -> None:
    program = "import time; from minirag_mcp.shell import stdio; stdio.leave(lambda: time.sleep(60), 3)"
    done = subprocess.run([sys.executable, "-c", program], env=environment(), cwd=tmp_path, timeout=20, check=False)
    assert done.returncode == 3


def test_only_the_private_stream_reaches_stdout(tmp_path: Path) -> None:
    program = (
        "import os; from minirag_mcp.shell import stdio\n"
        "out = stdio.result_stdout(); print('noise'); os.write(1, b'noise'); os.system('echo noise')\n"
        "out.write('result\\n'); out.flush()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), cwd=tmp_path, capture_output=True, timeout=20, check=True
    )
    assert done.stdout.splitlines() == [b"result"]
    assert done.stderr.count(b"noise") == 3


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (r'"plain"', "plain"),
        (r'"\ud83d\ude42"', "🙂"),
        (r'"cut \ud83d"', "cut \ufffd"),
        (r'"\ude42\uD83D x"', "\ufffd\ufffd x"),
        (r'"\\ud83d"', "\\ud83d"),
        (r'"\\\ud83d"', "\\\ufffd"),
        (r'"\ud83d\ud83d\ude42"', "\ufffd🙂"),
    ],
)
def test_half_a_character_is_replaced_and_whole_ones_are_kept(sent: str, read: str) -> None:
    assert json.loads(stdio.whole_characters(sent)) == read
