"""What each rule of the analyzer is worth: whole documents, plain BM25, nDCG@10, one rule changed at a time.

python -m benchmarks.retrieval.analyzer DATA [--sets a,b] [--queries-every 2] [--variants a,b]
"""

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import mean
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from benchmarks.retrieval.measures import DEPTH, ndcg
from benchmarks.retrieval.sets import RetrievalSet, sets_in
from minirag_mcp.lexical import analyzer, words
from minirag_mcp.lexical.fold import fold
from minirag_mcp.lexical.stem import stems

SATURATION, LENGTH_SHARE = 1.2, 0.75
"""k1 and b of BM25 as SQLite's full-text search has them."""

Stems = Callable[[str, str], tuple[str, ...]]


def _folded(word: str, _: str) -> tuple[str, ...]:
    return (fold(word),) if fold(word) else ()


def _own(word: str, language: str) -> tuple[str, ...]:
    return stems(word, language)[-1:]


def _both(word: str, language: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_folded(word, language), *stems(word, language))))


def _groups_alone(size: int) -> Callable[[str, int], Iterator[str]]:
    def grams(letters: str, _: int) -> Iterator[str]:
        if len(letters) < size:
            yield letters
        yield from (letters[start : start + size] for start in range(len(letters) - size + 1))

    return grams


VARIANTS: dict[str, dict[str, object]] = {
    "as shipped": {},
    "folded words, no stems": {"stems": _folded},
    "folded words and stems": {"stems": _both},
    "stem of the own language only": {"stems": _own},
    "English rules for all Latin": {"stems": lambda word, _: stems(word, "english")},
    "single letters alone": {"_grams": _groups_alone(1)},
    "pairs alone": {"_grams": _groups_alone(2)},
    "threes alone": {"_grams": _groups_alone(3)},
    "identifiers in parts only": {"_wholes": lambda _: ()},
    "no cut at case and digits": {"_MOST_PARTS": 0},
}


def main() -> None:
    """Print a Markdown table: a row per variant, a column per set."""
    options = _options()
    found = sets_in(options.data, [name for name in options.sets.split(",") if name])
    print("| variant | " + " | ".join(one.name for one in found) + " |\n|---" + "|---" * len(found) + "|")
    for name in options.variants.split(",") if options.variants else VARIANTS:
        with _changed(VARIANTS[name]):
            values = [f"{_quality(one, options.queries_every):.4f}" for one in found]
        print(f"| {name} | " + " | ".join(values) + " |", flush=True)


@contextmanager
def _changed(rules: dict[str, object]) -> Iterator[None]:
    with ExitStack() as stack:
        for name, rule in rules.items():
            stack.enter_context(patch.object(words, name, rule))
        if "stems" in rules:
            stack.enter_context(patch.object(analyzer, "stems", rules["stems"]))
        analyzer._pieces.clear()  # noqa: SLF001 - a changed rule makes what is remembered wrong
        yield
    analyzer._pieces.clear()  # noqa: SLF001


def _quality(one: RetrievalSet, every: int) -> float:
    with (one.folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    ids = [document["id"] for document in documents]
    index = _Index([Counter(analyzer.terms(f"{document['title']}\n{document['text']}")) for document in documents])
    rankings = (([ids[row] for row in index.best(text)], grades) for text, grades in one.questions[::every])
    return mean(ndcg(ranking, grades) for ranking, grades in rankings)


class _Index:
    def __init__(self, bags: list[Counter[str]]) -> None:
        lengths = np.array([bag.total() for bag in bags], dtype=np.float64)
        self._norms = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths / lengths.mean())
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for row, bag in enumerate(bags):
            for term, count in bag.items():
                self._postings[term].append((row, count))

    def best(self, text: str) -> list[int]:
        scores = np.zeros(len(self._norms))
        for term in set(analyzer.terms(text)):
            if term in self._postings:
                rows, weights = self._weights(term)
                scores[rows] += weights
        order = np.lexsort((np.arange(len(scores)), -scores))[:DEPTH]
        return [int(row) for row in order if scores[row] > 0]

    def _weights(self, term: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        rows, counts = np.array(self._postings[term], dtype=np.int64).T
        inverse = max(math.log((len(self._norms) - len(rows) + 0.5) / (len(rows) + 0.5)), 1e-6)
        return rows, inverse * counts * (SATURATION + 1) / (counts + self._norms[rows])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of sets")
    parser.add_argument("--sets", default="", help="names, separated by commas; all without it")
    parser.add_argument("--queries-every", type=int, default=1, help="take every N-th question")
    parser.add_argument("--variants", default="", help=f"names, separated by commas: {', '.join(VARIANTS)}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
