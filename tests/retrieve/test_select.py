from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.model import ChunkId, Ranked, SourceKey
from minirag_mcp.retrieve.options import Grouping, SearchOptions
from minirag_mcp.retrieve.select import select


def ranked(*distances: float | None) -> tuple[Ranked, ...]:
    return tuple(
        Ranked(chunk=ChunkId(number), score=1 / (number + 1), distance=distance)
        for number, distance in enumerate(distances)
    )


def kept(ranking: tuple[Ranked, ...], *, top_k: int = 100, files: str = "", **options: object) -> list[int]:
    sources = {ChunkId(number): SourceKey(name) for number, name in enumerate(files)}
    chosen = SearchOptions(**options)  # type: ignore[arg-type]
    return [found.chunk for found in select(ranking, top_k=top_k, options=chosen, sources=sources)]


def test_without_options_the_first_come_back() -> None:
    assert kept(ranked(0.1, None, 0.9, 0.2), top_k=3) == [0, 1, 2]


def test_a_distance_limit_drops_the_far_and_the_unmeasured() -> None:
    assert kept(ranked(0.1, None, 0.31, 0.3), max_distance=0.3) == [0, 3]


def test_a_dropped_candidate_makes_room_for_the_next() -> None:
    assert kept(ranked(0.9, 0.1, 0.1), top_k=2, max_distance=0.5) == [1, 2]


def test_similar_keeps_what_lies_before_the_first_jump() -> None:
    # gaps .01 .01 .5 .01 .3: mean .166, so .5 is a boundary and .3 is not
    assert kept(ranked(0.1, 0.11, 0.12, 0.62, 0.63, 0.93), grouping=Grouping.SIMILAR) == [0, 1, 2]


def test_related_keeps_two_groups() -> None:
    # gaps .01 .5 .01 .01 .5 .01: mean .173
    ranking = ranked(0.1, 0.11, 0.61, 0.62, 0.63, 1.13, 1.14)
    assert kept(ranking, grouping=Grouping.SIMILAR) == [0, 1]
    assert kept(ranking, grouping=Grouping.RELATED) == [0, 1, 2, 3, 4]


def test_related_keeps_everything_when_there_is_one_jump() -> None:
    assert kept(ranked(0.1, 0.11, 0.12, 0.92), grouping=Grouping.RELATED) == [0, 1, 2, 3]


def test_a_gap_of_exactly_twice_the_mean_is_no_jump() -> None:
    # gaps 1 1 4 2 2 2: mean 2
    assert kept(ranked(0.0, 1.0, 2.0, 6.0, 8.0, 10.0, 12.0), grouping=Grouping.SIMILAR) == [0, 1, 2, 3, 4, 5, 6]


def test_groups_are_found_by_distance_and_given_in_rank_order() -> None:
    assert kept(ranked(0.12, 0.9, 0.1, 0.11), grouping=Grouping.SIMILAR) == [0, 2, 3]


def test_hits_without_a_distance_are_in_every_group() -> None:
    assert kept(ranked(None, 0.1, 0.11, 0.12, 0.9, None), grouping=Grouping.SIMILAR) == [0, 1, 2, 3, 5]


def test_two_measured_hits_make_no_boundary() -> None:
    assert kept(ranked(0.1, 0.9, None, None), grouping=Grouping.SIMILAR) == [0, 1, 2, 3]


def test_equal_distances_make_no_boundary() -> None:
    assert kept(ranked(0.5, 0.5, 0.5, 0.5), grouping=Grouping.SIMILAR) == [0, 1, 2, 3]


def test_only_the_first_files_are_kept_in_rank_order() -> None:
    assert kept(ranked(*[0.1] * 6), files="abacab", max_files=2) == [0, 1, 2, 4, 5]


def test_a_chunk_that_vanished_meanwhile_is_of_no_file() -> None:
    assert kept(ranked(0.1, 0.1, 0.1), files="ab", max_files=9) == [0, 1]


DISTANCES = st.lists(st.none() | st.floats(0, 2), max_size=20)
OPTIONS = st.builds(
    SearchOptions,
    grouping=st.sampled_from([None, *Grouping]),
    max_distance=st.none() | st.floats(0, 2),
    max_files=st.none() | st.integers(1, 5),
)


@given(DISTANCES, OPTIONS, st.integers(1, 25))
def test_selection_is_a_subsequence(distances: list[float | None], options: SearchOptions, top_k: int) -> None:
    ranking = ranked(*distances)
    sources = {found.chunk: SourceKey(str(found.chunk % 4)) for found in ranking}
    chosen = select(ranking, top_k=top_k, options=options, sources=sources)
    rest = iter(ranking)
    assert all(found in rest for found in chosen)
    assert len(chosen) <= top_k
