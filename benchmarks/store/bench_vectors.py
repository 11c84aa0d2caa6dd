"""How exact int8 rows are, and how fast a scan over them is, beside other kernels that happen to be installed.

    python benchmarks/store/bench_vectors.py [--rows 50000] [--corpus CORPUS.jsonl --queries QUERIES.jsonl]

With a corpus (lines with `title` and `text`) and queries (lines with `text`), the bundled model embeds up to
`--limit` of each and recall is of its vectors; without, of made rows around a common direction.
"""

import argparse
import importlib
import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

from minirag_mcp.store.vectors import Segment, quantised, segment

DIMENSION, TOP, RUNS = 384, 50, 15
Floats = npt.NDArray[np.float32]


def made_rows(count: int, seed: int) -> Floats:
    """Unit rows around a common direction, as sentence models make them."""
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION))
    rows += 1.8 * np.random.default_rng(1).standard_normal(DIMENSION)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def embedded(corpus: Path, queries: Path, limit: int, cache: Path) -> tuple[Floats, Floats]:
    """Rows of the bundled model for documents and queries."""
    from minirag_mcp.embed.load import BUNDLED_MODEL, open_embedder  # noqa: PLC0415 - only if asked for

    def lines(path: Path) -> list[dict[str, str]]:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[:limit]]

    embedder = open_embedder(BUNDLED_MODEL, cache)
    passages = embedder.embed_passages([f"{line.get('title', '')}\n{line['text']}"[:500] for line in lines(corpus)])
    return passages, np.stack([embedder.embed_query(line["text"]) for line in lines(queries)])


def kept(rows: Floats) -> Segment:
    """The rows as the store keeps them."""
    return segment([quantised(each, rows.shape[1]) for each in rows], rows.shape[1])


def recall(rows: Floats, questions: Floats) -> None:
    """Share of the exact top found, and how far the cosines are off."""
    int8 = kept(rows)
    exact = questions @ rows.T
    near = np.stack([int8.cosines(question) for question in questions])
    tops = zip(np.argsort(-exact, kind="stable"), np.argsort(-near, kind="stable"), strict=True)
    found = [len(set(a[:TOP]) & set(b[:TOP])) / TOP for a, b in tops]
    print(f"| recall of the exact top {TOP}, {len(rows):,} rows, {len(questions)} questions | {np.mean(found):.4f} |")
    print(
        f"| error of a cosine, mean / largest | {np.abs(exact - near).mean():.5f} / {np.abs(exact - near).max():.5f} |"
    )


def milliseconds(action: Callable[[], object]) -> float:
    """Median of some runs."""
    action()
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        action()
        taken.append((time.perf_counter() - start) * 1000)
    return median(taken)


def speed(count: int) -> None:
    """One question against all rows, by each kernel at hand."""
    rows = made_rows(count, 2)
    question = made_rows(1, 3)[0]
    int8 = kept(rows)
    query = np.frombuffer(quantised(question, DIMENSION), dtype=np.int8).reshape(1, -1)
    print(f"| int8, blocks to float32, numpy | {milliseconds(lambda: int8.cosines(question)):.2f} ms |")
    print(f"| float32, numpy (4 times the memory) | {milliseconds(lambda: rows @ question):.2f} ms |")
    with suppress(ImportError):
        simsimd = importlib.import_module("simsimd")
        taken = milliseconds(lambda: simsimd.cdist(query, int8.rows, metric="cosine"))
        print(f"| int8, int8 question, simsimd | {taken:.2f} ms |")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--limit", type=int, default=1500)
    parser.add_argument("--cache", type=Path, default=Path(".minirag/bench-cache"))
    options = parser.parse_args()
    print("| what | measured |\n|---|---|")
    if options.corpus:
        recall(*embedded(options.corpus, options.queries, options.limit, options.cache))
    else:
        recall(made_rows(10_000, 2), made_rows(100, 3))
    speed(options.rows)


if __name__ == "__main__":
    main()
