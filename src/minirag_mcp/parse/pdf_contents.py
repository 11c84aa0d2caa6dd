"""Tables of contents in a PDF: entries that lead to page numbers."""

import re
from collections.abc import Sequence
from itertools import pairwise

from minirag_mcp.parse.pdf_page import Line

LEADERS = re.compile(r"(?:\s?[.·…_]){5,}\s*")
_ENTRY = re.compile(r"(?:\s?[.·…]){5,300}\s*(\d{1,4}|[ivxl]{1,6})$")
# Menus and price lists use leaders too, but not with numbers that rise from entry to entry.
_MIN_ENTRIES = 4
_RISING_SHARE = 0.9
# Lines from one entry to the next, headings of parts between them.
_NEAR = 3


def without_contents(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page without the entries of a table of contents: its headings stand in the text itself."""
    groups: list[dict[int, str]] = []
    last = -_NEAR - 1
    for index, line in enumerate(lines):
        match = _ENTRY.search(line.text)
        if match:
            if index - last > _NEAR:
                groups.append({})
            groups[-1][index] = match[1]
            last = index
    dropped = {index for group in groups if _is_contents(group) for index in group}
    return [line for index, line in enumerate(lines) if index not in dropped]


def _is_contents(entries: dict[int, str]) -> bool:
    numbers = [int(number) for number in entries.values() if number.isdigit()]
    rising = sum(before <= after for before, after in pairwise(numbers))
    return len(numbers) >= _MIN_ENTRIES and rising >= _RISING_SHARE * (len(numbers) - 1)
