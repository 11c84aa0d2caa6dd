"""The rules that pack text into chunks of a budget, one test each."""

import re
from collections.abc import Sequence

import pytest
from tests.chunk.cutting import cut_text, passages, sentence, tokens, words
from tests.chunk.word_parts import WordParts, document

from minirag_mcp.chunk.chunks import NOTICE
from minirag_mcp.chunk.cutter import cut
from minirag_mcp.chunk.scheme import MODEL_LIMIT


def test_tables_break_between_rows_and_each_chunk_repeats_the_header() -> None:
    rows = [f"| {number} | {words(12)} |" for number in range(30)]
    made = cut_text("\n".join(["| No | Text |", "|---|---|", *rows]))
    for chunk in made.chunks[1:]:
        assert chunk.header == "| No | Text |\n|---|---|"
        assert all(line in rows for line in chunk.span.of(made.document.text).strip().split("\n"))
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)


def test_a_later_piece_of_a_table_is_shown_as_a_table_and_embedded_without_the_line_that_says_nothing() -> None:
    rows = [f"| {number} | {words(12)} |" for number in range(30)]
    text = "\n".join(["| No | Text |", "| :--- | ---: |", *rows])
    last = cut_text(text).chunks[-1]
    assert last.shown(text).startswith("| No | Text |\n| :--- | ---: |\n| ")
    assert "| No | Text |\n| " in last.embedded(text)
    assert ":---" not in last.embedded(text)


@pytest.mark.parametrize("before", range(1, 12))
def test_a_row_that_heads_the_rows_below_it_stays_with_them(before: int) -> None:
    rows = [f"| {number} | {words(12)} |" for number in range(12)]
    rows.insert(before, "| Cost of sales: |  |")
    made = cut_text("\n".join(["| Item | Text |", "| --- | --- |", *rows]))
    assert len(made.chunks) > 1
    assert not any(passage.endswith("| Cost of sales: |  |") for passage in passages(made))


def test_an_empty_header_is_not_repeated() -> None:
    rows = [f"| {number} | {words(12)} |" for number in range(400)]
    made = cut_text("\n".join(["|  |  |", "| --- | --- |", *rows]))
    assert {chunk.header for chunk in made.chunks} == {""}
    assert len(made.sections) > 1
    assert {section.header for section in made.sections} == {""}


def test_the_repeated_header_is_no_part_of_the_text() -> None:
    rows = [f"| {number} | {words(12)} |" for number in range(30)]
    text = "\n".join(["| No | Text |", "|---|---|", *rows])
    made = cut_text(text)
    assert "".join(chunk.span.of(text) for chunk in made.chunks) == text


def test_a_row_over_the_budget_is_cut_at_white_space_under_the_name_of_its_column() -> None:
    made = cut_text(f"| Key | Text |\n|---|---|\n| a | {words(300)} |\n| b | c |")
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)
    assert {chunk.header for chunk in made.chunks[1:-1]} == {"| Text |\n|---|"}
    assert made.chunks[0].shown(made.document.text).startswith("| Key | Text |\n|---|---|\n| a | word")
    assert made.chunks[-1].shown(made.document.text) == "| Key | Text |\n|---|---|\n| b | c |"
    assert all(passage.split()[-1] in ("word", "|") for passage in passages(made))


WIDE = [f"Column {letter}" for letter in "ABCDEFGHIJKL"]


def table(*rows: Sequence[str], start: str = "| ", end: str = " |") -> str:
    return "\n".join(start + " | ".join(row) + end for row in (WIDE, ["---"] * len(WIDE), *rows))


def test_cells_over_several_lines_are_one_row() -> None:
    rows = [f"| {number} | first line {words(12)}\n   second line {words(12)} |" for number in range(20)]
    made = cut_text("\n".join(["| No | Text |", "|---|---|", *rows]))
    assert len(made.chunks) > 4
    for passage in passages(made):
        assert passage.startswith("| No | Text |\n|---|---|\n| ")
        assert passage.count("first line") == passage.count("second line") > 0


@pytest.mark.parametrize(("start", "end"), [("| ", " |"), ("", ""), ("> | ", " |"), ("  | ", " |"), ("| ", "")])
def test_a_piece_of_a_wide_row_says_which_columns_its_cells_belong_to(start: str, end: str) -> None:
    rows = [[f"v{letter}{number} {words(15)}" for letter in "ABCDEFGHIJKL"] for number in range(4)]
    made = cut_text(table(*rows, start=start, end=end))
    assert len(made.chunks) > 8
    assert "vA0" in made.chunks[0].shown(made.document.text)
    for chunk in made.chunks[1:]:
        shown = chunk.shown(made.document.text)
        assert tokens(made, chunk) <= 110
        assert [name[-1] for name in re.findall(r"Column \w", shown)] == re.findall(r"v(\w)\d", shown)
        assert len({number for _, number in re.findall(r"v(\w)(\d)", shown)}) == 1


def test_a_row_in_one_piece_is_never_shown_under_the_names_of_some_columns() -> None:
    small = [f"v{letter}" for letter in "ABCDEFGHIJKL"]
    large = [f"v{letter} {words(15)}" for letter in "ABCDEFGHIJKL"]
    made = cut_text(table(small, large, small, large, small))
    whole = [passage for passage in passages(made) if "vA | vB" in passage]
    assert len(whole) == 3
    assert all(passage.startswith(table()) for passage in whole)


def test_cells_without_a_column_and_pipes_that_are_no_cell_do_not_shift_names() -> None:
    row = [f"v{letter} `x \\| y` {words(15)}" for letter in "ABCDEFGHIJKL"]
    made = cut_text(table([*row, f"beyond {words(80)}"]))
    for chunk in made.chunks[1:]:
        shown = chunk.shown(made.document.text)
        assert [name[-1] for name in re.findall(r"Column \w", shown)] == re.findall(r"v(\w) ", shown)


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


class OneToken(WordParts):
    """Takes every word for one token, as a model does with a script that it does not know."""

    def count(self, text: str) -> int:
        return len(text.split())

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def test_a_run_that_the_model_takes_for_one_token_is_still_cut_short_enough_to_read() -> None:
    made = cut(document("ꦄꦧꦕ" * 10_000), counter=OneToken(), budget=110)
    assert max(len(chunk.shown(made.document.text)) for chunk in made.chunks) <= 110 * 21


def test_a_heading_in_a_citation_is_no_longer_than_a_long_sentence() -> None:
    made = cut(document("# " + "word " * 150 + "\n\ntext\n\n## b\n\nmore\n"), counter=WordParts(), budget=110)
    assert all(len(heading) <= 200 for section in made.sections for heading in section.headings)


@pytest.mark.timeout(20)
def test_a_very_long_first_cell_costs_one_pass() -> None:
    made = cut_text(f"| a | b |\n|---|---|\n| {'word ' * 40_000}| x |\n| 1 | 2 |\n")
    assert "| 1 | 2 |" in made.chunks[-1].shown(made.document.text)


@pytest.mark.parametrize("text", [" " * 20_000 + "a" + " " * 20_000 + "b", "a" + " " * 4_500 + "b", "a\t\t" * 9_000])
def test_long_runs_of_blanks_make_no_chunk_of_nothing(text: str) -> None:
    made = cut_text(text)
    for chunk in made.chunks:
        section = made.sections[chunk.section].span
        assert section.start <= chunk.span.start < chunk.span.end <= section.end
        assert chunk.span.of(text).strip()
