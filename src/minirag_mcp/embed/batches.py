"""Groups texts of similar length, so that little of a batch is padding and none is too large. Pure."""

from collections.abc import Sequence

MOST_TOKENS = 512
"""Padded tokens of a batch. Four texts of 100 tokens are as fast as 8 or 16 and need the least memory; 32 lose a tenth
to the caches, single texts as much to the calls."""

MOST_PAIRS = 512 * 512
"""Padded token pairs of a batch: attention over one full window takes 12.6 MB for each buffer."""


def batched(lengths: Sequence[int]) -> list[list[int]]:
    """Positions of `lengths`, grouped, longest first; every position once, no group empty.

    In a group, members times longest is at most MOST_TOKENS, and members times longest squared at most MOST_PAIRS,
    unless it has a single member.
    """
    groups: list[list[int]] = []
    room = 0
    for position in sorted(range(len(lengths)), key=lambda position: (-lengths[position], position)):
        if not room:
            longest = max(lengths[position], 1)
            room = max(min(MOST_TOKENS // longest, MOST_PAIRS // longest**2), 1)
            groups.append([])
        groups[-1].append(position)
        room -= 1
    return groups
