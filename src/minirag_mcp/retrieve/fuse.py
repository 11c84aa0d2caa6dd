"""Two rankings to one; pure. A fusion is a callable, so that another can take this one's place."""

from typing import Protocol

from minirag_mcp.model import Candidates, ChunkId, Ranked, Scored

_DAMPING = 60
"""k of reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009): how little the first ranks stand out."""


class Fusion(Protocol):
    """Makes one ranking of both sides."""

    def __call__(self, candidates: Candidates, *, weight: float) -> tuple[Ranked, ...]:
        """Every candidate of either side once, best first, ties by chunk id.

        `weight` is the share of the lexical side, 0 to 1. `Ranked.distance` is None where only words found it.
        """
        ...


def reciprocal_ranks(candidates: Candidates, *, weight: float) -> tuple[Ranked, ...]:
    """Weighted reciprocal rank fusion: (1 − w)/(k + vector rank + 1) + w/(k + keyword rank + 1), ranks from 0.

    A side that does not have the candidate adds nothing. Only ranks count, so the scale of scores does not.
    """
    lexical = _shares(candidates.lexical, weight)
    dense = _shares(candidates.dense, 1 - weight)
    distances = {found.chunk: _distance_of(found) for found in candidates.dense}
    fused = (
        Ranked(chunk=chunk, score=lexical.get(chunk, 0.0) + dense.get(chunk, 0.0), distance=distances.get(chunk))
        for chunk in lexical.keys() | dense.keys()
    )
    return tuple(sorted(fused, key=lambda ranked: (-ranked.score, ranked.chunk)))


def _distance_of(found: Scored) -> float:
    """1 − cosine, never below 0 for want of precision."""
    return max(0.0, 1.0 - found.score)


def _shares(side: tuple[Scored, ...], weight: float) -> dict[ChunkId, float]:
    return {found.chunk: weight / (_DAMPING + rank + 1) for rank, found in enumerate(side)}
