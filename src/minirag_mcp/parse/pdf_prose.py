"""How the lines of a PDF join: hyphens repaired, hard line ends kept, list items and leaders told apart."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from minirag_mcp.parse.pdf_contents import LEADERS
from minirag_mcp.parse.pdf_page import Line
from minirag_mcp.parse.pdf_tables import cells_of

_BULLET = re.compile(r"^(?:[•●○▪▫■□◆◇‣⁃∙·➢➤✓✔❖\uf0b7\uf0a7\uf0d8\uf0fc]\s*|[-–—*]\s+|o\s+(?=[A-ZА-Я]))(?=\S)")
_NUMBERED = re.compile(r"^(?:\(?\d{1,3}[.)]|\(?[a-zа-я][.)]|\(?[ivx]{1,5}\)|\d{1,2}(?:\.\d{1,3}){1,4}\.?)\s+(?=\S)")
_SENTENCE_END = re.compile(r"[.!?:;。！？；：]['\"”»)\]]*$")
_WORDS = re.compile(r"[^\W_]+(?:[-‐‑][^\W_]+)*")
_HYPHENS = "-‐­"
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\uac00-\ud7af]")
# A wider step than this multiple of the usual line pitch begins a paragraph.
_PITCH_FACTOR = 1.35
# Line pitch that is believed, in font sizes.
_LEAST_PITCH, _MOST_PITCH = 1.1, 2.6
# Sizes of one paragraph differ by less than this share.
_SAME_SIZE = 0.15
# The right margin is where this share of the lines of a column have ended.
_MARGIN_SHARE = 0.75
# Lines that begin in the same step, in points, are one column.
_COLUMN_STEP = 100.0


class Prose:
    """What joining needs to know of the whole document: its words, line pitch and right margins."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._words = {word.casefold() for line in lines for word in _WORDS.findall(line.text)}
        self._pitch = _line_pitch(lines)
        self._margins = _right_margins(lines)

    def continues(self, before: Line, line: Line) -> bool:
        """Whether `line` belongs to the paragraph that `before` ends so far."""
        if is_item(line.text) or abs(before.size - line.size) > _SAME_SIZE * before.size:
            return False
        if before.bold and not line.bold:
            return False
        if line.page != before.page or line.base >= before.base:
            return not _SENTENCE_END.search(before.text) and _flows_on(line.text)
        if before.base - line.base > self._pitch * _PITCH_FACTOR * max(before.size, line.size):
            return False
        ended = _SENTENCE_END.search(before.text) is not None
        return not (ended and (self.is_hard_end(before, line) or line.left - before.left > 0.8 * line.size))

    def is_hard_end(self, before: Line, line: Line) -> bool:
        """Whether the author ended `before`: the next word would have fitted, or one of the lines is a row of cells."""
        if LEADERS.search(before.text) or len(cells_of(before)) > 1 or len(cells_of(line)) > 1:
            return True
        if before.text[-1:] in _HYPHENS and line.text[:1].islower():
            return False
        first = line.words[0]
        end = before.right + 0.3 * before.size + first.right - first.left
        below = line.page == before.page and line.base < before.base
        return below and end < self._margins.get(_column(before), 0.0) - 0.5 * before.size

    def joined(self, before: str, after: str) -> str:
        """Two lines of one paragraph as running text."""
        if before[-1:] in _HYPHENS and before[-2:-1].isalpha() and after[:1].islower():
            return before[:-1] + after if self._is_one_word(before, after) else before + after
        if _CJK.match(before[-1:]) and _CJK.match(after[:1]):
            return before + after
        return f"{before} {after}"

    def _is_one_word(self, before: str, after: str) -> bool:
        """A hyphen at a line end is kept only when the document writes the word with it elsewhere."""
        head, tail = _WORDS.findall(before[:-1]), _WORDS.match(after)
        if not head or not tail:
            return False
        first, second = head[-1].casefold(), tail[0].casefold()
        return before[-1] == "\xad" or f"{first}{second}" in self._words or f"{first}-{second}" not in self._words


def is_item(text: str) -> bool:
    """Whether a line begins a list item or a numbered clause."""
    return bool(_BULLET.match(text) or _NUMBERED.match(text))


def shown(text: str) -> str:
    """A line with bullets in Markdown and contents leaders shortened."""
    return LEADERS.sub(" … ", _BULLET.sub("- ", text)).strip()


def _flows_on(text: str) -> bool:
    return text[:1].islower() or bool(_CJK.match(text[:1]))


def _line_pitch(lines: Sequence[Line]) -> float:
    """Usual distance of two lines, in font sizes."""
    pitches = [
        (before.base - line.base) / line.size
        for before, line in pairwise(lines)
        if before.page == line.page and 0 < before.base - line.base < 4 * line.size
    ]
    return min(max(median(pitches), _LEAST_PITCH), _MOST_PITCH) if pitches else _LEAST_PITCH


def _right_margins(lines: Iterable[Line]) -> dict[tuple[int, int], float]:
    """Right edge of the text by page and column; ragged lines make it a quantile, not the maximum."""
    edges: dict[tuple[int, int], list[float]] = {}
    for line in lines:
        edges.setdefault(_column(line), []).append(line.right)
    return {key: sorted(values)[int(len(values) * _MARGIN_SHARE)] for key, values in edges.items()}


def _column(line: Line) -> tuple[int, int]:
    return line.page, int(line.left // _COLUMN_STEP)
