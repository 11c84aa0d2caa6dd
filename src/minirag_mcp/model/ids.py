"""Names of things: keys, ids, and the two shapes of vectors."""

from typing import TYPE_CHECKING, NewType, TypeAlias

if TYPE_CHECKING:  # numpy costs 0.1 s and most commands never touch a vector
    import numpy as np
    import numpy.typing as npt

SourceKey = NewType("SourceKey", str)
"""Absolute path of a file, id of a data item, or a URL."""

ChunkId = NewType("ChunkId", int)
"""Row of a chunk in the store; not stable over a replace."""

SectionId = NewType("SectionId", str)
"""`<source number>:<section ordinal>`; on the wire `parentId`. Not stable over a replace."""

JobId = NewType("JobId", str)

Vectors: TypeAlias = "npt.NDArray[np.float32]"
"""`float32[n, d]`, each row of unit length."""

Vector: TypeAlias = "npt.NDArray[np.float32]"
"""`float32[d]` of unit length."""
