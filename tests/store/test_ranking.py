"""Which of the words asked are searched."""

from minirag_mcp.store.ranking import POSTINGS, selective


def test_words_that_no_chunk_has_are_not_searched() -> None:
    assert selective({"a": 0, "b": 2}, 10) == ["b"]
    assert selective({"a": 0}, 10) == []


def test_words_nearly_everywhere_are_searched_only_when_there_is_no_rarer_one() -> None:
    assert selective({"the": 9, "rare": 1}, 10) == ["rare"]
    assert selective({"the": 9, "a": 8}, 10) == ["a", "the"]


def test_the_commonest_of_many_words_are_left_out_of_a_large_index() -> None:
    total = 1_000_000
    frequencies = {"rare": 5, "some": POSTINGS, "many": 400_000, "most": 450_000}
    assert selective(frequencies, total) == ["rare", "some"]


def test_one_word_is_always_searched() -> None:
    assert selective({"many": 450_000}, 1_000_000) == ["many"]
    assert selective({"most": 900_000, "all": 1_000_000}, 1_000_000) == ["most"]
