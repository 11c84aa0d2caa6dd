"""Words broken at the ends of lines made whole, and lines joined to running text."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import pairwise

from minirag_mcp.parse.pdf_page import Line

HYPHENS = "-‐\xad"
_SOFT = "\xad"
_WORDS = re.compile(r"[^\W_]+(?:[-‐‑][^\W_]+)*")
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
# Addresses, paths, identifiers and commands are broken after a hyphen of their own.
_ADDRESS = re.compile(r"[/\\_@=]|www\.|\d")
# "Ein- und Ausgabe": what follows a hyphen that stands for the rest of a word.
_CONJUNCTION = re.compile(
    r"(?:and|or|und|oder|bzw|sowie|respektive|et|ou|och|eller|og|és|vagy|lub|oraz|и|или|та|або|ve|veya)\b|[^\W\d_]\b",
    re.IGNORECASE,
)
# What stands before a hyphen in compounds, and hardly ever before one that breaks a word of more than an ending.
_PREFIXES = frozenset(("self", "well", "non", "half", "quasi", "cross"))
# These begin too many words that are broken there ("ex-ample"): a word of the document must follow.
_DOUBTFUL_PREFIXES = frozenset(("ex", "co", "state", "high", "low", "long", "short", "pre", "post", "multi", "semi"))
_ENDINGS = frozenset(("less", "ness"))
_LONGEST_ENDING = 3
# Small words inside compounds of several hyphens: "state-of-the-art", "régua-de-cálculo".
_JOINING = frozenset(
    ("a", "and", "by", "d", "de", "do", "e", "en", "et", "in", "la", "le", "of", "on", "or", "the", "to", "up", "y")
)
# An address that is broken at one of its own signs; a full stop may end the sentence.
_OPEN_ADDRESS = re.compile(r"(?:://|\bwww\.)\S*[/_=&?%#]$")
# Searched backwards from the end of the text so far, which may be long.
_LONGEST_ADDRESS = 200
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")


class Hyphens:
    """What a document's own words say about the hyphens at its line ends."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._words: Counter[str] = Counter()
        for before, line in pairwise([None, *lines, None]):
            if before is not None:
                self._words.update(word.casefold() for word in _WORDS.findall(before.text))
            if before is not None and line is not None and is_broken(before.text, line.text):
                # Halves of a word are no words.
                self._words.subtract(half.casefold() for half in _halves(before.text, line.text))

    def text(self, lines: Iterable[str]) -> str:
        """Lines as running text."""
        return reduce(self.joined, (line for line in lines if line), "")

    def joined(self, before: str, after: str, page_break: str = "") -> str:
        """Two lines as running text; a page break between them stands before the word that goes on over it."""
        if is_broken(before, after):
            start = max(before.rfind(" "), before.rfind("\n")) + 1
            return before[:start] + page_break + self._mended(before[start:], after)
        if _OPEN_ADDRESS.search(before[-_LONGEST_ADDRESS:]):
            return before + page_break + after
        if not before or (_CJK.match(before[-1:]) and _CJK.match(after[:1])):
            return before + page_break + after
        return f"{before} {page_break}{after}"

    def _mended(self, before: str, after: str) -> str:
        head, tail = _halves(before, after)
        if before[-1] != _SOFT and (not head or not tail or _ADDRESS.search(before[:-1])):
            return before + after
        first, second = head.casefold(), tail.casefold()
        whole, apart = self._words[first + second], self._words[f"{first}-{second}"]
        if before[-1] != _SOFT and not whole and _CONJUNCTION.match(after):
            return f"{before} {after}"
        if before[-1] != _SOFT and (apart > whole or (tail[0].isupper() and not head.isupper())):
            return before + after
        if before[-1] != _SOFT and not whole and self._is_compound(before, after):
            return before + after
        return before[:-1] + after

    def _is_compound(self, before: str, after: str) -> bool:
        """Whether a hyphen at a line end is one of the word: "x-ray", "self-contained", "state-of-the-art"."""
        head, tail = (half.casefold() for half in _halves(before, after))
        chained = head in _JOINING and before[: -len(head) - 1].endswith(tuple(HYPHENS))
        if chained or (tail in _JOINING and after[len(tail) :].startswith(tuple(HYPHENS))):
            return True
        if head in _DOUBTFUL_PREFIXES:
            return self._words[tail] > 0
        ending = len(tail) <= _LONGEST_ENDING or tail in _ENDINGS
        return len(before) == len("x-") or (head in _PREFIXES and not ending)


def is_broken(before: str, after: str) -> bool:
    """Whether a line ends in a hyphen that belongs to a word which the next line goes on with."""
    return before[-1:] in HYPHENS and before[-2:-1].isalnum() and after[:1].isalnum()


def _halves(before: str, after: str) -> tuple[str, str]:
    """The letters before the hyphen and those after it; "" where a digit stands there."""
    head, tail = _LAST_WORD.search(before[:-1]), _FIRST_WORD.match(after)
    return head[0] if head else "", tail[0] if tail else ""
