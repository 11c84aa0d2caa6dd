"""Excel workbooks (.xlsx): cached values as a user sees them, to Markdown tables with row marks."""

import io
import re
from collections.abc import Iterator
from string import ascii_uppercase
from typing import TYPE_CHECKING

from minirag_mcp.errors import NoTextError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.archive import refuse_unread, xml_parser_options
from minirag_mcp.parse.blocks import TextBuilder, cleaned, one_line
from minirag_mcp.parse.no_text import NOTHING_TO_INDEX
from minirag_mcp.parse.number_format import BUILT_IN, NumberFormat, general, number_format
from minirag_mcp.parse.ooxml import LINK, SHEET, SHEET_PACKAGE, Package, number_of, own_text, text_of
from minirag_mcp.parse.sheet_text import Row, add_sheet

if TYPE_CHECKING:
    from lxml import etree

    from minirag_mcp.parse.parsed import Parsed

_ROW, _CELL, _VALUE, _INLINE = f"{SHEET}row", f"{SHEET}c", f"{SHEET}v", f"{SHEET}is"
_TEXT, _RUN, _ITEM = f"{SHEET}t", f"{SHEET}r", f"{SHEET}si"
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_PLAIN_INTEGER = re.compile(r"^-?\d{1,15}$")
# What the format allows.
_MAX_COLUMNS = 16_384
_ON = ("1", "true")


def parse(data: bytes) -> "Parsed":
    """Every sheet as a heading and tables, under SHEET and ROW marks that give the original rows.

    Values are those stored with the file, shown by their number format; formulas are not computed.
    Hidden sheets, rows and columns are kept; cell comments stand at the end of their sheet, under marks of their rows.
    Raises EmptyFileError, WrongFormatError, EncryptedFileError, CorruptFileError, ParseLimitError, NoTextError.
    """
    package = Package.open(data, SHEET_PACKAGE)
    workbook = _Workbook(package)
    builder = TextBuilder()
    for number, name, part in workbook.sheets():
        add_sheet(builder, name, workbook.rows(part), number=number)
        for row, comment in _comments(package, part):
            builder.add(comment, marks=[Mark(kind=MarkKind.ROW, start=0, number=row, name=name)])
    if builder.blank:
        raise NoTextError("The Excel workbook holds no filled cells.", remedy=NOTHING_TO_INDEX)
    return builder.build(title=package.title())


class _Workbook:
    """Sheets, shared strings and number formats of one workbook."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._strings = list(_shared_strings(package))
        self._formats = _formats(package.xml(package.related(package.main, "styles")))
        properties = package.root.find(f"{SHEET}workbookPr")
        self._since_1904 = properties is not None and properties.get("date1904") in _ON

    def sheets(self) -> Iterator[tuple[int, str, str]]:
        """Number, name and part of each sheet, in the order of the tabs; charts have numbers, too."""
        links = self._package.relationships(self._package.main)
        for number, sheet in enumerate(self._package.root.iter(f"{SHEET}sheet"), start=1):
            link = links.get(sheet.get(f"{LINK}id", ""))
            if link and link.kind in ("worksheet", "dialogsheet", "macrosheet"):
                yield number, one_line(cleaned(_unescaped(sheet.get("name", "")))), link.target

    def rows(self, part: str) -> Iterator[Row]:
        """The rows with filled cells, in the order of the part."""
        number = 0
        for element in _elements(self._package.read(part), _ROW):
            number = number_of(element.get("r"), default=number + 1)
            cells = self._cells(element)
            if cells:
                yield Row(number=number, cells=cells)

    def _cells(self, row: "etree._Element") -> dict[int, str]:
        cells: dict[int, str] = {}
        column = 0
        for cell in row.iterchildren(_CELL):
            reference = cell.get("r")
            column = _column(reference) if reference else column + 1
            text = self._text(cell)
            if text and 0 < column <= _MAX_COLUMNS:
                cells[column] = text
        return dict(sorted(cells.items()))

    def _text(self, cell: "etree._Element") -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _clean(_rich_text(cell.find(_INLINE)))
        value = cell.findtext(_VALUE)
        if not value:
            return ""
        if kind == "s":
            index = number_of(value, default=-1)
            return self._strings[index] if 0 <= index < len(self._strings) else ""
        if kind == "b":
            return "TRUE" if value.strip() in _ON else "FALSE"
        if kind == "n":
            return self._number(value.strip(), cell.get("s"))
        return _clean(value.removesuffix("T00:00:00") if kind == "d" else value)

    def _number(self, value: str, style: str | None) -> str:
        shown_by = self._formats.get(style or "0")
        if (shown_by is None or shown_by.is_general) and _PLAIN_INTEGER.match(value):
            return value
        try:
            number = float(value)
        except ValueError:
            return _clean(value)
        if number - number != 0:  # infinities and not-a-number
            return _clean(value)
        return general(number) if shown_by is None else shown_by.show(number, since_1904=self._since_1904)


def _shared_strings(package: Package) -> Iterator[str]:
    part = package.related(package.main, "sharedStrings")
    for item in _elements(package.read(part) if part else None, _ITEM):
        yield _clean(_rich_text(item))


def _rich_text(element: "etree._Element | None") -> str:
    """The text of plain or formatted runs, without the phonetic guides beside them."""
    if element is None:
        return ""
    runs = (child if child.tag == _TEXT else child.find(_TEXT) for child in element if child.tag in (_TEXT, _RUN))
    return "".join(own_text(run) for run in runs if run is not None)


def _clean(text: str) -> str:
    return cleaned(_unescaped(text)).strip()


def _unescaped(text: str) -> str:
    """Characters that XML cannot hold are written `_x000D_`."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _formats(root: "etree._Element | None") -> dict[str, NumberFormat]:
    """Number formats by cell style, as the `s` of a cell names it."""
    if root is None:
        return {}
    own = {item.get("numFmtId", ""): item.get("formatCode", "") for item in root.iter(f"{SHEET}numFmt")}
    formats: dict[str, NumberFormat] = {}
    for styles in root.iterchildren(f"{SHEET}cellXfs"):
        for index, style in enumerate(styles.iterchildren(f"{SHEET}xf")):
            format_id = style.get("numFmtId", "0")
            formats[str(index)] = number_format(own.get(format_id) or BUILT_IN.get(number_of(format_id), "General"))
    return formats


def _elements(data: bytes | None, tag: str) -> "Iterator[etree._Element]":
    """The elements with this tag, one at a time, so that a large part never stands in memory as a tree."""
    from lxml import etree  # noqa: PLC0415 - loaded only when a document needs it

    if not data:
        return
    events = etree.iterparse(io.BytesIO(data), tag=tag, **xml_parser_options())
    try:
        for _, element in events:
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree.XMLSyntaxError:
        pass
    refuse_unread(events.error_log)


def _column(reference: str) -> int:
    """Column number (A is 1) of a cell reference such as `BC12`; 0 for anything else."""
    column = 0
    for letter in reference:
        if not "A" <= letter <= "Z":
            break
        column = column * 26 + ord(letter) - 64
    return column


def _comments(package: Package, part: str) -> Iterator[tuple[int, str]]:
    """Row (0 when unknown) and text of each comment."""
    root = package.xml(package.related(part, "comments"))
    if root is None:
        return
    authors = [one_line(cleaned(author.text or "")) for author in root.iter(f"{SHEET}author")]
    for comment in root.iter(f"{SHEET}comment"):
        index = number_of(comment.get("authorId"), default=-1)
        author = authors[index] if 0 <= index < len(authors) else ""
        text = one_line(_clean(text_of(comment, _TEXT))).removeprefix(f"{author}:").strip()
        if text:
            cell = comment.get("ref", "")
            yield max(0, number_of(cell.lstrip(ascii_uppercase))), f"> {cell}, {author or 'Comment'}: {text}"
