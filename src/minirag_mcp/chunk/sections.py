"""Which blocks belong together: the segments of a document, before any is cut for its size."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from minirag_mcp.chunk.blocks import Block, BlockKind, scan
from minirag_mcp.chunk.outline import Outline, Region
from minirag_mcp.model import SectionKind

_LEAST_HEADINGS = 2
"""With fewer, headings do not divide a document: its blocks do."""
_MOST_HEADINGS = 20_000
"""With more, `#` is a mark in data and no heading (the longest published specifications have some thousands); a section
for each would take a kilobyte of memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """What a section is made from.

    headings  heading path that holds for the whole segment
    inside    how many of the innermost `headings` stand in the segment itself, at its beginning
    """

    start: int
    end: int
    kind: SectionKind
    headings: tuple[str, ...] = ()
    inside: int = 0
    label: str = ""


def blocks_of(text: str, outline: Outline) -> list[Block]:
    """All blocks, region by region."""
    return [block for region in outline.regions for block in scan(text, region.start, region.end)]


def segments_of(outline: Outline, blocks: Sequence[Block]) -> list[Segment]:
    """Segments in order, covering all blocks."""
    if not blocks:
        return []
    if outline.kind is not None:
        return _by_regions(outline, outline.kind, blocks)
    headings = sum(block.kind is BlockKind.HEADING for block in blocks)
    if headings > _MOST_HEADINGS:
        return [Segment(start=blocks[0].start, end=blocks[-1].end, kind=SectionKind.BLOCK)]
    return _by_headings(blocks, SectionKind.HEADING if headings >= _LEAST_HEADINGS else SectionKind.BLOCK)


def _by_regions(outline: Outline, kind: SectionKind, blocks: Sequence[Block]) -> list[Segment]:
    segments: list[Segment] = []
    pending: int | None = None
    position = 0
    for group, regions in groupby(outline.regions, key=_group):
        own = list(regions)
        first = position
        while position < len(blocks) and blocks[position].start < own[-1].end:
            position += 1
        if first == position:
            continue
        start = blocks[first].start if pending is None else pending
        pending = start if group == 0 and not _has_text(blocks[first:position]) else None
        if pending is None or position == len(blocks):
            segments.append(_of_group(own, kind, blocks[first:position], start))
    return segments


def _group(region: Region) -> int:
    return region.group


def _has_text(blocks: Sequence[Block]) -> bool:
    return any(block.kind not in (BlockKind.HEADING, BlockKind.COMMENT) for block in blocks)


def _of_group(regions: Sequence[Region], kind: SectionKind, blocks: Sequence[Block], start: int) -> Segment:
    """A slide is called by its first heading; a window by its label; a preamble is just text."""
    group, label = regions[0].group, regions[0].label
    shown = [block for block in blocks if block.kind is not BlockKind.COMMENT]
    named = kind is SectionKind.SLIDE and shown and shown[0].kind is BlockKind.HEADING
    return Segment(
        start=start,
        end=blocks[-1].end,
        kind=kind if group else SectionKind.BLOCK,
        headings=(shown[0].heading,) if named else (),
        inside=1 if named else 0,
        label=label,
    )


class _Path:
    """The headings in effect."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, str]] = []

    @property
    def depth(self) -> int:
        return self._stack[-1][0] if self._stack else 0

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(heading for _, heading in self._stack)

    def enter(self, block: Block) -> None:
        while self.depth >= block.depth:
            self._stack.pop()
        self._stack.append((block.depth, block.heading))


def _by_headings(blocks: Sequence[Block], kind: SectionKind) -> list[Segment]:
    """A segment per heading with text, or nothing, under it; one with only headings under it joins the first."""
    segments: list[Segment] = []
    path = _Path()
    start, inside, has_text = blocks[0].start, 0, False
    for block in blocks:
        if block.kind is not BlockKind.HEADING:
            has_text = has_text or block.kind is not BlockKind.COMMENT
            continue
        if has_text or (inside and block.depth <= path.depth):
            segments.append(Segment(start=start, end=block.start, kind=kind, headings=path.headings, inside=inside))
            start, inside, has_text = block.start, 0, False
        path.enter(block)
        inside += 1
    segments.append(Segment(start=start, end=blocks[-1].end, kind=kind, headings=path.headings, inside=inside))
    return segments
