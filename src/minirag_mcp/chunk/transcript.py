"""Transcripts: which lines of a text are its clock, and the windows they fall into."""

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from minirag_mcp.chunk.blocks import BlockKind, scan
from minirag_mcp.model import MarkKind, Place

_WINDOW_SECONDS = 120
"""A few turns of a conversation, and short enough to find the place by ear."""

_CLOCK = r"(?:(?P<h>\d{1,3}):)?(?P<m>\d{1,3}):(?P<s>[0-5]\d|\d(?=\.\d))(?:[.,]\d{1,3})?"
_UNTIL = (
    r"(?:[ \t]*(?:-{1,2}>|-|–|—|,)[ \t]*(?:(?P<until_h>\d{1,3}):)?(?P<until_m>\d{1,3}):(?P<until_s>[0-5]\d|\d(?=\.\d))"
    r"(?:[.,](?P<until_more>\d{1,3}))?)?"
)
_ALONE = re.compile(rf"(?P<who>[^\n|`]{{0,80}}?)(?<![\d:.,])[\[(]?{_CLOCK}{_UNTIL}[\])]?[*_]{{0,2}}:?[ \t]*$")
"""A line for the clock, with or without a speaker; what is said stands below it."""
_BESIDE = tuple(
    re.compile(rf"(?:[-*+][ \t]+)?[*_]{{0,2}}{form}")
    for form in (
        rf"[\[(]{_CLOCK}{_UNTIL}[\])](?:[ \t]*[*_]{{0,2}}(?P<who>[^:\n]{{1,60}}):[ \t])?",
        rf"{_CLOCK}{_UNTIL}[ \t]*[-–—]?[ \t]+(?P<who>[^:\n]{{1,60}}):[ \t]",
        rf"(?P<who>[^\W\d][^:\n|`\[(]{{0,60}}?)[*_]{{0,2}}[ \t]*[\[(]{_CLOCK}{_UNTIL}[\])][*_]{{0,2}}:[ \t]",
    )
)
"""A clock and what is said on one line, with the speaker between the two or in front."""
_NO_CLOCK = re.compile(
    r"(?:[-*+][ \t]+)?[*_]{0,2}[\[(]?\d{1,3}:\d{1,3}(?!\d)"
    r"|[^\n|`]{0,80}?(?<![\d:.,])\d{1,3}:(?:\d|[6-9]\d|\d{3})[\])]?[ \t]*$"
)
"""Numbers as a clock has them, where a turn would have its clock: verses, scores, ratios, programmes, chapters."""
_LOGGED = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\b"
    r"|(?<=[\])\d])[ \t]*(?:<[^<>\s]{1,40}>|(?:\*{1,3}|-!-)[ \t])"
)
"""Behind the clock in the logs of programs and of chat rooms."""
_DATED = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}")
_HAS_CLOCK = re.compile(r"\d:\d")
_LONGEST_STAMP_LINE = 140
_LEAST_STAMPS = 2
_LEAST_SHARE = 0.25
"""Of the lines that are not blank. Transcripts have a stamp on every second line or on all, other texts on none,
so the threshold lies in the middle of an empty gap."""
_LEAST_ORDER = 0.9
"""Share of steps that do not go back in time."""
_MOST_EXCEPTIONS = 0.2
"""Share of stamps that may be unlike those of a transcript in one respect."""
_LATEST_START = 300
_LATEST_START_WITH_HOURS = 3 * 3600
"""Seconds at which the first words may come. `9:30` is a time of day, and so is `10:00:05`: recordings begin with
silence of a few minutes at most, but a part of one may be all there is, which only hours and seconds tell apart."""
_HEAD_AND_WORDS = 3
"""Lines from one clock to the next where each has a speaker or a number above it: the clock, words, the next head."""
_MINUTE = 60
_FEW_TURNS = 5
_EARLY = 120
"""Seconds by which a recording has begun that has few turns: the second song of an album may be longer, too."""
_ROUND = 5
"""Minutes to which programmes are made."""
_MANY_TURNS = 8
_MOST_SPEAKERS = 0.7
"""Of many turns. People speak again; songs, runners and stops are all different."""
_NOT_SPOKEN = frozenset({BlockKind.FENCE, BlockKind.TABLE, BlockKind.COMMENT})


@dataclass(frozen=True, slots=True)
class Stamp:
    """A turn begins at offset `start`, `seconds` after the beginning of the recording; `until` is its end if given."""

    start: int
    seconds: int
    until: int | None = None


@dataclass(slots=True)
class _Turn:
    """A line with a clock; `said` is whether there are words on it or on the line below."""

    stamp: Stamp
    who: str
    hours: bool
    logged: bool
    said: bool


def stamps_of(text: str) -> list[Stamp]:
    """The clock lines of a transcript; empty for any text that is not clearly one."""
    turns, lines, exceptions = _found(text)
    if not _is_clear(turns, lines, exceptions):
        return []
    blocks = scan(text, 0, len(text))
    starts = [block.start for block in blocks]
    spoken = [t for t in turns if blocks[bisect_right(starts, t.stamp.start) - 1].kind not in _NOT_SPOKEN]
    return _with_heads(text, [turn.stamp for turn in spoken]) if _is_clear(spoken, lines, exceptions) else []


def window_of(seconds: int) -> int:
    """Number of the window in which a turn begins."""
    return seconds // _WINDOW_SECONDS


def window_label(window: int) -> str:
    """`[MM:SS–MM:SS]`, with hours in front from the first hour on."""
    start = window * _WINDOW_SECONDS
    return f"[{Place(kind=MarkKind.TIME, first=start, last=start + _WINDOW_SECONDS)}]"


def _found(text: str) -> tuple[list[_Turn], int, int]:
    """All turns, the number of lines that are not blank, and of those whose numbers are no clock."""
    turns: list[_Turn] = []
    lines = exceptions = position = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            lines += 1
            turn, like_one = _turn(line, position) if _HAS_CLOCK.search(line, 0, _LONGEST_STAMP_LINE) else (None, False)
            exceptions += like_one
            if turns and turn is None and not like_one:
                turns[-1].said = True
            if turn is not None:
                turns.append(turn)
        position += len(line) + 1
    return turns, lines, exceptions


def _with_heads(text: str, stamps: list[Stamp]) -> list[Stamp]:
    """Stamps moved up to the line before, if that is the speaker or the number of each."""
    bounds = [0, *(stamp.start for stamp in stamps)]
    above = [_last_lines(text, start, end) for start, end in pairwise(bounds)]
    names = [found[-1][1] for found in above if found]
    if len(names) < len(stamps) or any(len(found) < _HEAD_AND_WORDS for found in above[1:]):
        return stamps
    if len(set(names)) > len(names) // 2 and not all(name.isdigit() for name in names):
        return stamps
    return [replace(stamp, start=found[-1][0]) for stamp, found in zip(stamps, above, strict=True)]


def _last_lines(text: str, start: int, end: int) -> list[tuple[int, str]]:
    """Offset and words of the last written lines of a range, as many as a turn with its clock and speaker has."""
    found: list[tuple[int, str]] = []
    while end > start and len(found) < _HEAD_AND_WORDS:
        begin = max(start, text.rfind("\n", start, end - 1) + 1)
        if line := text[begin:end].strip():
            found.insert(0, (begin, line))
        end = begin
    return found


def _turn(line: str, position: int) -> tuple[_Turn | None, bool]:
    """The turn that begins with this line; if none does, whether it looks like one but for its numbers."""
    if line.lstrip()[:1] in ("|", "#", ">"):
        return None, False
    match = _ALONE.match(line) if len(line) <= _LONGEST_STAMP_LINE else None
    alone = match is not None
    for form in _BESIDE:
        match = match or form.match(line)
    if match is None:
        return None, _NO_CLOCK.match(line, 0, _LONGEST_STAMP_LINE) is not None
    turn = _Turn(
        stamp=Stamp(position, _seconds(match), _until(match)),
        who=(match["who"] or "").strip(" \t*_[]():-–—"),
        hours=match["h"] is not None,
        logged=bool(_LOGGED.search(line, match.end("s"), _LONGEST_STAMP_LINE) or _DATED.search(match["who"] or "")),
        said=not alone,
    )
    return turn, False


def _seconds(match: re.Match[str]) -> int:
    hours, minutes, seconds = (int(match[name] or 0) for name in "hms")
    return hours * 3600 + minutes * 60 + seconds


def _until(match: re.Match[str]) -> int | None:
    """The end of a range, in whole seconds that hold all of it."""
    hours, minutes, seconds, more = (match[f"until_{name}"] for name in ("h", "m", "s", "more"))
    if minutes is None:
        return None
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + bool((more or "").strip("0"))


def _is_clear(turns: list[_Turn], lines: int, exceptions: int) -> bool:
    return (
        len(turns) >= max(_LEAST_STAMPS, _LEAST_SHARE * lines)
        and exceptions + sum(turn.logged or not turn.said for turn in turns) <= _MOST_EXCEPTIONS * len(turns)
        and _is_of_a_recording(turns)
        and _are_speakers([turn.who for turn in turns if turn.who])
    )


def _is_of_a_recording(turns: list[_Turn]) -> bool:
    """Whether time begins near zero and goes on, not one by one from a first chapter on, as verses do."""
    latest = _LATEST_START_WITH_HOURS if all(turn.hours for turn in turns) else _LATEST_START
    steps = [after.stamp.seconds - before.stamp.seconds for before, after in pairwise(turns)]
    forward = sum(step >= 0 for step in steps)
    counted = len(steps) >= _MANY_TURNS and all(step == 1 for step in steps) and turns[0].stamp.seconds >= _MINUTE
    goes_on = forward >= _LEAST_ORDER * len(steps) and any(steps)
    return turns[0].stamp.seconds <= latest and goes_on and not counted and not _may_be_hours(turns)


def _may_be_hours(turns: list[_Turn]) -> bool:
    """Whether times without hours may be times of day, or lengths: `2:00`, `3:30` and so on."""
    first = turns[0].stamp.seconds
    if any(turn.hours for turn in turns) or first < _MINUTE:
        return False
    return all(turn.stamp.seconds % _ROUND == 0 for turn in turns) or (len(turns) < _FEW_TURNS and first >= _EARLY)


def _are_speakers(names: list[str]) -> bool:
    return len(names) < _MANY_TURNS or len(set(names)) <= _MOST_SPEAKERS * len(names)
