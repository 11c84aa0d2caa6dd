"""What an examination of configuration, folders and index says."""

from dataclasses import dataclass
from enum import StrEnum

from minirag_mcp.model.ids import SourceKey


class Verdict(StrEnum):
    """How a thing that was looked at stands. `SKIPPED`: it could not be looked at, for a reason that is told."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command by its words. Those of `minirag-mcp` are completed with the settings in force where it is shown.

    `variables` are set for it alone.
    """

    words: tuple[str, ...]
    variables: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was looked at and found; unless all is well, what to do, and the commands that do it, in order."""

    verdict: Verdict
    message: str
    fix: str = ""
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFault:
    """Something inside an index that was never written so.

    With a `source`, indexing that source again, or deleting it, mends it; without, only a new index does.
    """

    message: str
    source: SourceKey | None = None
