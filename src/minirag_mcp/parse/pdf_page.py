"""What stands where on one PDF page: lines of words with boxes and fonts, and the ruled lines between them."""

import ctypes
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from minirag_mcp.parse.blocks import cleaned

_LINE_END = re.compile("\r\n|\r|\n|\ufffe|\x02")
_HYPHENS = ("\ufffe", "\x02")
"""pdfium writes one of these for the hyphen at the end of a line."""
_WORD = re.compile(r"\S+")
_BOLD = re.compile(r"bold|black|heavy|semibold|demi(?!an)|-bd|cmbx|medi\b", re.IGNORECASE)
_MONOSPACED = re.compile(r"courier|mono|consol|cmtt|menlo|typewriter|fixed|lucidacon", re.IGNORECASE)
_FONT_NAME_SIZE = 128
_RIGHT_ANGLE = math.pi / 2
_EDGE_TOLERANCE = 3.0
# A drawing of more pieces is a picture or a map, not a table; real tables had under 700.
_MAX_OBJECTS = 3000
_MAX_SEGMENTS = 400
_THIN = 2.5
_MIN_RULE = 6.0
_RECTANGLE_SEGMENTS = (4, 5, 6)


@dataclass(frozen=True, slots=True)
class Word:
    """A word and the range it covers from left to right, in points."""

    text: str
    left: float
    right: float

    @property
    def center(self) -> float:
        """The middle of its range."""
        return (self.left + self.right) / 2


@dataclass(slots=True, kw_only=True)
class Line:
    """Words on one baseline, in reading order.

    page   0-based; base and size in points, base growing upwards
    """

    page: int
    words: list[Word]
    base: float
    size: float
    bold: bool = False
    monospaced: bool = False

    @property
    def text(self) -> str:
        """The words, one blank between two."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """Left edge."""
        return min(word.left for word in self.words)

    @property
    def right(self) -> float:
        """Right edge."""
        return max(word.right for word in self.words)

    def with_words(self, words: list[Word]) -> "Line":
        """The same line with other words."""
        return Line(
            page=self.page, words=words, base=self.base, size=self.size, bold=self.bold, monospaced=self.monospaced
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """A ruled line from `start` to `end` along its axis, at `at` across it."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Page:
    """One page as it was laid out; lines in the order of its content."""

    lines: list[Line] = field(default_factory=list)
    horizontals: list[Rule] = field(default_factory=list)
    verticals: list[Rule] = field(default_factory=list)
    top: float = 0.0
    bottom: float = 0.0


def read_page(page: Any, number: int) -> Page:
    """Read a `pypdfium2.PdfPage`; `number` is 0-based."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - 40 ms, loaded only when a PDF is read

    text_page = pdfium.FPDFText_LoadPage(page.raw)
    try:
        lines, turn = _Reader(pdfium, page, text_page, number).lines()
    finally:
        pdfium.FPDFText_ClosePage(text_page)
    left, bottom, right, top = page.get_bbox()
    found = Page(lines=lines, top=top, bottom=bottom)
    if turn:
        ends = [_turned(x, y, turn)[1] for x, y in ((left, bottom), (right, top))]
        found.bottom, found.top = min(ends), max(ends)
    elif lines:
        _read_rules(pdfium, page, found)
    return found


class _Reader:
    """Reads the characters of one page; every call into pdfium costs half a microsecond, so few are made."""

    def __init__(self, pdfium: Any, page: Any, text_page: Any, number: int) -> None:
        self._pdfium = pdfium
        self._text_page = text_page
        self._number = number
        self._bounds = page.get_bbox()
        self._box = [ctypes.c_double() for _ in range(4)]
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(_FONT_NAME_SIZE)
        self._flags = ctypes.c_int()

    def lines(self) -> tuple[list[Line], int]:
        """The lines, and how many right angles the text of the page is turned to the left."""
        count = self._pdfium.FPDFText_CountChars(self._text_page)
        if count <= 0:
            return [], 0
        buffer = ctypes.create_string_buffer((count * 2 + 2) * 2)
        self._pdfium.FPDFText_GetText(self._text_page, 0, count, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)))
        text = buffer.raw.decode("utf-16-le", "replace").partition("\0")[0]
        spans = [span for span in _line_spans(text) if span[0] < span[1]]
        turns = [self._turn(self._first(text, span)) for span in spans]
        turn = Counter(turns).most_common(1)[0][0] if turns else 0
        lines = (self._line(text, span, turn) for span, own in zip(spans, turns, strict=True) if own == turn)
        return [line for line in lines if line is not None], turn

    def _first(self, text: str, span: tuple[int, int, bool]) -> int:
        match = _WORD.search(text, span[0], span[1])
        return match.start() if match else span[0]

    def _turn(self, index: int) -> int:
        angle = float(self._pdfium.FPDFText_GetCharAngle(self._text_page, index))
        return round(angle / _RIGHT_ANGLE) % 4 if angle > 0 else 0

    def _line(self, text: str, span: tuple[int, int, bool], turn: int) -> Line | None:
        start, end, hyphenated = span
        words = []
        first = last = -1
        for match in _WORD.finditer(text, start, end):
            shown = cleaned(match[0])
            ends = [self._char(index, turn) for index in (match.start(), match.end() - 1)]
            if not shown or not all(self._on_page(center) for _, _, center in ends):
                continue
            first = match.start() if first < 0 else first
            last = match.end() - 1
            words.append(Word(shown, min(end[0] for end in ends), max(end[1] for end in ends)))
        if not words:
            return None
        if hyphenated:
            words[-1] = Word(words[-1].text + "-", words[-1].left, words[-1].right)
        return self._with_font(words, first, last, turn)

    def _char(self, index: int, turn: int) -> tuple[float, float, tuple[float, float]]:
        """Left, right and middle of a character; left and right along its line."""
        left, right, bottom, top = self._box
        self._pdfium.FPDFText_GetCharBox(self._text_page, index, left, right, bottom, top)
        middle = ((left.value + right.value) / 2, (bottom.value + top.value) / 2)
        if not turn:
            return left.value, right.value, middle
        ends = [_turned(x, y, turn)[0] for x, y in ((left.value, bottom.value), (right.value, top.value))]
        return min(ends), max(ends), middle

    def _on_page(self, center: tuple[float, float]) -> bool:
        left, bottom, right, top = self._bounds
        across = left - _EDGE_TOLERANCE <= center[0] <= right + _EDGE_TOLERANCE
        return bool(across and bottom - _EDGE_TOLERANCE <= center[1] <= top + _EDGE_TOLERANCE)

    def _with_font(self, words: list[Word], first: int, last: int, turn: int) -> Line:
        x, y = self._box[0], self._box[1]
        self._pdfium.FPDFText_GetCharOrigin(self._text_page, first, x, y)
        fonts = [self._font(index) for index in {first, last}]
        return Line(
            page=self._number,
            words=words,
            base=_turned(x.value, y.value, turn)[1],
            size=max(self._size(index) for index in {first, last}),
            bold=all(_BOLD.search(font) for font in fonts),
            monospaced=all(_MONOSPACED.search(font) for font in fonts),
        )

    def _size(self, index: int) -> float:
        size = float(self._pdfium.FPDFText_GetFontSize(self._text_page, index))
        matrix = self._matrix
        if self._pdfium.FPDFText_GetMatrix(self._text_page, index, matrix):
            size *= math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        return size if 0 < size < 1000 else 1.0  # noqa: PLR2004 - broken fonts

    def _font(self, index: int) -> str:
        length = self._pdfium.FPDFText_GetFontInfo(
            self._text_page, index, self._name, _FONT_NAME_SIZE, ctypes.byref(self._flags)
        )
        return self._name.value.decode("latin-1") if 0 < length <= _FONT_NAME_SIZE else ""


def _line_spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start, end and "ended by a hyphen" of each line."""
    start = 0
    for match in _LINE_END.finditer(text):
        yield start, match.start(), match[0] in _HYPHENS
        start = match.end()
    yield start, len(text), False


def _turned(x: float, y: float, turn: int) -> tuple[float, float]:
    """Coordinates as if text turned to the left by `turn` right angles ran from left to right."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[turn]


def _read_rules(pdfium: Any, page: Any, found: Page) -> None:
    count = pdfium.FPDFPage_CountObjects(page.raw)
    if count > _MAX_OBJECTS:
        return
    box = [ctypes.c_float() for _ in range(4)]
    for index in range(count):
        item = pdfium.FPDFPage_GetObject(page.raw, index)
        if pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        if pdfium.FPDFPageObj_GetBounds(item, *box):
            left, bottom, right, top = (value.value for value in box)
            _add_path(pdfium, item, (left, bottom, right, top), found)


def _add_path(pdfium: Any, item: Any, bounds: tuple[float, float, float, float], found: Page) -> None:
    left, bottom, right, top = bounds
    if top - bottom <= _THIN or right - left <= _THIN:
        _add_rule((left, bottom), (right, top), found)
        return
    segments = pdfium.FPDFPath_CountSegments(item)
    if segments in _RECTANGLE_SEGMENTS:
        corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
        for start, end in itertools.pairwise(corners):
            _add_rule(start, end, found)
    elif segments <= _MAX_SEGMENTS:
        _add_segments(pdfium, item, segments, found)


def _add_segments(pdfium: Any, item: Any, segments: int, found: Page) -> None:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, matrix):
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    before: tuple[float, float] | None = None
    for index in range(segments):
        segment = pdfium.FPDFPath_GetPathSegment(item, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_LINETO and before is not None:
            _add_rule(before, point, found)
        before = point


def _add_rule(start: tuple[float, float], end: tuple[float, float], found: Page) -> None:
    width, height = abs(end[0] - start[0]), abs(end[1] - start[1])
    if height <= _THIN and width >= _MIN_RULE:
        ends = sorted((start[0], end[0]))
        found.horizontals.append(_rule((start[1] + end[1]) / 2, ends))
    elif width <= _THIN and height >= _MIN_RULE:
        ends = sorted((start[1], end[1]))
        found.verticals.append(_rule((start[0] + end[0]) / 2, ends))


def _rule(at: float, ends: list[float]) -> Rule:
    """Rounded, so that the edges of cells side by side are one rule."""
    return Rule(round(at), round(ends[0]), round(ends[1]))
