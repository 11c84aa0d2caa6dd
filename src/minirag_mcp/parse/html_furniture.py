"""The furniture of web pages: what stands on every page of a site and says nothing about this one.

Menus, bread crumbs, side bars, lists of languages, questions about cookies, links to share, to edit and to skip,
search boxes, footers. A page is judged by its landmarks and roles, by the names its maker gave to the elements, and by
how much of an element is links. In doubt an element stays: none is cut that holds the content, the title or much prose,
none for its name alone that says something in sentences of its own (html_told), and when most of the prose would go,
nothing is cut but what says that it is navigation.
"""

import re

from minirag_mcp.parse.html_consent import asks_about_cookies, is_consent, is_dialog
from minirag_mcp.parse.html_cut import chosen, without_elements
from minirag_mcp.parse.html_page_parts import PageParts
from minirag_mcp.parse.html_signs import is_page_number, is_sign
from minirag_mcp.parse.html_told import is_told, is_told_dialog
from minirag_mcp.parse.html_tree import Element, read_tree

# The figures below part what is furniture from what is not in some 700 pages of 13 sites and manuals, each thing left
# out looked at (benchmarks/parsing/furniture.py --list). Lengths are of text, as `Element.text_length` weighs it.
_MOSTLY = 0.5
"""Of the text of an element, for it to be called links; of the prose of a page, for it to stay."""
_LONGEST_PROSE = 500
"""What is longer and not in links is for reading, whatever its name: an aside, a note about the author."""
_SHORTEST_PROSE = 40
_HARDLY_LINKED = 0.2
"""A landmark beside the content with more prose and fewer links is read: opening hours, a standfirst."""
_LONGEST_BRIEF = 400
"""What is named as a small part, or as navigation without being links, and is longer says something."""
_LEAST_AROUND = 10
"""Of a line around an element in it: more than marks between links."""
_LEAST_LINKED = 0.3
"""Of a part whose name may be its subject too, such as sharing: with fewer links it is about that."""
_LEAST_KEPT = 200
_LEAST_SHARE_KEPT = 0.05
"""Of a page: with less than both, the page was cut rather than what is around it. Some are a sentence and a menu."""
_FEWEST_REPEATED = 3
_MOSTLY_REPEATED = 0.9
"""Links of a list of contents, and how many of them have the words of a heading: one in ten may say it otherwise."""
_LONGEST_LABEL = 40
"""Beside the links of a list: "Contents", "Read this page in other languages:"."""
_LONGEST_LANGUAGE = 20
"""On average: "Deutsch", "Português do Brasil"."""
_MOST_IN_CONTENTS = 50_000
"""Elements: far more than a list of contents has, and they are gone through for each list they stand in."""

_LANDMARKS = frozenset(("nav", "aside", "form", "button", "select"))
_ROLES = frozenset(("search", "complementary", "banner", "menu", "menubar", "toolbar"))
_SECTIONS = frozenset(("main", "article", "section", "blockquote", "figure", "td", "th"))
_HOLDERS = frozenset(("aside", "div", "footer", "header", "nav", "ol", "p", "section", "table", "ul"))
_LISTS = frozenset(("ul", "ol", "dl"))
_CONTENTS = frozenset((*_LISTS, "div", "nav", "table", "details", "aside"))
_LINES = frozenset(("p", "li", "dd", "td", "th", "figcaption", "caption"))
_RIGHTS = re.compile("©|&copy;|&#169;|copyright", re.IGNORECASE)


def without_furniture(source: str) -> str:
    """`source` without the elements that are furniture; the rest of it is as it was."""
    return without_elements(source, left_out(source))


def left_out(source: str) -> list[Element]:
    """The elements of a page that are furniture, in the order of the source; none lies in another."""
    page = PageParts(source, *read_tree(source))
    for judgement in (_is_furniture, _is_navigation):
        found = list(chosen(page, judgement))
        if _is_enough_left(page, found):
            return found
    return []


def without_navigation(source: str) -> str:
    """`source` without its landmarks of navigation and the numbers of printed pages: for the parts of a book."""
    page = PageParts(source, *read_tree(source))
    return without_elements(source, list(chosen(page, _is_of_the_book)))


def _is_enough_left(page: PageParts, cut: list[Element]) -> bool:
    """Whether a page without `cut` still says what it said: most of its prose, and more than a title."""
    asked = {element.index for element in cut if is_consent(page, element)}
    others = [element for element in cut if element.index not in asked]
    text = page.root.text_length - sum(page.elements[index].text_length for index in asked)
    prose = page.root.prose_length - sum(page.elements[index].prose_length for index in asked)
    kept = text - sum(element.text_length for element in others)
    kept_prose = prose - sum(element.prose_length for element in others)
    return kept > 0 and kept >= min(_LEAST_KEPT, _LEAST_SHARE_KEPT * text) and kept_prose >= _MOSTLY * prose


def _is_navigation(page: PageParts, element: Element) -> bool:
    is_one = element.name == "nav" or "navigation" in element.attributes.get("role", "")
    return (
        is_one
        and not page.holds_title(element)
        and (_is_mostly_links(element) or element.text_length <= _LONGEST_BRIEF)
    )


def _is_of_the_book(page: PageParts, element: Element) -> bool:
    return is_page_number(element) or _is_navigation(page, element)


def _is_furniture(page: PageParts, element: Element) -> bool:
    if is_sign(page, element) or is_consent(page, element):
        return True
    if element.prose_length > _LONGEST_PROSE or page.holds_title(element) or _is_in_sentence(element):
        return False
    if page.is_outside(element) and _is_furniture_around(page, element):
        return True
    judgements = (_is_navigation, _is_repeated, _is_named_furniture, _is_site_footer)
    return any(is_one(page, element) for is_one in judgements)


def _is_furniture_around(page: PageParts, element: Element) -> bool:
    """Whether an element beside the content is furniture: links, landmarks that say little, and dialogs."""
    role = element.attributes.get("role", "")
    if _is_mostly_links(element):
        return True
    if is_dialog(element):
        return not is_told_dialog(page, element)
    if element.prose_length > _SHORTEST_PROSE and element.linked_length < _HARDLY_LINKED * element.text_length:
        return asks_about_cookies(page, element)
    is_landmark = (
        element.name in _LANDMARKS or role in _ROLES or (element.name == "header" and not element.heading_count)
    )
    return is_landmark or asks_about_cookies(page, element)


def _is_named_furniture(page: PageParts, element: Element) -> bool:
    if element.attributes.get("role") == "search" or _lists_languages(page, element):
        return True
    meaning = page.meaning(element)
    is_known = page.is_outside(element) or element.linked_length >= _LEAST_LINKED * element.text_length > 0
    if (meaning.is_small_part or (meaning.is_maybe_small_part and is_known)) and element.text_length <= _LONGEST_BRIEF:
        return not is_told(page, element)
    return meaning.holds_links and element.name in _HOLDERS and _is_mostly_links(element)


def _lists_languages(page: PageParts, element: Element) -> bool:
    """Whether an element leads to the page in other languages and to nothing else."""
    if element.name not in _HOLDERS or element.link_count < 2 or element.prose_length > _LONGEST_LABEL:  # noqa: PLR2004 - languages
        return False
    is_short = element.linked_length <= _LONGEST_LANGUAGE * element.link_count
    return is_short and page.source_of(element).count("hreflang=") >= element.link_count - 1


def _is_site_footer(page: PageParts, element: Element) -> bool:
    """Whether an element is the footer of the site, not of a part of the page, and has links or rights in it."""
    is_one = element.name == "footer" or element.attributes.get("role") == "contentinfo"
    if not (is_one or (page.meaning(element).is_footer and not is_told(page, element))):
        return False
    is_outside = page.is_outside(element)
    if not is_outside and any(above.name in _SECTIONS for above in element.above()):
        return False
    least = 0.0 if is_outside else _LEAST_LINKED * element.text_length
    return element.linked_length > least or bool(_RIGHTS.search(page.source_of(element)))


def _is_in_sentence(element: Element) -> bool:
    """Whether an element is some words of a line that says more than it."""
    line = element.parent
    return element.is_inline and line is not None and line.name in _LINES and line.prose_length >= _LEAST_AROUND


def _is_repeated(page: PageParts, element: Element) -> bool:
    """Whether an element is a list of contents that repeats the headings of the page, its own title beside it."""
    if element.name not in _CONTENTS or element.heading_count > 1 or element.after - element.index > _MOST_IN_CONTENTS:
        return False
    if element.link_count < _FEWEST_REPEATED:
        return False
    if page.links_to_headings(element) < _MOSTLY_REPEATED * element.link_count or not _is_mostly_links(element):
        return False
    return page.beside_links(element) <= (0 if element.name in _LISTS else _LONGEST_LABEL)


def _is_mostly_links(element: Element) -> bool:
    return element.linked_length >= _MOSTLY * element.text_length
