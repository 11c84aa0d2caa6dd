import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.office_files import core_title, docx, part, relationships, row, with_parts, word_paragraph, xlsx

from minirag_mcp.errors import NoTextError, ParseError, ParseLimitError, WrongFormatError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.xlsx import parse


def styled(*codes: str) -> str:
    """Cell styles: 0 is General, then one for each format code."""
    own = "".join(f'<s:numFmt numFmtId="{170 + n}" formatCode="{code}"/>' for n, code in enumerate(codes))
    used = "".join(f'<s:xf numFmtId="{170 + n}"/>' for n in range(len(codes)))
    return f'<s:numFmts>{own}</s:numFmts><s:cellXfs><s:xf numFmtId="0"/>{used}<s:xf numFmtId="10"/></s:cellXfs>'


def value(text: str | float, style: int = 0, kind: str = "n") -> str:
    return f'<s:c s="{style}" t="{kind}"><s:v>{text}</s:v></s:c>'


def original_row(parsed: Parsed, needle: str) -> int:
    """The row of the sheet that a citation of `needle` would give."""
    start = parsed.text.index(needle)
    mark = [mark for mark in parsed.marks if mark.kind is MarkKind.ROW and mark.start <= start][-1]
    return mark.number + parsed.text.count("\n", mark.start, start)


def test_a_sheet_is_a_heading_and_a_table_with_values_as_a_user_sees_them() -> None:
    parsed = parse(
        xlsx(
            {
                "Prices": row(1, "Code", "Price", "Share", "Since", "Ok", "Note")
                + row(2, "00123", 12.0, value(0.075, 1), value(45292, 2), value(1, 0, "b"), value("#N/A", 0, "e"))
                + row(3, "NA", value(1234.5, 3), value("0.1"), "", value(0, 0, "b"), "x|y\nz"),
            },
            styles=styled("0.0%", "yyyy\\-mm\\-dd", "[$€-407]#,##0.00"),
        )
    )
    assert parsed.text == (
        "## Prices\n\n"
        "| Code | Price | Share | Since | Ok | Note |\n| --- | --- | --- | --- | --- | --- |\n"
        "| 00123 | 12 | 7.5% | 2024-01-01 | TRUE | #N/A |\n"
        "| NA | €1234.50 | 0.1 |  | FALSE | x\\|y<br>z |"
    )
    assert parsed.marks == (
        Mark(kind=MarkKind.SHEET, start=0, number=1, name="Prices"),
        Mark(kind=MarkKind.ROW, start=11, number=1, name="Prices"),
        Mark(kind=MarkKind.ROW, start=parsed.text.index("| ---"), number=1, name="Prices"),
    )


def test_row_marks_give_the_rows_of_the_sheet_over_gaps_and_captions() -> None:
    parsed = parse(
        xlsx(
            {
                "S": row(2, "Price list 2024")
                + row(3, "valid from May")
                + row(5, "Code", "Price")
                + row(6, "A-1", 10)
                + row(7, "A-2", 20)
                + row(12, "A-3", 30)
                + row(14, "Footnote about prices")
                + row(16, "Region", "Manager", first="D")
                + row(17, "North", "Ann", first="D")
            }
        )
    )
    assert parsed.text == (
        "## S\n\nPrice list 2024\nvalid from May\n\n| Code | Price |\n| --- | --- |\n"
        "| A-1 | 10 |\n| A-2 | 20 |\n| A-3 | 30 |\n\n"
        "Footnote about prices\n\n| Region | Manager |\n| --- | --- |\n| North | Ann |"
    )
    expected = {
        "Price list": 2,
        "valid": 3,
        "Code": 5,
        "A-1": 6,
        "A-2": 7,
        "A-3": 12,
        "Footnote": 14,
        "Region": 16,
        "North": 17,
    }
    assert {needle: original_row(parsed, needle) for needle in expected} == expected


def test_a_new_table_begins_where_words_stand_below_numbers() -> None:
    rows = row(1, "Name", "Age") + row(2, "Ann", 40) + row(4, "Bob", 50) + row(6, "City", "People") + row(7, "Rome", 3)
    assert parse(xlsx({"S": rows})).text == (
        "## S\n\n| Name | Age |\n| --- | --- |\n| Ann | 40 |\n| Bob | 50 |\n\n"
        "| City | People |\n| --- | --- |\n| Rome | 3 |"
    )


def test_captions_above_a_table_without_a_gap_are_lines() -> None:
    rows = row(1, "Only title") + row(2, "a", "b") + row(3, "1", "2")
    assert parse(xlsx({"S": rows})).text == "## S\n\nOnly title\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"
    stairs = row(1, "x") + row(2, "y", first="B")
    assert parse(xlsx({"S": stairs})).text == "## S\n\nx\n\n|  | y |\n| --- | --- |"


def test_shared_and_rich_strings_are_read_without_phonetic_guides_and_escapes() -> None:
    strings = [
        "plain",
        "<s:si><s:r><s:t>rich </s:t></s:r><s:r><s:t>text</s:t></s:r><s:rPh><s:t>guide</s:t></s:rPh></s:si>",
        "a_x000D_b_xD800_",
        "<s:si/>",
        "<s:si><s:r/></s:si>",
    ]
    cells = [value(index, 0, "s") for index in (0, 1, 2, 3, 4, 99, "x")]
    parsed = parse(xlsx({"S": row(1, *cells)}, strings=strings))
    assert parsed.text == "## S\n\n| plain | rich text | a<br>b |\n| --- | --- | --- |"


def test_formulas_dates_and_broken_numbers() -> None:
    cells = [
        value("2024-05-01T00:00:00", 0, "d"),
        value("done", 0, "str"),
        value("oops"),
        value("inf"),
        value("", 0, "s"),
    ]
    assert "| 2024-05-01 | done | oops | inf |" in parse(xlsx({"S": row(1, *cells)})).text


def test_every_sheet_counts_in_the_order_of_the_tabs_and_blank_ones_are_left_out() -> None:
    data = xlsx({"First": row(1, "a"), "Empty": "", "Третий": row(1, "b"), "": row(1, "c")})
    parsed = parse(data)
    assert parsed.text == "## First\n\na\n\n## Третий\n\nb\n\n## 4\n\nc"
    assert [(mark.number, mark.name) for mark in parsed.marks if mark.kind is MarkKind.SHEET] == [
        (1, "First"),
        (3, "Третий"),
        (4, ""),
    ]


def test_cells_without_references_stand_one_after_another() -> None:
    rows = "<s:row><s:c><s:v>1</s:v></s:c><s:c/><s:c><s:v>3</s:v></s:c></s:row>"
    rows += "<s:row><s:c r='7'><s:v>9</s:v></s:c></s:row>"
    assert parse(xlsx({"S": rows})).text == "## S\n\n| 1 | 3 |\n| --- | --- |"


def test_two_cells_in_a_huge_sheet_stay_small() -> None:
    far = '<s:row r="1048576"><s:c r="XFD1048576"><s:v>2</s:v></s:c></s:row>'
    parsed = parse(xlsx({"S": row(1, 1) + far}))
    assert parsed.text == "## S\n\n1\n\n2"
    assert original_row(parsed, "2") == 1048576
    wide = '<s:row r="1"><s:c r="A1"><s:v>1</s:v></s:c><s:c r="XFD1"><s:v>2</s:v></s:c></s:row>'
    assert parse(xlsx({"S": wide})).text == "## S\n\n| 1 | 2 |\n| --- | --- |"


def test_dates_count_from_1904_where_the_workbook_says_so() -> None:
    rows = row(1, value(0, 1), value(60, 1))
    old = xlsx({"S": rows}, styles=styled("yyyy-mm-dd"), workbook='<s:workbookPr date1904="1"/>')
    assert "1904-01-01" in parse(old).text
    assert "1900-02-28" in parse(xlsx({"S": row(1, value(59, 1))}, styles=styled("yyyy-mm-dd"))).text


def test_a_chart_takes_a_number_among_the_tabs() -> None:
    links = relationships(
        s1="worksheet worksheets/sheet1.xml",
        s2="chartsheet chartsheets/sheet1.xml",
        s3="worksheet worksheets/sheet3.xml",
    )
    data = with_parts(
        xlsx({"First": row(1, "a"), "Chart": "", "Last": row(1, "b")}), {"xl/_rels/workbook.xml.rels": links}
    )
    sheets = [(mark.number, mark.name) for mark in parse(data).marks if mark.kind is MarkKind.SHEET]
    assert sheets == [(1, "First"), (3, "Last")]


def test_comments_stand_at_the_end_of_their_sheet() -> None:
    comments = part(
        "s:comments",
        "<s:authors><s:author>Ann</s:author></s:authors><s:commentList>"
        '<s:comment ref="B2" authorId="0"><s:text><s:r><s:t>Ann:\nCheck</s:t></s:r></s:text></s:comment>'
        '<s:comment ref="C3" authorId="9"><s:text><s:t>Who</s:t></s:text></s:comment><s:comment/></s:commentList>',
    )
    data = with_parts(
        xlsx({"S": row(1, "a")}),
        {"xl/worksheets/_rels/sheet1.xml.rels": relationships(c="comments ../c.xml"), "xl/c.xml": comments},
    )
    parsed = parse(data)
    assert parsed.text == "## S\n\na\n\n> B2, Ann: Check\n\n> C3, Comment: Who"
    assert (original_row(parsed, "> B2"), original_row(parsed, "> C3")) == (2, 3)


def test_a_strict_workbook_reads_like_any_other() -> None:
    data = xlsx({"S": row(1, "strict")})
    sheet = part("s:worksheet", f"<s:sheetData>{row(1, 'strict')}</s:sheetData>").replace(
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main"
    )
    assert parse(with_parts(data, {"xl/worksheets/sheet1.xml": sheet})).text == "## S\n\nstrict"


def test_the_title_is_the_core_property() -> None:
    assert (
        parse(with_parts(xlsx({"S": row(1, "a")}), {"docProps/core.xml": core_title("Price list")})).title
        == "Price list"
    )


def test_missing_strings_styles_and_sheets_do_not_stop_the_rest() -> None:
    data = with_parts(
        xlsx({"S": row(1, "kept", value(0.5, 7)), "T": ""}),
        {"xl/styles.xml": "damaged", "xl/strings.xml": "", "xl/worksheets/sheet2.xml": "<<<"},
    )
    assert parse(data).text == "## S\n\n| kept | 0.5 |\n| --- | --- |"


def test_an_entity_bomb_is_neither_expanded_nor_a_crash() -> None:
    bomb = "<!DOCTYPE x [<!ENTITY a 'lol'>" + "".join(f"<!ENTITY a{n} '{'&a;' * 50}'>" for n in range(20)) + "]>"
    sheet = bomb + f'<x xmlns="y">{row(1, "safe")}</x>'.replace("s:", "").replace(
        '<x xmlns="y">', ('<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">')
    ).replace("</x>", "</worksheet>")
    assert parse(with_parts(xlsx({"S": ""}), {"xl/worksheets/sheet1.xml": sheet})).text == "## S\n\nsafe"


def test_a_workbook_without_filled_cells_has_no_text_and_a_document_is_no_workbook() -> None:
    with pytest.raises(NoTextError):
        parse(xlsx({"S": row(1, "", " ")}))
    with pytest.raises(WrongFormatError):
        parse(docx(word_paragraph("x")))


def test_one_long_text_repeated_in_many_cells_is_refused() -> None:
    repeated = "".join(row(number, *[value(0, 0, "s")] * 20) for number in range(1, 40))
    with pytest.raises(ParseLimitError):
        parse(xlsx({"S": repeated}, strings=["x" * 100_000]))


def test_many_rows_stay_fast_and_keep_one_mark() -> None:
    rows = "".join(row(number, f"name {number}", number, number / 4) for number in range(1, 5001))
    started = time.process_time()
    parsed = parse(xlsx({"S": row(1, "h", "i", "j") + rows.removeprefix(row(1, "name 1", 1, 0.25))}))
    assert time.process_time() - started < 10
    assert len(parsed.marks) == 3
    assert original_row(parsed, "name 4999 ") == 4999


WHOLE = xlsx({"S": row(1, "a", "b") + row(2, value(0, 0, "s"), value(3, 1))}, strings=["x"], styles=styled("0.0"))


@settings(max_examples=80)
@given(place=st.integers(0, len(WHOLE)), noise=st.binary(min_size=1, max_size=8), cut=st.integers(0, len(WHOLE)))
def test_any_damage_gives_sheets_or_a_parse_error(place: int, noise: bytes, cut: int) -> None:
    for data in (noise, WHOLE[:place] + noise + WHOLE[place + len(noise) :], WHOLE[:cut]):
        assert survives(data)


CELLS = st.one_of(
    st.just(""), st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=8), st.integers(-99, 999)
)


@settings(max_examples=60)
@given(st.dictionaries(st.integers(1, 40), st.lists(CELLS, min_size=1, max_size=5), min_size=1, max_size=12))
def test_every_filled_cell_is_cited_by_its_own_row(grid: dict[int, list[str | int]]) -> None:
    tagged = {number: [f"r{number}" if cell else "" for cell in cells] for number, cells in sorted(grid.items())}
    if not any(cell for cells in tagged.values() for cell in cells):
        return
    parsed = parse(xlsx({"S": "".join(row(number, *cells) for number, cells in tagged.items())}))
    for number, cells in tagged.items():
        if any(cells):
            needle = next(end for end in (f"r{number} ", f"r{number}\n", f"r{number}") if end in parsed.text)
            assert original_row(parsed, needle) == number


def survives(data: bytes) -> bool:
    try:
        parsed = parse(data)
    except ParseError as error:
        return bool(error.message)
    return bool(parsed.text) and all(mark.start < len(parsed.text) for mark in parsed.marks)
