"""Running headers, footers and page numbers of a PDF: what repeats at the edges of its pages."""

import re
from collections import defaultdict
from collections.abc import Sequence

from minirag_mcp.parse.pdf_page import Line, Page

# Lines looked at from each edge: real headers and footers have up to three.
_EDGE_LINES = 3
# Share of the pages (or of the left or right ones) on which a line must recur.
_SHARE = 0.4
# Pages on which a line must recur at least, however short the document.
_MIN_PAGES = 3
# Points by which the heights of one header differ at most.
_SAME_HEIGHT = 4.0
# With fewer letters it is a number or a sign, told by its height too.
_MIN_LETTERS = 4
# A page of fewer rows has no edges.
_MIN_ROWS = 4
_NUMBER = re.compile(r"\d{1,5}")
_PAGE_NUMBER = re.compile(
    r"^(?:[-–—|\[( ]*\d{1,3}[-–—|\]) ]*|(?:page|seite|страница|стр\.|página|pagina|p\.|pág\.|第)\s*\d{1,4}\s*页?"
    r"(?:\s*(?:of|/|von|из|de|di|sur)\s*\d{1,4})?|\d{1,4}\s*(?:of|/|von|из|de|di|sur)\s*\d{1,4}|[ivxl]{1,6})$",
    re.IGNORECASE,
)


Key = tuple[str, int]


def without_running_lines(pages: Sequence[Page]) -> list[list[Line]]:
    """The lines of each page without those that recur at its edges and without bare page numbers there.

    What recurs in words is kept where it stands first: it may name the company or the document.
    """
    edges = [_edge_lines(page) for page in pages]
    recurring = _recurring(edges)
    kept = []
    shown: set[Key] = set()
    for page, (top, bottom) in zip(pages, edges, strict=True):
        dropped = {id(line) for line in (*top, *bottom) if _is_repeated(line, recurring, shown)}
        # The outermost lines that are left may be a bare number.
        for edge in (top, bottom):
            rest = [line for line in edge if id(line) not in dropped]
            dropped.update(id(line) for line in rest[:1] if _PAGE_NUMBER.match(line.text.strip()))
        kept.append([line for line in page.lines if id(line) not in dropped])
    return kept


def _is_repeated(line: Line, recurring: set[Key], shown: set[Key]) -> bool:
    found = recurring.intersection(_keys(line))
    if not found:
        return False
    first = not found & shown and _has_words(line)
    shown |= found
    line.running = True
    return not first


def _edge_lines(page: Page) -> tuple[list[Line], list[Line]]:
    """The outermost lines at the top and at the bottom, outermost first; a short page has no edges inside."""
    ordered = sorted(page.lines, key=lambda line: -line.base)
    rows: list[list[Line]] = []
    for line in ordered:
        if rows and abs(rows[-1][0].base - line.base) < _SAME_HEIGHT / 2:
            rows[-1].append(line)
        else:
            rows.append([line])
    count = min(_EDGE_LINES, len(rows) // 2) if len(rows) >= _MIN_ROWS else 0
    top = [line for row in rows[:count] for line in row]
    bottom = [line for row in reversed(rows[len(rows) - count :]) for line in row]
    return top, bottom


def _recurring(edges: Sequence[tuple[list[Line], list[Line]]]) -> set[Key]:
    seen: dict[Key, set[int]] = defaultdict(set)
    for number, (top, bottom) in enumerate(edges):
        for line in (*top, *bottom):
            for key in _keys(line):
                seen[key].add(number)
    needed = max(_MIN_PAGES, _SHARE * len(edges))
    return {
        key
        for key, pages in seen.items()
        if len(pages) >= needed or (len(pages) >= max(_MIN_PAGES, needed / 2) and _alternating(pages))
    }


def _alternating(pages: set[int]) -> bool:
    """Whether nearly all of these pages are left pages, or right ones."""
    odd = sum(page % 2 for page in pages)
    return min(odd, len(pages) - odd) <= len(pages) * 0.1


def _keys(line: Line) -> set[Key]:
    """What two runs of one header share: their text, also but for a page number; without words their height too."""
    text = line.text.casefold()
    height = 0 if _has_words(line) else round(line.base / _SAME_HEIGHT)
    counted = {
        f"{text[: match.start()]}#{int(match[0]) - line.page}{text[match.end() :]}" for match in _NUMBER.finditer(text)
    }
    return {(key, height) for key in counted | {text}}


def _has_words(line: Line) -> bool:
    return sum(letter.isalpha() for letter in line.text) >= _MIN_LETTERS
