"""How long a first sync and a sync without changes take, and the memory they need.

    python -m benchmarks.sync.measure FOLDER [--embedder real|words]

`real` uses the bundled model; `words` a hashed bag of words, so that everything but the model is measured.
The folder is only read; the index is made in a temporary folder. Each sync runs in a process of its own, and the
times of the second kind are of the whole process, interpreter start included; the best of five is shown beside
the median, for the machine is rarely quiet.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from minirag_mcp.config import DEFAULT_MAX_FILE_SIZE, DEFAULT_TOKEN_BUDGET
from minirag_mcp.embed.contract import Embedder
from minirag_mcp.model import Progress

REPEATS = 5


def main() -> None:
    """Run both kinds of sync over a folder and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", choices=("real", "words"), default="words")
    parser.add_argument("--index", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.index:
        print(json.dumps(one_sync(arguments.folder.absolute(), arguments.index, arguments.embedder)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        index = Path(temporary)
        first, _ = in_process(arguments.folder, index, arguments.embedder)
        again = [in_process(arguments.folder, index, arguments.embedder) for _ in range(REPEATS)]
        size = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    report(first, again, size)


def in_process(folder: Path, index: Path, embedder: str) -> tuple[dict[str, float], float]:
    """What one sync in its own process says of itself, and the seconds the process took."""
    command = [sys.executable, "-m", "benchmarks.sync.measure", str(folder), "--embedder", embedder]
    start = time.perf_counter()
    done = subprocess.run([*command, "--index", str(index)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout), time.perf_counter() - start


def one_sync(folder: Path, index: Path, embedder: str) -> dict[str, float]:
    """Sync and say how it went."""
    from minirag_mcp.ingest.guard import Roots  # noqa: PLC0415 - inside what is measured
    from minirag_mcp.ingest.options import IndexOptions  # noqa: PLC0415
    from minirag_mcp.ingest.pipeline import Indexer  # noqa: PLC0415
    from minirag_mcp.ingest.sync import sync  # noqa: PLC0415
    from minirag_mcp.parse.sandbox import Sandbox  # noqa: PLC0415
    from minirag_mcp.store.sqlite import open_store  # noqa: PLC0415

    words_done: list[float] = []
    start = time.perf_counter()

    def watch(step: Progress) -> None:
        if step.current == "vectors" and not words_done:
            words_done.append(time.perf_counter() - start)

    model = open_model(embedder)
    store = open_store(index, identity=model.identity)
    with Sandbox(workers=2) as sandbox:
        indexer = Indexer(
            store,
            model,
            sandbox,
            roots=Roots([folder]),
            options=IndexOptions(budget=DEFAULT_TOKEN_BUDGET, max_file_size=DEFAULT_MAX_FILE_SIZE),
        )
        done = sync(indexer, folder=index, progress=watch)
        seconds = time.perf_counter() - start
        chunks = store.counts(indexer.fingerprint).chunks
    store.close()
    return {
        "files": done.counts.scanned,
        "ingested": done.counts.ingested,
        "failed": done.counts.failed + done.counts.unreadable,
        "skipped": done.counts.skipped,
        "chunks": chunks,
        "words": words_done[0] if words_done else seconds,
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "parsers": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def open_model(name: str) -> Embedder:
    """The bundled model, or the bag of words under a name that needs no numpy until it embeds."""
    if name == "real":
        from platformdirs import user_cache_path  # noqa: PLC0415

        from minirag_mcp.config import DEFAULT_MODEL  # noqa: PLC0415
        from minirag_mcp.embed.load import open_embedder  # noqa: PLC0415

        return open_embedder(DEFAULT_MODEL, user_cache_path("minirag-mcp") / "models")
    from benchmarks.sync.words import WordsEmbedder  # noqa: PLC0415

    return WordsEmbedder()


def report(first: dict[str, float], again: list[tuple[dict[str, float], float]], size: int) -> None:
    """Print the figures."""
    seconds = sorted(taken for _, taken in again)
    inside = statistics.median(said["seconds"] for said, _ in again)
    print(f"files {first['files']:,.0f}, chunks {first['chunks']:,.0f}, failed {first['failed']:,.0f}")
    print(f"first sync: {first['seconds']:.1f} s ({first['files'] / first['seconds']:.0f} files/s)")
    print(f"  found by words after {first['words']:.1f} s ({first['files'] / first['words']:.0f} files/s)")
    print(
        f"  peak memory {first['peak']:.0f} MB, largest parser {first['parsers']:.0f} MB, index {size / 2**20:.0f} MB"
    )
    print(f"no-change sync, whole process: best {seconds[0]:.3f} s, median {statistics.median(seconds):.3f} s")
    print(f"  of it the sync and its imports: {inside:.3f} s; peak memory {again[0][0]['peak']:.0f} MB")
    assert again[-1][0]["ingested"] == 0


if __name__ == "__main__":
    main()
