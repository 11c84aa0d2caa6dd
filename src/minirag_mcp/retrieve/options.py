"""What a user may tune about search."""

from dataclasses import dataclass
from enum import StrEnum


class Grouping(StrEnum):
    """Where to cut the result list: after the first relevance group, or after the second."""

    SIMILAR = "similar"
    RELATED = "related"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """Tuning of one search.

    hybrid_weight  share of the keyword side in the fusion, 0.0 (vectors only) to 1.0 (words only)
    grouping       cut at a jump in distance, or None for up to top_k passages
    max_distance   drop passages farther than this (1 − cosine), and those without a distance
    max_files      keep passages of the first N sources in rank order only
    """

    hybrid_weight: float = 0.6
    grouping: Grouping | None = None
    max_distance: float | None = None
    max_files: int | None = None
