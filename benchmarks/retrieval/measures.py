"""How good a ranking of documents is; pure."""

import math
from collections.abc import Mapping, Sequence

DEPTH = 10


def ndcg(ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """Discounted gain (2^grade − 1) of the first ten over the best possible (Burges et al., ICML 2005)."""
    best = sorted(grades.values(), reverse=True)
    return _gain([grades.get(document, 0) for document in ranking]) / _gain(best)


def recall(ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """Share of the relevant documents, at most ten, that are among the first ten."""
    relevant = {document for document, grade in grades.items() if grade > 0}
    return len(relevant.intersection(ranking[:DEPTH])) / min(DEPTH, len(relevant))


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """One over the rank of the first relevant document, 0 if it is not among the first ten."""
    return next((1 / rank for rank, document in enumerate(ranking[:DEPTH], 1) if grades.get(document, 0) > 0), 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of `values` do not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _gain(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1.0) / math.log2(rank + 1) for rank, grade in enumerate(grades[:DEPTH], 1))
