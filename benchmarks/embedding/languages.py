"""What removing the language directions does to searching across languages, by vectors alone.

    python -m benchmarks.embedding.languages IR/xquad-en IR/xquad-ru … [--queries-every N]

The sets must hold the same documents and queries in different languages, under the same ids. Each pair of languages
makes a mixed corpus: every second document only in the language of the questions, the others only in another one.
Prints nDCG@10 by number of directions removed; 0 is the model as it comes.
"""

import argparse
import itertools
import json
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.embedding.engines import NAMES, Engine, encoded, open_tokenizer
from minirag_mcp.embed.languages import DIRECTIONS
from minirag_mcp.embed.weights_file import BUNDLED

COUNTS = (0, 4, 8, 12, 16)
DEPTH = 10

Matrix = npt.NDArray[np.float32]


def main() -> None:
    """Embed every set once; measure each number of directions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--queries-every", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        engine = Engine(NAMES[0], Path(cache), sessions=2)
        embedded = {folder.name: embed(engine, folder, arguments.queries_every) for folder in arguments.sets}
    gold = judged(arguments.sets[0], arguments.queries_every)
    directions = np.load(BUNDLED / DIRECTIONS)
    print("| removed | same language | any pair of languages | mixed: answer in the other | mixed: in its own |")
    print("|---|---|---|---|---|")
    for count in COUNTS:
        removed = directions[:count]
        sides = {name: (without(p, removed), without(q, removed)) for name, (p, q) in embedded.items()}
        print(f"| {count} | " + " | ".join(f"{value:.3f}" for value in measured(sides, gold)) + " |", flush=True)


def measured(sides: dict[str, tuple[Matrix, Matrix]], gold: npt.NDArray[np.intp]) -> tuple[float, float, float, float]:
    """The four columns: mean nDCG@10 over languages, or over ordered pairs of languages."""
    own = [ndcg(queries @ passages.T, gold) for passages, queries in sides.values()]
    across, other, same = [], [], []
    for (mine, queries), (theirs, _) in itertools.permutations(sides.values(), 2):
        across.append(ndcg(queries @ theirs.T, gold))
        even = np.arange(len(mine)) % 2 == 0
        scores = queries @ np.where(even[:, None], mine, theirs).T
        same.append(ndcg(scores[even[gold]], gold[even[gold]]))
        other.append(ndcg(scores[~even[gold]], gold[~even[gold]]))
    return float(np.mean(own)), float(np.mean(across)), float(np.mean(other)), float(np.mean(same))


def ndcg(scores: Matrix, gold: npt.NDArray[np.intp]) -> float:
    """Mean nDCG@10 with one relevant document for each row."""
    ranks = (scores > scores[np.arange(len(scores)), gold][:, None]).sum(1)
    return float(np.mean(np.where(ranks < DEPTH, 1 / np.log2(ranks + 2), 0)))


def without(vectors: Matrix, directions: Matrix) -> Matrix:
    """As the product does, for any number of directions."""
    rest = vectors - (vectors @ directions.T) @ directions
    return np.asarray(rest / np.linalg.norm(rest, axis=1, keepdims=True), np.float32)


def embed(engine: Engine, folder: Path, every: int) -> tuple[Matrix, Matrix]:
    """Vectors of the documents and of every `every`-th query."""
    tokenizer = open_tokenizer()
    passages = [f"{item.get('title', '')}\n{item['text']}" for item in read(folder / "corpus.jsonl")]
    queries = [item["text"] for item in read(folder / "queries.jsonl")[::every]]
    return (
        engine.run_all(encoded(tokenizer, passages, "passage: ")),
        engine.run_all(encoded(tokenizer, queries, "query: ")),
    )


def judged(folder: Path, every: int) -> npt.NDArray[np.intp]:
    """The place of the one relevant document of each query."""
    places = {item["id"]: place for place, item in enumerate(read(folder / "corpus.jsonl"))}
    lines = (folder / "qrels.tsv").read_text("utf-8").splitlines()
    relevant = {query: places[document] for query, document, _ in (line.split("\t") for line in lines)}
    return np.array([relevant[item["id"]] for item in read(folder / "queries.jsonl")[::every]])


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
