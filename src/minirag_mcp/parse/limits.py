"""What one parse may cost before it is stopped."""

from dataclasses import dataclass

PARSE_SECONDS = 60.0
PARSE_MEMORY = 2 * 1024**3


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one parse in a worker: wall-clock seconds, and bytes of address space where the platform has it."""

    seconds: float = PARSE_SECONDS
    memory: int = PARSE_MEMORY
