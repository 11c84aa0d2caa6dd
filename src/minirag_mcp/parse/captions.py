"""Subtitles and transcripts, WebVTT and SubRip: cues become turns, one line each, `[00:01:05] Speaker: words`."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from minirag_mcp.errors import NoTextError, WrongFormatError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.encoding import decode_written, lines_of
from minirag_mcp.parse.no_text import NOTHING_TO_INDEX
from minirag_mcp.parse.parsed import Parsed

_CLOCK = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,]\d{1,6})?"
_TIMING = re.compile(rf"^[ \t]*{_CLOCK}[ \t]*-{{2,3}}>[ \t]*{_CLOCK}(?:[ \t].*)?$")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]*)>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:c|i|b|u|v|ruby|rt|lang|font|s)(?:[.\s][^>]*)?>|<[\d:.]+>|\{\\[^}]*\}", re.IGNORECASE)
_SAID = re.compile(r"(?P<speaker>[^\W\d_][^:\n\[\]<>]{0,40}):[ \t]+(?P<words>\S.*)", re.DOTALL)
_BLOCKS = ("NOTE", "STYLE", "REGION")
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।", "”", '"', "»", ")")

_TURN_SECONDS = 30
"""A turn that has lasted this long ends with its sentence: a place in a recording should be found by ear."""
_LONGEST_TURN_SECONDS = 60
_PAUSE_SECONDS = 10
"""Silence after which the same speaker begins anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cue:
    """What is said between two times, in whole seconds; `speaker` "" when nobody is named."""

    start: int
    end: int
    speaker: str
    words: str


@dataclass(slots=True, kw_only=True)
class _Turn:
    """Cues of one speaker on end."""

    start: int
    end: int
    speaker: str
    words: list[str]

    def takes(self, cue: _Cue) -> bool:
        if cue.speaker != self.speaker or not -1 <= cue.start - self.end <= _PAUSE_SECONDS:
            return False
        lasted = cue.end - self.start
        return lasted <= _TURN_SECONDS or (
            lasted <= _LONGEST_TURN_SECONDS and not self.words[-1].endswith(_SENTENCE_ENDS)
        )

    def line(self) -> str:
        hours, rest = divmod(self.start, 3600)
        minutes, seconds = divmod(rest, 60)
        speaker = f"{self.speaker}: " if self.speaker else ""
        return f"[{hours:02}:{minutes:02}:{seconds:02}] {speaker}{' '.join(self.words)}"


def parse(data: bytes) -> Parsed:
    """The turns, each with the time it begins at.

    Raises EmptyFileError, NoTextError (no cue says anything) and WrongFormatError (not captions at all).
    """
    text = decode_written(data)
    parsed = _parsed(_turns(_new_words(_cues(text))))
    if parsed.text:
        return parsed
    if text.lstrip()[:6].upper() == "WEBVTT" or any(_TIMING.match(line) for line in lines_of(text)):
        raise NoTextError("The file holds no spoken text.", remedy=NOTHING_TO_INDEX)
    raise WrongFormatError("The file holds no captions: no line gives a time.")


def _parsed(turns: Iterable[_Turn]) -> Parsed:
    lines: list[str] = []
    marks: list[Mark] = []
    offset = 0
    for turn in turns:
        marks.append(Mark(kind=MarkKind.TIME, start=offset, number=turn.start))
        lines.append(turn.line())
        offset += len(lines[-1]) + 1
    return Parsed(text="\n".join(lines), marks=tuple(marks))


def _turns(cues: Iterable[_Cue]) -> Iterator[_Turn]:
    turn: _Turn | None = None
    for cue in cues:
        if turn is not None and turn.takes(cue):
            turn.words.append(cue.words)
            turn.end = max(turn.end, cue.end)
            continue
        if turn is not None:
            yield turn
        turn = _Turn(start=cue.start, end=cue.end, speaker=cue.speaker, words=[cue.words])
    if turn is not None:
        yield turn


def _cues(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Start, end and lines of each cue; a block without a time goes on with the cue before it."""
    start = end = -1
    for block in _blocks(text):
        if block[0].split(" ")[0].rstrip(":") in _BLOCKS and not _TIMING.match(block[0]):
            continue
        said: list[str] = []
        timed = False
        for line in block:
            if (timing := _TIMING.match(line)) is None:
                said.append(line)
                continue
            if timed and said:
                yield start, end, said
            start, end, timed, said = _seconds(timing.groups()[:3]), _seconds(timing.groups()[3:]), True, []
        if said and start >= 0 and (timed or not said[0].strip().isdigit()):
            yield start, end, said


def _blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines_of(text):
        if line.strip():
            block.append(line.rstrip("\n"))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _new_words(cues: Iterable[tuple[int, int, list[str]]]) -> Iterator[_Cue]:
    """Cues without the lines that rolling captions show once more from the cue before."""
    shown: list[str] = []
    for start, end, lines in cues:
        fresh = lines[1:] if len(lines) > 1 and shown and lines[0] == shown[-1] else lines
        repeated = len(lines) == 1 and lines == shown[-1:] and len(shown) > 1
        shown = lines
        if not repeated:
            yield from _spoken(start, end, "\n".join(fresh))


def _spoken(start: int, end: int, payload: str) -> Iterator[_Cue]:
    """What a cue says, by speaker: voice tags, or a name and a colon at the beginning."""
    pieces = _VOICE.split(payload)
    for speaker, piece in zip(("", *pieces[1::2]), pieces[0::2], strict=True):
        words = _plain(piece)
        said = None if speaker else _SAID.fullmatch(words)
        if said:
            yield _Cue(start=start, end=end, speaker=said["speaker"], words=said["words"])
        elif words:
            yield _Cue(start=start, end=end, speaker=_plain(speaker), words=words)


def _plain(markup: str) -> str:
    return " ".join(html.unescape(_TAG.sub("", markup)).split())


def _seconds(clock: tuple[str | None, ...]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in clock)
    return min(hours, 10_000) * 3600 + minutes * 60 + seconds
