"""How long a warm query takes on an index that is there, and the memory of the process that answers.

    python -m benchmarks.query.measure FOLDER QUESTIONS.jsonl … [--db-path INDEX] [--most 200]

FOLDER is a root that has been indexed; each line of a QUESTIONS file is an object with a `text`. The same number of
questions is taken from each file. The first ten are asked once before anything is timed.
"""

import argparse
import json
import resource
import time
from itertools import islice
from pathlib import Path
from statistics import median

from benchmarks.retrieval.measures import percentile
from platformdirs import user_cache_path

from minirag_mcp.config import Flags, load_settings
from minirag_mcp.engine import Library

WARMING = 10


def main() -> None:
    """Ask every question once and print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--db-path")
    parser.add_argument("--most", type=int, default=200)
    arguments = parser.parse_args()
    questions = [
        text for path in arguments.questions for text in read(path, arguments.most // len(arguments.questions))
    ]
    flags = Flags(base_dirs=(str(arguments.folder),), db_path=arguments.db_path)
    cache = user_cache_path("minirag-mcp", appauthor=False) / "models"
    with Library(load_settings(flags, {}, cwd=Path.cwd(), user_cache_dir=cache)) as library:
        library.warm_up()
        for text in questions[:WARMING]:
            library.query(text)
        times = [timed(library, text) for text in questions]
        chunks = library.status().counts.chunks
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{chunks:,} chunks, {len(times)} questions: p50 {median(times):.1f} ms, p95 {percentile(times, 0.95):.1f} ms, "
        f"peak {resident} MB"
    )


def timed(library: Library, text: str) -> float:
    """Milliseconds of one query."""
    started = time.perf_counter()
    library.query(text)
    return 1000 * (time.perf_counter() - started)


def read(path: Path, most: int) -> list[str]:
    """The first `most` questions of a file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in islice(lines, most)]


if __name__ == "__main__":
    main()
