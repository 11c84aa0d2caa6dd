"""The pages of a PDF put together to Markdown: headings, paragraphs, lists, code and tables."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from minirag_mcp.model import MarkKind
from minirag_mcp.parse.blocks import PAGE_BREAK, TextBuilder, cleaned, fenced, heading, paragraph
from minirag_mcp.parse.pdf_columns import NOTE_SIZE, in_columns, in_rows, with_fields, with_notes_last
from minirag_mcp.parse.pdf_contents import without_contents
from minirag_mcp.parse.pdf_headings import Outline, body_size, heading_levels
from minirag_mcp.parse.pdf_hyphens import Hyphens
from minirag_mcp.parse.pdf_line_numbers import without_line_numbers
from minirag_mcp.parse.pdf_long_tables import LongTable
from minirag_mcp.parse.pdf_page import Line, Page
from minirag_mcp.parse.pdf_prose import Prose, ends_sentence, is_item, shown
from minirag_mcp.parse.pdf_running import turned_lines, without_running_lines
from minirag_mcp.parse.pdf_table_headers import with_headers_above
from minirag_mcp.parse.pdf_tables import Flow, Table, with_aligned_tables, with_ruled_tables
from minirag_mcp.parse.table import trimmed

# Width of a typewriter letter, in font sizes.
_MONOSPACED_WIDTH = 0.6
# Two lines of code are a block; a single one is more often a file name in a heading or a sentence.
_MIN_CODE = 2
# Lines typed or drawn with characters part blocks by the space they leave.
_DIVIDER = re.compile(r"^[-=_*~. ]{4,}$")
# From baseline to baseline inside one heading, in font sizes.
_HEADING_PITCH = 1.7


def compose(pages: Sequence[Page], outline: Outline) -> TextBuilder:
    """The text of all pages with a PAGE mark wherever a page begins."""
    without_line_numbers(pages)
    body = body_size([line for page in pages for line in page.lines])
    rows = [_rows(page, lines, body=body) for page, lines in zip(pages, without_running_lines(pages), strict=True)]
    flows = [_flow(page, lines) for page, lines in zip(pages, without_contents(rows), strict=True)]
    lines = [item for flow in flows for item in flow if isinstance(item, Line)]
    hyphens = Hyphens(line for page in pages for line in page.lines)
    composer = _Composer(Prose(lines), hyphens, heading_levels(flows, outline), codes=_are_code(flows))
    for flow, turned in zip(flows, turned_lines(pages), strict=True):
        for item in [*flow, *turned]:
            composer.add(item)
    composer.close()
    return composer.builder


def _rows(page: Page, lines: list[Line], *, body: float) -> list[Line]:
    words = [line for line in lines if not _DIVIDER.match(line.text)]
    return with_fields(in_rows(with_notes_last(words, body=body)), in_rows(page.values))


def _flow(page: Page, rows: list[Line]) -> Flow:
    return with_headers_above(with_aligned_tables(with_ruled_tables(page, in_columns(rows))))


def _are_code(flows: Sequence[Flow]) -> set[int]:
    """Lines in a typewriter face that follow each other, unless the whole document is typed."""
    lines = [item for flow in flows for item in flow if isinstance(item, Line)]
    if sum(line.monospaced for line in lines) >= len(lines) / 2:
        return set()
    typed: set[int] = set()
    for flow in flows:
        for kind, run in groupby(flow, lambda item: isinstance(item, Line) and item.monospaced):
            block = [id(item) for item in run] if kind else []
            typed.update(block if len(block) >= _MIN_CODE else ())
    return typed


class _Composer:
    """Adds lines and tables in reading order; what is open is closed when something else begins."""

    def __init__(self, prose: Prose, hyphens: Hyphens, levels: dict[int, int], *, codes: set[int]) -> None:
        self.builder = TextBuilder()
        self.builder.mark(MarkKind.PAGE, number=1)
        self._prose = prose
        self._hyphens = hyphens
        self._levels = levels
        self._codes = codes
        self._open: list[Line] = []
        self._held: list[Line] = []
        self._page = 0
        self._in_list = False
        self._table: LongTable | None = None

    def add(self, item: Line | Table) -> None:
        """Add the next line or table."""
        if isinstance(item, Table):
            self._add_table(item)
        elif (self._table is not None and item.running) or (self._open and self._is_aside(item)):
            self._held.append(item)
        elif self._open and self._continues(self._open[-1], item):
            if item.page > self._open[-1].page == self._open[0].page:
                self._emit_held()
            self._open.append(item)
        else:
            self.close()
            self._open = [item]

    def close(self) -> None:
        """Add the open block or table, and the asides that stood inside it or are next."""
        self._emit_table()
        lines, self._open = self._open, []
        if lines:
            self._emit_block(lines)
        self._emit_held()

    def _is_aside(self, line: Line) -> bool:
        """Whether a line is a footnote, a caption or a running line that the open paragraph may go on after."""
        before = self._open[-1]
        if id(before) in self._levels or id(before) in self._codes or id(line) in self._levels:
            return False
        if line.running or (self._held and not self._held[-1].running and line.size <= NOTE_SIZE * before.size):
            return True
        return line.size <= NOTE_SIZE * before.size and line.page == before.page and not ends_sentence(before.text)

    def _emit_held(self) -> None:
        """Add the asides in blocks of their own, before or after the open one."""
        open_, self._open = self._open, []
        held, self._held = self._held, []
        for line in held:
            if self._open and (line.running or not self._continues(self._open[-1], line)):
                self._emit_block(self._open)
                self._open = []
            self._open.append(line)
        if self._open:
            self._emit_block(self._open)
        self._open = open_

    def _emit_block(self, lines: list[Line]) -> None:
        level = self._levels.get(id(lines[0]))
        if level is not None:
            self._emit(heading(self._hyphens.text(line.text for line in lines), level=level), page=lines[0].page)
        elif id(lines[0]) in self._codes:
            self._emit(fenced(_code(lines)), page=lines[0].page)
        else:
            self._emit_paragraph(lines)

    def _continues(self, before: Line, line: Line) -> bool:
        if self._levels.get(id(before)) != self._levels.get(id(line)):
            return False
        if id(before) in self._levels:
            drop = before.base - line.base
            return (
                before.page == line.page and 0 < drop < _HEADING_PITCH * line.size and abs(before.size - line.size) < 1
            )
        if (id(before) in self._codes) != (id(line) in self._codes):
            return False
        if id(before) in self._codes:
            return before.page == line.page and 0 < before.base - line.base < 3 * line.size
        return self._prose.continues(before, line)

    def _emit_paragraph(self, lines: list[Line]) -> None:
        first = lines[0]
        text, page = shown(first.text), max(first.page, self._page)
        for before, line in pairwise(lines):
            after = shown(line.text)
            if line.page == before.page and self._prose.is_hard_end(before, line):
                text = f"{text}\n{after}"
            else:
                text = self._hyphens.joined(text, after, PAGE_BREAK * (line.page - page))
                page = max(line.page, page)
        listed = is_item(first.text)
        self._emit(paragraph(text), page=first.page, listed=listed)
        self._page = page

    def _add_table(self, table: Table) -> None:
        rows = trimmed([[self._hyphens.text(cleaned(cell).splitlines()) for cell in row] for row in table.rows])
        if not rows:
            return
        table = replace(table, rows=rows, columns=table.columns[: len(rows[0])])
        if self._table is not None and self._table.goes_on_with(table):
            if self._table.last_page == self._table.first_page:
                self._emit_held()
            self._table.add(table)
            return
        self.close()
        self._table = LongTable.begun(table)

    def _emit_table(self) -> None:
        table, self._table = self._table, None
        if table is not None:
            markdown = table.markdown(page=max(table.first_page, self._page))
            self._emit(markdown, page=table.first_page)
            self._page = max(table.last_page, self._page)

    def _emit(self, block: str, *, page: int, listed: bool = False) -> None:
        breaks = PAGE_BREAK * (page - self._page)
        self._page = max(page, self._page)
        self.builder.add(breaks + block, separator="\n" if listed and self._in_list else "\n\n")
        self._in_list = listed


def _code(lines: Sequence[Line]) -> str:
    """Lines of code, indented as they stand on the page."""
    left = min(line.left for line in lines)
    return "\n".join(" " * round((line.left - left) / (_MONOSPACED_WIDTH * line.size)) + line.text for line in lines)
