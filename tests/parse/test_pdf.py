import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.pdf_files import BOLD, REGULAR, TYPED, Item, Put, Raw, Stroke, grid, paragraph, pdf

from minirag_mcp.errors import (
    CorruptFileError,
    EmptyFileError,
    EncryptedFileError,
    NoTextError,
    ParseError,
    WrongFormatError,
)
from minirag_mcp.model import MarkKind
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.pdf import parse

PROSE = (
    "The supplier delivers the goods to the place named in the order and bears the",
    "risk of loss until the goods are handed over; partial deliveries are allowed only",
    "where the order says so and the buyer has agreed to them in writing before.",
)
MORE = (
    "Payment is due within thirty days after the invoice has been received, unless the",
    "parties have agreed on another date in the order itself or in a later amendment.",
)


def page_of(parsed: Parsed, needle: str) -> int:
    """The page a citation of `needle` would give."""
    start = parsed.text.index(needle)
    return [mark.number for mark in parsed.marks if mark.kind is MarkKind.PAGE and mark.start <= start][-1]


def test_lines_join_to_paragraphs_and_large_lines_are_headings() -> None:
    page = [
        Put(50, 740, "Supply Agreement", 18),
        *paragraph(*PROSE, y=700),
        Put(50, 640, "Payment terms", 14),
        *paragraph(*MORE, y=615),
    ]
    parsed = parse(pdf(page))
    assert parsed.text == f"# Supply Agreement\n\n{' '.join(PROSE)}\n\n## Payment terms\n\n{' '.join(MORE)}"
    assert page_of(parsed, "Supply") == 1


def test_a_heading_of_two_lines_is_one_heading() -> None:
    page = [Put(50, 740, "A long title that", 18), Put(50, 718, "goes on below", 18), *paragraph(*PROSE, *MORE, y=680)]
    assert parse(pdf(page)).text.startswith("# A long title that goes on below\n\nThe supplier")


def test_bold_and_numbered_lines_that_stand_apart_are_headings() -> None:
    page = [
        *paragraph(*PROSE, y=740),
        Put(50, 690, "Warranty", 10, BOLD),
        *paragraph(*MORE, y=678),
        Put(50, 630, "2.1 Limits of liability"),
        *paragraph(*PROSE, y=606),
        Put(50, 560, "bold but it ends a sentence.", 10, BOLD),
        *paragraph(*MORE, y=548),
    ]
    text = parse(pdf(page)).text
    assert "\n\n# Warranty\n\nPayment" in text
    assert "\n\n## 2.1 Limits of liability\n\nThe supplier" in text
    assert "# bold" not in text


def test_bookmarks_name_headings_and_their_level() -> None:
    first = [Put(50, 740, "1 Scope"), *paragraph(*PROSE, y=716), Put(50, 660, "Prices"), *paragraph(*MORE, y=636)]
    second = [Put(50, 740, "Terms of use for", 10), Put(50, 728, "all buyers", 10), *paragraph(*PROSE, y=690)]
    bookmarks = [("Scope", 0), ("Prices", 0), ("Terms of use for all buyers", 1), ("Nowhere", 9)]
    text = parse(pdf(first, second, outline=bookmarks)).text
    assert text.startswith("# 1 Scope\n\n")
    assert "\n\n# Prices\n\n" in text
    assert "\n\n# Terms of use for all buyers\n\n" in text


def test_every_page_has_its_mark_also_inside_a_paragraph_and_after_a_blank_page() -> None:
    parsed = parse(pdf(paragraph(*PROSE[:2], y=740), paragraph(PROSE[2], y=740), [], paragraph(*MORE, y=740)))
    assert parsed.text == f"{' '.join(PROSE)}\n\n{' '.join(MORE)}"
    assert [page_of(parsed, word) for word in ("The supplier", "where the order", "Payment")] == [1, 2, 4]


def test_running_headers_footers_and_page_numbers_are_left_out() -> None:
    pages: list[list[Item]] = [
        [
            Put(50, 770, "ACME Handbook", 16),
            Put(50, 740, f"Opening words of page {number}: {'abcdef'[number] * 9}"),
            Put(50, 720, f"And {'abcdef'[number] * 5} follows."),
            Put(50, 700, f"And {'abcdef'[number] * 7} follows."),
            *paragraph(*PROSE, y=680),
            Put(50, 620, f"Fact number {number * 7 % 5} of the handbook, said once."),
            Put(50, 40, f"Revision 7 - page {number}"),
            Put(300, 25, str(number)),
        ]
        for number in range(1, 6)
    ]
    text = parse(pdf(*pages)).text
    assert text.startswith("ACME Handbook\n")
    assert text.count("ACME Handbook") == 1
    assert text.count("Revision 7") == 1
    assert "Fact number 4" in text
    assert text.count("The supplier delivers") == 5


def test_a_header_on_left_pages_only_is_left_out() -> None:
    pages: list[list[Item]] = [
        [
            *([Put(50, 770, "Left header")] if number % 2 else []),
            *[Put(50, 700 - 12 * n, f"Line {n} {'abcdefghijklmn'[number] * 5} stays.") for n in range(6)],
            Put(50, 600, f"Sentence {'abcdefghijklmn'[number]} stays here."),
        ]
        for number in range(12)
    ]
    text = parse(pdf(*pages)).text
    assert text.count("Left header") == 1
    assert "Sentence l stays" in text


def test_a_lone_page_number_is_left_out_and_a_number_in_the_text_is_not() -> None:
    page = [*paragraph(*PROSE, y=740), Put(50, 690, "42"), *paragraph(*MORE, y=660), Put(300, 30, "Page 3 of 9")]
    text = parse(pdf(page)).text
    assert "42" in text
    assert "Page 3" not in text


def test_a_hyphen_at_a_line_end_is_repaired_and_one_that_belongs_is_kept() -> None:
    page = paragraph(
        "The consti-", "tution knows a well-", "known rule, and a well-known one too; also B-", "12.", y=740
    )
    assert "The constitution knows a well-known rule" in parse(pdf(page)).text


def test_lists_are_items_and_short_lines_stay_lines() -> None:
    page = [
        *paragraph(*PROSE, y=740),
        Put(60, 690, "\x95 first item of the list which is long enough to reach over the right margin"),
        Put(70, 678, "and goes on below"),
        Put(60, 666, "\x95 second item"),
        Put(60, 654, "3. third item"),
        Put(50, 600, "ACME Ltd"),
        Put(50, 588, "1 High Street"),
        Put(50, 576, "London"),
    ]
    text = parse(pdf(page)).text
    assert "right margin and goes on below\n- second item\n3. third item" in text
    assert text.endswith("ACME Ltd\n1 High Street\nLondon")


def test_a_ruled_table_becomes_rows_and_columns() -> None:
    page = [
        *paragraph(*PROSE, y=740),
        *grid([50, 150, 300], [690, 670, 630, 610]),
        Put(55, 676, "Code"),
        Put(155, 676, "Meaning"),
        Put(55, 656, "E-17"),
        Put(155, 656, "the pump is"),
        Put(155, 642, "blocked"),
        Put(55, 616, "E-18 | x"),
        Put(155, 616, "low"),
        Put(310, 616, "beside"),
        *paragraph(*MORE, y=580),
    ]
    text = parse(pdf(page)).text
    assert "| Code | Meaning |\n| --- | --- |\n| E-17 | the pump is blocked |\n| E-18 \\| x | low |" in text
    assert "beside" in text
    assert text.endswith(" ".join(MORE))


def test_boxes_drawn_as_rectangles_and_paths_are_rules_too() -> None:
    boxes = Raw("50 650 100 20 re S 150 650 100 20 re S 50 630 100 20 re S 150 630 100 20 re S")
    path = Raw(
        "50 600 m 250 600 l 50 580 m 250 580 l 50 560 m 250 560 l "
        "50 560 m 50 600 l 150 560 m 150 600 l 250 560 m 250 600 l S"
    )
    curve = Raw("300 300 m 320 340 360 340 380 300 c 390 310 l 395 320 l 399 330 l S")
    words = [(55, 655, "a1"), (155, 655, "b1"), (55, 635, "a2"), (155, 635, "b2")]
    other = [(55, 585, "c1"), (155, 585, "d1"), (55, 565, "c2"), (155, 565, "d2")]
    text = parse(pdf([boxes, path, curve, *(Put(x, y, word) for x, y, word in words + other)])).text
    assert "| --- | --- |\n| a1 | b1 |\n| a2 | b2 |" in text
    assert "| --- | --- |\n| c1 | d1 |\n| c2 | d2 |" in text


def test_grids_drawn_apart_are_one_table_and_currency_signs_join_their_amounts() -> None:
    rows = [690.0, 670, 650, 630]
    page = [*grid([50, 150, 170, 250], rows), *grid([260, 280, 350], rows)]
    for index, (name, one, two) in enumerate((("Sales", "10", "20"), ("Costs", "30", "40"), ("Profit", "50", "60"))):
        y = 676 - 20 * index
        page += [Put(55, y, name), Put(155, y, "$"), Put(175, y, one), Put(263, y, "$"), Put(285, y, two)]
    assert (
        parse(pdf(page)).text
        == "|  |  |  |\n| --- | --- | --- |\n| Sales | $10 | $20 |\n| Costs | $30 | $40 |\n| Profit | $50 | $60 |"
    )


def test_a_frame_around_prose_is_no_table() -> None:
    page = [*grid([40, 45, 560], [750, 690, 600]), *paragraph(*PROSE, y=740), *paragraph(*MORE, y=680)]
    assert "|" not in parse(pdf(page)).text


def test_rows_that_line_up_are_a_table_without_rules() -> None:
    page = [*paragraph(*PROSE, y=740), Put(50, 690, "Item"), Put(200, 690, "Price"), Put(300, 690, "Stock")]
    rows = (("Bolt", "1.20", "40"), ("Nut", "0.80", ""), ("Washer", "0.10", "900"))
    for index, cells in enumerate(rows):
        page += [
            Put(50 + 150 * (n > 0) + 100 * (n > 1), 676 - 14 * index, cell) for n, cell in enumerate(cells) if cell
        ]
    page += [Put(50, 634, "of steel"), *paragraph(*MORE, y=600)]
    text = parse(pdf(page)).text
    assert "| Item | Price | Stock |\n| --- | --- | --- |\n| Bolt | 1.20 | 40 |\n" in text
    assert "| Nut | 0.80 |  |\n| Washer | 0.10 | 900 |\n" in text
    assert "of steel" in text


def test_a_table_written_column_by_column_keeps_its_rows() -> None:
    columns = (("Item", "Bolt", "Nut"), ("Price", "1.20", "0.80"))
    page = [Put(50 + 150 * n, 690 - 14 * i, cell) for n, cells in enumerate(columns) for i, cell in enumerate(cells)]
    third = [Put(350, 690 - 14 * i, cell) for i, cell in enumerate(("Stock", "40", "7"))]
    interleaved = [item for pair in zip(page[:3], page[3:], strict=True) for item in pair]
    text = parse(pdf([*interleaved, *third])).text
    assert text == "| Item | Price | Stock |\n| --- | --- | --- |\n| Bolt | 1.20 | 40 |\n| Nut | 0.80 | 7 |"


def test_two_columns_written_line_by_line_are_read_one_after_the_other() -> None:
    left = [f"left line number {n} goes on" for n in range(10)]
    right = [f"right line number {n} goes on" for n in range(10)]
    page: list[Item] = [Put(50, 760, "One heading that runs across both of the columns on this page", 10)]
    for index, (one, two) in enumerate(zip(left, right, strict=True)):
        page += [Put(50, 700 - 12 * index, one), Put(320, 700 - 12 * index, two)]
    text = " ".join(parse(pdf(page)).text.split())
    assert text.index("left line number 9") < text.index("right line number 0")


def test_typewriter_lines_are_code_unless_everything_is_typed() -> None:
    code = [Put(50, 690, "def f(x):", 10, TYPED), Put(74, 678, "return x", 10, TYPED)]
    text = parse(pdf([*paragraph(*PROSE, y=740), *code, *paragraph(*MORE, y=640)])).text
    assert "```\ndef f(x):\n    return x\n```" in text
    assert "```" not in parse(pdf(code)).text


def test_superscripts_stay_with_their_word() -> None:
    page = [
        Put(50, 740, "The claim"),
        Put(96.5, 745, "1", 6),
        Put(101, 740, "is contested in most of the later literature."),
    ]
    assert parse(pdf(page)).text == "The claim 1 is contested in most of the later literature."


def test_lines_of_dashes_and_words_off_the_page_are_left_out() -> None:
    page = [Put(50, 740, "Kept text."), Put(50, 700, "-" * 30), Put(700, 680, "outside"), Put(50, 660, "Also kept.")]
    assert parse(pdf(page)).text == "Kept text.\n\nAlso kept."


@pytest.mark.parametrize(
    ("turn", "places"),
    [
        ("0 1 -1 0", [(200, 100), (212, 100)]),
        ("-1 0 0 -1", [(500, 100), (500, 112)]),
        ("0 -1 1 0", [(212, 700), (200, 700)]),
    ],
)
def test_a_page_of_turned_text_reads_like_any_other(turn: str, places: list[tuple[float, float]]) -> None:
    lines = ("Turned text goes on and", "on in the next line.")
    page: list[Item] = [Put(x, y, line, turn=turn) for (x, y), line in zip(places, lines, strict=True)]
    assert parse(pdf(page)).text == "Turned text goes on and on in the next line."


def test_the_title_is_the_one_in_the_information_dictionary_if_a_person_gave_it() -> None:
    page = paragraph(*PROSE, y=740)
    assert parse(pdf(page, title="Supply Agreement")).title == "Supply Agreement"
    assert parse(pdf(page, title="Microsoft Word - final_v2.doc")).title is None


def test_a_file_without_header_is_read_if_it_has_a_body() -> None:
    assert parse(pdf(paragraph(*PROSE, y=740)).replace(b"%PDF-1.4", b"%", 1)).text.startswith("The supplier")


def test_a_page_that_cannot_be_read_does_not_stop_the_others() -> None:
    data = pdf(paragraph(*PROSE, y=740), paragraph(*MORE, y=740)).replace(b"/Kids [10 0 R", b"/Kids [ 9 0 R")
    parsed = parse(data)
    assert page_of(parsed, "Payment") == 2


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyFileError),
        (b"\n\n", EmptyFileError),
        (b"Just text", WrongFormatError),
        (b"%PDF-1.4\nnothing", CorruptFileError),
        (pdf(), CorruptFileError),
        (pdf([]), NoTextError),
        (pdf([Stroke(0, 0, 99, 99), Put(50, 50, "...")]), NoTextError),
    ],
)
def test_each_failure_has_its_own_error(data: bytes, error: type[ParseError]) -> None:
    with pytest.raises(error):
        parse(data)


def test_a_password_is_named_as_the_reason() -> None:
    key = "00" * 32
    locked = f"<< /Filter /Standard /V 1 /R 2 /O <{key}> /U <{key}> /P -1 >>"
    data = pdf(paragraph(*PROSE, y=740))
    data = data.replace(b"/Root 1 0 R", f"/ID [<00> <00>] /Encrypt {locked} /Root 1 0 R".encode())
    with pytest.raises(EncryptedFileError, match="password"):
        parse(data)


WHOLE = pdf(
    [Put(50, 740, "Head", 18), *paragraph(*PROSE, y=700), *grid([50, 100, 150], [600, 580, 560]), Put(55, 585, "x")],
    paragraph(*MORE, y=700),
    outline=[("Head", 0)],
)


@settings(max_examples=100)
@given(place=st.integers(0, len(WHOLE)), noise=st.binary(min_size=1, max_size=12), cut=st.integers(0, len(WHOLE)))
def test_any_damage_gives_a_document_or_a_parse_error(place: int, noise: bytes, cut: int) -> None:
    for data in (b"%PDF-1.7\n" + noise, WHOLE[:place] + noise + WHOLE[place + len(noise) :], WHOLE[:cut]):
        assert survives(data)


PLACES = st.tuples(
    st.floats(-50, 700), st.floats(-50, 850), st.sampled_from(["word", "2.", "A-", "$", "a b c", "Page 1"])
)


@settings(max_examples=80)
@given(st.lists(PLACES, min_size=1, max_size=25), st.sampled_from([REGULAR, BOLD, TYPED]), st.sampled_from([4, 10, 30]))
def test_words_anywhere_give_a_document_or_a_parse_error(
    places: list[tuple[float, float, str]], font: str, size: int
) -> None:
    assert survives(pdf([Put(round(x, 1), round(y, 1), text, size, font) for x, y, text in places]))


def survives(data: bytes) -> bool:
    try:
        parsed = parse(data)
    except ParseError as error:
        return bool(error.message)
    starts = [mark.start for mark in parsed.marks]
    return bool(parsed.text) and starts == sorted(starts) and all(start < len(parsed.text) for start in starts)


def test_short_lines_run_together_by_the_library_are_taken_apart() -> None:
    stock = [Put(350, 690 - 14 * index, text) for index, text in enumerate(("40", "7", "9"))]
    assert parse(pdf(stock)).text.split() == ["40", "7", "9"]


def test_a_long_drawing_is_not_searched_for_tables() -> None:
    strokes: list[Item] = [Stroke(n % 600, 100, n % 600, 200) for n in range(3100)]
    assert parse(pdf([*paragraph(*PROSE, y=740), *strokes])).text == " ".join(PROSE)


def test_a_paragraph_that_goes_on_in_the_next_column_is_joined() -> None:
    page = [*paragraph("first column begins a long", "sentence and", y=300), *paragraph("ends it here.", y=700, x=320)]
    assert parse(pdf(page)).text == "first column begins a long sentence and ends it here."


def test_values_of_form_fields_stand_beside_their_labels() -> None:
    stream = "BT /F1 10 Tf 1 0 0 1 2 5 Tm (Ada Lovelace) Tj ET"
    field = (
        "90 0 obj\n<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /Rect [100 735 300 755] /F 4 "
        "/AP << /N 91 0 R >> >>\nendobj\n91 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] "
        f"/Resources << /Font << /F1 5 0 R >> >> /Length {len(stream)} >>\nstream\n{stream}\nendstream\nendobj\n"
    )
    data = pdf([Put(50, 740, "Name:"), Put(50, 700, "Date:")], extra="/AcroForm << /Fields [90 0 R] >> ")
    data = data.replace(b"/MediaBox", b"/Annots [90 0 R] /MediaBox", 1).replace(
        b"1 0 obj", field.encode() + b"1 0 obj", 1
    )
    assert parse(data).text == "Name: Ada Lovelace\n\nDate:"


def test_the_large_first_letter_of_a_chapter_belongs_to_its_word_and_makes_no_heading() -> None:
    beside = paragraph("t was late when the keeper", "came back to the plant and", x=60, y=700)
    below = paragraph("looked for the pumps that the others had left at the gate in the morning.", y=676)
    text = parse(pdf([Put(50, 688, "I", 30), *beside, *below, *paragraph(*PROSE, y=600)])).text
    assert " ".join(text.split()).startswith("It was late when the keeper came back to the plant and looked")
    raised = parse(pdf([Put(50, 700, "I", 30), Put(59, 700, "t was late when the keeper came."), *below])).text
    assert raised.startswith("It was late")


def test_clauses_set_off_from_their_numbers_are_no_table() -> None:
    page: list[Item] = []
    for index, label in enumerate(("(1)", "(a)", "(b)", "(2)", "(a)")):
        page += [Put(50, 740 - 14 * index, label), Put(90, 740 - 14 * index, f"this clause is number {index}")]
    text = parse(pdf(page)).text
    assert "|" not in text
    assert "(b) this clause is number 2" in text
