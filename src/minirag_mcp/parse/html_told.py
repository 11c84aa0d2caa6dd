"""What an element of a web page says in words of its own, which is content whatever the element is called."""

import html
import re
from collections.abc import Iterator

from minirag_mcp.parse.html_page_parts import PageParts
from minirag_mcp.parse.html_tree import HEADINGS, Element, weighed_length

# Lengths of text, as `Element.text_length` weighs it; set on the pages that html_furniture names.
_MOSTLY = 0.5
"""Of the text of an element, for it to be links."""
_LEAST_SAID = 15
"""With no link in it: "Use 200 g of flour". A label such as "Advertisement" is shorter."""
_LEAST_BESIDE = 10
"""Of the items around one, for them to be a list of something."""
_SHORTEST_SENTENCE = 12
_FEWEST_ALONE = 2
"""Sentences without a heading. One may be a label: "Was this page helpful?"."""

_ITEMS = frozenset(("li", "dt", "dd"))
_NOT_SAID = HEADINGS | {"a"}
_TAG = re.compile(r"<[^<>]*+>")
_SENTENCE_END = re.compile(r"(?:(?<!\d)\.|[!?…])(?=[\s\"'”’»)]|$)|\.$|[。！？।]")
"""Not the point in "31.11. Quick Setup": the arrows of a manual stand at the titles of chapters."""
_FIELD = re.compile(r"<(?:textarea|select|input(?![^<>]*\btype=[\"']?hidden))\b", re.IGNORECASE)
_CONTROL = re.compile("<button|role=[\"']?button", re.IGNORECASE)
_RIGHTS = re.compile(r"©|&copy;|&#169;|copyright\s+(?:\(c\)|\d{4})|all rights reserved", re.IGNORECASE)


def is_told(page: PageParts, element: Element) -> bool:
    """Whether an element says something in sentences of its own, or is one of a list of items that do.

    What can be filled in or pressed is a form, and a line on rights is a line on rights, though they may be sentences.
    """
    if _is_links(element):
        return False
    source = page.source_of(element)
    if _FIELD.search(source) or _CONTROL.search(source) or _RIGHTS.search(source):
        return False
    if not page.is_outside(element) and (_is_item_among_others(element) or _is_plain_paragraph(element)):
        return True
    return _sentences(page, element) >= (1 if element.heading_count else _FEWEST_ALONE)


def is_told_dialog(page: PageParts, element: Element) -> bool:
    """Whether a dialog is there to read: it is open, or has nothing to press, and nothing to fill in."""
    if element.prose_length < _LEAST_SAID:
        return False
    source = page.source_of(element)
    return not _FIELD.search(source) and ("open" in element.attributes or not _CONTROL.search(source))


def _is_item_among_others(element: Element) -> bool:
    around = element.parent
    if element.name not in _ITEMS or around is None:
        return False
    beside = around.text_length - element.text_length
    return beside >= _LEAST_BESIDE and around.linked_length - element.linked_length < _MOSTLY * beside


def _is_plain_paragraph(element: Element) -> bool:
    return element.name == "p" and not element.link_count and element.text_length >= _LEAST_SAID


def _sentences(page: PageParts, element: Element) -> int:
    """How many whole sentences stand in an element outside its links and headings."""
    text = " ".join(html.unescape(_TAG.sub(" ", " ".join(_pieces_said(page, element)))).split())
    return sum(weighed_length(piece.strip()) >= _SHORTEST_SENTENCE for piece in _SENTENCE_END.split(text)[:-1])


def _pieces_said(page: PageParts, element: Element) -> Iterator[str]:
    end = element.inner
    for part in page.elements[element.index + 1 : element.after]:
        if part.start >= end and (part.name in _NOT_SAID or part.is_unseen):
            yield page.source[end : part.start]
            end = part.end
    yield page.source[end : element.end]


def _is_links(element: Element) -> bool:
    return element.linked_length >= _MOSTLY * element.text_length
