"""What one parse may cost before it is stopped."""

from dataclasses import dataclass

_PARSE_SECONDS = 120.0
"""The slowest of 164 real files takes 1 s, the slowest kinds of text at 100 MB 25 to 45 s on a busy core
(`benchmarks/parsing/documents.py`, `giants.py`)."""

_PARSE_MEMORY = 2 * 1024**3
"""Bytes of address space, of which a worker at rest takes 0.1 GB. The largest need of 164 real files is 0.12 GB; 100 MB
of ASCII with one emoji, four bytes a character in Python, comes to 0.73 GB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one parse in a worker: wall-clock seconds, and bytes of address space where the platform has it."""

    seconds: float = _PARSE_SECONDS
    memory: int = _PARSE_MEMORY
