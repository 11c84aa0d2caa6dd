"""Which lines open a fenced code block, and which line closes each."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

# Indentation is not limited to three spaces: a fence inside a nested list item stands further in.
_MARKER = re.compile(r"(?P<prefix>[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*+)*)(?P<fence>`{3,}+|~{3,}+)(?P<info>[^\n]*)")
_QUOTED = re.compile(r"[ \t]*>")
_SHORTEST = 3
_LONGEST = 32
"""Longer markers count as this long, so that pairing stays linear in the number of markers."""
_EMPTY = 100
"""Lines that a block without any counts for: two fences in a row end one block and begin the next."""

_Marker = tuple[int, str, int, bool]  # line, character with its quote, length, bare


def pair_fences(lines: Sequence[str]) -> dict[int, int]:
    """Opening line → closing line of every closed fence, also inside lists and quotes.

    A marker is closed by the next one of its kind that is at least as long, in the same quote. When that one
    carries an info string it opens a block of its own, so the first marker is a stray and pairs with nothing:
    it cannot swallow the text down to the end of the next block. Of an odd number of bare markers, each the next of
    the one before, the stray is the one without which the blocks are smallest.
    """
    markers = _markers(lines)
    closers = _next_of_kind(markers)
    pairs: dict[int, int] = {}
    judged: set[int] = set()
    strays: set[int] = set()
    free_from = -1
    for index, (line, _, _, bare) in enumerate(markers):
        if line <= free_from:
            continue
        if bare and index not in judged:
            chain = _bare_chain(markers, closers, index)
            judged.update(chain)
            strays.update(_stray(markers, chain))
        closer = closers[index]
        if closer in strays:
            closer = closers[closer]
        if index in strays or closer is None or not markers[closer][3]:
            continue
        pairs[line] = free_from = markers[closer][0]
    return pairs


def _bare_chain(markers: Sequence[_Marker], closers: Sequence[int | None], index: int) -> list[int]:
    """The marker at `index` and those that follow it, one from the other, as long as it and without info string."""
    chain = [index]
    closer = closers[index]
    while closer is not None and markers[closer][3] and markers[closer][2] == markers[index][2]:
        chain.append(closer)
        closer = closers[closer]
    return chain


def _stray(markers: Sequence[_Marker], chain: Sequence[int]) -> list[int]:
    """Of an odd chain the one without which the pairs of the others hold the fewest lines; the last, of equals."""
    if len(chain) % 2 == 0:
        return []
    lines = [markers[index][0] for index in chain]
    held = [after - line if after > line + 1 else _EMPTY for line, after in pairwise(lines)]
    inside = sum(held[::2])
    least, stray = inside, len(chain) - 1
    for at in range(len(chain) - 3, -1, -2):
        inside += held[at + 1] - held[at]
        if inside < least:
            least, stray = inside, at
    return [chain[stray]]


def _markers(lines: Sequence[str]) -> list[_Marker]:
    found: list[_Marker] = []
    quote = 0
    quoted_before = False
    for number, line in enumerate(lines):
        quoted = ">" in line and _QUOTED.match(line) is not None
        quote += quoted and not quoted_before
        quoted_before = quoted
        if "```" not in line and "~~~" not in line:
            continue
        match = _MARKER.match(line)
        if match is None or (match["fence"][0] == "`" and "`" in match["info"]):
            continue
        kind = f"{match['fence'][0]}{quote if quoted else ''}"
        bare = not match["info"].strip()
        found.append((number, kind, min(len(match["fence"]), _LONGEST), bare))
    return found


def _next_of_kind(markers: Sequence[_Marker]) -> list[int | None]:
    """For each marker the index of the next marker of its kind and at least its length."""
    nearest: defaultdict[str, list[int | None]] = defaultdict(lambda: [None] * (_LONGEST + 1))
    result: list[int | None] = [None] * len(markers)
    for index in range(len(markers) - 1, -1, -1):
        _, kind, length, _ = markers[index]
        by_length = nearest[kind]
        result[index] = by_length[length]
        for shorter in range(_SHORTEST, length + 1):
            by_length[shorter] = index
    return result
