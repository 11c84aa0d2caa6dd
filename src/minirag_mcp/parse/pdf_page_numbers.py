"""Numbers that count the pages of a PDF: in digits of any script, in Roman numerals, with the words around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NO_LETTER = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"\d{1,5}|\b[ivxlc]{1,8}\b")
_DIGITS = re.compile(r"\d{1,18}")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ROMAN_FORM = re.compile(r"c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_WORD = (
    r"page|pages|pag|pg|p|seite|seiten|s|страница|стр|с|página|pág|pagina|blz|pp|sida|sivu|side|strana|str|strona|oldal"
    r"|sayfa|σελίδα|σελ|صفحه|صفحة|ص|עמוד|trang|halaman|หน้า|पृष्ठ|folio|sheet|slide|blatt|лист|frame"
)
_OF = r"of|/|von|из|de|di|sur|van|av|af|z|ze|od|от|din|من|از|מתוך|\||:"
_COUNT = r"(?:\d{1,5}|[ivxlc]{1,8})"
_PAGE_NUMBER = re.compile(
    rf"[-–—|\[(<•· ]*(?:(?:{_WORD})[.:]?\s*)?{_COUNT}(?:\s*(?:{_OF})\s*{_COUNT})?[-–—|\])>•·. ]*"
    rf"|[-–—|\[( ]*第?\s*{_COUNT}\s*[页頁ページ]+(?:[\s,，/共全]*{_COUNT}\s*[页頁ページ]*)?[-–—|\]) ]*"
    rf"|{_COUNT}\s*페이지|{_COUNT}[-–.]{_COUNT}|[a-z][-–.]{_COUNT}",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"[-–—|\[(<•· ]*(?:{_WORD})[.:]?\s*{_COUNT}(?!\d)|[-–—|\[( ]*第?\s*{_COUNT}\s*[页頁ペ]", re.IGNORECASE
)
_OUTER_ROMAN = re.compile(r"^\W*[ivxlc]{1,8}\b|\b[ivxlc]{1,8}\W*$")
_YEAR = re.compile(r"\W*(?:19|20)\d\d\W*")


@dataclass(frozen=True, slots=True)
class Number:
    """A number and where it stands."""

    value: int
    start: int
    end: int


def numbers(text: str) -> Iterator[Number]:
    """The numbers in casefolded `text` that could count pages."""
    for match in _NUMBER.finditer(text):
        value = int(match[0]) if match[0].isdecimal() else _roman(match[0])
        if value:
            yield Number(value, match.start(), match.end())


def is_page_number(text: str) -> bool:
    """Whether a line says nothing but which page it is; a year is not such a line."""
    text = text.strip()
    return bool(_PAGE_NUMBER.fullmatch(text)) and not _YEAR.fullmatch(text)


def names_page(text: str) -> bool:
    """Whether a line is a page number that calls itself one, such as "Page 3 of 9"."""
    return is_page_number(text) and bool(_NAMED.match(text.strip()))


def counters_left_out(text: str, value: int) -> str:
    """Casefolded `text` with one sign wherever it says this number."""
    pieces, end = [], 0
    for number in numbers(text):
        if number.value == value:
            pieces += [text[end : number.start], "#"]
            end = number.end
    return "".join([*pieces, text[end:]])


def letters_of(text: str) -> str:
    """The letters and digits of `text` in one case: what copies of a line share, however they are set."""
    return _NO_LETTER.sub("", text.casefold())


def digits_left_out(text: str) -> str:
    """Casefolded `text` with one sign for each run of digits, for comparing headers that count."""
    return _DIGITS.sub("#", text.casefold())


def numbers_left_out(text: str) -> str:
    """Casefolded `text` without digits, and without a Roman numeral at either end."""
    return _OUTER_ROMAN.sub("", _DIGITS.sub("", text.casefold()))


def _roman(numeral: str) -> int:
    if not _ROMAN_FORM.fullmatch(numeral):
        return 0
    values = [_ROMAN[letter] for letter in numeral]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
