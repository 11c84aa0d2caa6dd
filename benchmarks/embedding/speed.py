"""Speed, size and steadiness of the bundled graph and its variants, in interleaved runs.

    python -m benchmarks.embedding.speed FOLDER

FOLDER holds `corpus.jsonl`: real texts, for the cosines. Prints a Markdown table.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.embedding.engines import BUNDLED, NAMES, Engine, encoded, open_tokenizer, prepare
from minirag_mcp.model import Vectors

TEXTS = 64
TOKENS = 100
ROUNDS = 5
QUERY_TOKENS = 12


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        measure(arguments.folder, Path(name))


def measure(data: Path, folder: Path) -> None:
    """Every variant in turn, round after round."""
    processors = len(os.sched_getaffinity(0))
    sizes = {name: prepare(name, folder).stat().st_size for name in NAMES}
    engines = {name: Engine(name, folder, sessions=processors) for name in NAMES}
    walls: dict[str, list[float]] = {name: [] for name in NAMES}
    works: dict[str, list[float]] = {name: [] for name in NAMES}
    queries: dict[str, list[float]] = {name: [] for name in NAMES}
    ids = np.random.default_rng(0).integers(5, 200_000, (TEXTS, TOKENS)).tolist()
    for round_number, (name, engine) in itertools.product(range(ROUNDS + 1), engines.items()):
        wall, work = time.perf_counter(), time.process_time()
        engine.run_all(ids)
        if round_number:  # the first is to warm up
            walls[name].append(time.perf_counter() - wall)
            works[name].append(time.process_time() - work)
        for row in ids[:8]:
            wall = time.perf_counter()
            engine.run([row[:QUERY_TOKENS]])
            queries[name].append(time.perf_counter() - wall)
    texts = [json.loads(line)["text"] for line in (data / "corpus.jsonl").read_text("utf-8").splitlines()][:48]
    rows = encoded(open_tokenizer(), texts, "passage: ")
    truth = alone(engines["float32 layers"], rows)
    print(f"{TEXTS} texts of {TOKENS} tokens, {processors} processors, medians of {ROUNDS} interleaved rounds\n")
    print(
        "| variant | texts/s | tokens/s | texts per CPU second | query ms | load s | RSS MB | file MB "
        "| cosine to float32, mean / least | alone against in a batch, least |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, engine in engines.items():
        vectors = alone(engine, rows)
        cosines, steady = (vectors * truth).sum(axis=1), (vectors * engine.run_all(rows)).sum(axis=1)
        rate = TEXTS / statistics.median(walls[name])
        load, memory = fresh(name, folder)
        print(
            f"| {name} | {rate:.0f} | {rate * TOKENS:.0f} | {TEXTS / statistics.median(works[name]):.0f} "
            f"| {statistics.median(queries[name]) * 1e3:.1f} | {load:.2f} | {memory:.0f} | {sizes[name] / 1e6:.0f} "
            f"| {cosines.mean():.4f} / {cosines.min():.4f} | {steady.min():.6f} |"
        )
    print()
    layouts(folder, ids)


def alone(engine: Engine, rows: list[list[int]]) -> Vectors:
    """Each row in a batch of its own."""
    return np.concatenate([engine.run([row]) for row in rows])


def layouts(folder: Path, ids: list[list[int]]) -> None:
    """The bundled graph with its threads laid out differently."""
    processors = len(os.sched_getaffinity(0))
    variant = "int8 layers, range of each batch"
    engines = {
        f"{variant}: {processors} sessions of one thread": Engine(variant, folder, sessions=processors),
        f"{variant}: one session of {processors} threads": Engine(variant, folder, threads=processors),
        f"{BUNDLED}: {processors} sessions of one thread": Engine(BUNDLED, folder, sessions=processors),
        f"{BUNDLED}: one session of one thread": Engine(BUNDLED, folder),
    }
    walls: dict[str, list[float]] = {name: [] for name in engines}
    for _, (name, engine) in itertools.product(range(ROUNDS), engines.items()):
        wall = time.perf_counter()
        engine.run_all(ids)
        walls[name].append(time.perf_counter() - wall)
    print("| threads | texts/s |")
    print("|---|---|")
    for name, seconds in walls.items():
        print(f"| {name} | {TEXTS / statistics.median(seconds):.0f} |")


FRESH = """
import sys, time
from pathlib import Path
from benchmarks.embedding.engines import Engine, encoded, open_tokenizer
engine = Engine(sys.argv[1], Path(sys.argv[2]))
ids = encoded(open_tokenizer(), ["how is the timeout set?"], "query: ")
engine.run(ids)
status = Path("/proc/self/status").read_text()
print(engine.load_seconds, [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")][0])
"""


def fresh(name: str, folder: Path) -> tuple[float, float]:
    """Seconds to open a session, and resident MB with tokenizer after one query, in a process of its own."""
    command = [sys.executable, "-c", FRESH, name, str(folder)]
    seconds, kilobytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), int(kilobytes) / 1000


if __name__ == "__main__":
    main()
