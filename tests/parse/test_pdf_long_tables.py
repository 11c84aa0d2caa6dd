from tests.parse.pdf_files import BOLD, REGULAR, Item, Put, grid, paragraph, pdf
from tests.parse.test_pdf_furniture import body

from minirag_mcp.model import MarkKind
from minirag_mcp.parse.pdf import parse

HEADER = ("Item", "Price", "Stock")


def rows(first: int, count: int, *, y: float, header: bool = False, left: float = 50) -> list[Item]:
    """A table of goods, ruled, from this number on."""
    lines = [HEADER] * header + [(f"Bolt {n}", f"{n}.50", str(n * 7)) for n in range(first, first + count)]
    edges = [y + 10 - 14 * index for index in range(len(lines) + 1)]
    cells = [
        Put(left + 5 + 150 * (n > 0) + 100 * (n > 1), y - 14 * index, cell, 10, BOLD if cells is HEADER else REGULAR)
        for index, cells in enumerate(lines)
        for n, cell in enumerate(cells)
    ]
    return [*grid([left, left + 150, left + 250, left + 350], edges), *cells]


def test_a_table_over_pages_is_one_table_with_its_header_once_and_its_rows_on_their_pages() -> None:
    pages = [
        [*body(0), *rows(1, 9, y=300, header=True)],
        *(rows(n, 9, y=740, header=True) for n in (10, 19)),
        [*rows(28, 3, y=740, header=True), *body(1, y=500)],
    ]
    parsed = parse(pdf(*pages))
    assert parsed.text.count("| Item | Price | Stock |") == 1
    assert parsed.text.count("| --- | --- | --- |") == 1
    marks = {mark.number: mark.start for mark in parsed.marks if mark.kind is MarkKind.PAGE}
    for first, page in ((10, 2), (19, 3), (28, 4)):
        assert parsed.text.startswith(f"| Bolt {first} |", marks[page])


def test_a_table_whose_header_stands_on_the_first_page_only_is_one_table() -> None:
    text = parse(pdf([*body(0), *rows(1, 9, y=300, header=True)], [*rows(10, 9, y=740), *body(1, y=500)])).text
    assert text.count("| --- | --- | --- |") == 1
    assert "| Bolt 9 | 9.50 | 63 |\n| Bolt 10 | 10.50 | 70 |" in text


def test_footers_do_not_part_a_table() -> None:
    pages = [
        [*(rows(1 + 9 * n, 9, y=740, header=not n)), Put(50, 40, f"Stock list SL-9, page {n + 1} of 4", 8)]
        for n in range(4)
    ]
    text = parse(pdf(*pages)).text
    assert text.count("| --- | --- | --- |") == 1
    assert text.count("SL-9") == 1


def test_another_table_at_the_top_of_the_next_page_stays_another() -> None:
    other = [
        *grid([50, 200, 300, 400], [750, 736, 722, 708]),
        *(Put(x, 740, name, 10, BOLD) for x, name in ((55, "Hall"), (205, "Area"), (305, "Doors"))),
        *(Put(x, 726, cell) for x, cell in ((55, "North"), (205, "400"), (305, "4"))),
        *(Put(x, 712, cell) for x, cell in ((55, "South"), (205, "900"), (305, "7"))),
    ]
    assert parse(pdf([*body(0), *rows(1, 9, y=300, header=True)], other)).text.count("| --- | --- | --- |") == 2
    shifted = rows(10, 9, y=740, left=210)
    assert parse(pdf([*body(0), *rows(1, 9, y=300, header=True)], shifted)).text.count("| --- | --- | --- |") == 2
    apart = [*paragraph("These are the goods of the other hall.", y=760), *rows(10, 9, y=720)]
    assert parse(pdf([*body(0), *rows(1, 9, y=300, header=True)], apart)).text.count("| --- | --- | --- |") == 2


def test_a_contents_list_beside_a_column_of_text_does_not_take_its_lines() -> None:
    entries: list[Item] = []
    for n in range(12):
        entries += [Put(50, 700 - 20 * n, f"{n + 1} Chapter on pumps"), Put(250, 700 - 20 * n, str(n + 1))]
    text = parse(
        pdf([*entries, *paragraph(*(f"and this is line {n} of the text" for n in range(20)), x=330, y=700)])
    ).text
    assert "| 12 Chapter on pumps | 12 |" in text
    assert " ".join(f"and this is line {n} of the text" for n in range(20)) in " ".join(text.split())
