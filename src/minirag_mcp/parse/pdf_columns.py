"""Reading order on a PDF page: cells of one row joined, text columns side by side taken apart."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from minirag_mcp.parse.pdf_page import INITIAL_SIZE, Line, Word
from minirag_mcp.parse.pdf_tables import cells_of

# Baselines of one row differ by less than this, in font sizes.
_SAME_BASE = 0.25
# A raised or lowered piece is smaller than this share of its neighbour, and stands nearer than so many font sizes.
_RAISED_SIZE, _RAISED_BASE = 0.85, 0.6
# Fewer shared lines than this are a heading or an address block, not columns of text.
_MIN_SHARED = 8
# A large first letter stands so near to the rest of its word, in its own sizes.
_INITIAL_GAP = 0.25
# Footnotes are set at most at this share of the size of the text.
NOTE_SIZE = 0.92
# Share of the lines of a column that continue rows of a table: cells of several lines are among them.
_COLUMN_SHARE = 0.6
# So many rows of several cells on end are a table.
_MIN_TABLE_ROWS = 3
# Words to a line of a column: cells of tables have fewer on average.
_MIN_WORDS = 3.5
# Points by which two gutters are told apart.
_GUTTER_STEP = 4.0


def with_notes_last(lines: Sequence[Line], *, body: float) -> list[Line]:
    """The lines of a page, its footnotes at the end where they were written before the text above them.

    `body` is the size of the text; footnotes are smaller.
    """
    small = [line.size <= NOTE_SIZE * body for line in lines]
    first = next((index for index, line in enumerate(lines) if not (small[index] or line.running)), 0)
    notes = [line for line in lines[:first] if not line.running]
    text = [line for index, line in enumerate(lines) if index >= first or line.running]
    if any(_is_below(line, notes) for index, line in enumerate(lines[first:], start=first) if not small[index]):
        return list(lines)
    return [*text, *notes]


def _is_below(line: Line, notes: Sequence[Line]) -> bool:
    """Whether a line stands below one of the notes in its column."""
    return any(line.base < note.base and line.left < note.right and note.left < line.right for note in notes)


def in_rows(lines: Sequence[Line]) -> list[Line]:
    """Lines that continue another on its baseline, to its right, are joined to it.

    Next to each other in the content that is any line, a raised or lowered smaller one too. Further
    apart it is a cell of a table row, for tables are often written column by column.
    """
    joined: list[Line] = []
    for line in lines:
        if joined and _is_initial(joined[-1], line):
            joined[-1] = _with_initial(joined[-1], line)
        elif joined and (_same_row(joined[-1], line) or _is_raised(joined[-1], line)):
            joined[-1] = _with(joined[-1], line)
        else:
            joined.append(line)
    return _with_late_cells(joined, rows=_table_rows(joined), share=_COLUMN_SHARE)


def with_fields(lines: Sequence[Line], values: Sequence[Line]) -> list[Line]:
    """The lines of a form with the values of its fields beside their labels, or else at the end."""
    return _with_late_cells([*lines, *values], rows=range(len(lines)), first=len(lines))


def _table_rows(lines: Sequence[Line]) -> list[int]:
    """Indexes of lines of several cells among others of several cells."""
    rows: list[int] = []
    run: list[int] = []
    for index, line in enumerate(lines):
        if len(cells_of(line)) > 1:
            run.append(index)
            continue
        rows.extend(run if len(run) >= _MIN_TABLE_ROWS else ())
        run = []
    return [*rows, *(run if len(run) >= _MIN_TABLE_ROWS else ())]


def _with_late_cells(lines: list[Line], *, rows: Sequence[int], first: int = 0, share: float = 0.0) -> list[Line]:
    """The lines, each from `first` on joined to the earlier one among `rows` that it continues.

    Of lines written on end beside the rows at least `share` must continue one: else they are a column of text.
    """
    by_base = {round(lines[index].base): index for index in reversed(rows)}
    merged = list(lines)
    gone: set[int] = set()
    for run in _beside(lines, rows=rows, first=first) if share else [range(first, len(lines))]:
        found = [(index, row) for index in run if (row := _continued(index, merged, by_base, gone)) is not None]
        for index, row in found if len(found) >= share * len(run) else ():
            if row not in gone and _same_row(merged[row], lines[index]):
                merged[row] = _with(merged[row], lines[index])
                gone.add(index)
    return [line for index, line in enumerate(merged) if index not in gone]


def _beside(lines: Sequence[Line], *, rows: Sequence[int], first: int) -> Iterator[list[int]]:
    """Runs of lines on end that each stand lower than the one before, between the first and the last of the rows."""
    top = max((lines[index].base + lines[index].size for index in rows), default=0.0)
    bottom = min((lines[index].base - lines[index].size for index in rows), default=0.0)
    run: list[int] = []
    for index in range(first, len(lines)):
        line = lines[index]
        if run and (line.base > lines[run[-1]].base or not bottom <= line.base <= top):
            yield run
            run = []
        if bottom <= line.base <= top:
            run.append(index)
    if run:
        yield run


def _continued(index: int, lines: Sequence[Line], by_base: dict[int, int], gone: set[int]) -> int | None:
    """The earlier row that a line continues."""
    line = lines[index]
    earlier = (by_base[base] for base in _bases(line) if base in by_base and by_base[base] < index)
    return next((other for other in earlier if other not in gone and _same_row(lines[other], line)), None)


def _bases(line: Line) -> tuple[int, ...]:
    base = round(line.base)
    return (base, base - 1, base + 1)


def _with(before: Line, line: Line) -> Line:
    larger = before if before.size >= line.size else line
    return larger.with_words([*before.words, *line.words])


def _is_raised(before: Line, line: Line) -> bool:
    """Whether one of two neighbours is a superscript or subscript of the other."""
    small, large = sorted((before.size, line.size))
    near = 0 <= line.left - before.right < large
    return near and small < _RAISED_SIZE * large and abs(before.base - line.base) < _RAISED_BASE * large


def _is_initial(before: Line, line: Line) -> bool:
    """Whether `before` is the large first letter of a chapter, and `line` the first of the lines beside it."""
    if len(before.text) > 1 or not before.text.isalpha() or before.size < INITIAL_SIZE * line.size:
        return False
    beside = -_INITIAL_GAP * line.size <= line.left - before.right < before.size / 2
    return beside and -_SAME_BASE * line.size <= line.base - before.base < before.size


def _with_initial(initial: Line, line: Line) -> Line:
    letter, word = initial.words[0], line.words[0]
    if word.left - letter.right > _INITIAL_GAP * initial.size:
        return line.with_words([letter, *line.words])
    return line.with_words([Word(letter.text + word.text, letter.left, word.right), *line.words[1:]])


def in_columns(lines: Sequence[Line]) -> list[Line]:
    """Lines that run across a gutter between two text columns are parted: the left column comes first."""
    gutter = _gutter(lines)
    if gutter is None:
        return list(lines)
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in lines:
        if line.left < gutter < line.right and not _parts_at(line, gutter):
            ordered.extend([*left, *right, line])
            left, right = [], []
            continue
        words = ([word for word in line.words if word.center < gutter], [w for w in line.words if w.center >= gutter])
        for side, own in zip((left, right), words, strict=True):
            if own:
                side.append(line.with_words(own))
    return [*ordered, *left, *right]


def _same_row(before: Line, line: Line) -> bool:
    tolerance = _SAME_BASE * min(before.size, line.size)
    return abs(before.base - line.base) <= tolerance and line.left >= before.right - tolerance


def _gutter(lines: Sequence[Line]) -> float | None:
    """The middle of the gap that many lines of prose share, or None."""
    middles: Counter[int] = Counter()
    for line in lines:
        cells = cells_of(line)
        if len(cells) == 2 and all(len(cell) >= 2 for cell in cells):  # noqa: PLR2004 - two columns of words
            middles[round(_middle(cells[0], cells[1]) / _GUTTER_STEP)] += 1
    if not middles:
        return None
    step, _ = max(middles.items(), key=lambda item: (item[1], item[0]))
    gutter = step * _GUTTER_STEP
    shared = [line for line in lines if _parts_at(line, gutter)]
    words = sum(len(line.words) for line in shared)
    if len(shared) < _MIN_SHARED or words < 2 * _MIN_WORDS * len(shared):
        return None
    return gutter


def _parts_at(line: Line, gutter: float) -> bool:
    cells = cells_of(line)
    return any(before[-1].right <= gutter <= after[0].left for before, after in pairwise(cells))


def _middle(before: list[Word], after: list[Word]) -> float:
    return (before[-1].right + after[0].left) / 2
