"""Dividing a row of weighted pieces into groups that fit: the cheapest division, not the first that comes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from minirag_mcp.chunk.units import GLUE_HEADING

_SQUEEZE = 3.0
"""Losing all that should stand above a group costs as much as three groups more: it is worth a sentence cut, but no
cut through a heading's bond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is to be divided; the sequences run in parallel.

    weights  of the pieces
    costs    of a cut before each piece
    leads    what should stand above a group that begins with the piece; left out where there is no room
    marked   pieces that oblige their group to carry `mark`, once
    """

    weights: Sequence[int]
    costs: Sequence[float]
    leads: Sequence[int]
    marked: Sequence[bool] = ()
    mark: int = 0


def divide(load: Load, budget: int, limit: int) -> list[int]:
    """First pieces of the groups, the first always 0; no group is over `budget` but these.

    A piece that is over it by itself is a group, together with the headings above it while all is within `limit`.
    Cost of a division: 1 for a group, the square of the share it leaves empty, the cuts, and squeezed leads.
    """
    count = len(load.weights)
    best = [0.0] + [inf] * count
    back = [0] * (count + 1)
    for first in range(count):
        for after, total in _groups_from(load, first, budget, limit):
            price = best[first] + _price(total, load.leads[first], budget)
            price += load.costs[after] if after < count else 0.0
            if price < best[after]:
                best[after], back[after] = price, first
    starts = []
    position = count
    while position > 0:
        position = back[position]
        starts.append(position)
    return starts[::-1]


def _price(total: int, lead: int, budget: int) -> float:
    """Of a group by itself: what it leaves empty, or how much of its lead has no room."""
    if total > budget:
        return 1.0
    free = budget - total - lead
    return 1.0 + (free / budget) ** 2 if free >= 0 else 1.0 - _SQUEEZE * free / lead


def _groups_from(load: Load, first: int, budget: int, limit: int) -> list[tuple[int, int]]:
    """(piece after the group, weight) of every group that may begin with `first`."""
    groups = []
    total = 0
    marked = False
    only_headings = True
    for index in range(first, len(load.weights)):
        weight = load.weights[index]
        total += weight
        if load.marked and load.marked[index] and not marked:
            marked = True
            total += load.mark
        if index > first:
            only_headings = only_headings and load.costs[index] >= GLUE_HEADING
            if total > budget and not (only_headings and weight > budget and total <= limit):
                break
        groups.append((index + 1, total))
    return groups
