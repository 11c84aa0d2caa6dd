"""What is said about a source beside its text: its class, and the place it has in a dated series."""

from dataclasses import dataclass
from enum import StrEnum

from minirag_mcp.model.ids import ChunkId, SourceKey

_MOST_DATES = 31


class DocClass(StrEnum):
    """What a source is to a reader: knowledge, or the bookkeeping that one stretch of work hands to the next."""

    NOTE = "note"
    HANDOFF = "handoff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One state of a document that is written anew on each of its dates.

    series  what all its snapshots share: the path of any of them without the date
    date    YYYY-MM-DD
    """

    series: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Class and series of a source, and the name of the rules that they were given by; empty if never given."""

    doc_class: DocClass = DocClass.NOTE
    snapshot: Snapshot | None = None
    rules: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSnapshot:
    """A snapshot as the store keeps it.

    chunks      its chunk ids, in the order of the text
    likenesses  one for each of them, equal where two chunks say the same
    firsts      of the chunks that are kept as repeats: the chunk, in an earlier snapshot, that stands for them
    """

    source: SourceKey
    date: str
    doc_class: DocClass
    chunks: tuple[ChunkId, ...]
    likenesses: tuple[bytes, ...]
    firsts: dict[ChunkId, ChunkId]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotDates:
    """When a passage of a series held.

    own     date of the snapshot it is shown from
    others  the dates of the other snapshots in the unbroken run that says the same, ascending
    """

    own: str
    others: tuple[str, ...] = ()

    @property
    def some_others(self) -> list[str]:
        """The other dates; of more than a month of days the first ones and the last, since the run is unbroken."""
        few = len(self.others) <= _MOST_DATES
        return list(self.others) if few else [*self.others[: _MOST_DATES - 1], self.others[-1]]

    @property
    def covered(self) -> int:
        """How many snapshots say the same."""
        return 1 + len(self.others)
