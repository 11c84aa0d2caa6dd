"""What kind of text a document is, and the parts it falls into by that: slides, turns of a transcript, or one whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from minirag_mcp.chunk.blocks import BlockKind, scan
from minirag_mcp.chunk.transcript import Stamp, stamps_of, window_label, window_of
from minirag_mcp.model import Document, Mark, MarkKind, SectionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A part of the text whose blocks are found without looking outside; regions of one `group` are one section."""

    start: int
    end: int
    group: int
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Regions cover the text without gaps. `marks` are those of the document and what was found in its text.

    kind  SLIDE or WINDOW when the regions are sections by themselves, None when headings and blocks decide
    """

    kind: SectionKind | None
    regions: tuple[Region, ...]
    marks: tuple[Mark, ...]


_SHORTEST_TURN = 30
_SLOWEST_SPEECH = 4
"""Seconds, and characters a second; speech in alphabets has 12 to 17, in Chinese 4 to 6. What follows later than both
allow comes after a pause, and the turn is not cited to last until then."""

_SLIDE = re.compile(r"(?m)^[ \t]*<!--[ \t]*Slide number:[ \t]*(\d{1,6})[ \t]*-->[ \t]*$", re.IGNORECASE)


def outline(document: Document) -> Outline:
    """Slides by their marks or comments, transcripts by times; whatever does not clearly match is neither."""
    text, marks = document.text, document.marks
    slides = [mark for mark in marks if mark.kind is MarkKind.SLIDE]
    if not slides:
        slides = _commented_slides(text)
    if slides:
        starts = [(mark.start, number) for number, mark in enumerate(slides, 1)]
        return Outline(kind=SectionKind.SLIDE, regions=_regions(text, starts), marks=_merged(marks, slides))
    times = [mark for mark in marks if mark.kind is MarkKind.TIME]
    stamps = [Stamp(mark.start, mark.number) for mark in times if _begins_line(text, mark.start)]
    if not stamps:
        stamps = stamps_of(text)
        times = list(_times(text, stamps))
    if stamps:
        return Outline(kind=SectionKind.WINDOW, regions=_turns(text, stamps), marks=_merged(marks, times))
    return Outline(kind=None, regions=(Region(start=0, end=len(text), group=0),), marks=marks)


def _commented_slides(text: str) -> list[Mark]:
    """Slides by their comments, unless already the first of these is shown as code.

    Later ones count wherever they stand: code left open on one slide does not go on with the next.
    """
    found = [Mark(kind=MarkKind.SLIDE, start=match.start(), number=int(match[1])) for match in _SLIDE.finditer(text)]
    if found and any(
        block.start <= found[0].start < block.end and block.kind is not BlockKind.COMMENT
        for block in scan(text, 0, len(text))
    ):
        return []
    return found


def _times(text: str, stamps: Sequence[Stamp]) -> Iterator[Mark]:
    """Marks where each turn begins, and where it ends when its stamp says so or a pause must follow it."""
    bounds = [*(stamp.start for stamp in stamps), len(text)]
    later = [*(stamp.seconds for stamp in stamps[1:]), 0]
    for stamp, after, next_begins in zip(stamps, bounds[1:], later, strict=False):
        yield Mark(kind=MarkKind.TIME, start=stamp.start, number=stamp.seconds)
        said = len(text[stamp.start : after].rstrip())
        spoken_by = stamp.seconds + max(_SHORTEST_TURN, said // _SLOWEST_SPEECH)
        until = spoken_by if stamp.until is None and spoken_by < next_begins else stamp.until
        if until is not None:
            yield Mark(kind=MarkKind.TIME, start=stamp.start + said, number=until)


def _begins_line(text: str, start: int) -> bool:
    """Whether a turn begins here; a time inside a line or at its end is that of its words."""
    return start < len(text) and (start == 0 or text[start - 1] == "\n")


def _merged(marks: Sequence[Mark], found: Sequence[Mark]) -> tuple[Mark, ...]:
    kept = [mark for mark in marks if mark.kind is not found[0].kind]
    return tuple(sorted((*kept, *found), key=lambda mark: mark.start))


def _regions(text: str, starts: Sequence[tuple[int, int]]) -> tuple[Region, ...]:
    """Regions from (offset, group) pairs; what stands before the first is group 0 unless it is blank."""
    if not text[: starts[0][0]].strip():
        starts = [(0, starts[0][1]), *starts[1:]]
    elif starts[0][0] > 0:
        starts = [(0, 0), *starts]
    bounds = [*(start for start, _ in starts), len(text)]
    return tuple(
        Region(start=start, end=end, group=group)
        for (start, end), (_, group) in zip(pairwise(bounds), starts, strict=True)
        if end > start
    )


def _turns(text: str, stamps: Sequence[Stamp]) -> tuple[Region, ...]:
    """One region for a turn; turns that begin in one window, without another between, are one group."""
    starts: list[tuple[int, int]] = []
    labels = {0: ""}
    for stamp in stamps:
        label = window_label(window_of(stamp.seconds))
        if labels[len(labels) - 1] != label:
            labels[len(labels)] = label
        starts.append((stamp.start, len(labels) - 1))
    return tuple(
        Region(start=region.start, end=region.end, group=region.group, label=labels[region.group])
        for region in _regions(text, starts)
    )
