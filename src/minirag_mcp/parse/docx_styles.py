"""What the styles of a Word document say about a paragraph: heading, title, contents entry, code, list."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minirag_mcp.parse.ooxml import WORD, is_on, number_of

if TYPE_CHECKING:
    from lxml import etree

BODY_LEVEL = 9
"""The outline level that means "no heading"."""

# Built-in styles keep their English name in every language of Word; the rest is what other programs write.
_HEADING_NAME = re.compile(
    r"^(?:heading|заголовок|überschrift|titre|título|titolo|kop|nagłówek|rubrik|标题|標題|見出し|제목)\s*([1-9])\b",
    re.IGNORECASE,
)
_TITLE_NAMES = frozenset({"title", "название", "titel", "doctitle", "document title"})
_CONTENTS_NAME = re.compile(r"^(?:toc|оглавление|table of figures|contents)(?: heading)?\s*\d*$", re.IGNORECASE)
# Not "HTML Preformatted" and "Plain Text": real documents set letters and whole press reviews in them.
_CODE_NAME = re.compile(r"^(?:code\b.*|.*\bcode|sourcecode|verbatim.*|(?:program )?listing)$", re.IGNORECASE)
_MONOSPACED = frozenset({
    "courier", "courier new", "consolas", "menlo", "monaco", "lucida console", "cascadia code", "cascadia mono",
    "source code pro", "fira code", "fira mono", "jetbrains mono", "liberation mono", "dejavu sans mono",
    "ubuntu mono", "roboto mono", "sf mono", "ibm plex mono", "andale mono", "inconsolata", "noto sans mono",
    "droid sans mono", "pt mono", "cousine", "monospace",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ListUse:
    """Which numbering a paragraph takes part in: list id ("0" is none) and level, either maybe inherited."""

    number_id: str | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One style of its own, without what it inherits."""

    name: str
    parent: str
    outline: int | None
    listing: ListUse
    font: str
    bold: bool | None = None


class Styles:
    """The styles of a document, by id; unknown ids and circular chains are harmless."""

    def __init__(self, root: "etree._Element | None") -> None:
        self._styles: dict[str, Style] = {}
        self._chains: dict[str, list[Style]] = {}
        self._default = ""
        for element in () if root is None else root.iter(f"{WORD}style"):
            style_id = element.get(f"{WORD}styleId", "")
            self._styles[style_id] = _read_style(element)
            if element.get(f"{WORD}type") == "paragraph" and element.get(f"{WORD}default") in ("1", "true"):
                self._default = style_id

    def level(self, style_id: str) -> int | None:
        """Heading level (1-based) that paragraphs of this style have, or None."""
        for style in self._chain(style_id):
            named = _HEADING_NAME.match(style.name)
            if named:
                return int(named[1])
            if style.outline is not None:
                return style.outline + 1 if style.outline < BODY_LEVEL else None
        return None

    def is_title(self, style_id: str) -> bool:
        """Whether this style marks the title of the document."""
        return any(style.name.casefold() in _TITLE_NAMES for style in self._chain(style_id))

    def is_contents(self, style_id: str) -> bool:
        """Whether this style marks entries of a table of contents."""
        return any(_CONTENTS_NAME.match(style.name) for style in self._chain(style_id))

    def is_code(self, style_id: str) -> bool:
        """Whether this style is meant for code."""
        return any(_CODE_NAME.match(style.name) for style in self._chain(style_id))

    def is_monospaced(self, style_id: str) -> bool:
        """Whether the nearest font of this style has letters of one width."""
        font = next((style.font for style in self._chain(style_id) if style.font), "")
        return is_monospaced(font)

    def is_bold(self, style_id: str) -> bool:
        """Whether this style sets text in bold."""
        return next((style.bold for style in self._chain(style_id) if style.bold is not None), False)

    def list_use(self, style_id: str) -> ListUse:
        """The numbering of this style: each of id and level from the nearest style that names it."""
        chain = self._chain(style_id)
        uses = [style.listing for style in chain]
        return ListUse(
            number_id=next((use.number_id for use in uses if use.number_id is not None), None),
            level=next((use.level for use in uses if use.level is not None), None),
        )

    def place_in_list(self, style_id: str, properties: "etree._Element | None") -> tuple[str | None, int]:
        """List id and level (0-based) of a paragraph of this style with these properties; id None outside lists."""
        own, inherited = read_list_use(properties), self.list_use(style_id)
        number_id = own.number_id if own.number_id is not None else inherited.number_id
        level = own.level if own.level is not None else inherited.level
        return number_id, level or 0

    def _chain(self, style_id: str) -> list[Style]:
        if style_id not in self._chains:
            self._chains[style_id] = self._resolved(style_id)
        return self._chains[style_id]

    def _resolved(self, style_id: str) -> list[Style]:
        chain: list[Style] = []
        seen: set[str] = set()
        current = style_id or self._default
        while current and current not in seen:
            seen.add(current)
            style = self._styles.get(current)
            if style is None:
                chain.append(_unlisted(current))
                break
            chain.append(style)
            current = style.parent
        return chain


def is_monospaced(font: str) -> bool:
    """Whether this font has letters of one width."""
    return font.casefold() in _MONOSPACED


def read_list_use(properties: "etree._Element | None") -> ListUse:
    """The numbering named by paragraph properties (`w:pPr`)."""
    element = None if properties is None else properties.find(f"{WORD}numPr")
    if element is None:
        return ListUse()
    level = _value(element, "ilvl")
    return ListUse(number_id=_value(element, "numId"), level=None if level is None else number_of(level))


def read_outline(properties: "etree._Element | None") -> int | None:
    """The outline level (0-based, 9 = body text) named by paragraph properties, or None."""
    value = None if properties is None else _value(properties, "outlineLvl")
    return None if value is None else number_of(value, default=BODY_LEVEL)


def read_level(properties: "etree._Element | None", by_style: int | None) -> int | None:
    """The heading level (1-based) of a paragraph with these properties, in a style of level `by_style`."""
    outline = read_outline(properties)
    if outline is None:
        return by_style
    return outline + 1 if outline < BODY_LEVEL else None


def read_bold(properties: "etree._Element | None") -> bool | None:
    """Whether run properties (`w:rPr`) say bold, or not bold, or nothing of it."""
    element = None if properties is None else properties.find(f"{WORD}b")
    return None if element is None else is_on(element, f"{WORD}val")


def read_font(properties: "etree._Element | None") -> str:
    """The font for Latin letters named by run properties (`w:rPr`), or ""."""
    fonts = None if properties is None else properties.find(f"{WORD}rFonts")
    return "" if fonts is None else fonts.get(f"{WORD}ascii", "")


def _read_style(element: "etree._Element") -> Style:
    properties = element.find(f"{WORD}pPr")
    return Style(
        name=(_value(element, "name") or "").strip(),
        parent=_value(element, "basedOn") or "",
        outline=read_outline(properties),
        listing=read_list_use(properties),
        font=read_font(element.find(f"{WORD}rPr")),
        bold=read_bold(element.find(f"{WORD}rPr")),
    )


def _unlisted(style_id: str) -> Style:
    name = re.sub(r"(?<=\D)(?=\d)", " ", style_id)
    return Style(name=name, parent="", outline=None, listing=ListUse(), font="")


def _value(element: "etree._Element", name: str) -> str | None:
    child = element.find(f"{WORD}{name}")
    return None if child is None else child.get(f"{WORD}val")
