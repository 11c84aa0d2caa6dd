"""Where sentences end, in any script."""

import re

# Each alternative may start only at the first mark of a run, so that a megabyte of dots costs one pass.
_END = re.compile(
    r"(?P<wide>[。！？｡।॥။។]+[」』”’）】》〉]*[ \t\n]*)"
    r"|(?<![.!?…؟۔։።])(?P<mark>[.!?…؟۔։።]++)[\"'”’»“)\]*_`]*+[ \t\n]++"
    r"|(?<=[\u0e00-\u0eff])(?P<phrase>[ \t\n]++)(?=[\u0e00-\u0eff])"
)
_OPENERS = "\"'«“‘„(*_[>#`-–—¿¡ \t"
_LAST_WORD = re.compile(r"[^\s(\[\"'«„“]{1,20}$")
_LOOK_BACK = 24


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


_NEVER_LAST = _words("""
    mr mrs ms mx dr prof st rev gen sgt lt capt cmdr hon mt vs cf e.g i.e al approx
    mme mlle mgr sr sra srta dott sig bzw ca evtl ggf z
    г гг д т тов гр им ул см ср напр т.е т.к т.н т.д тел корп стр""")
_BEFORE_NUMBER = _words("""
    no nos nr fig figs p pp sec sect ch vol eq art tab para abb abs kap núm
    п пп ст рис табл с ч гл разд прил""")


def sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Offsets inside `text[start:end]` where a new sentence begins, in order, `start` not included.

    Ends are the marks of Latin, Cyrillic, Greek, Arabic, Armenian, Ethiopic, CJK, Indic, Khmer and Burmese
    writing; Thai and Lao phrases end at spaces. A full stop after an abbreviation, an initial, a list number
    or before a small letter ends nothing; small letters say nothing in a text that has no capitals.
    """
    lowered = text[start:end].islower()
    return [
        match.end()
        for match in _END.finditer(text, start, end)
        if match.end() < end and (match["mark"] is None or _ends(text, match, start, lowered=lowered))
    ]


def _ends(text: str, match: re.Match[str], start: int, *, lowered: bool) -> bool:
    following = _first_letter(text, match.end())
    if following.islower() and not lowered:
        return False
    mark = match.start("mark")
    if match["mark"] != ".":
        return True
    word = _LAST_WORD.search(text[max(start, mark - _LOOK_BACK) : mark])
    if word is None:
        return True
    return not (_abbreviates(word[0], following) or _numbers_a_line(text, word[0], mark, start))


def _first_letter(text: str, position: int) -> str:
    for letter in text[position : position + 8]:
        if letter not in _OPENERS:
            return letter
    return ""


def _abbreviates(word: str, following: str) -> bool:
    low = word.casefold().lstrip("*_")
    if low in _NEVER_LAST or (low in _BEFORE_NUMBER and following.isdigit()):
        return True
    parts = low.split(".")
    if len(parts) > 1:
        return all(len(part) == 1 and part.isalpha() for part in parts)
    return len(word) == 1 and word.lower() != word.upper()


def _numbers_a_line(text: str, word: str, mark: int, start: int) -> bool:
    """Whether the word is the number of a list item or clause, standing first in its line."""
    if not word.replace(".", "").isdigit():
        return False
    before = text[max(start, mark - _LOOK_BACK) : mark - len(word)].rsplit("\n", 1)
    at_line_start = len(before) > 1 or mark - _LOOK_BACK <= start
    return at_line_start and not before[-1].strip(" \t>#*_")
