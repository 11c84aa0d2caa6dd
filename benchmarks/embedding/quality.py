"""nDCG@10 by vectors alone of the bundled graph and its variants; each document is one text, cut to the window.

    python -m benchmarks.embedding.quality SET ... [--variants N] [--others N]

A SET is a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`. Prints a Markdown table.
"""

import argparse
import json
import math
import os
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.embedding.engines import NAMES, Engine, encoded, open_tokenizer

DEPTH = 10


def main() -> None:
    """Measure each variant on each set and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--variants", type=int, default=len(NAMES), help="how many variants, from the first")
    parser.add_argument("--others", type=int, help="keep only this many of the documents judged for no query")
    arguments = parser.parse_args()
    names = NAMES[: arguments.variants]
    with tempfile.TemporaryDirectory() as folder:
        sessions = len(os.sched_getaffinity(0))
        engines = {name: Engine(name, Path(folder), sessions=sessions) for name in names}
        print("| nDCG@10, vectors alone | " + " | ".join(path.name for path in arguments.sets) + " |")
        print("|---|" + "---|" * len(arguments.sets))
        for name, engine in engines.items():
            scores = [f"{score(engine, path, arguments.others):.4f}" for path in arguments.sets]
            print(f"| {name} | " + " | ".join(scores) + " |", flush=True)


def score(engine: Engine, folder: Path, others: int | None) -> float:
    """Mean nDCG@10 over the queries that have a judged document."""
    judged: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, document, grade = line.split("\t")
        judged.setdefault(query, {})[document] = float(grade)
    relevant = {document for grades in judged.values() for document in grades}
    documents = sorted(read(folder / "corpus.jsonl"), key=lambda item: item["id"] not in relevant)
    documents = documents[: None if others is None else len(relevant) + others]
    queries = [item for item in read(folder / "queries.jsonl") if item["id"] in judged]
    tokenizer = open_tokenizer()
    texts = [f"{item['title']}\n{item['text']}" if item.get("title") else item["text"] for item in documents]
    vectors = engine.run_all(encoded(tokenizer, texts, "passage: "))
    asked = engine.run_all(encoded(tokenizer, [item["text"] for item in queries], "query: "))
    best = np.argsort(-(asked @ vectors.T), axis=1, kind="stable")[:, :DEPTH]
    gains = [
        ndcg([documents[place]["id"] for place in row], judged[query["id"]])
        for row, query in zip(best, queries, strict=True)
    ]
    return float(np.mean(gains))


def ndcg(ranking: list[str], grades: dict[str, float]) -> float:
    """Järvelin and Kekäläinen (2002), gain = grade, discount = log2(rank + 1)."""
    found = sum(grades.get(document, 0) / math.log2(rank + 2) for rank, document in enumerate(ranking))
    ideal = sorted(grades.values(), reverse=True)[:DEPTH]
    return found / sum(grade / math.log2(rank + 2) for rank, grade in enumerate(ideal))


def read(path: Path) -> list[dict[str, str]]:
    """The objects of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
