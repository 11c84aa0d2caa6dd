"""Tables of contents: an entry is left out only when its words stand in the text again."""

from tests.parse.pdf_files import BOLD, Item, Put, paragraph, pdf
from tests.parse.test_pdf_furniture import SUBJECTS, body

from minirag_mcp.parse.pdf import parse


def entries(*titles: str) -> list[Item]:
    return [Put(50, 700 - 14 * n, f"{title} {'.' * 30} {n + 3}") for n, title in enumerate(titles)]


def test_entries_whose_titles_are_headings_are_left_out_and_leaders_elsewhere_stay_short() -> None:
    titles = [f"{n + 1} Handling of {subject}" for n, subject in enumerate(SUBJECTS[:6])]
    first: list[Item] = [
        Put(50, 740, "Contents", 14),
        *entries(*titles),
        *body(7, y=580),
        Put(50, 500, "Soup ........ 4"),
    ]
    pages = [[Put(50, 740, title, 14, BOLD), *body(n)] for n, title in enumerate(titles)]
    text = parse(pdf(first, *pages)).text
    assert [text.count(f"Handling of {subject}") for subject in SUBJECTS[:6]] == [1] * 6
    assert "Soup … 4" in text


def test_a_list_of_prices_that_rise_is_kept() -> None:
    dishes = ("Bread and oil", "Onion soup", "Green salad", "Fried egg", "Fish pie", "Roast duck", "Beef", "Lobster")
    text = parse(pdf([Put(50, 740, "Menu", 14), *entries(*dishes)], body(0))).text
    assert all(f"{dish} … {n + 3}" in text for n, dish in enumerate(dishes))


def test_titles_that_stand_nowhere_but_in_the_contents_are_kept() -> None:
    titles = [f"Chapter {n}: {subject}" for n, subject in enumerate(SUBJECTS[8:14])]
    text = parse(pdf([Put(50, 740, "Contents", 14), *entries(*titles)], body(0), body(1))).text
    assert all(title in text for title in titles)
    pages = [[Put(50, 740, title, 14, BOLD), *body(n)] for n, title in enumerate(titles[:5])]
    text = parse(pdf([Put(50, 740, "Contents", 14), *entries(*titles)], *pages)).text
    assert [text.count(title) for title in titles] == [1] * 6


def test_chapters_known_by_their_number_only_are_told_apart() -> None:
    titles = [f"Chapter {n}" for n in range(1, 7)]
    page = [*entries(*titles), *paragraph("Chapter 9 of the other book is better.", y=500)]
    assert all(f"{title} … " in parse(pdf(page)).text for title in titles)
