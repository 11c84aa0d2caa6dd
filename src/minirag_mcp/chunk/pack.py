"""Dividing a row of weighted pieces into groups that fit: the cheapest division, not the first that comes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from minirag_mcp.chunk.units import GLUE_HEADING

_SQUEEZE = 3.0
"""Losing all that should stand above a group costs as much as three groups more: it is worth a sentence cut, but no
cut through a heading's bond."""

_BLANK = 1_000.0
_PIECES_TO_A_GROUP = 16
"""With more on average, small neighbours are packed as one first, so that packing takes linear time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is to be divided; the sequences run in parallel.

    weights  of the pieces
    costs    of a cut before each piece
    leads    what should stand above a group that begins with the piece; left out where there is no room, unless `firm`
    marked   pieces that oblige their group to carry `mark`, once
    """

    weights: Sequence[int]
    costs: Sequence[float]
    leads: Sequence[int]
    marked: Sequence[bool] = ()
    mark: int = 0
    firm: bool = False


def divide(load: Load, budget: int, limit: int) -> list[int]:
    """First pieces of the groups, the first always 0; no group is over `budget` but these.

    A piece that is over it by itself is a group, together with the headings above it while all is within `limit`.
    Cost of a division: 1 for a group, the square of the share it leaves empty, the cuts, and squeezed leads.
    """
    heads = _tiny_joined(load, budget)
    if len(heads) == len(load.weights):
        return _cheapest(load, budget, limit)
    return [heads[start] for start in _cheapest(_joined(load, heads), budget, limit)]


def _tiny_joined(load: Load, budget: int) -> list[int]:
    """First pieces of runs that are packed as one; every piece by itself unless there are very many to a group."""
    if len(load.weights) <= _PIECES_TO_A_GROUP * (1 + sum(load.weights) // budget):
        return list(range(len(load.weights)))
    heads: list[int] = []
    total = 0
    for index, weight in enumerate(load.weights):
        total += weight
        if not heads or total > budget // _PIECES_TO_A_GROUP:
            heads.append(index)
            total = weight
    return heads


def _joined(load: Load, heads: Sequence[int]) -> Load:
    runs = list(pairwise((*heads, len(load.weights))))
    return Load(
        weights=[sum(load.weights[first:after]) for first, after in runs],
        costs=[load.costs[head] for head in heads],
        leads=[load.leads[head] for head in heads],
        marked=[any(load.marked[first:after]) for first, after in runs] if load.marked else (),
        mark=load.mark,
        firm=load.firm,
    )


def _cheapest(load: Load, budget: int, limit: int) -> list[int]:
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
    """Of a group by itself: what it leaves empty, or how much of its lead has no room. No group may be all blank."""
    if total == 0:
        return _BLANK
    if total > budget:
        return 1.0
    free = budget - total - lead
    return 1.0 + (free / budget) ** 2 if free >= 0 else 1.0 - _SQUEEZE * free / lead


def _groups_from(load: Load, first: int, budget: int, limit: int) -> list[tuple[int, int]]:
    """(piece after the group, weight) of every group that may begin with `first`."""
    groups = []
    room = budget - load.leads[first] if load.firm else budget
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
            alone = total == weight or (only_headings and weight > budget and total <= limit)
            if total > room and weight and not alone:
                break
        groups.append((index + 1, total))
    return groups
