import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.model import Candidates, ChunkId, Scored
from minirag_mcp.retrieve.fuse import reciprocal_ranks

WEIGHTS = st.floats(0, 1)


def side(*chunks: int) -> tuple[Scored, ...]:
    return tuple(Scored(chunk=ChunkId(chunk), score=1 / (rank + 2)) for rank, chunk in enumerate(chunks))


SIDES = st.lists(st.integers(1, 30), unique=True, max_size=15).map(lambda chunks: side(*chunks))
BOTH = st.builds(lambda lexical, dense: Candidates(lexical=lexical, dense=dense), SIDES, SIDES)


def test_the_score_is_the_weighted_sum_of_damped_reciprocal_ranks() -> None:
    fused = reciprocal_ranks(Candidates(lexical=side(7, 8), dense=side(8, 9)), weight=0.6)
    assert {found.chunk: found.score for found in fused} == pytest.approx(
        {7: 0.6 / 61, 8: 0.6 / 62 + 0.4 / 61, 9: 0.4 / 62}
    )
    assert [found.chunk for found in fused] == [8, 7, 9]


def test_equal_scores_are_ordered_by_chunk() -> None:
    fused = reciprocal_ranks(Candidates(lexical=side(9), dense=side(2)), weight=0.5)
    assert [found.chunk for found in fused] == [2, 9]


def test_only_what_the_vector_side_saw_has_a_distance() -> None:
    near = Scored(chunk=ChunkId(1), score=0.75)
    past = Scored(chunk=ChunkId(2), score=1.0000001)
    fused = reciprocal_ranks(Candidates(lexical=side(3), dense=(past, near)), weight=0.5)
    assert {found.chunk: found.distance for found in fused} == {1: 0.25, 2: 0.0, 3: None}


@given(BOTH, WEIGHTS)
def test_fusion_is_a_permutation_of_the_union(candidates: Candidates, weight: float) -> None:
    fused = [found.chunk for found in reciprocal_ranks(candidates, weight=weight)]
    assert sorted(fused) == sorted({found.chunk for found in (*candidates.lexical, *candidates.dense)})


@given(BOTH, WEIGHTS, st.floats(0.01, 1000))
def test_fusion_ignores_the_scale_of_scores(candidates: Candidates, weight: float, scale: float) -> None:
    def scaled(found: tuple[Scored, ...]) -> tuple[Scored, ...]:
        return tuple(Scored(chunk=one.chunk, score=one.score * scale) for one in found)

    other = Candidates(lexical=scaled(candidates.lexical), dense=scaled(candidates.dense))
    assert [(f.chunk, f.score) for f in reciprocal_ranks(candidates, weight=weight)] == [
        (f.chunk, f.score) for f in reciprocal_ranks(other, weight=weight)
    ]


@given(SIDES)
def test_all_the_weight_on_one_side_keeps_its_order(found: tuple[Scored, ...]) -> None:
    expected = [one.chunk for one in found]
    words = reciprocal_ranks(Candidates(lexical=found, dense=()), weight=1.0)
    vectors = reciprocal_ranks(Candidates(lexical=(), dense=found), weight=0.0)
    assert [one.chunk for one in words] == [one.chunk for one in vectors] == expected
