import pytest
from tests.chunk.cutting import cut_text

from minirag_mcp.chunk.place import Places
from minirag_mcp.model import Mark, MarkKind, Span


def place(text: str, marks: list[Mark], part: str) -> str | None:
    start = text.index(part)
    found = Places(text, marks).of(Span(start=start, end=start + len(part)))
    return None if found is None else str(found)


def mark(kind: MarkKind, start: int, number: int = 0, name: str = "") -> Mark:
    return Mark(kind=kind, start=start, number=number, name=name)


PAGES = "First page.\n\nSecond page.\n\nThird page."


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("First page.", "page 1"),
        ("Second page.", "page 2"),
        ("page.\n\nSecond", "pages 1–2"),
        ("First page.\n\n", "page 1"),
        ("\n\nThird page.", "page 3"),
        (PAGES, "pages 1–3"),
    ],
)
def test_a_span_stands_on_the_pages_of_its_written_part(part: str, expected: str) -> None:
    starts = [PAGES.index(word) for word in ("First", "Second", "Third")]
    marks = [mark(MarkKind.PAGE, start, number) for number, start in enumerate(starts, 1)]
    assert place(PAGES, marks, part) == expected


def test_lines_are_counted_from_the_last_mark() -> None:
    text = "one\ntwo\n\nfour\nten\neleven"
    marks = [mark(MarkKind.LINE, 0, 1), mark(MarkKind.LINE, text.index("ten"), 10)]
    assert place(text, marks, "two") == "line 2"
    assert place(text, marks, "two\n\nfour\n") == "lines 2–4"
    assert place(text, marks, "four\nten\neleven") == "lines 4–11"


SHEET = "## Prices\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n\n## Stock\n\n| c |\n|---|\n| 7 |"


def sheet_marks(*, named: bool, sheets: bool) -> list[Mark]:
    marks = [
        mark(MarkKind.SHEET, 0, 1, "Prices"),
        mark(MarkKind.ROW, SHEET.index("| a"), 1, "Prices" * named),
        mark(MarkKind.ROW, SHEET.index("| 1"), 2, "Prices" * named),
        mark(MarkKind.ROW, SHEET.index("| 5"), 9, "Prices" * named),
        mark(MarkKind.SHEET, SHEET.index("## Stock"), 2, "Stock"),
        mark(MarkKind.ROW, SHEET.index("| c"), 1, "Stock" * named),
        mark(MarkKind.ROW, SHEET.index("| 7"), 2, "Stock" * named),
    ]
    return [one for one in marks if sheets or one.kind is not MarkKind.SHEET]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("| 1 | 2 |\n| 3 | 4 |", "sheet Prices, rows 2–3"),
        ("| 3 | 4 |\n| 5 | 6 |", "sheet Prices, rows 3–9"),
        ("## Prices\n\n| a | b |\n|---|---|\n| 1 | 2 |", "sheet Prices, rows 1–2"),
        ("| 5 | 6 |\n\n## Stock\n\n| c |", "sheet Prices, row 9"),
        ("## Stock", "sheet Stock"),
        ("| 7 |", "sheet Stock, row 2"),
    ],
)
def test_rows_stand_on_their_sheet(part: str, expected: str, *, named: bool) -> None:
    assert place(SHEET, sheet_marks(named=named, sheets=True), part) == expected


def test_comments_below_a_table_stand_in_the_rows_they_are_made_to() -> None:
    text = "| a |\n|---|\n| 1 |\n| 2 |\n\n> A2, Ann: check\n\n> Ann: lost"
    rows = [("| a", 6), ("|---", 6), ("| 1", 7), ("> A2", 2), ("> Ann: lost", 0)]
    marks = [mark(MarkKind.ROW, text.index(words), number, "S") for words, number in rows]
    assert place(text, marks, "> A2, Ann: check") == "sheet S, row 2"
    assert place(text, marks, "| 2 |\n\n> A2, Ann: check") == "sheet S, rows 2–8"
    assert place(text, marks, "> Ann: lost") == "sheet S"


def test_the_rule_of_a_table_is_no_row() -> None:
    marks = [mark(MarkKind.ROW, text_start, number) for text_start, number in ((0, 1), (6, 1), (12, 5))]
    text = "| a |\n|---|\n| 1 |\n| 2 |"
    assert place(text, marks, "| a |\n|---|") == "row 1"
    assert place(text, marks, "|---|\n| 1 |\n| 2 |") == "rows 5–6"


def test_rows_name_their_sheet_without_sheet_marks_too() -> None:
    marks = sheet_marks(named=True, sheets=False)
    assert place(SHEET, marks, "| 5 | 6 |") == "sheet Prices, row 9"
    assert place(SHEET, marks, "## Prices") is None


def test_rows_of_a_file_without_sheets_stand_by_themselves() -> None:
    text = "| a |\n|---|\n| 1 |\n| 2 |"
    assert place(text, [mark(MarkKind.ROW, text.index("| 1"), 2)], "| 1 |\n| 2 |") == "rows 2–3"


def test_cells_and_chapters_are_named() -> None:
    text = "print(1)\n\nprint(2)"
    marks = [mark(MarkKind.CELL, 0, 1), mark(MarkKind.CELL, 10, 2)]
    assert place(text, marks, "print(2)") == "cell 2"
    assert place(text, [mark(MarkKind.CHAPTER, 0, 1, "Loomings")], "print(2)") == "chapter Loomings"


def test_a_span_over_several_chapters_names_the_first_and_the_last() -> None:
    text = "Cover\n\nOne\n\nTwo\n\nThree"
    names = [("Cover", 1, ""), ("One", 2, "Loomings"), ("Two", 3, "The Carpet-Bag"), ("Three", 4, "The Carpet-Bag")]
    marks = [mark(MarkKind.CHAPTER, text.index(words), number, name) for words, number, name in names]
    assert place(text, marks, "One\n\nTwo") == "chapter Loomings – The Carpet-Bag"
    assert place(text, marks, "Two\n\nThree") == "chapter The Carpet-Bag"
    assert place(text, marks, "Cover\n\nOne") == "chapter Loomings"
    assert place(text, marks, "Cover") == "chapter 1"


def test_a_transcript_is_cited_by_time_also_where_it_has_pages_or_lines() -> None:
    text = "[00:05] a\n[01:05] b"
    times = [mark(MarkKind.TIME, 0, 5), mark(MarkKind.TIME, 10, 65)]
    for other in (mark(MarkKind.PAGE, 0, 1), mark(MarkKind.LINE, 0, 1)):
        assert place(text, [other, *times], "[00:05] a") == "00:05–01:05"


def test_times_run_to_the_next_turn() -> None:
    text = "a\nb\nc"
    marks = [mark(MarkKind.TIME, 0, 5), mark(MarkKind.TIME, 2, 65), mark(MarkKind.TIME, 4, 3700)]
    assert place(text, marks, "a") == "00:05–01:05"
    assert place(text, marks, "a\nb") == "00:05–1:01:40"
    assert place(text, marks, "c") == "1:01:40"


def test_the_most_specific_mark_decides() -> None:
    text = "words"
    assert place(text, [mark(MarkKind.LINE, 0, 1), mark(MarkKind.PAGE, 0, 4)], "words") == "page 4"
    assert place(text, [mark(MarkKind.SHEET, 0, 1, "S"), mark(MarkKind.ROW, 0, 3)], "words") == "sheet S, row 3"


def test_text_before_the_first_mark_has_no_place() -> None:
    assert place("before after", [mark(MarkKind.PAGE, 7, 1)], "before") is None
    assert place("before after", [mark(MarkKind.PAGE, 7, 1)], "before after") == "page 1"
    assert place("before after", [mark(MarkKind.TIME, 7, 1)], "before") is None
    assert place("text", [], "text") is None


def test_a_turn_before_a_long_pause_is_not_cited_to_last_until_the_next() -> None:
    text = "Ann 00:03\nGood morning.\n\nBob 00:15\nIs anybody there?\n\nAnn 12:40\nYes, back again.\n"
    made = cut_text(text, budget=16)
    assert [str(chunk.place) for chunk in made.chunks] == ["00:03–00:15", "00:15–00:45", "12:40"]
