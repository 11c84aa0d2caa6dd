"""Word documents (.docx): the package walked as Word lays it out, to Markdown."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minirag_mcp.errors import NoTextError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.blocks import PAGE_BREAK, TextBuilder, cleaned, fenced, heading, one_line, paragraph
from minirag_mcp.parse.docx_bold import bold_headings
from minirag_mcp.parse.docx_inline import Inline, InlineReader
from minirag_mcp.parse.docx_numbering import Label, Numbering
from minirag_mcp.parse.docx_styles import Styles, read_level
from minirag_mcp.parse.docx_tables import is_headed
from minirag_mcp.parse.no_text import IF_IN_PICTURES
from minirag_mcp.parse.ooxml import WORD, WORD_PACKAGE, Package, number_of
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.properties import written_title
from minirag_mcp.parse.table import markdown_table, trimmed
from minirag_mcp.parse.title import is_boilerplate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml import etree

# A paragraph with an outline level that is longer than this is a clause, not a heading: seen in real contracts.
_MAX_HEADING = 300
_SKIPPED = frozenset(WORD + name for name in ("del", "moveFrom", "sectPr", "sdtPr", "sdtEndPr", "pPr", "tblPr"))
# Columns that a cell may claim to span; damaged files claim millions.
_MAX_SPAN = 100
# A paragraph in a typewriter face is code only if it also looks like it: letters and memos are set in Courier too.
_CODE_SIGN = re.compile(
    r"[{}=<>\\|]|;[ \t]*$|\w\(|\w_\w|^[ \t]{2,}\S|^[ \t]*(?:\$|//|#|--|import|def|class|return|print|echo)\b",
    re.MULTILINE,
)
# Word's own page count and the page breaks it stored differ when tables or frames break over pages.
_PAGE_TOLERANCE = 0.02


def parse(data: bytes) -> Parsed:
    """The document as Markdown, with page marks where Word stored reliable ones.

    Headings, lists and clause numbers, tables, code, notes, comments and text boxes are kept; insertions
    count as text and deletions do not; headers, footers and the table of contents are left out.
    Raises EmptyFileError, WrongFormatError, EncryptedFileError, CorruptFileError, ParseLimitError, NoTextError.
    """
    package = Package.open(data, WORD_PACKAGE)
    story = _Story(package)
    for body in package.root.iterchildren(f"{WORD}body"):
        story.tell_body(body)
    if story.builder.blank:
        raise NoTextError("The Word document holds no text.", remedy=IF_IN_PICTURES)
    parsed = story.builder.build(title=story.title or package.title())
    marks = parsed.marks if _pages_agree(package, parsed.marks) else ()
    return Parsed(text=parsed.text, marks=marks, title=parsed.title)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Paragraph:
    """A paragraph with everything that decides how it is shown."""

    text: str
    inline: Inline
    label: Label | None
    level: int | None
    is_title: bool
    is_code: bool


class _Story:
    """Tells the blocks of a document, in order, to its builder."""

    def __init__(self, package: Package) -> None:
        main = package.main
        self._styles = Styles(package.xml(package.related(main, "styles")))
        self._numbering = Numbering(
            package.xml(package.related(main, "numbering")), lambda style: self._styles.list_use(style).number_id
        )
        self._reader = InlineReader(self._styles)
        self._notes = {
            kind: _by_id(package.xml(package.related(main, f"{kind}s")), kind)
            for kind in ("footnote", "endnote", "comment")
        }
        self.builder = TextBuilder()
        self.builder.mark(MarkKind.PAGE, number=1)
        self.title: str | None = None
        self._above: int | None = None  # levels taken by a title that opens the document; None before any heading
        self._bold: Mapping[etree._Element, int] = {}
        self._code: list[str] = []
        self._in_list = False

    def tell_body(self, body: "etree._Element") -> None:
        """Add every block of the body of the document."""
        self._bold = bold_headings(body, self._styles, self._numbering)
        self.tell(body)

    def tell(self, container: "etree._Element") -> None:
        """Add every block of a body, cell or text box."""
        self._tell_children(container)
        self._end_code()

    def _tell_children(self, container: "etree._Element") -> None:
        for child in container:
            if child.tag == f"{WORD}p":
                self._tell_paragraph(child)
            elif child.tag == f"{WORD}tbl":
                self._tell_table(child)
            elif child.tag not in _SKIPPED:
                self._tell_children(child)

    def _tell_paragraph(self, element: "etree._Element") -> None:
        found = self._read(element)
        if found is not None:
            self._add(found)
            self._tell_attached(found.inline)

    def _read(self, element: "etree._Element") -> _Paragraph | None:
        """The paragraph, or None for an entry of a table of contents."""
        properties = element.find(f"{WORD}pPr")
        style_element = None if properties is None else properties.find(f"{WORD}pStyle")
        style = "" if style_element is None else style_element.get(f"{WORD}val", "")
        inline = self._reader.read(element)
        if self._styles.is_contents(style):
            return None
        level = read_level(properties, self._styles.level(style)) or self._bold.get(element)
        return _Paragraph(
            text=inline.text,
            inline=inline,
            label=self._label(properties, style),
            level=level if len(inline.text) <= _MAX_HEADING else None,
            is_title=self._styles.is_title(style),
            is_code=self._styles.is_code(style) or self._is_typed_code(inline, style),
        )

    def _is_typed_code(self, inline: Inline, style: str) -> bool:
        if not inline.monospaced and (inline.code_letters or not self._styles.is_monospaced(style)):
            return False
        return bool(self._code or _CODE_SIGN.search(inline.text))

    def _label(self, properties: "etree._Element | None", style: str) -> Label | None:
        number_id, level = self._styles.place_in_list(style, properties)
        return None if number_id is None else self._numbering.label(number_id, level)

    def _add(self, found: _Paragraph) -> None:
        if found.is_code and found.label is None and found.level is None:
            self._code.append(found.text)
            return
        if not found.text.strip():
            self.builder.add(found.text)
            return
        self._end_code()
        listed = found.label is not None and found.level is None and not found.label.outline
        self.builder.add(self._block(found), separator="\n" if listed and self._in_list else "\n\n")
        self._in_list = listed

    def _block(self, found: _Paragraph) -> str:
        breaks, text = _hoisted(found.text)
        label = "" if found.label is None else found.label.text
        if found.is_title and len(text) <= _MAX_HEADING:
            self.title = self.title or _own_title(text.replace(PAGE_BREAK, ""))
            self._above = 1 if self._above is None else self._above
            return breaks + heading(f"{label} {text}", level=1)
        if found.level is not None:
            self._above = self._above or 0
            return breaks + heading(f"{label} {text}", level=found.level + self._above)
        if found.label is None or found.label.outline:
            return breaks + paragraph(f"{label} {text}")
        indent = "  " * found.label.level
        return breaks + indent + (f"{label} " if label else "") + paragraph(text).replace("\n", f"\n{indent}  ")

    def _end_code(self) -> None:
        lines, self._code = self._code, []
        if any(line.strip() for line in lines):
            code = "\n".join(lines)
            self.builder.add(PAGE_BREAK * code.count(PAGE_BREAK) + fenced(code.replace(PAGE_BREAK, "")))
            self._in_list = False

    def _tell_attached(self, inline: Inline) -> None:
        """Text boxes, notes and comments stand right below the paragraph that carries them."""
        for box in inline.boxes:
            self.tell(box)
        self._tell_notes(inline)

    def _tell_notes(self, inline: Inline) -> None:
        lines = []
        for kind, note_id in inline.notes:
            text = self._note_text(kind, note_id)
            if text:
                lines.append(f"[^{self._reader.note_label((kind, note_id))}]: {text}")
        for comment_id in inline.comments:
            text = self._note_text("comment", comment_id)
            if text:
                lines.append(f"> {self._author(comment_id)}: {text}")
        if lines:
            self._end_code()
            self.builder.add("\n".join(lines))
            self._in_list = False

    def _note_text(self, kind: str, note_id: str) -> str:
        element = self._notes[kind].get(note_id)
        if element is None:
            return ""
        paragraphs = (self._reader.read(child).text for child in element.iter(f"{WORD}p"))
        return one_line(" ".join(paragraphs).replace(PAGE_BREAK, ""))

    def _author(self, comment_id: str) -> str:
        author = self._notes["comment"][comment_id].get(f"{WORD}author", "")
        return one_line(cleaned(author)) or "Comment"

    def _tell_table(self, table: "etree._Element") -> None:
        self._end_code()
        if _is_frame(table):
            for cell in table.iter(f"{WORD}tc"):
                self._tell_children(cell)
                return
        attached = Inline()
        rows = trimmed(self._rows(table, attached))
        self._in_list = False
        if max(map(len, rows), default=0) == 1:
            for row in rows:
                self.builder.add(paragraph(row[0]))
        else:
            self.builder.add(_hoisted_table(rows, header=is_headed(table, rows)))
        self._tell_attached(attached)

    def _rows(self, table: "etree._Element", attached: Inline) -> "Iterator[list[str]]":
        above: dict[int, str] = {}
        for row in _children(table, "tr"):
            cells = [""] * _skipped_columns(row, "gridBefore")
            for cell in _children(row, "tc"):
                span, merged = _cell_shape(cell)
                column = len(cells)
                text = above.get(column, "") if merged == "continue" else self._cell(cell, attached)
                if merged:
                    above[column] = text
                else:
                    above.pop(column, None)
                cells.extend([text, *[""] * (span - 1)])
            yield cells

    def _cell(self, cell: "etree._Element", attached: Inline) -> str:
        lines: list[str] = []
        for child in _children(cell, "p", "tbl"):
            if child.tag == f"{WORD}tbl":
                lines.extend(" ; ".join(filter(None, row)) for row in self._rows(child, attached))
                continue
            found = self._read(child)
            if found is not None:
                label = f"{found.label.text} " if found.label and found.text.strip() else ""
                lines.append(label + found.text)
                attached.notes.extend(found.inline.notes)
                attached.comments.extend(found.inline.comments)
                attached.boxes.extend(found.inline.boxes)
        return "\n".join(line for line in lines if line.strip())


def _children(element: "etree._Element", *names: str) -> "Iterator[etree._Element]":
    """The children with these names, also those inside content controls and insertions."""
    tags = tuple(WORD + name for name in names)
    for child in element:
        if child.tag in tags:
            yield child
        elif child.tag not in _SKIPPED and child.tag not in (f"{WORD}p", f"{WORD}tbl", f"{WORD}tr", f"{WORD}tc"):
            yield from _children(child, *names)


def _is_frame(table: "etree._Element") -> bool:
    """Whether a table is one cell: a box around ordinary text."""
    rows = list(_children(table, "tr"))
    return len(rows) == 1 and len(list(_children(rows[0], "tc"))) == 1


def _cell_shape(cell: "etree._Element") -> tuple[int, str]:
    """How many columns a cell spans, and its part in a vertical merge: "", "restart" or "continue"."""
    properties = cell.find(f"{WORD}tcPr")
    if properties is None:
        return 1, ""
    span = properties.find(f"{WORD}gridSpan")
    merge = properties.find(f"{WORD}vMerge")
    columns = 1 if span is None else number_of(span.get(f"{WORD}val"), default=1)
    return max(1, min(columns, _MAX_SPAN)), "" if merge is None else merge.get(f"{WORD}val", "continue")


def _skipped_columns(row: "etree._Element", name: str) -> int:
    element = row.find(f"{WORD}trPr/{WORD}{name}")
    return 0 if element is None else max(0, min(number_of(element.get(f"{WORD}val")), _MAX_SPAN))


def _by_id(root: "etree._Element | None", name: str) -> "dict[str, etree._Element]":
    """Notes or comments by id, without the separators that Word keeps among the notes."""
    if root is None:
        return {}
    found = root.iterchildren(WORD + name)
    return {item.get(f"{WORD}id", ""): item for item in found if "eparat" not in item.get(f"{WORD}type", "")}


def _own_title(text: str) -> str | None:
    """What a paragraph in the style of titles says, unless that names a part of the document."""
    return None if is_boilerplate(text) else written_title(text)


def _hoisted(text: str) -> tuple[str, str]:
    """Page breaks before the first letter, and the rest: a mark belongs before `# ` and list labels."""
    rest = text.lstrip(f"{PAGE_BREAK} \t\n")
    return PAGE_BREAK * text[: len(text) - len(rest)].count(PAGE_BREAK), rest


def _hoisted_table(rows: list[list[str]], *, header: bool) -> str:
    """The table, with a break inside its first cell moved before the row."""
    return "\n".join(
        PAGE_BREAK * line.count(PAGE_BREAK) + line.replace(PAGE_BREAK, "")
        for line in markdown_table(rows, header=header).split("\n")
    )


def _pages_agree(package: Package, marks: tuple[Mark, ...]) -> bool:
    """Whether there are page breaks in the text and they add up to the page count that Word stored."""
    root = package.properties("extended-properties", "docProps/app.xml")
    pages = 0 if root is None else number_of(root.findtext("{*}Pages"))
    last = max((mark.number for mark in marks if mark.kind is MarkKind.PAGE), default=1)
    return last > 1 and abs(pages - last) <= pages * _PAGE_TOLERANCE
