"""The rules of cutting, one test each."""

import pytest
from tests.chunk.word_parts import WordParts, document

from minirag_mcp.chunk.chunks import NOTICE
from minirag_mcp.chunk.cutter import MODEL_LIMIT, cut, scheme
from minirag_mcp.chunk.units import SECTION_CAP, UNIT_LIMIT
from minirag_mcp.model import Chunk, Cut, Document, Mark, MarkKind, SectionKind

COUNTER = WordParts()


def cut_text(text: str, *, budget: int = 110, title: str = "", marks: tuple[Mark, ...] = ()) -> Cut:
    return cut(document(text, title=title, marks=marks), counter=COUNTER, budget=budget)


def sections(made: Cut) -> list[str]:
    return [section.shown(made.document.text) for section in made.sections]


def passages(made: Cut) -> list[str]:
    return [chunk.shown(made.document.text) for chunk in made.chunks]


def tokens(made: Cut, chunk: Chunk) -> int:
    return COUNTER.count(chunk.embedded(made.document.text))


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def sentence(count: int) -> str:
    return f"The {words(count - 1)}."


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


# Breadcrumbs and headings


def test_later_chunks_of_a_section_carry_its_heading_path() -> None:
    made = cut_text("# Guide\n\n## Setup\n\n" + " ".join([sentence(20)] * 12))
    assert made.chunks[0].context == ""
    assert made.chunks[0].span.of(made.document.text).startswith("# Guide")
    assert {chunk.context for chunk in made.chunks[1:]} == {"Guide > Setup"}


def test_the_first_chunk_of_a_section_carries_the_headings_above_its_own() -> None:
    made = cut_text("# Guide\n\nIntro.\n\n## Setup\n\nInstall.")
    assert [chunk.context for chunk in made.chunks] == ["", "Guide"]


def test_a_breadcrumb_over_a_third_of_the_budget_is_elided_in_the_middle() -> None:
    path = ["1 Outermost scope", "2 " + words(12), "3 " + words(30), "3.4.2 Approval order"]
    headed = "\n\n".join(f"{'#' * depth} {heading}" for depth, heading in enumerate(path, 1))
    made = cut_text(f"{headed}\n\n" + " ".join([sentence(20)] * 10))
    assert made.chunks[-1].context == "1 Outermost scope > … > 3.4.2 Approval order"
    assert all(COUNTER.count(chunk.context) <= 110 // 3 for chunk in made.chunks)


def test_a_breadcrumb_whose_last_heading_is_too_long_keeps_its_first_words() -> None:
    made = cut_text(f"# A\n\ntext\n\n## {words(60, 'long')}\n\n" + " ".join([sentence(20)] * 10))
    assert made.chunks[-1].context.startswith("long long")
    assert made.chunks[-1].context.endswith("…")


def test_a_heading_with_nothing_under_it_is_a_chunk_of_its_own() -> None:
    made = cut_text("# Spec\n\n## Reserved\n\n## Used\n\ntext")
    assert passages(made) == ["# Spec\n\n## Reserved", "## Used\n\ntext"]


def test_a_heading_with_only_headings_under_it_joins_the_first_of_them() -> None:
    made = cut_text("# A\n\n## B\n\n### C\n\ntext\n\n## D\n\nmore")
    assert passages(made) == ["# A\n\n## B\n\n### C\n\ntext", "## D\n\nmore"]
    assert made.sections[0].headings == ("A", "B", "C")


def test_a_heading_stays_with_what_it_heads_even_if_a_sentence_must_be_cut() -> None:
    made = cut_text(f"# A\n\ntext\n\n## {words(10, 'head')}\n\n{sentence(104)}", budget=110)
    assert all(not passage.endswith("head") for passage in passages(made))


def test_a_heading_stays_with_the_code_block_under_it() -> None:
    made = cut_text("# A\n\ntext\n\n## Example\n\n```\n" + "call(x)\n" * 60 + "```")
    assert passages(made)[-1].startswith("## Example\n\n```")
    assert passages(made)[-1].endswith("```")


# Titles


def test_the_title_stands_above_the_first_chunk_only() -> None:
    made = cut_text(" ".join([sentence(20)] * 12), title="Handbook")
    assert made.chunks[0].context == "# Handbook"
    assert all("Handbook" not in chunk.context for chunk in made.chunks[1:])


def test_a_title_that_the_first_chunk_already_says_is_not_repeated() -> None:
    assert cut_text("# The Handbooks\n\ntext", title="The Handbook").chunks[0].context == "# The Handbook"
    assert cut_text("# The `Handbook`\n\ntext", title="The Handbook").chunks[0].context == ""


def test_a_source_without_a_title_gets_none() -> None:
    assert cut_text("text", title="").chunks[0].context == ""


def test_a_long_title_is_cut_to_a_third_of_the_budget() -> None:
    made = cut_text("text", title=words(80, "Title"))
    assert made.chunks[0].context.startswith("# Title Title")
    assert made.chunks[0].context.endswith("…")
    assert COUNTER.count(made.chunks[0].context) <= 110 // 3


def test_a_title_leaves_the_first_chunk_within_the_budget() -> None:
    made = cut_text(" ".join([sentence(26)] * 8), title=words(30, "Title"))
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)


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


# Chunks and their budget


def test_tables_break_between_rows_and_each_chunk_repeats_the_header() -> None:
    rows = [f"| {number} | {words(12)} |" for number in range(30)]
    made = cut_text("\n".join(["| No | Text |", "|---|---|", *rows]))
    for chunk in made.chunks[1:]:
        assert chunk.header == "| No | Text |"
        assert all(line in rows for line in chunk.span.of(made.document.text).strip().split("\n"))
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)


def test_the_repeated_header_is_no_part_of_the_text() -> None:
    rows = [f"| {number} | {words(12)} |" for number in range(30)]
    text = "\n".join(["| No | Text |", "|---|---|", *rows])
    made = cut_text(text)
    assert "".join(chunk.span.of(text) for chunk in made.chunks) == text


def test_a_row_over_the_budget_is_cut_at_white_space_under_its_header() -> None:
    made = cut_text(f"| Key | Text |\n|---|---|\n| a | {words(300)} |\n| b | c |")
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)
    assert {chunk.header for chunk in made.chunks[1:]} == {"| Key | Text |"}
    assert all(passage.split()[-1] in ("word", "|") for passage in passages(made))


def test_a_header_without_rows_is_content() -> None:
    made = cut_text("# A\n\n| Key | Text |\n|---|---|\n\n# B\n\nx")
    assert passages(made)[0] == "# A\n\n| Key | Text |\n|---|---|"
    assert made.chunks[0].header == ""


def test_a_header_too_large_for_the_budget_is_not_repeated() -> None:
    header = "| " + " | ".join(f"column{number}" for number in range(40)) + " |"
    rows = ["| " + " | ".join(["v"] * 40) + " |"] * 10
    made = cut_text("\n".join([header, "|" + "---|" * 40, *rows]))
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)
    assert {chunk.header for chunk in made.chunks} == {""}


def test_a_closed_code_block_is_whole_up_to_four_budgets() -> None:
    code = "```python\n" + "call(x)\n" * 80 + "```"
    made = cut_text(f"Text before.\n\n{code}\n\nText after.")
    assert any(code in passage for passage in passages(made))
    assert all(tokens(made, chunk) <= 440 for chunk in made.chunks)


@pytest.mark.parametrize(("opening", "prefix", "closing"), [("> ```", "> ", "> ```"), ("- ```", "  ", "  ```")])
def test_a_code_block_in_a_quote_or_list_is_whole_too(opening: str, prefix: str, closing: str) -> None:
    code = f"{opening}\n" + f"{prefix}call(x)\n" * 50 + closing
    made = cut_text(f"Text before.\n\n{code}\n\nText after.")
    assert any(code in passage for passage in passages(made))


def test_a_larger_code_block_is_cut_at_lines_and_every_piece_says_so() -> None:
    lines = [f"call(number={number})" for number in range(200)]
    made = cut_text("```\n" + "\n".join(lines) + "\n```")
    assert len(made.chunks) > 4
    for chunk in made.chunks:
        assert chunk.shown(made.document.text).startswith(NOTICE)
        assert tokens(made, chunk) <= 110
        assert set(chunk.span.of(made.document.text).strip().split("\n")) <= {*lines, "```"}
    assert NOTICE not in made.document.text


def test_no_chunk_is_over_what_the_model_sees_whatever_the_budget() -> None:
    code = "```\n" + "call(x)\n" * 110 + "```"
    made = cut_text(f"# A\n\nx\n\n# B\n\n{code}", budget=480)
    assert all(tokens(made, chunk) <= MODEL_LIMIT for chunk in made.chunks)


def test_an_unclosed_fence_is_cut_like_any_text() -> None:
    made = cut_text("```\n\n" + "\n\n".join([sentence(40)] * 20))
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)
    assert all(NOTICE not in passage for passage in passages(made))


def test_lines_without_sentences_are_cut_between_lines() -> None:
    line = "10.0.0.1 GET /index 200 ok"
    made = cut_text("\n".join([line] * 100))
    assert all(set(passage.split("\n")) == {line} for passage in passages(made))


@pytest.mark.parametrize(
    "text", ["数据库连接超时" * 400, "QmFzZTY0IGlz" * 400, "ภาษาไทยไม่มีช่องว่าง" * 100, "e\u0301" * 900]
)
def test_text_without_spaces_is_cut_within_the_budget(text: str) -> None:
    made = cut_text(text)
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)
    assert "".join(passages(made)) == text
    assert all(not chunk.span.of(text).startswith(("\u0301", "ั", "่")) for chunk in made.chunks)


class JoiningCounter(WordParts):
    """Counts more where pieces are joined without white space than apart: not additive there."""

    def count(self, text: str) -> int:
        return sum(len(word) + (len(word) // 9) ** 2 for word in text.split())


def test_pieces_that_weigh_more_together_than_apart_stay_within_the_budget() -> None:
    text = "数据库连接超时。" * 200
    made = cut(document(text), counter=JoiningCounter(), budget=40)
    assert all(JoiningCounter().count(chunk.embedded(text)) <= 40 for chunk in made.chunks)


def test_a_last_small_rest_is_shared_out_rather_than_left_alone() -> None:
    made = cut_text("\n\n".join(["# A", *[" ".join([sentence(9)] * 3)] * 4, sentence(4)]))
    assert min(tokens(made, chunk) for chunk in made.chunks) > 20


# Slides and transcripts

SLIDES = "## Plan\n\nFirst point\n\nNotes: say hello\n\n## Budget\n\nSecond point"


def test_slide_marks_make_one_section_of_each_slide() -> None:
    second = SLIDES.index("## Budget")
    marks = (Mark(kind=MarkKind.SLIDE, start=0, number=1), Mark(kind=MarkKind.SLIDE, start=second, number=2))
    made = cut_text(SLIDES, marks=marks)
    assert sections(made) == ["## Plan\n\nFirst point\n\nNotes: say hello", "## Budget\n\nSecond point"]
    assert [str(section.place) for section in made.sections] == ["slide 1", "slide 2"]
    assert [section.headings for section in made.sections] == [("Plan",), ("Budget",)]
    assert {section.kind for section in made.sections} == {SectionKind.SLIDE}


def test_slide_comments_in_the_text_count_as_marks() -> None:
    made = cut_text("Deck\n\n<!-- Slide number: 1 -->\n# A\nx\n\n<!-- Slide number: 2 -->\nno heading")
    assert [section.kind.value for section in made.sections] == ["block", "slide", "slide"]
    assert [str(section.place) for section in made.sections[1:]] == ["slide 1", "slide 2"]
    assert [section.headings for section in made.sections] == [(), ("A",), ()]


def test_a_slide_over_the_budget_is_cut() -> None:
    made = cut_text("<!-- Slide number: 1 -->\n# Big\n\n" + "\n".join(f"- {words(15)}" for _ in range(20)))
    assert len(made.sections) == 1
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)
    assert {chunk.context for chunk in made.chunks[1:]} == {"Big"}


def test_a_stray_fence_on_one_slide_leaves_the_next_alone() -> None:
    made = cut_text("<!-- Slide number: 1 -->\n```\nx\n<!-- Slide number: 2 -->\n# B\n```\n")
    assert made.sections[1].headings == ("B",)


def transcript(*turns: tuple[str, str]) -> str:
    return "\n".join(f"{stamp}\n{text}" for stamp, text in turns)


def test_a_transcript_is_cut_into_windows_of_two_minutes() -> None:
    made = cut_text(
        transcript(("Ann  0:03", "Hello."), ("Bob  1:59", "Hi."), ("Ann  2:00", "Budget."), ("Bob  5:10", "Bye.")),
        title="Weekly",
    )
    assert [section.label for section in made.sections] == ["[00:00–02:00]", "[02:00–04:00]", "[04:00–06:00]"]
    assert {section.kind for section in made.sections} == {SectionKind.WINDOW}
    assert [chunk.context for chunk in made.chunks] == [
        "Weekly > [00:00–02:00]",
        "Weekly > [02:00–04:00]",
        "Weekly > [04:00–06:00]",
    ]
    assert [str(section.place) for section in made.sections] == ["00:03–02:00", "02:00–05:10", "05:10–05:10"]


@pytest.mark.parametrize(
    "stamp",
    ["00:00:{0:02}", "[00:{0:02}]", "Ann Lee (00:{0:02}):", "**Ann** 0:{0:02}", "00:00:{0:02}.500 --> 00:01:00.000"],
)
def test_clock_lines_come_with_or_without_a_speaker(stamp: str) -> None:
    made = cut_text(transcript(*((stamp.format(number), "Something was said.") for number in range(5))))
    assert [section.label for section in made.sections] == ["[00:00–02:00]"]


def test_turns_may_stand_on_the_line_of_their_clock() -> None:
    made = cut_text("[00:01] Ann: hello\n[02:30] Bob: hi\n04:10 Ann: bye")
    assert [section.label for section in made.sections] == ["[00:00–02:00]", "[02:00–04:00]", "[04:00–06:00]"]


def test_hours_show_in_the_labels_of_long_transcripts() -> None:
    made = cut_text(transcript(("0:59:59", "a"), ("1:00:01", "b"), ("1:58:30", "c")))
    assert [section.label for section in made.sections] == ["[58:00–1:00:00]", "[1:00:00–1:02:00]", "[1:58:00–2:00:00]"]


def test_time_marks_make_windows_whatever_the_text_looks_like() -> None:
    text = "Ann: hello there\n\nBob: hi\n\nAnn: bye"
    marks = tuple(
        Mark(kind=MarkKind.TIME, start=text.index(turn), number=second)
        for turn, second in (("Ann: h", 1), ("Bob", 118), ("Ann: b", 121))
    )
    made = cut_text(text, marks=marks)
    assert sections(made) == ["Ann: hello there\n\nBob: hi", "Ann: bye"]
    assert [str(section.place) for section in made.sections] == ["00:01–02:01", "02:01–02:01"]


def test_a_heading_above_a_transcript_goes_into_its_first_window() -> None:
    made = cut_text("# Weekly\n\n" + transcript(("0:01", "a"), ("0:05", "b")))
    assert len(made.chunks) == 1
    made = cut_text("# Weekly\n\nPresent: Ann, Bob.\n\n" + transcript(*((f"0:0{number}", "a") for number in range(5))))
    assert [section.label for section in made.sections] == ["", "[00:00–02:00]"]


def test_successive_turns_are_packed_and_cut_between_turns() -> None:
    made = cut_text(transcript(*((f"0:{number:02}", sentence(20)) for number in range(12))))
    assert all(passage.startswith("0:") for passage in passages(made))
    assert len(made.chunks) < 12


@pytest.mark.parametrize(
    "text",
    [
        "We meet at 10:30\n\nand talk.\n\nThen we leave.\n\nThe end.\n\nReally.",
        "12:00\nback\n10:00\nand\n08:00\nforth\n06:00\nagain",
        "```\n00:01 Ann: x\n00:02 Ann: y\n```",
        "| 00:01 | a |\n|---|---|\n| 00:02 | b |",
        "# 00:01\n\ntext\n\n# 00:02\n\ntext",
    ],
)
def test_what_is_not_clearly_a_transcript_is_none(text: str) -> None:
    assert SectionKind.WINDOW not in {section.kind for section in cut_text(text).sections}


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


def test_the_scheme_names_budget_and_limit() -> None:
    assert scheme(110) != scheme(160)
    assert scheme(110) != scheme(110, limit=250)
    assert scheme(600) == scheme(500)


def test_a_cut_keeps_its_document() -> None:
    source: Document = document("text", title="T")
    assert cut(source, counter=COUNTER, budget=16).document is source
