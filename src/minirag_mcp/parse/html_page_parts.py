"""What is known of a web page as a whole: where its content is, which headings it has, and what its elements hold."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from minirag_mcp.parse.html_names import NOTHING, Meaning, is_content, meaning_of
from minirag_mcp.parse.html_title import title_of
from minirag_mcp.parse.html_tree import HEADINGS, Element, weighed_length

_MAIN_SHARE = 0.3
_CONTENT_SHARE = 0.5
"""Of the prose of a page, for elements to be taken for its content: those that say they are, and others."""
_TITLE_SHARE = 0.5
"""Of the letters of the `<title>`, which often names the site too."""
_LONGEST_READ = 1_000
_LONGEST_SOURCE = 50_000
_PLAIN = re.compile(r"[A-Za-z][\w-]*")
_IDENTIFIED = frozenset(("aside", "div", "footer", "form", "header", "nav", "ol", "p", "section", "table", "ul"))
_TAG = re.compile(r"<[^<>]*>")
_NUMBERING = re.compile(r"[\s\d.,:;()§·•|–—-]+")
_NOT_LETTERS = re.compile(r"[\W\d_]+")


@dataclass(frozen=True)
class PageParts:
    """A page and its elements."""

    source: str
    root: Element
    elements: list[Element]

    @cached_property
    def content(self) -> list[Element]:
        """The elements that hold the content; empty when nothing says where it is."""
        for is_one, share in ((_is_main, _MAIN_SHARE), (_is_article, _CONTENT_SHARE), (_is_named, _CONTENT_SHARE)):
            found = list(_outermost(self.elements, is_one))
            if found and sum(element.prose_length for element in found) >= share * self.root.prose_length:
                return found
        return []

    def holds_content(self, element: Element) -> bool:
        """Whether the content is in an element, or is the element."""
        return element.start in self._around

    def is_outside(self, element: Element) -> bool:
        """Whether it is known where the content is, and an element is no part of it."""
        return bool(self.content) and not self._inside[element.index]

    def holds_title(self, element: Element) -> bool:
        """Whether the title of the page is in an element."""
        return element.start in self._titled

    def meaning(self, element: Element) -> Meaning:
        """What the names of an element say of it. That of a section with a heading is the name of what it is about."""
        names = element.attributes.get("class", "")
        identifier = element.attributes.get("id", "")
        if identifier and element.name in _IDENTIFIED and _PLAIN.fullmatch(identifier):
            is_section = element.heading_count > 0 and (element.name == "section" or "section" in names.split())
            is_subject = not self.is_outside(element) and (is_section or _letters(identifier) in self._headings)
            names = names if is_subject else f"{names} {identifier}"
        return meaning_of(names) if names else NOTHING

    def source_of(self, element: Element) -> str:
        """The source of an element, with its tags; the beginning of it, when it is long."""
        return self.source[element.start : min(element.end, element.start + _LONGEST_SOURCE)]

    def words_of(self, element: Element) -> str:
        """The source of an element without its tags; the beginning of it, when it is long."""
        return _TAG.sub("", self.source_of(element))

    def text_of(self, element: Element) -> str:
        """The beginning of the text in an element."""
        inner = self.source[element.inner : min(element.end, element.inner + _LONGEST_READ)]
        return html.unescape(_TAG.sub("", inner)).strip()

    def beside_links(self, element: Element) -> int:
        """How many characters in an element are neither in links nor numbers, bullets or blanks."""
        pieces: list[str] = []
        end = element.inner
        for link in self.elements[element.index : element.after]:
            if link.name == "a" and link.start >= end:
                pieces.append(self.source[end : link.start])
                end = link.end
        pieces.append(self.source[end : element.end])
        return weighed_length(_NUMBERING.sub("", html.unescape(_TAG.sub("", "".join(pieces)))))

    def links_to_headings(self, element: Element) -> int:
        """How many of the links in an element have the words of a heading of the page."""
        return self._repeated[element.after] - self._repeated[element.index]

    @cached_property
    def _around(self) -> frozenset[int]:
        return _with_above(self.content)

    @cached_property
    def _titled(self) -> frozenset[int]:
        titles = [element for element in self.elements if element.name == "h1" and element.text_length]
        inside = [element for element in titles if self.content and self._inside[element.index]]
        return _with_above([*(inside or titles), *self._named_titles()])

    def _named_titles(self) -> Iterator[Element]:
        """What begins with most of the words of the `<title>`."""
        title = _letters(title_of(self.source) or "")
        for element in self.elements:
            if title and _is_titling(element):
                words = self._first_words(element)
                if words in title and len(words) >= _TITLE_SHARE * len(title):
                    yield element

    def _first_words(self, element: Element) -> str:
        inner = self.source[element.inner : min(element.end, element.inner + _LONGEST_READ)]
        return next((letters for piece in _TAG.split(inner) if (letters := _letters(html.unescape(piece)))), "")

    @cached_property
    def _inside(self) -> bytearray:
        inside = bytearray(len(self.elements))
        for area in self.content:
            inside[area.index : area.after] = b"\1" * (area.after - area.index)
        return inside

    @cached_property
    def _headings(self) -> frozenset[str]:
        titles = (_letters(self.text_of(element)) for element in self._seen_headings())
        return frozenset(title for title in titles if title)

    def _seen_headings(self) -> Iterator[Element]:
        return (element for element in self.elements if element.text_length and element.name in HEADINGS)

    @cached_property
    def _repeated(self) -> list[int]:
        repeats = (
            element.name == "a" and element.link_count > 0 and _letters(self.text_of(element)) in self._headings
            for element in self.elements
        )
        return list(accumulate(repeats, initial=0))


def _with_above(elements: Iterable[Element]) -> frozenset[int]:
    return frozenset(above.start for element in elements for above in (element, *element.above()))


def _is_titling(element: Element) -> bool:
    return bool(element.text_length) and (
        element.name in HEADINGS or "title" in element.attributes.get("class", "").lower()
    )


def _outermost(elements: list[Element], is_one: Callable[[Element], bool]) -> Iterator[Element]:
    index = 0
    while index < len(elements):
        element = elements[index]
        if element.text_length and is_one(element):
            yield element
            index = element.after
        else:
            index += 1


def _is_main(element: Element) -> bool:
    return element.name == "main" or element.attributes.get("role") == "main"


def _is_article(element: Element) -> bool:
    return element.name == "article" or element.attributes.get("role") == "article"


def _is_named(element: Element) -> bool:
    return is_content(element.attributes)


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()
