"""What ends or begins a page and is a number: only one that counts the pages, apart from the text, is furniture."""

import pytest
from tests.parse.pdf_files import Item, Put, paragraph, pdf
from tests.parse.test_pdf_furniture import ROMAN, SUBJECTS, body

from minirag_mcp.parse.pdf import parse


@pytest.mark.parametrize(
    "lines",
    [
        ("Total number of visitors in this year:", "Some more words", "Counted at the gate:", "48213"),
        ("The keys hang beside the door.", "The door has a lock.", "Your PIN code is:", "4821"),
        ("They played in the rain.", "Nobody was hurt.", "Final score", "3:2"),
        ("12", "monkeys is a film", "that was made in Philadelphia", "and in Baltimore"),
    ],
)
@pytest.mark.parametrize("pitch", [12, 24, 40])
def test_a_number_that_begins_or_ends_the_only_page_is_kept(lines: tuple[str, ...], pitch: int) -> None:
    text = parse(pdf([Put(50, 740 - pitch * n, line) for n, line in enumerate(lines)])).text
    assert text.split() == " ".join(lines).split()


@pytest.mark.parametrize("gap", [12, 24, 60])
@pytest.mark.parametrize("values", [("4200", "4207", "4214", "4221"), ("1,250",) * 4, ("1250",) * 4])
def test_numbers_that_do_not_count_the_pages_are_kept(values: tuple[str, ...], gap: int) -> None:
    pages = [[*body(n), Put(50, 560, "Total due in euros:"), Put(50, 560 - gap, v)] for n, v in enumerate(values)]
    words = parse(pdf(*pages)).text.split()
    assert set(values) <= set(words)
    assert gap > 12 or words.count(values[0]) == values.count(values[0])


def test_numbers_that_count_but_stand_in_the_text_are_kept() -> None:
    pages = [[*body(n), *paragraph("The days without an accident are:", str(n + 41), y=652)] for n in range(5)]
    text = parse(pdf(*pages)).text
    assert all(str(n + 41) in text for n in range(5))
    wide = [[*(Put(50, 740 - 24 * k, f"{SUBJECTS[n]} {k}") for k in range(6)), Put(50, 596, str(n))] for n in range(5)]
    assert parse(pdf(*wide)).text.split().count("4") == 6


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("first", ["1", "17", "i"])
def test_numbers_that_count_the_pages_apart_from_the_text_are_left_out(count: int, first: str) -> None:
    shown = ROMAN if first == "i" else [str(int(first) + n) for n in range(12)]
    pages = [[*body(n), Put(300, 40, shown[n])] for n in range(count)]
    assert not set(shown) & set(parse(pdf(*pages)).text.split())


@pytest.mark.parametrize("gap", [12, 24])
@pytest.mark.parametrize("title", ["Year 199@", "Lesson @", "Verse @ line 0"])
def test_short_titles_in_the_size_of_the_text_that_count_with_the_pages_are_kept(title: str, gap: int) -> None:
    titles = [title.replace("@", str(n)) for n in range(5)]
    pages: list[list[Item]] = [[Put(50, 700 + gap, shown), *body(n)] for n, shown in enumerate(titles)]
    text = parse(pdf(*pages)).text
    assert all(shown in text for shown in titles)


def test_a_header_of_two_rows_counts_above_the_row_that_is_the_same() -> None:
    pages = [[Put(50, 765, f"Sheet no. {n + 1}"), Put(50, 753, "North Plant Office"), *body(n)] for n in range(6)]
    text = parse(pdf(*pages)).text
    assert text.count("Sheet no.") == text.count("North Plant Office") == 1


def test_lines_of_the_text_that_are_alike_and_count_with_the_pages_are_kept() -> None:
    alike = "Of the things that were found in the plant on day {} nobody has taken any home"
    pages = [[Put(50, 712, alike.format(n)), *body(n)] for n in range(6)]
    text = parse(pdf(*pages)).text
    assert all(alike.format(n) in text for n in range(6))
