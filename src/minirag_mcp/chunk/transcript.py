"""Transcripts: which lines of a text are its clock, and the windows they fall into."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

from minirag_mcp.chunk.blocks import BlockKind, scan
from minirag_mcp.model import MarkKind, Place

_WINDOW_SECONDS = 120
"""A few turns of a conversation, and short enough to find the place by ear."""

_CLOCK = r"(?:(?P<h>\d{1,3}):)?(?P<m>\d{1,3}):(?P<s>[0-5]\d)(?:[.,]\d{1,3})?"
_UNTIL = (
    r"(?:[ \t]*(?:-{1,2}>|-|–|—)[ \t]*(?:(?P<until_h>\d{1,3}):)?(?P<until_m>\d{1,3}):(?P<until_s>[0-5]\d)"
    r"(?:[.,](?P<until_more>\d{1,3}))?)?"
)
_STAMP_LINE = re.compile(rf"[^\n|`]{{0,80}}?(?<![\d:.,])[\[(]?{_CLOCK}{_UNTIL}[\])]?[*_]{{0,2}}:?[ \t]*$")
_STAMPED_LINE = re.compile(
    rf"[*_]{{0,2}}(?:[\[(]{_CLOCK}{_UNTIL}[\])]|"
    rf"{_CLOCK.replace('?P<h>', '?P<h2>').replace('?P<m>', '?P<m2>').replace('?P<s>', '?P<s2>')}"
    r"(?=[ \t]*[-–—]?[ \t]+[^:\n]{1,60}:[ \t]))"
)
_HAS_CLOCK = re.compile(r"\d:[0-5]\d")
_LONGEST_STAMP_LINE = 140
_LEAST_STAMPS = 2
_LEAST_SHARE = 0.25
"""Of the lines that are not blank. Transcripts have a stamp on every second line or on all, other texts on none,
so the threshold lies in the middle of an empty gap."""
_LEAST_ORDER = 0.9
"""Share of steps that do not go back in time."""
_NOT_SPOKEN = frozenset({BlockKind.FENCE, BlockKind.TABLE, BlockKind.COMMENT})


@dataclass(frozen=True, slots=True)
class Stamp:
    """A turn begins at offset `start`, `seconds` after the beginning of the recording; `until` is its end if given."""

    start: int
    seconds: int
    until: int | None = None


def stamps_of(text: str) -> list[Stamp]:
    """The clock lines of a transcript; empty for any text that is not clearly one."""
    stamps, lines = _found(text)
    if not _is_clear(stamps, lines):
        return []
    blocks = scan(text, 0, len(text))
    starts = [block.start for block in blocks]
    spoken = [s for s in stamps if blocks[bisect_right(starts, s.start) - 1].kind not in _NOT_SPOKEN]
    return spoken if _is_clear(spoken, lines) else []


def window_of(seconds: int) -> int:
    """Number of the window in which a turn begins."""
    return seconds // _WINDOW_SECONDS


def window_label(window: int) -> str:
    """`[MM:SS–MM:SS]`, with hours in front from the first hour on."""
    start = window * _WINDOW_SECONDS
    return f"[{Place(kind=MarkKind.TIME, first=start, last=start + _WINDOW_SECONDS)}]"


def _found(text: str) -> tuple[list[Stamp], int]:
    """All stamps, and the number of lines that are not blank."""
    stamps = []
    lines = position = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            lines += 1
            if _HAS_CLOCK.search(line, 0, _LONGEST_STAMP_LINE) and (match := _match(line)):
                stamps.append(Stamp(position, _seconds(match), _until(match)))
        position += len(line) + 1
    return stamps, lines


def _match(line: str) -> re.Match[str] | None:
    if line.lstrip()[:1] in ("|", "#", ">"):
        return None
    if len(line) <= _LONGEST_STAMP_LINE and (match := _STAMP_LINE.match(line)):
        return match
    return _STAMPED_LINE.match(line)


def _seconds(match: re.Match[str]) -> int:
    groups = match.groupdict()
    hours, minutes, seconds = (groups[name] or groups.get(f"{name}2") or "0" for name in "hms")
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def _until(match: re.Match[str]) -> int | None:
    """The end of a range, in whole seconds that hold all of it."""
    hours, minutes, seconds, more = (match[f"until_{name}"] for name in ("h", "m", "s", "more"))
    if minutes is None:
        return None
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + bool((more or "").strip("0"))


def _is_clear(stamps: list[Stamp], lines: int) -> bool:
    if len(stamps) < _LEAST_STAMPS or len(stamps) < _LEAST_SHARE * lines:
        return False
    forward = sum(before.seconds <= after.seconds for before, after in pairwise(stamps))
    return forward >= _LEAST_ORDER * (len(stamps) - 1)
