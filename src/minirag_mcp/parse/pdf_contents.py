"""Tables of contents in a PDF: entries that lead to page numbers."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from minirag_mcp.parse.pdf_page import Line
from minirag_mcp.parse.pdf_page_numbers import letters_of

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
# Share of the entries that must stand again at the beginning of a line: a list of prices may rise as well.
_HEADINGS_SHARE = 0.5
# With fewer letters the words of an entry are found anywhere.
_MIN_LETTERS = 4
# What a heading may begin with and its entry may leave out, or the other way round.
_NUMBERING = re.compile(r"(?:[^\W\d_]+\s+)?[\d.]+[.:)]?\s+|[ivxlc]+[.:)]\s+|[a-z][.:)]\s+", re.IGNORECASE)
# Lines from one entry to the next, headings of parts between them.
_NEAR = 3


def without_contents(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The lines of each page without the entries of a table of contents whose words stand in the text itself."""
    groups = [group for lines in pages for group in _groups(lines) if _rises([number for _, number in group])]
    entries = {id(line) for group in groups for line, _ in group}
    if not entries:
        return [list(lines) for lines in pages]
    text = _Text(line for lines in pages for line in lines if id(line) not in entries)
    dropped: set[int] = set()
    for group in groups:
        titles = [(line, _title(line, number)) for line, number in group]
        if sum(text.has_line(title) for _, title in titles) >= _HEADINGS_SHARE * len(titles):
            dropped.update(id(line) for line, title in titles if text.says(title))
    return [[line for line in lines if id(line) not in dropped] for lines in pages]


def _groups(lines: Sequence[Line]) -> list[list[tuple[Line, str]]]:
    """Lines of a page that lead to numbers, near each other, with these numbers."""
    groups: list[list[tuple[Line, str]]] = [[]]
    last = -_NEAR - 1
    for index, line in enumerate(lines):
        number = _page_number(line, listed=index - last <= _NEAR)
        titled = _TITLE.fullmatch(line.text) is not None
        if titled or (number and index - last > _NEAR):
            groups.append([])
        if number:
            groups[-1].append((line, number))
        if number or titled:
            last = index
    return groups


class _Text:
    """The letters and digits of a document, for finding the words of a title again."""

    def __init__(self, lines: Iterable[Line]) -> None:
        pieces: list[str] = []
        self._starts: set[int] = set()
        length = 0
        for line in lines:
            piece = letters_of(line.text)
            self._starts |= {length, length + len(piece) - len(letters_of(_NUMBERING.sub("", line.text, count=1)))}
            pieces.append(piece)
            length += len(piece)
        self._all = "".join(pieces)

    def has_line(self, title: str) -> bool:
        """Whether a line begins with these words, which may go on in the next."""
        return any(self._begins_line(words) for words in _forms(title))

    def says(self, title: str) -> bool:
        """Whether these words stand anywhere."""
        return any(words in self._all for words in _forms(title))

    def _begins_line(self, words: str) -> bool:
        place = self._all.find(words)
        while place >= 0 and place not in self._starts:
            place = self._all.find(words, place + 1)
        return place >= 0


def _forms(title: str) -> list[str]:
    """The letters of a title with its number and without; "Chapter 3" is not found without it."""
    whole, bare = letters_of(title), letters_of(_NUMBERING.sub("", title, count=1))
    return [whole, bare] if sum(letter.isalpha() for letter in bare) >= _MIN_LETTERS else [whole]


def _title(line: Line, number: str) -> str:
    """What an entry says before the number of its page."""
    return LEADERS.sub(" ", line.text.removesuffix(number)).strip()


def _page_number(line: Line, *, listed: bool) -> str:
    """The page to which a line leads, or ""; without leaders it must be `listed` and the number far from the words."""
    match = _ENTRY.search(line.text)
    if match or not listed or len(line.words) < 2:  # noqa: PLR2004 - a word and the number
        return match[1] if match else ""
    before, last = line.words[-2:]
    far = last.left - before.right > _FAR * line.size
    return last.text if far and _BARE_NUMBER.fullmatch(last.text) else ""


def _rises(entries: Sequence[str]) -> bool:
    numbers = [int(number) for number in entries if number.isdigit()]
    rising = sum(before <= after for before, after in pairwise(numbers))
    return len(numbers) >= _MIN_ENTRIES and rising >= _RISING_SHARE * (len(numbers) - 1)
