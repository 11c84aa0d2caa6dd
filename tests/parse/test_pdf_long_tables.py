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


def test_a_header_set_above_a_ruled_table_is_its_first_row() -> None:
    page = [
        *body(0),
        *(Put(x, y, text) for x, y, text in ((210, 425, "June 25,"), (210, 413, "2022"), (310, 413, "2021"))),
        *grid([50, 200, 300, 400], [400, 386, 372, 358]),
        *(Put(x, 389, text) for x, text in ((55, "Cash"), (210, "27,502"), (310, "34,940"))),
        *(Put(x, 375, text) for x, text in ((55, "Stock"), (210, "20,729"), (310, "27,699"))),
        *(Put(x, 361, text) for x, text in ((55, "Total"), (210, "48,231"), (310, "62,639"))),
    ]
    assert "|  | June 25, 2022 | 2021 |\n| --- | --- | --- |\n| Cash | 27,502 | 34,940 |" in parse(pdf(page)).text


def test_a_caption_above_a_table_stays_above_it() -> None:
    page = [*body(0), Put(55, 425, "Table 1: stock of bolts"), *rows(1, 9, y=400)]
    assert "Table 1: stock of bolts\n\n" in parse(pdf(page)).text


# Letters of the regular font that stand for Hebrew ones; what a page shows from the right is written from the left.
FROM_RIGHT = {"a": "\u05d0", "b": "\u05d1", "c": "\u05d2", "d": "\u05d3"}


def test_a_table_in_a_script_that_runs_from_the_right_begins_there() -> None:
    page = [
        *grid([50, 150, 250], [750, 736, 722]),
        *(Put(x, 740, text) for x, text in ((55, "71"), (155, "ab"))),
        *(Put(x, 726, text) for x, text in ((55, "82"), (155, "cd"))),
    ]
    lines = parse(pdf(page, meant=FROM_RIGHT)).text.splitlines()
    assert [line.split(" | ")[-1] for line in lines[-2:]] == ["71 |", "82 |"]
