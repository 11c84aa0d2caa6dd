"""Which of the ranked candidates come back; pure. Every step gives a subsequence of what it gets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, pairwise

from minirag_mcp.model import ChunkId, Ranked, SourceKey
from minirag_mcp.retrieve.options import Grouping, SearchOptions

_GAP_FACTOR = 2.0
"""A gap in distance is a boundary when it is over this many times the mean gap: jitter is not, a step is."""

_FEWEST_FOR_A_BOUNDARY = 3


def select(
    ranking: Sequence[Ranked],
    *,
    top_k: int,
    options: SearchOptions,
    sources: Mapping[ChunkId, SourceKey],
    passes: Callable[[Ranked], bool] = lambda _: True,
) -> tuple[Ranked, ...]:
    """At most `top_k` of `ranking` in its order, as `options` say: near enough, of few enough files, of one group.

    Only what `passes` is taken; it is asked of one candidate after the other, until there are enough. `sources` is
    needed only with `options.max_files`; a candidate that it does not know is dropped then.
    """
    near = filter(passes, _within(ranking, options.max_distance))
    few = _of_first_files(near, options.max_files, sources)
    return _group(list(islice(few, top_k)), options.grouping)


def _within(ranking: Sequence[Ranked], most: float | None) -> list[Ranked]:
    """Those with a distance of at most `most`; a candidate without one cannot be shown to be near."""
    if most is None:
        return list(ranking)
    return [ranked for ranked in ranking if ranked.distance is not None and ranked.distance <= most]


def _of_first_files(
    ranking: Iterable[Ranked], most: int | None, sources: Mapping[ChunkId, SourceKey]
) -> Iterable[Ranked]:
    if most is None:
        return ranking
    known = [ranked for ranked in ranking if ranked.chunk in sources]
    first = set(islice(dict.fromkeys(sources[ranked.chunk] for ranked in known), most))
    return [ranked for ranked in known if sources[ranked.chunk] in first]


def _group(ranking: list[Ranked], grouping: Grouping | None) -> tuple[Ranked, ...]:
    """Those before the first boundary in distance, or the second; candidates without a distance all stay."""
    kept = {None: 0, Grouping.SIMILAR: 1, Grouping.RELATED: 2}[grouping]
    edges = _last_of_each_group(sorted(ranked.distance for ranked in ranking if ranked.distance is not None))
    if not kept or len(edges) < kept:
        return tuple(ranking)
    return tuple(ranked for ranked in ranking if ranked.distance is None or ranked.distance <= edges[kept - 1])


def _last_of_each_group(distances: list[float]) -> list[float]:
    """The distance before each boundary of the ascending `distances`."""
    if len(distances) < _FEWEST_FOR_A_BOUNDARY:
        return []
    mean = (distances[-1] - distances[0]) / (len(distances) - 1)
    return [near for near, far in pairwise(distances) if far - near > _GAP_FACTOR * mean]
