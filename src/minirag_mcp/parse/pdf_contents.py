"""Tables of contents in a PDF: entries that lead to page numbers."""

import re
from collections.abc import Sequence
from itertools import pairwise

from minirag_mcp.parse.pdf_page import Line

LEADERS = re.compile(r"(?:\s?[.·…_]){5,}\s*")
_ENTRY = re.compile(r"(?:\s?[.·…]){5,}\s*(\d{1,4}|[ivxl]{1,6})$")
# Menus and price lists use leaders too, but not with numbers that rise from entry to entry.
_MIN_ENTRIES = 4
_RISING_SHARE = 0.9


def without_contents(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page without the entries of a table of contents: its headings stand in the text itself."""
    entries = {id(line): match[1] for line in lines if (match := _ENTRY.search(line.text))}
    numbers = [int(number) for number in entries.values() if number.isdigit()]
    rising = sum(before <= after for before, after in pairwise(numbers))
    if len(numbers) < _MIN_ENTRIES or rising < _RISING_SHARE * (len(numbers) - 1):
        return list(lines)
    return [line for line in lines if id(line) not in entries]
