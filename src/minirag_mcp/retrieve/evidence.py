"""Which keyword hits say something. Pure.

Rank fusion gives every hit the credit of its rank, however weak its score: a passage that shares nothing with the
question but "what is the" would outrank the one that answers it in another language. So the list of the keyword side
ends where its evidence ends, and is left out when most of what was asked is not in the index at all, unless a number or
code of the question is.
"""

import math
from collections.abc import Mapping, Sequence

from minirag_mcp.model import Scored

_LEAST_COVERAGE = 0.4
_LEAST_SHARE = 0.5
"""nDCG@10 of the hybrid without and with both: xquad-x-en-ru .544 → .919, xquad-mixed-en-ru .819 → .916, msvc-errors-id
.972 → .987; xquad-en, xquad-zh and chunking-eval within .003. From .3 to .5 and from .5 to .6 little changes; sparing
codes costs .006 on xquad-x-en-ru and finds "1.4.0" whatever language stands around it."""


def evident(hits: Sequence[Scored], *, frequencies: Mapping[str, int], chunks: int) -> tuple[Scored, ...]:
    """The hits that are evidence, in their order: none if the index holds too little of the question and no code of it.

    hits         best first
    frequencies  number of chunks that hold each term of the question; 0 for one that no chunk has
    chunks       number of all chunks
    """
    if not hits or not (_holds_code(frequencies) or coverage(frequencies, chunks) >= _LEAST_COVERAGE):
        return ()
    least = _LEAST_SHARE * hits[0].score
    return tuple(hit for hit in hits if hit.score >= least)


def coverage(frequencies: Mapping[str, int], chunks: int) -> float:
    """The share of the question's weight that lies in terms which the index holds, from 0 to 1.

    A term weighs its inverse document frequency (Robertson and Spärck Jones), not less than zero.
    """
    # The two were read one after the other, and a sync may have written in between.
    most = max(chunks, *frequencies.values()) if frequencies else chunks
    weights = {term: max(0.0, math.log((most - held + 0.5) / (held + 0.5))) for term, held in frequencies.items()}
    whole = sum(weights.values())
    # Words that stand nearly everywhere weigh nothing; a question of such words alone is covered.
    return sum(weight for term, weight in weights.items() if frequencies[term]) / whole if whole else 1.0


def _holds_code(frequencies: Mapping[str, int]) -> bool:
    return any(held and any(map(str.isdigit, term)) for term, held in frequencies.items())
