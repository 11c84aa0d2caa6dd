"""How long the product takes to start and to answer first.

    python benchmarks/start/measure.py FOLDER [--runs 7] [--json FILE]

FOLDER is a root that has been indexed already (`minirag-mcp sync --base-dir FOLDER`); it is only read. Each figure is
the median of the runs, in seconds, with its ratio to a bare interpreter that does nothing: the ratios are what can be
compared between machines. One run before the measured ones fills the caches of the operating system and of compiled
modules. On a busy machine, look at the processor seconds. For the last lines a server process is started, greeted and
asked for its tools, in each protocol revision.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

BUDGETS = {"version": 0.15, "help": 0.15, "usage error": 0.15, "status": 0.25, "list": 0.25, "query": 0.8, "tools": 0.7}

META = "io.modelcontextprotocol"
ENVELOPE = {
    f"{META}/protocolVersion": "2026-07-28",
    f"{META}/clientInfo": {"name": "benchmark", "version": "1"},
    f"{META}/clientCapabilities": {},
}
MODERN: list[dict[str, object]] = [
    {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": ENVELOPE}},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": ENVELOPE}},
]
HANDSHAKE: list[dict[str, object]] = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "benchmark", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
]


def main() -> None:
    """Measure everything and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    root = ["--base-dir", str(given.folder)]
    works: dict[str, Callable[[], float]] = {
        "bare interpreter": lambda: command("-c", "pass"),
        "version": lambda: product("--version"),
        "help": lambda: product("--help"),
        "usage error": lambda: product("query"),
        "status": lambda: product("status", *root),
        "list": lambda: product("list", *root),
        "query": lambda: product("query", "how is it done", *root),
        "tools, handshake revision": lambda: tools_listed(HANDSHAKE, given.folder),
        "tools, envelope revision": lambda: tools_listed(MODERN, given.folder),
    }
    figures = {name: medians(work, given.runs) for name, work in works.items()}
    bare = figures["bare interpreter"][0]
    print(f"{'what':28} {'median s':>9} {'x bare':>7} {'CPU s':>7} {'budget s':>9}")
    for name, (seconds, processor) in figures.items():
        budget = BUDGETS.get(name.partition(",")[0])
        print(f"{name:28} {seconds:9.3f} {seconds / bare:7.1f} {processor:7.3f} {budget or '':>9}")
    if given.json:
        shown = {name: round(seconds / bare, 1) for name, (seconds, _) in figures.items()}
        given.json.write_text(json.dumps({"ratios to a bare interpreter": shown}, indent=2) + "\n")


def medians(work: Callable[[], float], runs: int) -> tuple[float, float]:
    """Elapsed and processor seconds, each the median of `runs` after one that does not count."""
    work()
    elapsed, processor = [], []
    for _ in range(runs):
        before = children_seconds()
        elapsed.append(work())
        processor.append(children_seconds() - before)
    return statistics.median(elapsed), statistics.median(processor)


def children_seconds() -> float:
    """Processor seconds of all child processes that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def command(*arguments: str) -> float:
    """Seconds from start to end of one interpreter."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment(), capture_output=True, check=False)
    return time.perf_counter() - began


def product(*arguments: str) -> float:
    """Seconds from start to end of one command."""
    return command("-m", "minirag_mcp", *arguments)


def tools_listed(messages: list[dict[str, object]], folder: Path) -> float:
    """Seconds from the start of a server to its answer to `tools/list`."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "minirag_mcp"],
        env=environment() | {"BASE_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
        process.stdin.flush()
        while json.loads(process.stdout.readline())["id"] != 2:
            pass
        seconds = time.perf_counter() - began
        process.kill()
    return seconds


def environment() -> dict[str, str]:
    """Ours, but with compiled modules allowed: an installed product has them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


if __name__ == "__main__":
    main()
