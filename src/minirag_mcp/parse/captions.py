"""Subtitles and transcripts, WebVTT and SubRip: cues become turns, one line each, `[00:01:05] Speaker: words`."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from minirag_mcp.errors import NoTextError, WrongFormatError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.encoding import decode_written, lines_of
from minirag_mcp.parse.no_text import NOTHING_TO_INDEX
from minirag_mcp.parse.parsed import Parsed

_CLOCK = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,6}))?"
_TIMING = re.compile(rf"^[ \t]*{_CLOCK}[ \t]*-{{2,3}}>[ \t]*{_CLOCK}(?:[ \t].*)?$")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]*)>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:c|i|b|u|v|ruby|rt|lang|font|s)(?:[.\s][^>]*)?>|<[\d:.]+>|\{\\[^}]*\}", re.IGNORECASE)
_SAID = re.compile(r"(?P<speaker>[^\W\d_][^:\n\[\]<>]{0,40}):[ \t]+(?P<words>\S.*)", re.DOTALL)
_BLOCKS = ("NOTE", "STYLE", "REGION")
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।", "”", '"', "»", ")")

_TURN = 15_000
"""Milliseconds. A turn that would last longer ends with its sentence: a place in a recording should be found by ear,
and a reader takes the time of a line for that of every word in it."""
_LONGEST_TURN = 30_000
_PAUSE = 3_000
"""Silence after which the same speaker begins anew."""
_OVERLAP = 1_000
"""By which cues of one turn may run into each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cue:
    """What is said between two times, in milliseconds; `speaker` "" when nobody is named."""

    start: int
    end: int
    speaker: str
    words: str


class _Turn:
    """Cues of one speaker on end."""

    def __init__(self, cue: _Cue) -> None:
        self.start, self.end = cue.start, cue.end
        self._speaker = cue.speaker
        self._cues = [cue]

    def takes(self, cue: _Cue) -> bool:
        if cue.speaker != self._speaker or not -_OVERLAP <= cue.start - self.end <= _PAUSE:
            return False
        lasted = cue.end - self.start
        return lasted <= _TURN or (lasted <= _LONGEST_TURN and not self._cues[-1].words.endswith(_SENTENCE_ENDS))

    def add(self, cue: _Cue) -> None:
        self._cues.append(cue)
        self.end = max(self.end, cue.end)

    def line(self) -> tuple[str, list[Mark]]:
        """The turn as text, and marks for its beginning, each further cue, and its end."""
        hours, rest = divmod(self.start // 1000, 3600)
        minutes, seconds = divmod(rest, 60)
        text = f"[{hours:02}:{minutes:02}:{seconds:02}]" + (f" {self._speaker}:" if self._speaker else "")
        marks: list[Mark] = []
        for cue in self._cues:
            marks.append(_mark(len(text) + 1 if marks else 0, cue.start // 1000))
            text += f" {cue.words}"
        return text, [*marks, _mark(len(text), -(-self.end // 1000))]


def parse(data: bytes) -> Parsed:
    """The turns, each with the time it begins at; marks also say when each cue begins and each turn ends.

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
        line, own = turn.line()
        lines.append(line)
        marks.extend(replace(mark, start=mark.start + offset) for mark in own)
        offset += len(line) + 1
    return Parsed(text="\n".join(lines), marks=tuple(marks))


def _mark(start: int, seconds: int) -> Mark:
    return Mark(kind=MarkKind.TIME, start=start, number=seconds)


def _turns(cues: Iterable[_Cue]) -> Iterator[_Turn]:
    turn: _Turn | None = None
    for cue in cues:
        if turn is not None and turn.takes(cue):
            turn.add(cue)
            continue
        if turn is not None:
            yield turn
        turn = _Turn(cue)
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
            start, end, timed, said = _milliseconds(timing.groups()[:4]), _milliseconds(timing.groups()[4:]), True, []
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


def _milliseconds(clock: tuple[str | None, ...]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in clock[:3])
    return ((min(hours, 10_000) * 60 + minutes) * 60 + seconds) * 1000 + int(((clock[3] or "") + "000")[:3])
