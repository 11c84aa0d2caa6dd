"""Which elements of a web page are cut, and how: outermost ones only, and never what the page is for."""

from collections.abc import Callable, Iterable, Iterator

from minirag_mcp.parse.html_page_parts import PageParts
from minirag_mcp.parse.html_signs import is_page_number, is_sign
from minirag_mcp.parse.html_tree import Element

_GROUP_NAMES = (
    "a address aside button center dd details dialog dir div dl dt fieldset figure footer form header label li menu "
    "nav ol p section select span summary table tbody tr ul"
)
_GROUPS = frozenset(_GROUP_NAMES.split())
_READ_ROLES = frozenset(("doc-bibliography", "doc-endnotes", "doc-footnote", "doc-glossary", "doc-index", "tablist"))
_IN_A_LIST = frozenset(("li", "tr", "tbody", "dt", "dd"))


def chosen(page: PageParts, is_cut: Callable[[PageParts, Element], bool]) -> Iterator[Element]:
    """The outermost elements that can be cut and that `is_cut` says are to be, in the order of the source."""
    index = read = 0
    while index < len(page.elements):
        element = page.elements[index]
        if _is_to_read(page, element):
            read = max(read, element.after)
        if element.is_unseen:
            index = element.after
        elif _may_go(page, element, read=index < read) and is_cut(page, element):
            yield element
            index = element.after
        else:
            index += 1


def without_elements(source: str, cut: Iterable[Element]) -> str:
    """`source` without the elements of `cut`, which are in its order; words before and after one stay apart."""
    pieces: list[str] = []
    end = 0
    for element in cut:
        pieces.extend((source[end : element.start], _between(element)))
        end = element.end
    return "".join((*pieces, source[end:])) if pieces else source


def _may_go(page: PageParts, element: Element, *, read: bool) -> bool:
    """Whether an element can be furniture at all; of what is named as for reading (`read`) only signs can."""
    if not element.text_length or element.name not in _GROUPS or page.holds_content(element):
        return False
    return not read or is_sign(page, element) or is_page_number(element)


def _is_to_read(page: PageParts, element: Element) -> bool:
    return element.attributes.get("role", "") in _READ_ROLES or page.meaning(element).is_to_read


def _between(element: Element) -> str:
    """What keeps the words before an element apart from those after it."""
    if element.name in _IN_A_LIST or (element.is_inline and is_page_number(element)):
        return ""
    return " " if element.is_inline else "<div></div>"
