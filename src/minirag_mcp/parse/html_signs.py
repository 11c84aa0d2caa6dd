"""Small signs in a web page or a book: links at headings and notes, numbers of printed pages."""

from minirag_mcp.parse.html_page_parts import PageParts
from minirag_mcp.parse.html_tree import Element

_LONGEST_SIGN = 40
"""Of text, as `Element.text_length` weighs it: a sign may say "Permalink to this heading". Prose is longer."""
_MOSTLY = 0.5
"""Of a block, in links: a line or an item that says more than its link is no sign."""
_LONGEST_NUMBER = 12
"""Of text: "Page xxviii". What is marked as the break of a page and is longer is text of the page."""
_SIGNS = frozenset("¶#§🔗⚓↑↩\uf0c1\u200b\ufe0e")


def is_sign(page: PageParts, element: Element) -> bool:
    """Whether an element is the sign that links to the heading or from the note it stands at."""
    is_link = element.linked_length > (0 if element.is_inline else _MOSTLY * element.text_length)
    if element.text_length <= _LONGEST_SIGN and is_link and page.meaning(element).is_sign:
        return True
    if element.name != "a" or element.text_length > 2:  # noqa: PLR2004 - a sign, and what makes it plain text
        return False
    return "#" in element.attributes.get("href", "") and _SIGNS.issuperset(page.text_of(element))


def is_page_number(element: Element) -> bool:
    """Whether an element marks where a page begins in print."""
    kinds = f"{element.attributes.get('epub:type', '')} {element.attributes.get('role', '')}"
    return element.text_length <= _LONGEST_NUMBER and "pagebreak" in kinds
