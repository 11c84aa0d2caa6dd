"""Tables of contents in a PDF: entries that lead to page numbers."""

import re
from collections.abc import Sequence
from itertools import pairwise

from minirag_mcp.parse.pdf_page import Line

LEADERS = re.compile(r"(?:\s?[.·…_ꞏ⋅‧・]){5,}\s*")
_ENTRY = re.compile(r"(?:\s?[.·…ꞏ⋅‧・]){5,300}\s*(\d{1,4}|[ivxl]{1,6})$")
_BARE_NUMBER = re.compile(r"\d{1,4}|[ivxl]{1,6}")
_TITLE = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|(?:[ií]ndice|tabla de contenidos?)"
    r"(?: general[e]?)?|contenido|sum[aá]rio|sommario|inhoud(?:sopgave)?|innehåll(?:sförteckning)?|indhold|innhold"
    r"|sisällys(?:luettelo)?|spis treści|obsah|tartalom(?:jegyzék)?|cuprins|içindekiler|περιεχόμενα|содержание"
    r"|оглавление|зміст|съдържание|садржај|sadržaj|目\s*[录錄次]|목\s*차|المحتويات|فهرست(?: مطالب)?|תוכן(?: העניינים)?",
    re.IGNORECASE,
)
# An entry without leaders has its number so far from its words, in font sizes.
_FAR = 1.2
# Menus and price lists use leaders too, but not with numbers that rise from entry to entry.
_MIN_ENTRIES = 4
_RISING_SHARE = 0.9
# Lines from one entry to the next, headings of parts between them.
_NEAR = 3


def without_contents(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page without the entries of a table of contents: its headings stand in the text itself."""
    groups: list[dict[int, str]] = [{}]
    last = -_NEAR - 1
    for index, line in enumerate(lines):
        number = _page_number(line, listed=index - last <= _NEAR)
        titled = _TITLE.fullmatch(line.text) is not None
        if titled or (number and index - last > _NEAR):
            groups.append({})
        if number:
            groups[-1][index] = number
        if number or titled:
            last = index
    dropped = {index for group in groups if _is_contents(group) for index in group}
    return [line for index, line in enumerate(lines) if index not in dropped]


def _page_number(line: Line, *, listed: bool) -> str:
    """The page to which a line leads, or ""; without leaders it must be `listed` and the number far from the words."""
    match = _ENTRY.search(line.text)
    if match or not listed or len(line.words) < 2:  # noqa: PLR2004 - a word and the number
        return match[1] if match else ""
    before, last = line.words[-2:]
    far = last.left - before.right > _FAR * line.size
    return last.text if far and _BARE_NUMBER.fullmatch(last.text) else ""


def _is_contents(entries: dict[int, str]) -> bool:
    numbers = [int(number) for number in entries.values() if number.isdigit()]
    rising = sum(before <= after for before, after in pairwise(numbers))
    return len(numbers) >= _MIN_ENTRIES and rising >= _RISING_SHARE * (len(numbers) - 1)
