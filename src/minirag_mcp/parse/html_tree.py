"""The elements of a web page, each with its place in the source and what a reader sees in it: enough to judge them."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from minirag_mcp.parse.html_nesting import each_tag

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_EMPTY_NAMES = "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
_EMPTY = frozenset(_EMPTY_NAMES.split())
# Inline elements that say nothing about what stands in them.
_PLAIN_NAMES = (
    "abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small strike strong "
    "sub sup time tt u var html head body"
)
_PLAIN = frozenset(_PLAIN_NAMES.split())
_UNSEEN = frozenset(("noscript", "template", "iframe", "svg", "object", "audio", "video", "datalist"))
_INLINE = frozenset(("a", "span", "label", "button", "select", "picture", "summary"))
# An element of the first kind ends the open one of the second, unless one of the third stands between them.
_CELL_ENDS = (frozenset(("td", "th")), frozenset(("table",)))
_ITEM_ENDS = (frozenset(("dt", "dd")), frozenset(("dl", "table", "td", "th")))
_ROWS_END = (frozenset(("tbody", "thead", "tfoot", "caption", "colgroup")), frozenset(("table",)))
_ENDS = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu", "table", "td", "th"))),
    "dt": _ITEM_ENDS,
    "dd": _ITEM_ENDS,
    "td": _CELL_ENDS,
    "th": _CELL_ENDS,
    "tr": (frozenset(("tr",)), frozenset(("table",))),
    "tbody": _ROWS_END,
    "thead": _ROWS_END,
    "tfoot": _ROWS_END,
    "option": (frozenset(("option",)), frozenset(("select",))),
    "a": (frozenset(("a",)), frozenset(("table", "td", "th"))),
}
_TABLE_PARTS = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption"))
_CELLS = frozenset(("td", "th", "table"))
_DEEPEST = 500
"""Elements in each other, unclosed ones too. What `flattened` lets through has fewer: 120 blocks, 80 others, items."""
# Sequential and possessive: a value is never looked at twice, whatever it holds.
_ATTRIBUTE = re.compile(r"""([^\s=>"'/]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?""")
_JUDGED = frozenset(
    ("class", "id", "role", "href", "style", "hidden", "aria-hidden", "aria-label", "epub:type", "open")
)
_CONTACTS = ("mailto:", "tel:")
_MOST_KNOWN = 10_000
_LONGEST_KNOWN = 500
"""Tags, and characters of one, whose attributes are kept, for half of the tags of a page come again: five million
characters at most."""
_NONE: Mapping[str, str] = {}
_UNDISPLAYED = re.compile(r"display\s*+:\s*+none", re.IGNORECASE)


_DENSE = re.compile("[\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+")
"""Chinese characters, kana and Hangul: syllables and words."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f]+")
"""Thai, Lao, Burmese, Khmer: letters, without blanks between words."""


@dataclass(slots=True, eq=False)
class Element:
    """One element; `start` to `end` is its source with its tags; those at `index` + 1 to `after` stand in it."""

    name: str
    attributes: Mapping[str, str]
    parent: "Element | None"
    start: int
    inner: int
    index: int = -1
    end: int = 0
    after: int = 0
    text_length: int = 0
    """Characters that a reader sees, weighed as `weighed_length` does; so are the other lengths."""
    linked_length: int = 0
    """Those of them that are the words of links and buttons."""
    link_count: int = 0
    heading_count: int = 0
    is_unseen: bool = False

    @property
    def prose_length(self) -> int:
        """Characters that a reader sees outside links."""
        return self.text_length - self.linked_length

    @property
    def is_inline(self) -> bool:
        """Whether it stands inside a line."""
        return self.name in _INLINE

    def above(self) -> "Iterator[Element]":
        """The elements it stands in, the nearest first."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent


@dataclass(slots=True)
class _Reader:
    elements: list[Element] = field(default_factory=list)
    stack: list[Element] = field(default_factory=list)
    known: dict[str, Mapping[str, str]] = field(default_factory=dict)
    in_link: int = 0
    unseen: int = 0

    def text(self, piece: str) -> None:
        if self.unseen or not piece:
            return
        seen = weighed_length(" ".join(html.unescape(piece).split() if "&" in piece else piece.split()))
        top = self.stack[-1]
        top.text_length += seen
        top.linked_length += seen if self.in_link else 0

    def open(self, name: str, tag: str, *, start: int, inner: int) -> None:
        self._end_before(name, at=start)
        parent = self.stack[-1]
        element = Element(name, self._attributes(tag, name), parent, start, inner, len(self.elements))
        element.is_unseen = name in _UNSEEN or _is_hidden(element.attributes)
        element.heading_count = int(name in HEADINGS)
        self.elements.append(element)
        self.stack.append(element)
        self.unseen += element.is_unseen
        if _is_link(element):
            self.in_link += 1
            element.link_count = 1

    def close(self, name: str, *, at: int, after: int) -> None:
        for index in range(len(self.stack) - 1, 0, -1):
            above = self.stack[index].name
            if above == name:
                self._end(index, at=at, after=after)
                return
            if name in _INLINE and above not in _INLINE:
                return
            if above in _CELLS and name not in _TABLE_PARTS:
                return

    def _attributes(self, tag: str, name: str) -> Mapping[str, str]:
        if len(tag) <= len(name) + len("<>"):
            return _NONE
        attributes = self.known.get(tag)
        if attributes is None:
            attributes = _read_attributes(tag, name) or _NONE
            if len(self.known) < _MOST_KNOWN and len(tag) < _LONGEST_KNOWN:
                self.known[tag] = attributes
        return attributes

    def finish(self, at: int) -> None:
        self._end(0, at=at, after=at)

    def _end_before(self, name: str, *, at: int) -> None:
        """End the elements that the beginning of `name` ends."""
        ended, barriers = _ENDS.get(name, (frozenset(), frozenset()))
        for index in range(len(self.stack) - 1, 0, -1):
            above = self.stack[index].name
            if above in ended or (above == "p" and name not in _INLINE):
                self._end(index, at=at, after=at)
                return
            if above in barriers or (not ended and above not in _INLINE):
                return

    def _end(self, index: int, *, at: int, after: int) -> None:
        """End the open elements from `index` on: the outermost with its end tag, those in it before that tag."""
        while len(self.stack) > index:
            element = self.stack.pop()
            element.end = after if len(self.stack) == index else at
            element.after = len(self.elements)
            self.unseen -= element.is_unseen
            self.in_link -= _is_link(element)
            parent = element.parent
            if parent is not None and not element.is_unseen:
                parent.text_length += element.text_length
                parent.linked_length += element.linked_length
                parent.link_count += element.link_count
                parent.heading_count += element.heading_count


def weighed_length(text: str) -> int:
    """How long a text would be in an alphabet: Chinese characters, kana and Hangul count for 3 letters, Thai for 2.

    So one figure tells a label from a sentence in any language.
    """
    if text.isascii():
        return len(text)
    return len(text) + 2 * sum(map(len, _DENSE.findall(text))) + sum(map(len, _UNSPACED.findall(text)))


def read_tree(source: str) -> tuple[Element, list[Element]]:
    """The root, and the elements in it in the order of the source; inline elements without a meaning left out.

    Ends that the source leaves out are where a browser sees them, but for the rarest tangles of misnested tags: there
    an element ends where the one around it does. A page that piles up more elements than that is not judged: no
    elements are given.
    """
    reader = _Reader()
    root = Element("root", _NONE, None, 0, 0)
    reader.stack.append(root)
    end = 0
    for tag in each_tag(source):
        reader.text(source[end : tag.start()])
        end = tag.end()
        name = (tag[3] or "").lower()
        if not name or name in _PLAIN or name in _EMPTY:
            continue
        if tag[2]:
            reader.close(name, at=tag.start(), after=end)
        elif not tag[0].endswith("/>"):  # ends at once in XHTML; elsewhere the element around it ends too early
            reader.open(name, tag[0], start=tag.start(), inner=end)
            if len(reader.stack) > _DEEPEST:
                return root, []
    reader.text(source[end:])
    reader.finish(len(source))
    return root, reader.elements


def _read_attributes(tag: str, name: str) -> Mapping[str, str]:
    return {
        found[1].lower(): html.unescape(found[2] or found[3] or found[4] or "")
        for found in _ATTRIBUTE.finditer(tag, len(name) + 1)
        if found[1].lower() in _JUDGED
    }


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    return bool(attributes) and (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or _UNDISPLAYED.search(attributes.get("style", "")) is not None
    )


def _is_link(element: Element) -> bool:
    """Whether an element leads elsewhere. An address to write to or a number to call is something to read."""
    if element.name == "button":
        return True
    target = element.attributes.get("href") if element.name == "a" else None
    return target is not None and not target.startswith(_CONTACTS)
