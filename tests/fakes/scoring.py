"""BM25 by its formula, as the store in memory ranks."""

import math
from collections import Counter
from collections.abc import Sequence

from minirag_mcp.model import Scored, Terms

TITLE_WEIGHT, CONTEXT_WEIGHT, BODY_WEIGHT = 2.0, 1.0, 1.0
SATURATION, LENGTH_SHARE, LEAST_IDF = 1.2, 0.75, 1e-6


def check_step(chunks: int, *per_chunk: Sequence[object]) -> None:
    if any(len(each) != chunks for each in per_chunk):
        raise ValueError("chunks, terms and hashes go in step")


def bag(terms: Terms) -> Counter[str]:
    """How often each term occurs, a title word counting more."""
    bag: Counter[str] = Counter()
    for words, weight in ((terms.title, TITLE_WEIGHT), (terms.context, CONTEXT_WEIGHT), (terms.body, BODY_WEIGHT)):
        for word in words:
            bag[word] += weight  # type: ignore[assignment]
    return bag


def length(terms: Terms) -> int:
    return len(terms.title) + len(terms.context) + len(terms.body)


def idf(holding: int, total: int) -> float:
    return max(math.log((total - holding + 0.5) / (holding + 0.5)), LEAST_IDF)


def saturated(frequency: float, relative_length: float) -> float:
    length = 1 - LENGTH_SHARE + LENGTH_SHARE * relative_length
    return frequency * (SATURATION + 1) / (frequency + SATURATION * length)


def best(scored: list[Scored], limit: int) -> list[Scored]:
    return sorted(scored, key=lambda hit: (-hit.score, hit.chunk))[:limit]
