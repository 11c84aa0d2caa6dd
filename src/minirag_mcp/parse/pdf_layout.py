"""The pages of a PDF put together to Markdown: headings, paragraphs, lists, code and tables."""

import re
from collections.abc import Sequence
from itertools import pairwise

from minirag_mcp.model import MarkKind
from minirag_mcp.parse.blocks import PAGE_BREAK, TextBuilder, cleaned, fenced, heading, paragraph
from minirag_mcp.parse.pdf_columns import in_columns, in_rows, with_fields
from minirag_mcp.parse.pdf_contents import without_contents
from minirag_mcp.parse.pdf_headings import Outline, heading_levels
from minirag_mcp.parse.pdf_page import Line, Page
from minirag_mcp.parse.pdf_prose import Prose, is_item, shown
from minirag_mcp.parse.pdf_running import without_running_lines
from minirag_mcp.parse.pdf_tables import Flow, Table, with_aligned_tables, with_ruled_tables
from minirag_mcp.parse.table import markdown_table, trimmed
from minirag_mcp.parse.table_header import has_header

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
    flows = [_flow(page, lines) for page, lines in zip(pages, without_running_lines(pages), strict=True)]
    lines = [item for flow in flows for item in flow if isinstance(item, Line)]
    composer = _Composer(Prose(lines), heading_levels(flows, outline), codes=_are_code(lines))
    for flow in flows:
        for item in flow:
            composer.add(item)
    composer.close()
    return composer.builder


def _flow(page: Page, lines: list[Line]) -> Flow:
    words = [line for line in lines if not _DIVIDER.match(line.text)]
    return with_aligned_tables(
        with_ruled_tables(page, in_columns(without_contents(with_fields(in_rows(words), in_rows(page.values)))))
    )


def _are_code(lines: Sequence[Line]) -> set[int]:
    """Lines in a typewriter face, unless the whole document is typed."""
    code = [line for line in lines if line.monospaced]
    return {id(line) for line in code} if len(code) < len(lines) / 2 else set()


class _Composer:
    """Adds lines and tables in reading order; what is open is closed when something else begins."""

    def __init__(self, prose: Prose, levels: dict[int, int], *, codes: set[int]) -> None:
        self.builder = TextBuilder()
        self.builder.mark(MarkKind.PAGE, number=1)
        self._prose = prose
        self._levels = levels
        self._codes = codes
        self._open: list[Line] = []
        self._held: list[Line] = []  # running lines kept once: the paragraph around them may go on
        self._page = 0
        self._in_list = False
        self._table: list[list[str]] | None = None  # the table above, when nothing stands between

    def add(self, item: Line | Table) -> None:
        """Add the next line or table."""
        if isinstance(item, Table):
            self.close()
            self._emit_table(item)
        elif item.running:
            self._held.append(item)
            if not self._open:
                self.close()
        elif self._open and self._continues(self._open[-1], item):
            self._open.append(item)
        else:
            self.close()
            self._open = [item]

    def close(self) -> None:
        """Add the open block, and the running lines that stood inside it or are next."""
        lines, self._open = self._open, []
        held, self._held = self._held, []
        if lines:
            self._emit_block(lines)
        for line in held:
            self._emit(paragraph(shown(line.text)), page=line.page)

    def _emit_block(self, lines: list[Line]) -> None:
        level = self._levels.get(id(lines[0]))
        if level is not None:
            self._emit(heading(" ".join(line.text for line in lines), level=level), page=lines[0].page)
        elif id(lines[0]) in self._codes and len(lines) >= _MIN_CODE:
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
        text = shown(first.text)
        for before, line in pairwise(lines):
            after = shown(line.text)
            breaks = PAGE_BREAK * (line.page - before.page)
            if breaks:
                text = f"{text} {breaks}{after}"
            elif self._prose.is_hard_end(before, line):
                text = f"{text}\n{after}"
            else:
                text = self._prose.joined(text, after)
        listed = is_item(first.text)
        self._emit(paragraph(text), page=first.page, listed=listed)
        self._page = lines[-1].page

    def _emit_table(self, table: Table) -> None:
        rows = trimmed([[cleaned(cell) for cell in row] for row in table.rows])
        before, self._table = self._table, None
        goes_on = before is not None and table.page == self._page + 1 and len(before[0]) == len(rows[0])
        headed = rows[0] == before[0] if before and goes_on else has_header(rows, usual=table.set_apart)
        self._emit(markdown_table(rows, header=headed), page=table.page)
        self._table = before if before and goes_on else rows

    def _emit(self, block: str, *, page: int, listed: bool = False) -> None:
        breaks = PAGE_BREAK * (page - self._page)
        self._page = max(page, self._page)
        self._table = None
        self.builder.add(breaks + block, separator="\n" if listed and self._in_list else "\n\n")
        self._in_list = listed


def _code(lines: Sequence[Line]) -> str:
    """Lines of code, indented as they stand on the page."""
    left = min(line.left for line in lines)
    return "\n".join(" " * round((line.left - left) / (_MONOSPACED_WIDTH * line.size)) + line.text for line in lines)
