"""The text inside one Word paragraph, and what hangs on it: notes, comments, text boxes."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from minirag_mcp.parse.blocks import PAGE_BREAK, cleaned
from minirag_mcp.parse.docx_styles import Styles, is_monospaced, read_bold, read_font
from minirag_mcp.parse.ooxml import ALTERNATIVE, MATH, WORD, alternative_text, is_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml import etree

_PRIVATE_USE = range(0xE000, 0xF900)
_SYMBOL_OFFSET = 0xF000
_BULLETS = frozenset({0xB7, 0xA7, 0x6C, 0x6E, 0x71, 0x75, 0x76, 0xD8, 0xFC})
# Deleted and moved-away text, field codes, properties, phonetic guides, and containers handled elsewhere.
_SKIPPED = frozenset(
    WORD + name
    for name in (
        *("del", "moveFrom", "delText", "delInstrText", "instrText"),
        *("rPr", "pPr", "sdtPr", "sdtEndPr", "sectPr", "rt", "fldChar", "ffData"),
    )
)


@dataclass(slots=True)
class Inline:
    """What was found in a paragraph.

    text        its characters; `PAGE_BREAK` where Word last began a page
    notes       ("footnote" or "endnote", id) in order of reference
    comments    ids in order
    boxes       contents of text boxes anchored here
    monospaced  whether every letter is in a font of one width

    Letters are counted by their face: `bold_letters` and `light_letters` where a run or its style says which,
    `other_letters` where the paragraph decides.
    """

    pieces: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    boxes: "list[etree._Element]" = field(default_factory=list)
    plain_letters: int = 0
    code_letters: int = 0
    bold_letters: int = 0
    light_letters: int = 0
    other_letters: int = 0

    @property
    def text(self) -> str:
        """All characters, in order."""
        return "".join(self.pieces)

    @property
    def monospaced(self) -> bool:
        """Whether there are letters, all in fonts of one width."""
        return self.code_letters > 0 and not self.plain_letters


class InlineReader:
    """Reads paragraphs of one document; numbers its notes in the order of their references."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._note_numbers: dict[tuple[str, str], str] = {}
        self._note_counts: Counter[str] = Counter()
        self._handlers: dict[str, Callable[[etree._Element, Inline], None]] = {
            f"{WORD}r": self._run,
            f"{WORD}t": _text,
            f"{MATH}t": _text,
            f"{WORD}tab": _constant("\t"),
            f"{WORD}ptab": _constant("\t"),
            f"{WORD}br": _break,
            f"{WORD}cr": _constant("\n"),
            f"{WORD}noBreakHyphen": _constant("-"),
            f"{WORD}sym": _symbol,
            f"{WORD}lastRenderedPageBreak": _constant(PAGE_BREAK),
            f"{WORD}footnoteReference": self._note,
            f"{WORD}endnoteReference": self._note,
            f"{WORD}commentReference": _comment,
            f"{WORD}txbxContent": _box,
            f"{ALTERNATIVE}AlternateContent": self._alternative,
            "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr": _picture,
        }

    def read(self, element: "etree._Element") -> Inline:
        """Everything inside a paragraph or another container of runs."""
        found = Inline()
        self._walk(element, found)
        return found

    def note_label(self, note: tuple[str, str]) -> str:
        """The label of a note as it stands in the text."""
        if note not in self._note_numbers:
            kind = note[0]
            self._note_counts[kind] += 1
            self._note_numbers[note] = f"{'e' if kind == 'endnote' else ''}{self._note_counts[kind]}"
        return self._note_numbers[note]

    def _walk(self, element: "etree._Element", found: Inline) -> None:
        for child in element:
            tag = child.tag
            if tag in _SKIPPED:
                continue
            handler = self._handlers.get(tag)
            if handler is None:
                self._walk(child, found)
            else:
                handler(child, found)

    def _run(self, element: "etree._Element", found: Inline) -> None:
        properties = element.find(f"{WORD}rPr")
        if properties is not None and is_on(properties.find(f"{WORD}vanish"), f"{WORD}val"):
            return
        before, notes = len(found.pieces), len(found.notes)
        self._walk(element, found)
        letters = sum(len(piece.strip()) for piece in found.pieces[before:])
        if letters and self._is_code(properties):
            found.code_letters += letters
        else:
            found.plain_letters += letters
        if len(found.notes) == notes:
            self._count_bold(properties, letters, found)

    def _count_bold(self, properties: "etree._Element | None", letters: int, found: Inline) -> None:
        bold = self._bold(properties)
        found.bold_letters += letters if bold else 0
        found.light_letters += letters if bold is False else 0
        found.other_letters += letters if bold is None else 0

    def _bold(self, properties: "etree._Element | None") -> bool | None:
        own = read_bold(properties)
        element = None if properties is None or own is not None else properties.find(f"{WORD}rStyle")
        return own if element is None else self._styles.is_bold(element.get(f"{WORD}val", "")) or None

    def _is_code(self, properties: "etree._Element | None") -> bool:
        if properties is None:
            return False
        font = read_font(properties)
        element = properties.find(f"{WORD}rStyle")
        style = "" if element is None else element.get(f"{WORD}val", "")
        if font or not style:
            return is_monospaced(font)
        return self._styles.is_code(style) or self._styles.is_monospaced(style)

    def _note(self, element: "etree._Element", found: Inline) -> None:
        kind = "endnote" if element.tag == f"{WORD}endnoteReference" else "footnote"
        note = (kind, element.get(f"{WORD}id", ""))
        found.notes.append(note)
        found.pieces.append(f"[^{self.note_label(note)}]")

    def _alternative(self, element: "etree._Element", found: Inline) -> None:
        before = (len(found.pieces), len(found.boxes))
        for kind in ("Choice", "Fallback"):
            for branch in element.iterchildren(f"{ALTERNATIVE}{kind}"):
                self._walk(branch, found)
                if (len(found.pieces), len(found.boxes)) != before:
                    return


def _text(element: "etree._Element", found: Inline) -> None:
    text = (element.text or "") + "".join(child.tail or "" for child in element)
    found.pieces.append(cleaned(text))


def _constant(text: str) -> "Callable[[etree._Element, Inline], None]":
    def append(_: "etree._Element", found: Inline) -> None:
        found.pieces.append(text)

    return append


def _break(element: "etree._Element", found: Inline) -> None:
    kind = element.get(f"{WORD}type", "textWrapping")
    found.pieces.append("\n" if kind == "textWrapping" else " ")


def _symbol(element: "etree._Element", found: Inline) -> None:
    """Characters of symbol fonts have no Unicode meaning of their own, but for the usual bullets."""
    try:
        code = int(element.get(f"{WORD}char", "0"), 16)
    except ValueError:
        return
    if code in _PRIVATE_USE:
        found.pieces.append("•" if code - _SYMBOL_OFFSET in _BULLETS else "")
    elif code <= 0x10FFFF:  # noqa: PLR2004 - last code point
        found.pieces.append(cleaned(chr(code)))


def _comment(element: "etree._Element", found: Inline) -> None:
    found.comments.append(element.get(f"{WORD}id", ""))


def _box(element: "etree._Element", found: Inline) -> None:
    found.boxes.append(element)


def _picture(element: "etree._Element", found: Inline) -> None:
    description = alternative_text(element)
    if description:
        found.pieces.append(description)
