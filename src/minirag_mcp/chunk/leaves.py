"""Blocks to units: sentences, items, rows, lines, counted and small enough for a chunk."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from minirag_mcp.chunk.blocks import Block, BlockKind
from minirag_mcp.chunk.counter import TokenCounter
from minirag_mcp.chunk.rows import RowCutter
from minirag_mcp.chunk.sentences import sentence_starts
from minirag_mcp.chunk.table_lines import row_starts
from minirag_mcp.chunk.units import (
    GLUE_HEADING,
    GLUE_LEAD_IN,
    GLUE_TABLE_HEAD,
    SECTION_CAP,
    UNCOUNTED,
    UNIT_LIMIT,
    Edge,
    Form,
    Sizes,
    TableHead,
    Unit,
)

_WHOLE_PARAGRAPH = 160
"""Characters up to which a paragraph is one unit from the start; a longer one is cut into sentences."""
_COUNTED_AT_ONCE = 8_192
"""Longer stretches are counted in parts, so that a text without spaces never reaches the tokenizer whole."""
_FENCE_BUDGETS = 4
_LONGEST_HEAD = SECTION_CAP // 2
"""A longer table header is not repeated: it would leave no room for rows."""
_PIECES_PER_BUDGET = 5
"""Pieces of an oversized unit are this much smaller than the room, so that they fill chunks with what is around."""
_LEAST_BESIDE_HEADINGS = 8
"""Of a budget, what headings must leave to the first words under them to be kept with them."""
_ITEM_START = re.compile(r"(?m)^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_WRITTEN = re.compile(r"[^|:>\-\s]")
_ROW_OF_A_HEADING = re.compile(r"[ \t]*\|[^\S\n]*+[^|\s][^|\n]*+\|(?:[ \t]*\|)+[ \t]*$", re.MULTILINE)
"""A row in which only the first cell is filled."""
_LINE_START = re.compile(r"(?<=\n)(?=[^\n])")
_STOPS = (". ", "! ", "? ", "; ", ", ")
_SPACES = (" ", "\n", "\t")
_SOFT = ("，", "、", "；", "：", ",", ";", "|", "/", "&", ")", ">")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")
_LONGEST_CLUSTER = 16


def units_of(text: str, blocks: Sequence[Block], counter: TokenCounter, sizes: Sizes) -> list[Unit]:
    """All units of `blocks`, in order and without gaps.

    A unit is at most `budget` tokens long, but for a closed code block: that is one unit up to four budgets,
    `limit` tokens and the section cap, whichever is least.
    """
    leaves = [list(_leaves(text, block)) for block in blocks]
    counted = iter(_counted(text, list(chain.from_iterable(leaves)), counter))
    units: list[Unit] = []
    before: Block | None = None
    under_heading = False
    for block, own in zip(blocks, leaves, strict=True):
        glue = GLUE_HEADING if under_heading else _glue(text, before, block)
        headed = glue >= GLUE_HEADING and block.kind is BlockKind.FENCE
        lead = sum(heading.tokens for heading in _headings_above(units, len(units))) if headed else 0
        settled = _settled(text, block, [next(counted) for _ in own], sizes=sizes, lead=lead)
        units.append(replace(settled[0], glue=glue) if glue else settled[0])
        units.extend(settled[1:])
        before = block
        under_heading = block.kind is BlockKind.HEADING or (under_heading and block.kind is BlockKind.COMMENT)
    return _fitted(text, units, counter, sizes)


def _glue(text: str, before: Block | None, block: Block) -> float:
    if before is None or before.kind is not BlockKind.PARAGRAPH or block.kind is BlockKind.PARAGRAPH:
        return 0.0
    return GLUE_LEAD_IN if text[before.start : before.end].rstrip()[-1:] in (":", "：") else 0.0


def _leaves(text: str, block: Block) -> Iterator[Unit]:
    """The units of one block before anything is counted."""
    form, edge, starts = _inner_starts(text, block)
    for index, (start, end) in enumerate(pairwise((block.start, *starts, block.end))):
        yield Unit(start, end, edge if index else Edge.BLOCK, form=form)


def _inner_starts(text: str, block: Block) -> tuple[Form, Edge, list[int]]:
    start, end = block.start, block.end
    if block.kind is BlockKind.HEADING:
        return Form.PROSE, Edge.SENTENCE, []
    if block.kind is BlockKind.TABLE:
        return Form.ROW, Edge.ITEM, row_starts(text, start, end)
    if block.kind is BlockKind.FENCE:
        return Form.BROKEN_CODE, Edge.ITEM, [match.start() for match in _LINE_START.finditer(text, start + 1, end)]
    if block.kind is BlockKind.LIST:
        items = [match.start() for match in _ITEM_START.finditer(text, start, end)]
        return Form.PROSE, Edge.ITEM, [item for item in items if item > start]
    if end - start <= _WHOLE_PARAGRAPH:
        return Form.PROSE, Edge.SENTENCE, []
    return Form.PROSE, Edge.SENTENCE, sentence_starts(text, start, end)


def _settled(text: str, block: Block, units: list[Unit], *, sizes: Sizes, lead: int) -> list[Unit]:
    """Give data rows their header; make a code block whole if it is small enough."""
    if block.kind is BlockKind.TABLE:
        return _with_head(text, block, units)
    if block.kind is not BlockKind.FENCE:
        return units
    tokens = sum(unit.tokens for unit in units)
    most = min(_FENCE_BUDGETS * sizes.budget, sizes.limit - lead)
    if tokens <= most and len(text[block.start : block.end].strip()) <= SECTION_CAP:
        return [replace(units[0], end=units[-1].end, tokens=tokens, form=Form.CODE)]
    return units


def _with_head(text: str, block: Block, units: list[Unit]) -> list[Unit]:
    """A header without rows is ordinary content; with rows, the header holds on to the first of them.

    A header in which nothing is written heads no row. A row of only a first cell heads the row below it. The line that
    rules off the header is not embedded, so it has no tokens.
    """
    header = [unit for unit in units if unit.start < block.rows]
    rows = units[len(header) :]
    header[1:] = [replace(unit, glue=GLUE_TABLE_HEAD, tokens=0) for unit in header[1:]]
    if not rows or block.rows - header[0].start > _LONGEST_HEAD:
        return [*header, *rows]
    if _WRITTEN.search(text, header[0].start, header[0].end):
        head = TableHead(header[0].start, block.rows, header[0].tokens)
        rows = [replace(unit, head=head) for unit in rows]
    rows[1:] = [
        replace(row, glue=GLUE_LEAD_IN) if _ROW_OF_A_HEADING.match(text, before.start, before.end) else row
        for before, row in pairwise(rows)
    ]
    return [*header, replace(rows[0], glue=GLUE_TABLE_HEAD), *rows[1:]]


def _fitted(text: str, units: list[Unit], counter: TokenCounter, sizes: Sizes) -> list[Unit]:
    """Cut up whatever has no room in a chunk, finer each round, until all fits or is a single character."""
    rows = RowCutter(text, counter)
    while True:
        pieces: list[Unit] = []
        for index, unit in enumerate(units):
            pieces.extend(_cut_up(text, unit, _room(units, index, sizes), rows) or [unit])
        if len(pieces) == len(units):
            return _parted(pieces)
        fresh = [at for at, piece in enumerate(pieces) if piece.tokens == UNCOUNTED]
        for index, counted in zip(fresh, _counted(text, [pieces[at] for at in fresh], counter), strict=True):
            pieces[index] = counted
        units = pieces


def _cut_up(text: str, unit: Unit, room: int, rows: RowCutter) -> list[Unit]:
    """Smaller pieces of a unit; nothing if it may stay. Cells of a row part where their names need room."""
    if unit.form is Form.CODE or unit.end - unit.start <= 1:
        return []
    fits = unit.tokens <= room and unit.end - unit.start <= UNIT_LIMIT
    if fits and unit.weight <= room:
        return []
    return rows.pieces(unit, room) or ([] if fits else _finer(text, unit, room))


def _parted(units: list[Unit]) -> list[Unit]:
    """`units` with the rows below a row that was cut up kept apart from it."""
    for at, (before, unit) in enumerate(pairwise(units), 1):
        cut_up = before.head is not None and before.head.columns
        if cut_up and unit.head is not None and unit.edge <= Edge.LINE and not unit.glue:
            units[at] = replace(unit, after_parts=True)
    return units


def _headings_above(units: Sequence[Unit], index: int) -> Iterator[Unit]:
    """The headings that hold on to what stands at `index`, from the innermost outwards."""
    glue = GLUE_HEADING
    while glue >= GLUE_HEADING and index > 0:
        index -= 1
        glue = units[index].glue
        yield units[index]


def _room(units: Sequence[Unit], index: int, sizes: Sizes) -> int:
    """Tokens a unit may have; what headings stand above leaves room for as many of them as go with some of it."""
    unit = units[index]
    room = sizes.budget - (sizes.notice if unit.form is Form.BROKEN_CODE else 0)
    is_heading = index + 1 < len(units) and units[index + 1].glue >= GLUE_HEADING
    if unit.glue < GLUE_HEADING or is_heading:
        return max(1, room)
    left = room
    for heading in _headings_above(units, index):
        if left - heading.tokens < room // _LEAST_BESIDE_HEADINGS:
            break
        left -= heading.tokens
    return max(1, left)


def _finer(text: str, unit: Unit, room: int) -> list[Unit]:
    """At least two pieces of `unit`, uncounted: sentences, else lines, else words, else letters."""
    if unit.form is Form.PROSE:
        if starts := sentence_starts(text, unit.start, unit.end):
            return _pieces(unit, [(start, Edge.SENTENCE) for start in starts])
        if lines := [match.start() for match in _LINE_START.finditer(text, unit.start + 1, unit.end)]:
            return _pieces(unit, [(start, Edge.LINE) for start in lines])
    parts = max(2, -(-unit.tokens * _PIECES_PER_BUDGET // room), (unit.end - unit.start) // UNIT_LIMIT)
    return _pieces(unit, _even_cuts(text, unit.start, unit.end, -(-(unit.end - unit.start) // parts)))


def _pieces(unit: Unit, cuts: Sequence[tuple[int, Edge]]) -> list[Unit]:
    first = replace(unit, end=cuts[0][0], tokens=UNCOUNTED)
    ends = [*(start for start, _ in cuts[1:]), unit.end]
    return [
        first,
        *(
            replace(unit, start=start, end=end, edge=edge, tokens=UNCOUNTED, glue=0.0, apart=0)
            for (start, edge), end in zip(cuts, ends, strict=True)
        ),
    ]


def _even_cuts(text: str, start: int, end: int, step: int) -> list[tuple[int, Edge]]:
    """Cuts at most `step` characters apart: after white space if there is any, else after a mark, else anywhere."""
    cuts: list[tuple[int, Edge]] = []
    position = start
    while position + step < end:
        position, edge = _cut_before(text, position, position + step)
        cuts.append((position, edge))
    return cuts


def _cut_before(text: str, start: int, target: int) -> tuple[int, Edge]:
    """The best place in `start`+1…`target`, as late as possible."""
    middle = (start + target) // 2
    for marks, edge, earliest in (
        (_STOPS, Edge.WORD, middle),
        (_SPACES, Edge.WORD, start),
        (_SOFT, Edge.LETTER, middle),
    ):
        cut = max(text.rfind(mark, earliest, target) + len(mark) for mark in marks)
        if cut > earliest + 1:
            return cut, edge
    cut = target
    while cut > start + 1 and target - cut < _LONGEST_CLUSTER and _clings(text, cut):
        cut -= 1
    return (target if _clings(text, cut) else cut), Edge.LETTER


def _clings(text: str, position: int) -> bool:
    """Whether the character at `position` belongs to the one before it."""
    letter = text[position]
    return letter in _JOINERS or text[position - 1] == "\u200d" or unicodedata.category(letter)[0] == "M"


def _counted(text: str, units: list[Unit], counter: TokenCounter) -> list[Unit]:
    """`units` with their tokens, all counted in one call; nothing between whole words is counted apart."""
    texts: list[str] = []
    parts: list[int] = []
    for unit in units:
        cuts = [cut for cut, _ in _even_cuts(text, unit.start, unit.end, _COUNTED_AT_ONCE)]
        texts.extend(text[start:end] for start, end in pairwise((unit.start, *cuts, unit.end)))
        parts.append(len(cuts) + 1)
    tokens = iter(counter.count_many(texts))
    return [
        replace(unit, tokens=sum(next(tokens) for _ in range(part))) for unit, part in zip(units, parts, strict=True)
    ]
