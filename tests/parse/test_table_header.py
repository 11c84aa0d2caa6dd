"""When the first row of a table is taken for its header, and when an empty one is put above it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parse.office_files import docx, pptx, row, word_cell, word_paragraph, word_table, xlsx
from tests.parse.pdf_files import BOLD, Put, grid, pdf
from tests.parse.text_files import book, counted, page, read

from minirag_mcp.model import MarkKind
from minirag_mcp.parse.table_header import has_header

SALES = [["Products", "$63,355", "$63,948"], ["Services", "19,604", "17,486"], ["Total", "82,959", "81,434"]]
NAMES = [["Olga", "Oslo"], ["Ivan", "Perm"], ["Anna", "Riga"]]
LABELLED = [["Name", "Town"], *NAMES]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (SALES, False),
        ([["", "2022", "2021"], *SALES], True),
        ([["Item", "June 25, 2022", "June 26, 2021"], *SALES], True),
        ([["", "25.06.2022", "26.06.2021"], *SALES], True),
        ([["Net sales:", "", ""], *SALES], False),
        ([["Code", "Meaning"], ["E-17", "blocked"], ["E-18", "low"]], True),
        ([["E-17", "blocked"], ["E-18", "low"], ["E-19", "high"]], False),
        ([["2021", "Founded"], ["2022", "Grew"]], False),
        ([["Дата", "Сумма"], ["01.02.2025", "1 200,50 ₽"], ["02.02.2025", "(300) ₽"]], True),
        ([["01.01.2025", "5 %"], ["01.02.2025", "7,5 %"]], False),
        ([["Part", "State"], ["Valve", "open"], ["Pump", "State"], ["Tank", "open"]], False),
        ([["Valve", "open"], ["Pump", "shut"], ["Tank", "open"], ["Lid", "open"]], False),
        ([["Supplier:", "Ladoga Pumps"], ["Buyer:", "Northern House"]], False),
        ([["Name", "Town", ""], ["Olga", "Oslo", "x"]], False),
        ([["The pump is blocked and must be cleaned by a trained person before it runs.", "x"], ["a", "b"]], False),
        ([["Same", "Same"], ["a", "b"]], False),
        (LABELLED, True),
        (SALES[:1], True),
        ([["", ""], ["a", "b"]], False),
    ],
)
def test_the_first_row_is_a_header_when_it_names_what_stands_below(rows: list[list[str]], *, expected: bool) -> None:
    assert has_header(rows) is expected


def test_where_headers_are_usual_words_above_words_are_one() -> None:
    rows = [["Olga", "Olga", ""], ["Ivan", "Perm", "x"]]
    assert not has_header(rows)
    assert has_header(rows, usual=True)
    assert not has_header(SALES, usual=True)


@given(st.lists(st.lists(st.text("a1. ,%-:", max_size=6), min_size=1, max_size=4), min_size=1, max_size=6))
def test_any_rows_can_be_judged(rows: list[list[str]]) -> None:
    assert has_header(rows) in (True, False)


EMPTY = "|  |  |  |\n| --- | --- | --- |\n| Products | $63,355 | $63,948 |\n| Services | 19,604 | 17,486 |"


def placed(rows: list[list[str]], *, font: str = "F1", top: int = 690) -> list[Put]:
    return [
        Put(55 + 150 * column, top - 14 * index, cell, font="F1" if index else font)
        for index, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]


def html_table(rows: list[list[str]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for cells in rows)
    return f"<table class='x'><tbody>{cells}</tbody></table>"


def test_a_table_of_figures_gets_an_empty_header_in_every_format() -> None:
    assert EMPTY in read(docx(word_table(*SALES)), "a.docx").text
    assert EMPTY in read(pdf(placed(SALES)), "a.pdf").text
    assert EMPTY in read(page(html_table(SALES)), "a.html").text
    assert EMPTY in read(book({"a.xhtml": page(html_table(SALES))}), "a.epub").text
    frame = "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    cell = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"
    cells = "".join(f"<a:tr>{''.join(cell.format(text) for text in cells)}</a:tr>" for cells in SALES)
    assert EMPTY in read(pptx(frame.format(cells)), "a.pptx").text


def test_rows_of_sheets_and_csv_keep_their_numbers_below_an_empty_header() -> None:
    sheet = read(xlsx({"S": row(3, "Products", 1.5) + row(4, "Services", 2.5)}), "a.xlsx")
    assert "|  |  |\n| --- | --- |\n| Products | 1.5 |\n| Services | 2.5 |" in sheet.text
    assert counted(sheet, MarkKind.ROW, "| Products") == 3
    table = read("\nProducts,1.5\nServices,2.5\n", "a.csv")
    assert table.text == "|  |  |\n| --- | --- |\n| Products | 1.5 |\n| Services | 2.5 |"
    assert [counted(table, MarkKind.ROW, words) for words in ("| Products", "| Services")] == [2, 3]


def test_what_the_author_made_a_header_is_one() -> None:
    names = [["Olga", "Olga"], *NAMES]
    header = "| Olga | Olga |\n| --- | --- |\n| Olga | Oslo |"
    assert header not in read(docx(word_table(*names)), "a.docx").text
    repeated = word_table(*names).replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>", 1)
    bold = word_table([word_cell(word_paragraph("Olga", run="<w:b/>"))] * 2, *NAMES)
    shaded = word_table([word_cell(word_paragraph("Olga"), '<w:shd w:fill="D9D9D9"/>')] * 2, *NAMES)
    for table in (repeated, bold, shaded):
        assert header in read(docx(table), "a.docx").text
    assert header in read(pdf(placed(names, font=BOLD)), "a.pdf").text
    ruled = [*grid([50, 200, 350], [702, 686, 672, 658, 644]), *placed(names, font=BOLD)]
    assert header in read(pdf(ruled), "a.pdf").text
    marked = html_table(names).replace("td>", "th>", 4)
    assert header in read(page(marked), "a.html").text
    strong = html_table([["<b>Olga</b>", "<b>Olga</b>"], *NAMES])
    assert "| **Olga** | **Olga** |\n| --- |" in read(page(strong), "a.html").text


def test_a_table_that_goes_on_over_the_page_is_not_headed_by_its_next_row() -> None:
    pages = [placed(LABELLED), placed([["Petr", "Pskov"], ["Vera", "Varna"], ["Yuri", "Yalta"]])]
    text = read(pdf(*pages), "a.pdf").text
    assert text.startswith("| Name | Town |\n| --- | --- |\n")
    assert text.endswith("\n| Petr | Pskov |\n| Vera | Varna |\n| Yuri | Yalta |")
    repeated = read(pdf(pages[0], pages[0]), "a.pdf").text
    assert repeated.count("| Name | Town |") == repeated.count("| --- | --- |") == 1


def test_tables_that_only_lay_out_a_page_are_left_alone() -> None:
    nested = f"<table><tr><td>{html_table(LABELLED)}</td><td>beside</td></tr></table>"
    assert "Name" in read(page(nested), "a.html").text
    assert "|  |" not in read(page("<table><tr><td>1</td></tr><tr><td>2</td></tr></table>"), "a.html").text
