"""Questions about cookies in a web page, told from pages that are about cookies or consent."""

import re

from minirag_mcp.parse.html_page_parts import PageParts
from minirag_mcp.parse.html_tree import Element

# Lengths of text, as `Element.text_length` weighs it; set on the pages that html_furniture names.
_LONGEST_DIALOG = 20_000
"""A dialog may list what hundreds of partners store; what is longer is a page on it."""
_LONGEST_BANNER = 2_000
"""What its name says is a question, with nothing to press: some paragraphs. With buttons it may be any dialog."""
_LONGEST_QUESTION = 800
"""What only seems to ask, with something to press: a few sentences. What a page says of cookies is longer."""
_LONGEST_WITHOUT_LINKS = 400
"""The same with nothing to press: half as much is believed."""
_DIALOGS = frozenset(("dialog", "alertdialog"))
_COOKIE = re.compile("cookie|クッキー", re.IGNORECASE)
_BUTTON = re.compile("<button|role=[\"']?button|type=[\"']?(?:button|submit)", re.IGNORECASE)


def is_consent(page: PageParts, element: Element) -> bool:
    """Whether an element asks for consent, by its names and what it can be answered with."""
    if element.text_length > _LONGEST_DIALOG or page.holds_title(element):
        return False
    meaning = page.meaning(element)
    if meaning.is_consent or (meaning.is_maybe_consent and page.is_outside(element)):
        return element.link_count > 0 or element.text_length <= _LONGEST_BANNER
    longest = _LONGEST_QUESTION if element.link_count else _LONGEST_WITHOUT_LINKS
    if meaning.is_maybe_consent and element.text_length <= longest:
        return True
    if meaning.is_maybe_consent or meaning.is_about_cookies:
        return element.link_count > 0 and _BUTTON.search(page.source_of(element)) is not None
    return is_dialog(element) and bool(_COOKIE.search(page.source_of(element)))


def asks_about_cookies(page: PageParts, element: Element) -> bool:
    """Whether an element without a telling name is a few sentences on cookies with something to press."""
    is_short = element.text_length <= _LONGEST_QUESTION and element.link_count > 0
    return is_short and bool(_COOKIE.search(page.words_of(element)))


def is_dialog(element: Element) -> bool:
    """Whether an element is a dialog, by its name or its role."""
    return element.name == "dialog" or element.attributes.get("role", "") in _DIALOGS
