"""Which lines of a PDF are one paragraph: pitch, hard line ends, list items and leaders."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from minirag_mcp.parse.pdf_contents import LEADERS
from minirag_mcp.parse.pdf_hyphens import is_broken
from minirag_mcp.parse.pdf_page import Line
from minirag_mcp.parse.pdf_tables import cells_of

_BULLET = re.compile(r"^(?:[•●○▪▫■□◆◇‣⁃∙·➢➤✓✔❖\uf0b7\uf0a7\uf0d8\uf0fc]\s*|[-–—*]\s+|o\s+(?=[A-ZА-Я]))(?=\S)")
_NUMBERED = re.compile(r"^(?:\(?\d{1,3}[.)]|\(?[a-zа-я][.)]|\(?[ivx]{1,5}\)|\d{1,2}(?:\.\d{1,3}){1,4}\.?)\s+(?=\S)")
_SENTENCE_END = re.compile(r"[.!?:;。！？；：]['\"”»)\]]*$")
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\uac00-\ud7af]")
# A wider step than this multiple of the usual line pitch begins a paragraph.
_PITCH_FACTOR = 1.35
# Line pitch that is believed, in font sizes.
_LEAST_PITCH, _MOST_PITCH = 1.1, 2.6
# Indent by which a paragraph begins, in font sizes.
_INDENT = 0.8
# A broken word goes on over a wider step than this, in font sizes: lines that formulas push apart.
_BROKEN_PITCH = 3.0
# Sizes of one paragraph differ by less than this share.
_SAME_SIZE = 0.15
# The right margin is where this share of the lines of a column have ended.
_MARGIN_SHARE = 0.75
# Lines that begin in the same step, in points, are one column.
_COLUMN_STEP = 100.0


class Prose:
    """What joining needs to know of the whole document: its line pitch and right margins."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._pitch = _line_pitch(lines)
        self._margins = _right_margins(lines)

    def continues(self, before: Line, line: Line) -> bool:
        """Whether `line` belongs to the paragraph that `before` ends so far."""
        if is_item(line.text) or abs(before.size - line.size) > _SAME_SIZE * before.size:
            return False
        if is_broken(before.text, line.text) and before.base - line.base <= _BROKEN_PITCH * line.size:
            return True
        if before.bold and not line.bold:
            return False
        if line.page != before.page or line.base >= before.base:
            return not ends_sentence(before.text) and _flows_on(line.text)
        pitch = (before.base - line.base) / max(before.size, line.size)
        if pitch > self._pitch * _PITCH_FACTOR:
            return False
        ended = ends_sentence(before.text)
        indented = line.left - before.left > _INDENT * line.size and not is_item(before.text)
        return not (ended and (indented or self.is_hard_end(before, line)))

    def is_hard_end(self, before: Line, line: Line) -> bool:
        """Whether the author ended `before`: the next word would have fitted, or one of the lines is a row of cells."""
        if is_broken(before.text, line.text):
            return False
        if LEADERS.search(before.text) or len(cells_of(before)) > 1 or len(cells_of(line)) > 1:
            return True
        first = line.words[0]
        end = before.right + 0.3 * before.size + first.right - first.left
        below = line.page == before.page and line.base < before.base
        return below and end < self._margins.get(_column(before), 0.0) - 0.5 * before.size


def ends_sentence(text: str) -> bool:
    """Whether a line ends where a sentence may end."""
    return _SENTENCE_END.search(text) is not None


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
