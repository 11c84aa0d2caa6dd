import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.pdf_files import BOLD, Item, Put, paragraph, pdf

from minirag_mcp.parse.pdf import parse

SUBJECTS = (
    *("pumps", "valves", "boilers", "meters", "filters", "tanks", "hoses", "seals", "gauges", "burners", "chimneys"),
    *("sensors", "switches", "cables", "fuses", "relays", "motors", "fans", "belts", "gears"),
)
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


def body(number: int, *, y: float = 700) -> list[Item]:
    """Text that no other page has."""
    subject = SUBJECTS[number]
    return paragraph(
        f"Of all {subject} in the plant only those that were inspected in the last year may be",
        f"used, and the keeper of the {subject} signs for each of them before the shift begins;",
        f"whoever finds {subject} without a mark takes them out of service and reports it.",
        f"New {subject} are entered in the book of the plant on the day they arrive.",
        y=y,
    )


def pages_of(count: int, *, top: str = "", foot: str = "", size: float = 9) -> list[list[Item]]:
    """Pages with a header and a footer; "@" in them is the page number."""
    return [
        [
            *([Put(50, 760, top.replace("@", str(number + 1)), size)] if top else []),
            *body(number),
            *([Put(50, 40, foot.replace("@", str(number + 1)), size)] if foot else []),
        ]
        for number in range(count)
    ]


def test_running_lines_that_count_in_any_way_are_left_out() -> None:
    for foot in (
        *("Page @ of 6", "Seite @ von 6", "Стр. @ из 6", "- @ -", "@ / 6", "[@]", "p. @", "6 | @", "第 @ 页"),
        *("C:\\Plant\\Manuals\\keeper-rev3.docx   @", "Printed 2024-05-17 14:03  @/6", "4-@", "Keeper's book (@) A-17"),
    ):
        text = parse(pdf(*pages_of(6, foot=foot.encode("cp1252", "replace").decode("cp1252")))).text
        shown = [line for line in text.splitlines() if line and "inspected" not in line]
        assert len(shown) <= 1, (foot, shown)


def test_headers_with_chapter_titles_and_roman_numbers_on_alternate_sides_are_left_out() -> None:
    pages: list[list[Item]] = []
    for number, chapter in enumerate(("Receiving goods", "Keeping books", "Closing the plant")):
        for sheet in range(4):
            page = number * 4 + sheet
            opening = [Put(50, 720, chapter, 16)] if not sheet else []
            left, right = (ROMAN[page], chapter) if page % 2 else (chapter, ROMAN[page])
            header = [Put(50, 760, left, 9), Put(400, 760, right, 9)] if sheet else []
            pages.append([*header, *opening, *body(page, y=680)])
    text = parse(pdf(*pages)).text
    assert [text.count(chapter) for chapter in ("Receiving goods", "Keeping books", "Closing the plant")] == [1, 1, 1]
    assert not any(line in ROMAN for line in text.splitlines())
    assert all(f"New {subject} are entered" in text for subject in SUBJECTS[:12])


def test_a_cover_title_stays_a_heading_when_every_header_repeats_it() -> None:
    cover: list[Item] = [Put(150, 500, "Keeper's Handbook", 24), Put(150, 460, "Third edition, with all amendments")]
    pages = pages_of(6, top="Keeper's Handbook", foot="@")
    text = parse(pdf(cover, *pages)).text
    assert text.startswith("# Keeper's Handbook\n\n")
    assert text.count("Keeper's Handbook") == 1


@pytest.mark.parametrize("count", [2, 3])
def test_a_short_document_loses_the_header_it_repeats(count: int) -> None:
    text = parse(pdf(*pages_of(count, top="North Plant, internal", foot="Page @ of 3"))).text
    assert text.count("North Plant") == 1
    assert "Page" not in text


def test_words_that_only_the_footer_says_are_kept_once() -> None:
    text = parse(pdf(*pages_of(8, foot="Document QM-112, revision 7, page @ of 8"))).text
    assert text.count("QM-112") == 1


def test_numbers_at_the_same_place_that_do_not_count_pages_are_kept() -> None:
    pages = [[Put(50, 760, f"Invoice no. {number}"), *body(n)] for n, number in enumerate((4711, 90, 1320, 77, 8))]
    text = parse(pdf(*pages)).text
    assert all(f"Invoice no. {number}" in text for number in (4711, 90, 1320, 77, 8))


def test_titles_of_slides_that_stand_at_one_height_are_kept() -> None:
    slides = [
        [Put(50, 700, f"About {subject}", 24), *body(n, y=600), Put(500, 30, str(n + 1), 8)]
        for n, subject in enumerate(SUBJECTS[:6])
    ]
    text = parse(pdf(*slides)).text
    assert all(f"# About {subject}\n" in text for subject in SUBJECTS[:6])
    assert not any(line.isdigit() for line in text.splitlines())


def test_lines_of_text_at_the_edge_of_a_page_are_kept() -> None:
    pages = [
        [*body(number, y=760), *paragraph(*(f"Note {n} on {SUBJECTS[number]}." for n in range(1, 52)), y=700)]
        for number in range(6)
    ]
    text = parse(pdf(*pages)).text
    assert all(f"Note {n} on {subject}." in text for n in range(1, 52) for subject in SUBJECTS[:6])


def test_a_year_that_ends_a_page_is_no_page_number() -> None:
    pages = [[*body(number), Put(50, 60, f"{1990 + 3 * number}.")] for number in range(5)]
    text = parse(pdf(*pages)).text
    assert all(f"{1990 + 3 * number}." in text for number in range(5))


def test_a_paragraph_goes_on_over_a_page_whose_footer_is_kept() -> None:
    first = [*paragraph("The keeper of the plant signs for every pump before", y=700), Put(50, 40, "Form QM-112", 8)]
    others = [[*paragraph("the shift begins.", y=700), *body(n, y=650), Put(50, 40, "Form QM-112", 8)] for n in (1, 2)]
    text = parse(pdf([*body(0, y=760), *first], *others)).text
    assert "signs for every pump before the shift begins." in text
    assert text.count("Form QM-112") == 1


def test_a_header_is_left_out_also_above_a_page_with_nothing_but_a_picture() -> None:
    pages = pages_of(6, top="Rules of North Plant, sheet @", foot="Printed at the plant, file @", size=13)
    text = parse(pdf(*pages[:4], [pages[4][0], pages[4][-1]], *pages[5:])).text
    assert text.count("Rules of North Plant") == text.count("Printed at the plant") == 1


def test_bold_headers_are_no_headings() -> None:
    pages = [[Put(50, 760, "Plant Office North", 10, BOLD), *body(number)] for number in range(5)]
    assert "#" not in parse(pdf(*pages)).text


@settings(max_examples=40)
@given(
    top=st.sampled_from(["", "Keeper's book", "@ Keeper", "Keeper 2024 @", "12.05.2024"]),
    foot=st.sampled_from(["", "@", "Page @", "@ of 9", "Rev. 3", "x@y"]),
    count=st.integers(1, 9),
)
def test_no_line_of_the_text_is_lost_to_any_header_or_footer(top: str, foot: str, count: int) -> None:
    text = " ".join(parse(pdf(*pages_of(count, top=top, foot=foot))).text.split())
    for subject in SUBJECTS[:count]:
        assert f"Of all {subject} in the plant" in text
        assert f"New {subject} are entered in the book of the plant on the day they arrive." in text


def clauses(first: int) -> list[str]:
    """Lines of a bill, each with its own words."""
    pairs = ((SUBJECTS[(first + n) % 20], SUBJECTS[(first + 3 * n + 1) % 20]) for n in range(20))
    return [f"the holder of {one} and of {other} shall" for one, other in pairs]


@pytest.mark.parametrize(("step", "x"), [(1, 30), (5, 560)])
def test_numbers_that_count_the_lines_in_the_margin_are_left_out(step: int, x: float) -> None:
    pages: list[list[Item]] = []
    for page in range(3):
        lines = paragraph(*clauses(5 * page), y=740, x=70)
        counted = range(step, 21, step)
        pages.append([*lines, *(Put(x, 740 - 12 * (n - 1), str(n)) for n in counted)])
    text = parse(pdf(*pages)).text
    assert not any(word.isdigit() for word in text.split())
    assert f"{clauses(0)[0]} {clauses(0)[1]}" in text.replace("\n", " ")


def test_numbers_that_begin_rows_or_items_are_kept() -> None:
    ranking = [
        Put(x, 740 - 14 * n, cell)
        for n in range(20)
        for x, cell in ((50, str(n + 1)), (100, SUBJECTS[n]), (250, f"{n * 37 % 11} points"))
    ]
    text = parse(
        pdf(ranking, [*body(1), *(Put(50, 600 - 14 * n, f"{n + 1} open the {SUBJECTS[n]}") for n in range(9))])
    ).text
    assert "| 20 | gears |" in text
    assert "9 open the gauges" in text


@pytest.mark.parametrize("title", ["Contents", "Inhaltsverzeichnis", "Índice"])
def test_contents_without_leaders_are_left_out_below_their_title(title: str) -> None:
    entries: list[Item] = [
        item
        for n, subject in enumerate(SUBJECTS[:8])
        for item in (Put(50, 700 - 18 * n, f"{n + 1} Of {subject}", 10, BOLD), Put(500, 700 - 18 * n, str(n + 2)))
    ]
    chapters = [[Put(50, 740, f"{n + 1} Of {subject}", 14), *body(n)] for n, subject in enumerate(SUBJECTS[:8])]
    text = parse(pdf([Put(50, 740, title, 14), *entries], *chapters)).text
    assert text.startswith(f"# {title}\n\n# 1 Of pumps\n\nOf all pumps")
    stock = parse(pdf([Put(50, 740, "Stock", 14), *entries], body(9))).text
    assert "| 1 Of pumps | 2 |" in stock


def test_numbers_a_blank_away_from_their_words_count_no_lines() -> None:
    text = parse(pdf(paragraph(*[f"Item {number}" for number in range(1, 21)], y=740))).text
    assert "Item 1 Item 2" in " ".join(text.split())
    assert "Item 20" in text


def test_lines_that_differ_only_in_their_numbers_are_each_said_once_at_least() -> None:
    page = paragraph(*[f"Sample {number} measured at the station" for number in range(1, 13)], y=740)
    text = parse(pdf(page, page, page)).text
    assert [number for number in range(1, 13) if f"Sample {number} measured" not in text] == []
