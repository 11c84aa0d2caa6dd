from hypothesis import given, settings
from hypothesis import strategies as st

from minirag_mcp.embed.batches import MOST_PAIRS, MOST_TOKENS, batched


@settings(max_examples=60)
@given(st.lists(st.integers(0, 512), max_size=200))
def test_every_text_is_in_one_batch_and_no_batch_is_too_large(lengths: list[int]) -> None:
    groups = batched(lengths)
    assert sorted(position for group in groups for position in group) == list(range(len(lengths)))
    for group in groups:
        longest = max(lengths[position] for position in group)
        assert len(group) == 1 or len(group) * longest <= MOST_TOKENS
        assert len(group) == 1 or len(group) * longest**2 <= MOST_PAIRS


def test_texts_of_like_length_share_a_batch() -> None:
    assert batched([10, 500, 10, 500]) == [[1], [3], [0, 2]]
