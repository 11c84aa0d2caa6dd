"""The keyword side counts as far as it has something to say."""

from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.model import ChunkId, Scored
from minirag_mcp.retrieve.evidence import coverage, evident


def hits(*scores: float) -> list[Scored]:
    return [Scored(chunk=ChunkId(number), score=score) for number, score in enumerate(scores)]


def kept(scores: list[Scored], frequencies: dict[str, int], chunks: int = 1000) -> list[float]:
    return [hit.score for hit in evident(scores, frequencies=frequencies, chunks=chunks)]


def test_hits_far_below_the_best_are_left_out() -> None:
    assert kept(hits(10, 6, 5, 4.9, 1), {"valve": 3}) == [10, 6, 5]


def test_a_question_whose_words_the_index_hardly_holds_has_no_keyword_side() -> None:
    assert kept(hits(2, 2), {"how": 300, "guarantee": 0, "long": 0}) == []


def test_a_code_that_the_index_holds_is_evidence_whatever_surrounds_it() -> None:
    assert kept(hits(9, 2), {"changed": 0, "version": 0, "firmware": 0, "1.4.0": 2}) == [9]


def test_common_words_alone_are_still_searched() -> None:
    assert kept(hits(0.1, 0.1), {"the": 900}) == [0.1, 0.1]


@given(
    scores=st.lists(st.floats(0.01, 100), max_size=20),
    frequencies=st.dictionaries(st.text(min_size=1), st.integers(0, 1500)),
)
def test_evidence_is_the_beginning_of_the_list_or_nothing(scores: list[float], frequencies: dict[str, int]) -> None:
    found = hits(*sorted(scores, reverse=True))
    left = list(evident(found, frequencies=frequencies, chunks=1000))
    assert left == found[: len(left)]
    assert 0 <= coverage(frequencies, 1000) <= 1
