"""The rules that divide a document into sections, one test each."""

import pytest
from tests.chunk.cutting import COUNTER, cut_text, sections, sentence, words
from tests.chunk.word_parts import document

from minirag_mcp.chunk.cutter import cut
from minirag_mcp.chunk.scheme import scheme
from minirag_mcp.chunk.units import SECTION_CAP, UNIT_LIMIT
from minirag_mcp.model import Document, SectionKind

# What a document is


def test_two_headings_make_heading_sections_with_their_path() -> None:
    made = cut_text("# Guide\n\nIntro.\n\n## Setup\n\nInstall it.\n\n## Use\n\nRun it.")
    assert [section.headings for section in made.sections] == [("Guide",), ("Guide", "Setup"), ("Guide", "Use")]
    assert {section.kind for section in made.sections} == {SectionKind.HEADING}


def test_with_one_heading_blocks_make_the_sections() -> None:
    made = cut_text("# Guide\n\n" + "\n\n".join([sentence(100)] * 6))
    assert {section.kind for section in made.sections} == {SectionKind.BLOCK}
    assert len(made.sections) > 1
    assert {section.headings for section in made.sections} == {("Guide",)}


def test_small_blocks_without_headings_are_read_together() -> None:
    made = cut_text("First line.\n\nSecond line.\n\nThird line.")
    assert sections(made) == ["First line.\n\nSecond line.\n\nThird line."]


def test_a_large_block_without_headings_is_a_section_of_its_own() -> None:
    table = "\n".join(["| k | v |", "|---|---|", *(f"| key{number} | {words(8)} |" for number in range(40))])
    made = cut_text(f"{sentence(100)}\n\n{table}\n\n{sentence(100)}")
    assert sections(made) == [sentence(100), table, sentence(100)]


def test_a_blank_document_has_no_sections() -> None:
    assert cut_text("").sections == ()
    assert cut_text(" \n\n\t\n").chunks == ()


def test_setext_headings_divide_a_document_too() -> None:
    made = cut_text("Guide\n=====\n\nIntro.\n\nSetup\n-----\n\nInstall.")
    assert [section.headings for section in made.sections] == [("Guide",), ("Guide", "Setup")]


# Sections and their cap


def test_a_long_section_is_cut_at_paragraphs() -> None:
    paragraphs = [sentence(150) for _ in range(20)]
    made = cut_text("# A\n\nx\n\n# B\n\n" + "\n\n".join(paragraphs))
    assert all(len(shown) <= SECTION_CAP for shown in sections(made))
    assert all(shown.endswith(sentence(150)) for shown in sections(made)[1:])


def test_a_long_table_is_cut_between_rows_with_its_header_repeated() -> None:
    rows = [f"| {number} | {words(20)} |" for number in range(100)]
    made = cut_text("\n".join(["| No | Text |", "|---|---|", *rows]))
    assert len(made.sections) > 1
    assert all(shown.startswith("| No | Text |\n|---|---|\n") for shown in sections(made))
    assert all(len(shown) <= SECTION_CAP for shown in sections(made))


@pytest.mark.parametrize("words_to_a_row", [21, 22, 23, 24, 25, 26])
def test_a_wide_header_counts_into_the_cap_of_every_piece(words_to_a_row: int) -> None:
    rows = [f"| {number} | {words(words_to_a_row)} |" for number in range(200)]
    made = cut_text("\n".join([f"| No | {words(150, 'head')} |", "|---|---|", *rows]))
    assert all(len(shown) <= SECTION_CAP for shown in sections(made))


def test_one_unbroken_paragraph_is_cut_between_sentences() -> None:
    made = cut_text(" ".join([sentence(30)] * 60))
    assert all(len(shown) <= SECTION_CAP and shown.endswith(".") for shown in sections(made))


def test_one_row_over_the_cap_is_left_whole_in_its_section() -> None:
    row = f"| {words(1500)} |"
    made = cut_text(f"| Text |\n|---|\n| a |\n{row}\n| b |")
    assert any(row in shown for shown in sections(made))


def test_one_sentence_over_the_cap_is_left_whole_in_its_section() -> None:
    long = sentence(1500)
    made = cut_text(f"Before. {long} After.")
    assert any(long in shown for shown in sections(made))


def test_a_line_no_answer_can_hold_is_cut_even_in_sections() -> None:
    made = cut_text("QmFzZTY0" * 20_000)
    assert all(len(shown) <= UNIT_LIMIT for shown in sections(made))


@pytest.mark.parametrize("text", [f"The {words(795)} end.", f"| {words(795)} |", f"- {words(795)}"])
def test_a_heading_is_in_no_section_without_the_long_text_under_it(text: str) -> None:
    made = cut_text(f"# A\n\ntext\n\n## {words(6, 'head')}\n\n### {words(6, 'head')}\n\n{text}\n\nafter")
    assert all(len(shown) <= SECTION_CAP and not shown.endswith("head") for shown in sections(made))


# Robust to size


def test_very_many_headings_are_data_and_not_structure() -> None:
    made = cut_text("# a\n" * 20_001)
    assert len(made.sections) < 1_000


def test_a_run_of_blank_lines_is_in_no_section() -> None:
    made = cut_text("a\n" + "\n" * 50_000 + "b")
    assert sections(made) == ["a", "b"]


def test_a_run_of_spaces_does_not_make_a_section_no_answer_can_hold() -> None:
    made = cut_text("a" + " " * 100_000 + "b")
    assert all(section.span.end - section.span.start <= UNIT_LIMIT for section in made.sections)


# The scheme


def test_the_scheme_names_the_budget_up_to_what_a_model_reads() -> None:
    assert scheme(110) != scheme(160)
    assert scheme(600) == scheme(500)


def test_a_cut_keeps_its_document() -> None:
    source: Document = document("text", title="T")
    assert cut(source, counter=COUNTER, budget=16).document is source
