"""What one parse may cost before it is stopped."""

from dataclasses import dataclass

from minirag_mcp.errors import ParseLimitError

_PARSE_SECONDS = 120.0
"""The slowest of 164 real files takes 1 s, the slowest kinds of text at 100 MB 25 to 45 s on a busy core
(`benchmarks/parsing/documents.py`, `giants.py`)."""

_MEGABYTE = 1024**2
_MEMORY = 256 * _MEGABYTE
"""Bytes that a worker may take beside others. The largest need of 164 real files is 118 MB."""

_MEMORY_ALONE = 576 * _MEGABYTE
"""Bytes for a file that gets no place beside others: with the product's own 0.3 GB, still under 1 GB. Texts of 100 MB
need 0.3 to 0.5 GB; an emoji or an old encoding makes it more, and such a text is to be split (`giants.py`)."""

NEEDS_LESS = (
    "If the file is large, split it into smaller ones; a small one that needs so much is damaged or made to do harm: "
    "save it again from its program, or exclude it."
)
"""Remedy for a file that takes more memory than it may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one parse in a worker.

    seconds       of wall-clock time
    memory        bytes beyond what a worker holds at rest, where the platform can limit it
    memory_alone  the same for a file that needs more, parsed again while no other is
    """

    seconds: float = _PARSE_SECONDS
    memory: int = _MEMORY
    memory_alone: int = _MEMORY_ALONE

    @property
    def large(self) -> int:
        """Bytes of a file from which on it is parsed alone at once: texts take up to ten times their size."""
        return self.memory // 10


class MemoryLimitError(ParseLimitError):
    """The file needs more memory than it was given; with more it may be read."""


def out_of_memory(name: str) -> MemoryLimitError:
    """The error for a file in whose parsing memory came to its end."""
    return MemoryLimitError(f"{name}: The file needs more memory than one file may use.", remedy=NEEDS_LESS)
