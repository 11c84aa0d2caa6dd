"""Markdown as a flat row of blocks, in one pass over the lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate

from minirag_mcp.chunk.fences import pair_fences
from minirag_mcp.chunk.plain import plain
from minirag_mcp.chunk.table_lines import begins_row, ends_row
from minirag_mcp.model import rules_off


class BlockKind(Enum):
    """What a block is; COMMENT holds no text for a reader."""

    HEADING = auto()
    PARAGRAPH = auto()
    LIST = auto()
    QUOTE = auto()
    TABLE = auto()
    FENCE = auto()
    HTML = auto()
    COMMENT = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a text; blank lines below it, and a rule, belong to it, so that blocks join without a gap.

    depth    of a heading, 1 to 6
    heading  words of a heading
    rows     offset of the first data row of a table, else 0; equal to `end` when it has none
    """

    kind: BlockKind
    start: int
    end: int
    depth: int = 0
    heading: str = ""
    rows: int = 0


_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_ATX_TAIL = re.compile(r"(?<![#\\])(?:(?<=[ \t])|^)#++[ \t]*$")
_SETEXT = re.compile(r" {0,3}(={2,}+|-{2,}+)[ \t]*$")
_LONGEST_SETEXT = 200
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_INDENTED = re.compile(r" {2}|\t")
_MOST_LINES_OF_A_CELL = 50
"""So that a pipe left open over prose costs no search to the end of the text for each line."""
_RAW_HTML = re.compile(r" {0,3}<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
# The block-level names of CommonMark 0.31, HTML block condition 6.
_HTML = re.compile(
    r" {0,3}</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog"
    r"|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend"
    r"|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td"
    r"|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)",
    re.IGNORECASE,
)
_CONTINUES = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE})


def scan(text: str, start: int, end: int) -> list[Block]:
    """The blocks of `text[start:end]`, in order and without gaps from the first written line to the end.

    Nothing outside the range is looked at.
    """
    return _Scanner(text[start:end].split("\n"), start, end).blocks()


@dataclass(slots=True)
class _Open:
    """A block as found so far, by line numbers."""

    kind: BlockKind
    line: int
    depth: int = 0
    heading: str = ""
    rows_line: int | None = None


class _Scanner:
    def __init__(self, lines: Sequence[str], start: int, end: int) -> None:
        self._lines = lines
        self._offsets = list(accumulate((len(line) + 1 for line in lines), initial=start))
        self._end = end
        self._fences = pair_fences(lines)
        self._found: list[_Open] = []
        self._open = False  # whether a further line may continue the last block
        self._enders: dict[str, int] = {}

    def blocks(self) -> list[Block]:
        line = 0
        while line < len(self._lines):
            if self._lines[line] and not self._lines[line].isspace():
                line = self._take(line)
            else:
                self._open = False
                line += 1
        return self._closed()

    def _closed(self) -> list[Block]:
        found = self._found
        starts = [*(self._offsets[block.line] for block in found), self._end]
        return [
            Block(
                kind=block.kind,
                start=starts[index],
                end=starts[index + 1],
                depth=block.depth,
                heading=block.heading,
                rows=0 if block.rows_line is None else min(self._offsets[block.rows_line], starts[index + 1]),
            )
            for index, block in enumerate(found)
        ]

    def _take(self, number: int) -> int:
        """Take the block or line at `number`; returns the next line to look at."""
        line = self._lines[number]
        if number in self._fences:
            return self._add(BlockKind.FENCE, number, self._fences[number] + 1)
        first = line.lstrip()[0]
        if first == "#" and self._heading(number, line):
            return number + 1
        if first == "<" and (after := self._markup(number, line)):
            return after
        if first in "=-" and self._underline(number, line):
            return number + 1
        if first in "-*_" and _RULE.match(line):
            return self._rule(number)
        if "|" in line and (after := self._table(number)):
            return after
        return self._text(number, line, first)

    def _add(self, kind: BlockKind, number: int, after: int) -> int:
        self._found.append(_Open(kind, number))
        self._open = kind in _CONTINUES
        return after

    def _last(self) -> BlockKind | None:
        return self._found[-1].kind if self._found else None

    def _heading(self, number: int, line: str) -> bool:
        match = _ATX.match(line)
        inside_list = line[0] == " " and self._last() is BlockKind.LIST
        heading = "" if match is None or inside_list else plain(_ATX_TAIL.sub("", match[2]))
        if match is None or not heading:
            return False
        self._found.append(_Open(BlockKind.HEADING, number, len(match[1]), heading))
        self._open = False
        return True

    def _underline(self, number: int, line: str) -> bool:
        """Turn the one-line paragraph above into a setext heading."""
        if not (self._open and self._last() is BlockKind.PARAGRAPH and self._found[-1].line == number - 1):
            return False
        above = self._lines[number - 1]
        heading = plain(above) if len(above) <= _LONGEST_SETEXT and _SETEXT.match(line) else ""
        if not heading:
            return False
        depth = 1 if line.lstrip()[0] == "=" else 2
        self._found[-1] = _Open(BlockKind.HEADING, number - 1, depth, heading)
        self._open = False
        return True

    def _rule(self, number: int) -> int:
        if self._found:
            self._open = False
            return number + 1
        return self._add(BlockKind.COMMENT, number, number + 1)

    def _markup(self, number: int, line: str) -> int:
        """The line after an HTML comment or element that begins here, or 0."""
        if line.lstrip().startswith("<!--"):
            ending = self._ending("-->", number)
            return 0 if ending is None else self._add(BlockKind.COMMENT, number, ending + 1)
        if raw := _RAW_HTML.match(line):
            ending = self._ending(f"</{raw[1].lower()}", number)
            if ending is not None:
                return self._add(BlockKind.HTML, number, ending + 1)
        if raw or _HTML.match(line):
            return self._add(BlockKind.HTML, number, self._next_blank(number))
        return 0

    def _ending(self, mark: str, number: int) -> int | None:
        """The first line from `number` on that holds `mark`; each line is searched once for each mark."""
        found = self._enders.get(mark, -1)
        if found < number:
            last = len(self._lines)
            found = next((at for at in range(number, last) if mark in self._lines[at].lower()), last)
            self._enders[mark] = found
        return found if found < len(self._lines) else None

    def _next_blank(self, number: int) -> int:
        while number < len(self._lines) and self._lines[number].strip() and number not in self._fences:
            number += 1
        return number

    def _table(self, number: int) -> int:
        """The line after a table whose header row is `number`, or 0."""
        lines = self._lines
        depth = _quote_depth(lines[number])
        if number + 1 == len(lines) or not _is_delimiter(lines[number + 1], depth):
            return 0
        framed = begins_row(lines[number]) and ends_row(lines[number])
        after = number + 2
        while after < len(lines) and after not in self._fences:
            if "|" in lines[after] and _quote_depth(lines[after]) == depth:
                after += 1
            elif framed and not ends_row(lines[after - 1]) and (row_end := self._row_end(after)):
                after = row_end
            else:
                break
        self._found.append(_Open(BlockKind.TABLE, number, rows_line=number + 2))
        self._open = False
        return after

    def _row_end(self, number: int) -> int:
        """The line that holds the next pipe of a row whose cell goes on over lines of text from `number`, or 0."""
        for line in range(number, min(number + _MOST_LINES_OF_A_CELL, len(self._lines))):
            if not self._lines[line].strip() or line in self._fences:
                return 0
            if "|" in self._lines[line]:
                return line
        return 0

    def _text(self, number: int, line: str, first: str) -> int:
        kind = self._text_kind(line, first)
        continues = self._continues(kind, line)
        if not continues:
            self._add(kind, number, number)
        self._open = True
        return number + 1

    def _text_kind(self, line: str, first: str) -> BlockKind:
        if first == ">":
            return BlockKind.QUOTE
        return BlockKind.LIST if (first in "-*+" or first.isdigit()) and _ITEM.match(line) else BlockKind.PARAGRAPH

    def _continues(self, kind: BlockKind, line: str) -> bool:
        last = self._last()
        if self._open:
            return kind in (last, BlockKind.PARAGRAPH)
        if last is BlockKind.LIST:
            return kind is BlockKind.LIST or _INDENTED.match(line) is not None
        return False


def _is_delimiter(line: str, depth: int) -> bool:
    return rules_off(line) and _quote_depth(line) in (0, depth)


def _quote_depth(line: str) -> int:
    return line[: len(line) - len(line.lstrip("> \t"))].count(">")
