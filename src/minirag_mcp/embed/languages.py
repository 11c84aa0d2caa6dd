"""Takes out of a vector what only tells its language.

Multilingual encoders put texts of one language near each other whatever they say: among documents in several
languages, a question then finds those in its own and misses the one in another that answers it. The directions in
which the mean vectors of languages differ carry that, and little else; projecting them out is the method of Yang et
al., "A Simple and Effective Method To Eliminate the Self Language Bias in Multilingual Representations" (2021).
"""

from functools import cache
from typing import cast

from minirag_mcp.embed.weights_file import BUNDLED
from minirag_mcp.model import Vectors

DIRECTIONS = "language_directions.npy"
"""`float32[16, 384]`, orthonormal rows, made by `scripts/embedding/language_directions.py`. Sixteen is where an answer
in another language is found twice as well and one in the same language as before (benchmarks/embedding/results.md)."""


def without_language(vectors: Vectors) -> Vectors:
    """`float32[n, 384]` unit rows: `vectors` without their part along the language directions."""
    import numpy as np  # noqa: PLC0415 - heavy

    directions = _directions()
    rest = vectors - (vectors @ directions.T) @ directions
    return cast("Vectors", rest / np.linalg.norm(rest, axis=1, keepdims=True))


@cache
def _directions() -> Vectors:
    import numpy as np  # noqa: PLC0415 - heavy

    return cast("Vectors", np.load(BUNDLED / DIRECTIONS))
