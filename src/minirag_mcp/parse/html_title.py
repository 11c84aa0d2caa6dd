"""What the head of a web page calls it."""

import html
import re

_HEAD_WITHIN = 100_000
"""Characters. Styles written into a head take tens of thousands, and what it says of the page may follow them."""
_TITLE = re.compile(r"<title\b[^<>]*>((?:[^<]|<(?!/?title\b)){0,2000})</title\b", re.IGNORECASE)
"""Tags inside the element are text, as browsers take them."""


def head_of(source: str) -> str:
    """The beginning of a page, in which its head is, or enough of it."""
    return source[:_HEAD_WITHIN]


def title_of(source: str) -> str | None:
    """What the `<title>` element says, or None; those of drawings (SVG) and in comments are others.

    The name of the site behind the title stays: on some pages it is the only word that tells what they are about,
    as in "Installation - NumPy".
    """
    head = head_of(source)
    for found in _TITLE.finditer(head):
        words = " ".join(html.unescape(found[1]).split())
        if words and not _is_inside(head, found, "<svg", "</svg") and not _is_inside(head, found, "<!--", "-->"):
            return words
    return None


def _is_inside(head: str, found: re.Match[str], opening: str, closing: str) -> bool:
    return head.rfind(opening, 0, found.start()) > head.rfind(closing, 0, found.start())
