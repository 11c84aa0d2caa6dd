"""Headings of Word documents whose authors set them in bold type and used no heading styles."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from minirag_mcp.parse.docx_inline import Inline, InlineReader
from minirag_mcp.parse.docx_numbering import Numbering
from minirag_mcp.parse.docx_styles import Styles, read_level
from minirag_mcp.parse.ooxml import WORD

if TYPE_CHECKING:
    from lxml import etree

_MOST_STYLED = 1
"""With more headings by style the author knows styles; bold lines beside them are labels ("Practice Tips:" 48 times in
a real handbook)."""
_LONGEST = 120
_LEAST_NUMBERED = 2
_LEAST_ALL = 3
"""Two bold lines without numbers are as likely a letterhead and a subject."""
_MOST_BOLD = 1 / 3
"""Share of letters in bold paragraphs; beyond it bold is the face of the text."""
_LEAST_TEXT = 40
"""Letters of text to a heading on average; with less, bold lines are the labels of a form."""
_MOST_ALIKE = 2
_NUMBER = re.compile(
    r"(?:(?:chapter|part|section|article|appendix|annex|глава|раздел|часть|статья|kapitel|abschnitt|artikel|chapitre"
    r"|cap[íi]tulo|secci[óo]n|art[íi]culo)\s+|§\s*|第\s*)?(?P<number>\d{1,3}(?:[.．]\d{1,3}){0,5})"
    r"(?P<stop>[.．、)）:：]?)\s*(?=[^\W\d_]|[\"«“(（]|[-–—]\s)",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:table|figure|fig|таблица|рис|tabelle|abb|tableau|tabla|[図表图])\b[.\s]*\w{1,3}\b", re.IGNORECASE
)
_ENDS_AS_TEXT = (".", ";", ",", ":", "!", "?", "。", "；", "，", "、", "：", "！", "？", "．")
_NO_LIST = "0"
_FACES = (f"{WORD}b", f"{WORD}rStyle")
_SKIPPED = frozenset(WORD + name for name in ("del", "moveFrom", "sectPr", "sdtPr", "sdtEndPr", "tbl"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A paragraph, or a table (`element` None), of a body.

    depth  of a line that may be a heading: 1 to 6 by its number, 0 without one; None for any other
    """

    element: "etree._Element | None"
    text: str
    bold: bool = False
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """`level` is that of a heading by style or outline level, 0 for titles and None for text."""

    element: "etree._Element"
    properties: "etree._Element | None"
    style: str
    level: int | None


def bold_headings(body: "etree._Element", styles: Styles, numbering: Numbering) -> "Mapping[etree._Element, int]":
    """Paragraphs of `body` that are headings by nothing but bold type, each with its level; empty unless it is clear.

    Heading: a short line, bold throughout, that ends like no sentence and is followed by text, in a document with
    hardly any headings by style, in which most text is not bold.
    """
    paragraphs = [_paragraph(element, styles) for element in _elements(body)]
    styled = [paragraph.level for paragraph in paragraphs if paragraph.level]
    if len(styled) > _MOST_STYLED:
        return {}
    lines = [line for line in _lines(paragraphs, styles, numbering) if line.text]
    headings = list(_headed(lines))
    if not _is_clear(headings, lines):
        return {}
    base = styled[0] if styled else 0
    return {line.element: base + (line.depth or 1) for line in headings if line.element is not None}


def _elements(container: "etree._Element") -> "Iterator[etree._Element]":
    """Paragraphs of the body itself, not of its tables and text boxes."""
    for child in container:
        if child.tag == f"{WORD}p":
            yield child
        elif child.tag not in _SKIPPED:
            yield from _elements(child)


def _paragraph(element: "etree._Element", styles: Styles) -> _Paragraph:
    properties = element.find(f"{WORD}pPr")
    named = None if properties is None else properties.find(f"{WORD}pStyle")
    style = "" if named is None else named.get(f"{WORD}val", "")
    level = 0 if styles.is_title(style) else read_level(properties, styles.level(style))
    return _Paragraph(element, properties, style, level)


def _lines(paragraphs: Sequence[_Paragraph], styles: Styles, numbering: Numbering) -> Iterator[_Line]:
    reader = InlineReader(styles)
    for paragraph in paragraphs:
        element, style = paragraph.element, paragraph.style
        before = element.getprevious()
        if before is not None and before.tag == f"{WORD}tbl":
            yield _Line(element=None, text="table")
        if paragraph.level is not None or styles.is_contents(style):
            continue
        by_style = styles.is_bold(style)
        if not by_style and next(element.iter(*_FACES), None) is None:
            yield _Line(element=element, text="".join(element.itertext()).strip())
            continue
        inline = reader.read(element)
        text, bold = inline.text.strip(), _is_bold(inline, by_style=by_style)
        depth = _depth(text) if bold else None
        number_id, level = styles.place_in_list(style, paragraph.properties)
        if depth is not None and number_id not in (None, _NO_LIST):
            depth = level + 1 if numbering.is_counted(number_id, level) else None
        yield _Line(element=element, text=text, bold=bold, depth=depth)


def _is_bold(inline: Inline, *, by_style: bool) -> bool:
    if inline.light_letters or not (inline.bold_letters or by_style):
        return False
    return by_style or not inline.other_letters


def _depth(text: str) -> int | None:
    """How deep a heading of these words would stand, 0 when no number says so; None for what is no heading."""
    if len(text) > _LONGEST or "\n" in text or "\t" in text or not any(map(str.isalpha, text)):
        return None
    if _CAPTION.match(text):
        return None
    match = _NUMBER.match(text)
    numbered = match is not None and (match["stop"] or match.end("number") > len(match["number"]))
    depth = len(re.split(r"[.．]", match["number"])) if match and (numbered or "." in match["number"]) else 0
    if text.endswith(_ENDS_AS_TEXT) and not (depth and text.endswith((".", "．"))):
        return None
    return depth


def _headed(lines: Sequence[_Line]) -> Iterator[_Line]:
    """The candidates with text under them, or with a deeper number under theirs."""
    seen = Counter(line.text for line in lines if line.depth is not None)
    for line, after in pairwise(lines):
        if line.depth is None or seen[line.text] > _MOST_ALIKE:
            continue
        if not after.bold or (after.depth is not None and 0 < line.depth < after.depth):
            yield line


def _is_clear(headings: Sequence[_Line], lines: Sequence[_Line]) -> bool:
    numbered = sum(bool(line.depth) for line in headings)
    if numbered < _LEAST_NUMBERED and len(headings) < _LEAST_ALL:
        return False
    letters = _letters(lines)
    bold = _letters(line for line in lines if line.bold)
    return bold <= _MOST_BOLD * letters and letters - bold >= _LEAST_TEXT * len(headings)


def _letters(lines: Iterable[_Line]) -> int:
    return sum(len(line.text) for line in lines)
