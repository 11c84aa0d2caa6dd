"""What stands where on one PDF page: lines of words with boxes and fonts, and the ruled lines between them."""

import ctypes
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from minirag_mcp.parse.blocks import cleaned

_LINE_END = re.compile("\r\n|\r|\n|\ufffe|\x02")
_HYPHENS = ("\ufffe", "\x02")
"""pdfium writes one of these for the hyphen at the end of a line."""
# Scripts that have no hyphens: there pdfium means the sign that keeps two letters of a word apart.
_NON_JOINER = re.compile("(?<=[\u0620-\u08ff])[\ufffe\x02](?=[\u0620-\u08ff])")
_WORD = re.compile(r"\S+")
_BOLD = re.compile(r"bold|black|heavy|semibold|demi(?!an)|-bd|(?:cm|sf|ec|la|lm)[a-z]*bx|medi\b", re.IGNORECASE)
_MONOSPACED = re.compile(r"courier|mono|consol|cmtt|menlo|typewriter|fixed|lucidacon", re.IGNORECASE)
_FONT_NAME_SIZE = 128
_RIGHT_ANGLE = math.pi / 2
# A stamp across the page runs in no right angle; scanned pages are askew by less than this, in radians.
_MOST_SLANT = 0.2
_SLANTED = -1
# Points beyond the edge that still count as on the page.
_EDGE_TOLERANCE = 3.0
# Characters this far apart, in font sizes, are not on one line; superscripts are nearer.
_NEXT_LINE = 0.75
# The first letter of a chapter is at least so many times as large as the text.
INITIAL_SIZE = 1.8
# A drawing of more pieces is a picture or a map, not a table; real tables had under 700.
_MAX_OBJECTS = 3000
_MAX_SEGMENTS = 400
# Points across up to which a box is a line, and along from which it is more than a dash.
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

    page     0-based; base and size in points, base growing upwards
    running  whether it is a header or footer that other pages repeat
    """

    page: int
    words: list[Word]
    base: float
    size: float
    bold: bool = False
    monospaced: bool = False
    running: bool = False
    _text: str = field(default="", init=False, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The words, one blank between two."""
        if not self._text:
            self._text = " ".join([word.text for word in self.words])
        return self._text

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
        return replace(self, words=words)


@dataclass(frozen=True, slots=True)
class Rule:
    """A ruled line from `start` to `end` along its axis, at `at` across it."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Page:
    """One page as it was laid out; lines in the order of its content, `values` of form fields apart.

    `turned` are lines that run in another direction than most of the page, with places of their own.
    """

    lines: list[Line] = field(default_factory=list)
    horizontals: list[Rule] = field(default_factory=list)
    verticals: list[Rule] = field(default_factory=list)
    top: float = 0.0
    bottom: float = 0.0
    values: list[Line] = field(default_factory=list)
    turned: list[Line] = field(default_factory=list)


def read_page(page: Any, number: int) -> Page:
    """Read a `pypdfium2.PdfPage`; `number` is 0-based."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - 40 ms, loaded only when a PDF is read

    text_page = pdfium.FPDFText_LoadPage(page.raw)
    try:
        reader = _Reader(pdfium, page, text_page, number)
        lines, turn = reader.lines()
    finally:
        pdfium.FPDFText_ClosePage(text_page)
    left, bottom, right, top = page.get_bbox()
    found = Page(lines=lines, top=top, bottom=bottom, turned=reader.turned)
    if turn:
        ends = [_turned(x, y, turn)[1] for x, y in ((left, bottom), (right, top))]
        found.bottom, found.top = min(ends), max(ends)
    elif lines:
        _read_rules(pdfium, page, found)
    return found


@dataclass(frozen=True, slots=True)
class _Placed:
    """A word with its first and last character and the height of its middle."""

    word: Word
    first: int
    last: int
    middle: float


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
        self._turns = 0
        self.turned: list[Line] = []
        self._index: Callable[[Any, int], int] = lambda _, index: index

    def lines(self) -> tuple[list[Line], int]:
        """The lines, and how many right angles the text of the page is turned to the left."""
        count = self._pdfium.FPDFText_CountChars(self._text_page)
        if count <= 0:
            return [], 0
        text = self._text(count)
        self._index = self._index_of(text, count)
        spans = [part for span in _line_spans(text) if span[0] < span[1] for part in self._by_turn(text, span)]
        turns = [self._turn(self._first(text, span)) for span in spans]
        usual = Counter(turns).most_common(1)[0][0] if turns else 0
        by_turn: dict[int, list[Line]] = {turn: [] for turn in (usual, *turns)}
        for span, own in zip(spans, turns, strict=True):
            self._turns = max(own, 0)
            by_turn[own] += self._lines_of(text, span, slanted=own == _SLANTED)
        for turn, lines in by_turn.items():
            if turn > 0:
                lines.sort(key=lambda line: -line.base)
        self.turned = [line for turn, lines in by_turn.items() if turn != usual for line in lines]
        return by_turn[usual], max(usual, 0)

    def _index_of(self, text: str, count: int) -> Callable[[Any, int], int]:
        """How pdfium numbers a character of `text`: it counts UTF-16 units, and some that it does not hand out."""
        if len(text) == count and max(text) <= "\uffff":
            return lambda _, index: index
        places = list(itertools.accumulate((1 + (letter > "\uffff") for letter in text), initial=0))
        if places[-1] == count:
            return lambda _, index: places[index]
        mapped = self._pdfium.FPDFText_GetCharIndexFromTextIndex
        return lambda text_page, index: int(mapped(text_page, places[index]))

    def _text(self, count: int) -> str:
        buffer = ctypes.create_string_buffer((count * 2 + 2) * 2)
        target = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
        written = self._pdfium.FPDFText_GetText(self._text_page, 0, count, target)
        text = buffer.raw[: max(0, written - 1) * 2].decode("utf-16-le", "replace")
        return _NON_JOINER.sub("\u200c", text)

    def _first(self, text: str, span: tuple[int, int, bool]) -> int:
        match = _WORD.search(text, span[0], span[1])
        return match.start() if match else span[0]

    def _by_turn(self, text: str, span: tuple[int, int, bool]) -> Iterator[tuple[int, int, bool]]:
        """The parts of what pdfium takes for one line that run in one direction each."""
        start, end, hyphenated = span
        words = [match.start() for match in _WORD.finditer(text, start, end)]
        if words and self._turn(words[0]) != self._turn(words[-1]):
            for before, index in itertools.pairwise(words):
                if self._turn(before) != self._turn(index):
                    yield start, index, False
                    start = index
        yield start, end, hyphenated

    def _turn(self, index: int) -> int:
        angle = float(self._pdfium.FPDFText_GetCharAngle(self._text_page, self._index(self._text_page, index)))
        # pdfium counts clockwise, and answers -1 when it cannot tell.
        turn = round(angle / _RIGHT_ANGLE)
        if angle > 0 and abs(angle - turn * _RIGHT_ANGLE) > _MOST_SLANT:
            return _SLANTED
        return -turn % 4 if angle > 0 else 0

    def _lines_of(self, text: str, span: tuple[int, int, bool], *, slanted: bool = False) -> Iterator[Line]:
        """The lines of what pdfium takes for one: it sometimes runs short lines below each other together."""
        start, end, hyphenated = span
        first = self._first(text, span)
        drop = math.inf if slanted else self._size(first) * _NEXT_LINE
        run: list[_Placed] = []
        for match in _WORD.finditer(text, start, end):
            for part in self._placed(text, match.start(), match.end(), drop):
                if run and self._begins_line(run, part, drop):
                    yield self._line(run)
                    run = []
                run.append(part)
        if run:
            line = self._line(run)
            if hyphenated:
                last = line.words[-1]
                line.words[-1] = Word(f"{last.text}-", last.left, last.right)
            yield line

    def _placed(self, text: str, start: int, end: int, drop: float) -> Iterator["_Placed"]:
        """The word at these characters, in parts if it runs over two baselines; nothing if it is off the page."""
        ends = [self._char(index) for index in (start, end - 1)]
        if end - start > 1 and abs(ends[0][2] - ends[1][2]) > drop:
            bases = [self._base(index) for index in range(start, end)]
            split = next((n for n in range(1, end - start) if abs(bases[n] - bases[n - 1]) > drop), 0)
            if split:
                yield from self._placed(text, start, start + split, drop)
                yield from self._placed(text, start + split, end, drop)
                return
        shown = cleaned(text[start:end])
        if shown and ends[0][3] and ends[1][3]:
            word = Word(shown, min(ends[0][0], ends[1][0]), max(ends[0][1], ends[1][1]))
            yield _Placed(word, start, end - 1, ends[0][2])

    def _begins_line(self, run: list["_Placed"], part: "_Placed", drop: float) -> bool:
        """Whether a word stands on another baseline than the one before, which may be a large first letter."""
        before = run[-1]
        if abs(part.middle - before.middle) > drop and abs(self._base(before.first) - self._base(part.first)) > drop:
            return True
        letter = len(run) == 1 and before.first == before.last and before.word.text.isalpha()
        return letter and self._size(before.first) > INITIAL_SIZE * self._size(part.first)

    def _base(self, index: int) -> float:
        x, y = self._box[0], self._box[1]
        self._pdfium.FPDFText_GetCharOrigin(self._text_page, self._index(self._text_page, index), x, y)
        return _turned(x.value, y.value, self._turns)[1]

    def _char(self, index: int) -> tuple[float, float, float, bool]:
        """Left, right and height of the middle of a character, along its line, and whether it is on the page."""
        left, right, bottom, top = self._box
        self._pdfium.FPDFText_GetCharBox(self._text_page, self._index(self._text_page, index), left, right, bottom, top)
        x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
        if not self._turns:
            return left.value, right.value, y, self._on_page(x, y)
        ends = [_turned(*corner, self._turns)[0] for corner in ((left.value, bottom.value), (right.value, top.value))]
        return min(ends), max(ends), _turned(x, y, self._turns)[1], self._on_page(x, y)

    def _on_page(self, x: float, y: float) -> bool:
        left, bottom, right, top = self._bounds
        across = left - _EDGE_TOLERANCE <= x <= right + _EDGE_TOLERANCE
        return bool(across and bottom - _EDGE_TOLERANCE <= y <= top + _EDGE_TOLERANCE)

    def _line(self, run: list["_Placed"]) -> Line:
        ends = {run[0].first, run[-1].last}
        fonts = [self._font(index) for index in ends]
        return Line(
            page=self._number,
            words=[part.word for part in run],
            base=self._base(run[0].first),
            size=max(self._size(index) for index in ends),
            bold=all(_BOLD.search(font) for font in fonts),
            monospaced=all(_MONOSPACED.search(font) for font in fonts),
        )

    def _size(self, index: int) -> float:
        index, matrix = self._index(self._text_page, index), self._matrix
        size = float(self._pdfium.FPDFText_GetFontSize(self._text_page, index))
        if self._pdfium.FPDFText_GetMatrix(self._text_page, index, matrix):
            size *= math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        return size if 0 < size < 1000 else 1.0  # noqa: PLR2004 - broken fonts

    def _font(self, index: int) -> str:
        length = self._pdfium.FPDFText_GetFontInfo(
            self._text_page, self._index(self._text_page, index), self._name, _FONT_NAME_SIZE, ctypes.byref(self._flags)
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
