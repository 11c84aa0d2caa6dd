"""The smallest pieces a cut may keep apart, each with its tokens and with what it costs to cut before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, auto


class Edge(IntEnum):
    """What a cut goes between; the later, the worse. Beyond LINE a cut breaks a reading unit."""

    BLOCK = 0
    ITEM = 1
    SENTENCE = 2
    LINE = 3
    WORD = 4
    LETTER = 5


class Form(Enum):
    """What a unit may be cut into: prose into sentences and lines first, rows and code lines at white space only."""

    PROSE = auto()
    ROW = auto()
    CODE = auto()
    BROKEN_CODE = auto()


@dataclass(frozen=True, slots=True)
class TableHead:
    """Offsets of a table's header row with the delimiter row below it; `tokens` counts what is shown of the former.

    columns  first and last (not included) of the columns it names; empty for all
    names    those columns of both rows
    whole    the header that they are a part of
    """

    start: int
    end: int
    tokens: int = 0
    columns: tuple[int, int] | tuple[()] = ()
    names: str = ""
    whole: "TableHead | None" = None

    def shown(self, text: str) -> str:
        """As it stands above a piece of the table."""
        return self.names or text[self.start : self.end].strip("\n")


UNCOUNTED = -1


@dataclass(frozen=True, slots=True)
class Unit:
    """`text[start:end]`, white space below it included.

    edge    what lies between it and the unit before
    glue    how much it holds on to the unit before, whatever the edge
    head    header of the table in which it is a data row, or a part of one
    apart   tokens of the names of its columns, when the cells before it in its row have other names
    after_parts  whether it is a row below one that was cut up; only chunks heed it, sections show whole rows
    """

    start: int
    end: int
    edge: Edge
    tokens: int = UNCOUNTED
    glue: float = 0.0
    head: TableHead | None = None
    form: Form = Form.PROSE
    apart: int = 0
    after_parts: bool = False

    @property
    def weight(self) -> int:
        """Tokens to pack, so that cells of different columns come together only where each leaves much empty."""
        return self.tokens + self.apart


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the pieces must fit into.

    budget  tokens of a chunk with everything that stands above it
    limit   tokens of a chunk that is one unbroken code block
    notice  tokens of the line that every piece of a broken code block carries
    """

    budget: int
    limit: int
    notice: int


_EDGE_COSTS = (0.0, 0.15, 0.25, 0.4, 1.0, 2.0)
"""By Edge; 1 is the cost of one chunk more, so only cuts inside a line are worth avoiding at that price."""

GLUE_HEADING = 100.0
"""So strong that only an impossible fit parts a heading from what it heads."""
GLUE_TABLE_HEAD = 20.0
GLUE_LEAD_IN = 0.5
"""Weaker than one chunk more: a line ending in a colon stays with its list or table where there is room, and so does
a row that heads others."""
GAIN_AFTER_PARTS = 5.0
"""More than any chunk saved: a row stays away from the last cells of a row that was cut up, whose names of columns
would not be its own."""

SECTION_CAP = 4_000
"""Characters of a section: it is what comes back in an answer."""

UNIT_LIMIT = 32_000
"""Characters up to which one row or sentence is left whole in its section although it is over the cap. The longest
read in real office documents is a table cell of 21 KB; beyond that it is data (base64, minified code) that no answer
can hold."""


def cut_cost(unit: Unit) -> float:
    """What it costs to cut before `unit`."""
    return _EDGE_COSTS[unit.edge] + unit.glue


def head_of(units: Sequence[Unit]) -> TableHead | None:
    """What to show above `units`: the names of their columns.

    All if they begin with a row, none if they begin inside one and go on in another column.
    """
    head = units[0].head
    if head is None or not head.columns or all(unit.head in (head, None) for unit in units):
        return head
    return head.whole if head.columns[0] == 0 else None
