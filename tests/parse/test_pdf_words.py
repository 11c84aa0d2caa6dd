import time

import pytest
from tests.parse.pdf_files import BOLD, TYPED, Item, Put, grid, paragraph, pdf
from tests.parse.test_pdf_furniture import body

from minirag_mcp.parse.pdf import parse

# Words that tell which forms the document itself writes.
KNOWN = "A two-column page, a two-column table and the constitution of the Republic; information on everything."


def text_of(*lines: str) -> str:
    """What the document says when these are lines of one paragraph."""
    return parse(pdf([*paragraph(*lines, y=740), Put(50, 400, KNOWN, 4)])).text.split("\n")[0]


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (("They amended the consti-", "tution of that year again"), "the constitution of"),
        (("All of it is set in a two-", "column page of the same size"), "a two-column page"),
        (("This is a rule for Ein-", "und Ausgabe, and for pre-"), "Ein- und Ausgabe"),
        (("All the upper-", "and lowercase letters of it are there"), "upper- and lowercase"),
        (("It was written by Jean-", "Paul in the year that he left"), "by Jean-Paul in"),
        (("The valve B-", "12 is closed before the other is opened"), "valve B-12 is"),
        (("The pump is a self-", "contained part of the whole plant there"), "a self-contained part"),
        (("This is a state-", "of-the-art burner for the whole plant"), "a state-of-the-art burner"),
        (("This is an out-of-", "date burner for the whole plant here"), "an out-of-date burner"),
        (("They were shown on the x-", "ray of the whole of the old valve"), "the x-ray of"),
        (("It is a fully non-", "linear law of the flow in the pump"), "fully non-linear law"),
        (("It is the plant of the ex-", "keeper, and no other keeper is known"), "the ex-keeper, and"),
        (("It is the ex-", "ample of all the plants that stand there"), "the example of"),
        (("It is an infor-", "mation-based law of the flow in the pump"), "information-based law"),
        (("It is a non-deter-", "ministic law of the flow in the pump"), "non-deterministic law"),
        (("They were all self-", "less in the years of the old valve"), "all selfless in"),
        (("Look at https://example.org/some-", "page.html before you begin it"), "org/some-page.html before"),
        (("Look at https://example.org/a/longer/path/to/", "page.html before you go"), "path/to/page.html before"),
        (("FURTHER INFOR-", "MATION ON THE SAME PLANT IS GIVEN"), "FURTHER INFORMATION ON"),
        (("There is a dash at the end of this line here -", "and the words after it stay"), "line here - and"),
        (("Set the variable max_pool-", "size to four before you start it all"), "max_pool-size to"),
        (("The soft break of infor­", "mation is made whole too in this text"), "of information is"),
    ],
)
def test_a_word_broken_at_a_line_end_is_whole_and_a_hyphen_of_its_own_stays(lines: tuple[str, str], whole: str) -> None:
    assert whole in text_of(*lines)


def test_a_word_broken_over_two_pages_is_whole_and_stands_on_one_of_them() -> None:
    parsed = parse(pdf(paragraph("The parties amended the consti-", y=60), paragraph("tution of that year.", y=740)))
    assert parsed.text == "The parties amended the constitution of that year."
    assert [mark.start for mark in parsed.marks] == [0, parsed.text.index("constitution")]


def test_broken_words_in_headings_and_cells_are_whole() -> None:
    page: list[Item] = [
        Put(50, 740, "On the consti-", 18),
        Put(50, 718, "tution", 18),
        *paragraph(*["Some text that stands below the heading, long enough to be a line."] * 8, y=690),
        *grid([50, 150, 300], [550, 530, 490]),
        *(Put(55, 536, "Name"), Put(155, 536, "Meaning"), Put(55, 516, "E-17")),
        *(Put(155, 516, "the informa-"), Put(155, 502, "tion is lost")),
    ]
    text = parse(pdf(page)).text
    assert text.startswith("# On the constitution\n\n")
    assert "| E-17 | the information is lost |" in text


def test_a_broken_word_goes_on_where_a_formula_pushes_the_lines_apart() -> None:
    page = [
        Put(50, 740, "This line ends in the mid-"),
        Put(50, 715, "dle of a word that goes on."),
        Put(50, 700, "More."),
    ]
    assert "the middle of a word" in parse(pdf(page)).text


def test_letters_beyond_the_basic_plane_do_not_shift_the_words_after_them() -> None:
    page = [Put(50, 740, "%%% is the speed"), Put(50, 700, "Item"), Put(200, 700, "Price"), Put(300, 700, "Stock")]
    for index, cells in enumerate((("Bolt", "1.20", "40"), ("Nut", "0.80", "7"))):
        page += [Put(50 + 150 * (n > 0) + 100 * (n > 1), 686 - 14 * index, cell) for n, cell in enumerate(cells)]
    text = parse(pdf(page, meant={"%": "\U0001d463"})).text
    assert text.startswith("\U0001d463\U0001d463\U0001d463 is the speed\n\n| Item | Price | Stock |")
    assert "| Nut | 0.80 | 7 |" in text


def test_a_footnote_inside_a_paragraph_follows_it_and_stays_on_its_page() -> None:
    left = paragraph("The first column ends in the middle of a", "sentence whose remaining words stand", y=120)
    note = [Put(50, 60, "1 A note of the editor on the sentence.", 7)]
    right = paragraph("at the top of the second column.", "It is followed by one more sentence.", x=320, y=740)
    text = parse(pdf([*left, *note, *right])).text
    assert "whose remaining words stand at the top of the second column." in text
    assert "\n\n1 A note of the editor on the sentence.\n\nIt is followed" in text

    parsed = parse(pdf([*left, *note], paragraph("at the top of the next page.", y=740)))
    assert "words stand at the top of the next page." in parsed.text
    assert parsed.text.index("1 A note") < parsed.marks[1].start


def test_a_caption_below_a_paragraph_that_has_ended_stays_where_it_is() -> None:
    page = [*paragraph("A sentence that ends.", y=740), Put(50, 725, "Figure 1: a pump", 7), Put(50, 700, "Next one.")]
    text = parse(pdf(page)).text
    assert text.index("Figure 1") < text.index("Next one")


def test_one_typed_line_in_a_list_item_belongs_to_it() -> None:
    page: list[Item] = [
        Put(60, 740, "\x95 see the file at"),
        Put(72, 728, "/etc/plant/keeper.conf", 10, TYPED),
        Put(72, 716, "for the names of all the keepers that are on duty."),
        *paragraph("Some text that stands below the list, long enough to be a line.", y=690),
    ]
    assert "- see the file at\n/etc/plant/keeper.conf\nfor the names" in parse(pdf(page)).text


def test_names_and_dates_on_a_cover_are_no_headings() -> None:
    cover: list[Item] = [
        Put(150, 600, "Keeping of Pumps", 24),
        Put(150, 560, "Ada Lovelace", 14),
        Put(150, 530, "12 May 2024", 13),
    ]
    pages = [[Put(50, 740, f"{n} Part", 14, BOLD), *body(n, y=700), *body(n + 8, y=600)] for n in (1, 2, 3, 4)]
    text = parse(pdf(cover, *pages)).text
    assert text.startswith("# Keeping of Pumps\n\nAda Lovelace\n")
    assert "#" not in text.split("12 May 2024")[0][2:]
    assert "# 1 Part\n" in text


def test_footnotes_written_before_the_text_of_their_page_stand_after_it() -> None:
    notes = [Put(50, 80, "1 Written first, read last.", 7), Put(50, 70, "2 The second of the notes.", 7)]
    text = parse(pdf([*notes, *body(0, y=740), *body(1, y=600)])).text
    assert text.index("New valves") < text.index("1 Written first")
    head = parse(pdf([Put(50, 770, "Small words above the text", 7), *body(0, y=740), *body(1, y=600)])).text
    assert head.startswith("Small words")


def test_a_sign_that_keeps_letters_apart_in_a_word_of_joined_script_is_no_hyphen() -> None:
    meant = {"a": "\u067e", "b": "\u0627", "c": "\u0646", "~": "\u00ad"}
    text = parse(pdf([Put(50, 740, "ab~ca"), Put(50, 700, "ab ca")], meant=meant)).text
    assert len(text.split("\n\n")) == 2
    assert "-" not in text


def test_a_long_text_without_ends_of_sentences_is_joined_in_time_that_grows_with_its_length() -> None:
    line = "some words of page {} and line {} that go on and on without an end to their sentence and"
    pages = [[Put(50, 760 - 15 * n, line.format(page, n)) for n in range(45)] for page in range(120)]
    data, began = pdf(*pages), time.process_time()
    text = parse(data).text
    assert time.process_time() - began < 20
    assert text.startswith("some words of page 0 and line 0 that go on")
