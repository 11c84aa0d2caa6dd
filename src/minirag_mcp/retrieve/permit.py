"""Which candidates may be shown at all, asked no more often than it takes to fill an answer."""

from collections.abc import Callable, Mapping

from minirag_mcp.model import ChunkId, Owner, Ranked

Permitted = Callable[[Owner], bool]
"""Whether a source may be shown; an index may hold files that lie outside the roots of today."""


class Permit:
    """Lets candidates of permitted sources pass, and counts the others; one whose chunk is gone passes uncounted."""

    def __init__(self, owners: Mapping[ChunkId, Owner], permitted: Permitted) -> None:
        self._owners = owners
        self._permitted = permitted
        self._known: dict[Owner, bool] = {}
        self.refused = 0

    def passes(self, candidate: Ranked) -> bool:
        """Whether the source of a candidate may be shown."""
        owner = self._owners.get(candidate.chunk)
        if owner is None:
            return True
        if owner not in self._known:
            self._known[owner] = self._permitted(owner)
        self.refused += not self._known[owner]
        return self._known[owner]
