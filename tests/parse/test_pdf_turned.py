"""Text that runs in another direction than most of its page."""

import pytest
from tests.parse.pdf_files import Item, Put, pdf
from tests.parse.test_pdf_furniture import SUBJECTS, body

from minirag_mcp.parse.pdf import parse

UP, DOWN, SLANTED = "0 1 -1 0", "0 -1 1 0", "0.707 0.707 -0.707 0.707"


@pytest.mark.parametrize("turn", [UP, DOWN, SLANTED])
def test_a_note_or_a_stamp_in_another_direction_stands_at_the_end_of_its_page(turn: str) -> None:
    note = Put(300, 400, "Not for use outside the plant", 12, turn=turn)
    text = parse(pdf([*body(0), note], body(1))).text
    assert "\n\nNot for use outside the plant\n\nOf all valves" in text
    assert "Of all pumps in the plant" in text


def test_a_paragraph_goes_on_over_the_page_beside_a_turned_note() -> None:
    note = Put(30, 300, "A note in the margin", 9, turn=UP)
    text = parse(pdf([*body(0), Put(50, 60, "The keeper of it signs"), note], [Put(50, 740, "for it."), *body(1)])).text
    assert "The keeper of it signs for it." in text
    assert "A note in the margin" in text


def test_turned_heads_of_columns_are_kept() -> None:
    heads = [Put(150 + 40 * n, 610, f"{SUBJECTS[n]} checked", 9, turn=UP) for n in range(6)]
    cells: list[Item] = [Put(150 + 40 * n, 590 - 14 * row, str(n * row)) for row in range(4) for n in range(6)]
    text = parse(pdf([*body(9), *heads, *cells])).text
    assert all(f"{subject} checked" in text for subject in SUBJECTS[:6])


def test_a_turned_line_that_most_pages_share_is_kept_once() -> None:
    pages = [[*body(n), Put(30, 300, f"Copy for the keeper, sheet {n}", 9, turn=UP)] for n in range(6)]
    assert parse(pdf(*pages)).text.count("Copy for the keeper") == 1
