"""The rules of what stands above a chunk: headings, breadcrumbs, titles; one test each."""

from tests.chunk.cutting import COUNTER, cut_text, passages, sentence, tokens, words

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


def test_a_heading_takes_a_code_block_along_that_fits_the_budget_only_without_it() -> None:
    code = "```\n" + "call(x)\n" * 25 + "```"
    made = cut_text(f"# A\n\ntext\n\n## {words(10, 'head')}\n\n{code}")
    assert passages(made)[-1] == f"## {words(10, 'head')}\n\n{code}"


def test_a_heading_is_not_left_alone_above_a_table_whose_header_has_no_room_beside_it() -> None:
    table = f"| {words(45, 'name')} | {words(45, 'name')} |\n|---|---|\n| a | b |"
    made = cut_text(f"# A\n\ntext\n\n## {words(20, 'head')}\n\n{table}")
    assert any("head\n\n| name" in passage for passage in passages(made))
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)


def test_headings_in_a_row_stay_with_the_first_words_under_the_last() -> None:
    headings = "\n\n".join(f"{'#' * depth} {words(20, 'head')}" for depth in (1, 2, 3))
    made = cut_text(f"{headings}\n\n{sentence(60)}")
    assert passages(made)[0].startswith(f"{headings}\n\nThe word")


def test_a_comment_between_a_heading_and_its_text_does_not_part_them() -> None:
    made = cut_text(f"# A\n\ntext\n\n## B\n\n<!-- {words(20, 'note')} -->\n\n{sentence(100)}")
    assert passages(made)[1].startswith("## B\n\n<!--")
    assert "The word" in passages(made)[1]


def test_a_heading_longer_than_the_budget_ends_beside_its_text() -> None:
    made = cut_text(f"# A\n\ntext\n\n## {words(40, 'head')}\n\ntext", budget=30)
    assert passages(made)[-1].endswith("head\n\ntext")


def test_numbered_clauses_say_where_they_belong() -> None:
    made = cut_text(f"# 3 Scope\n\n## 3.4 Order\n\n### 3.4.2 Approval\n\n{' '.join([sentence(30)] * 8)}")
    assert {chunk.context for chunk in made.chunks[1:]} == {"3 Scope > 3.4 Order > 3.4.2 Approval"}


def test_a_heading_path_is_not_said_twice_in_one_chunk() -> None:
    made = cut_text("# A\n\nintro\n\n## B\n\n### C\n\ntext\n\n### D\n\nmore")
    assert [chunk.context for chunk in made.chunks] == ["", "A", "A > B"]


# Titles


def test_the_title_stands_above_the_first_chunk_only() -> None:
    made = cut_text(" ".join([sentence(20)] * 12), title="Handbook")
    assert made.chunks[0].context == "# Handbook"
    assert all("Handbook" not in chunk.context for chunk in made.chunks[1:])


def test_a_title_that_the_first_chunk_already_says_is_not_repeated() -> None:
    assert cut_text("# The Handbooks\n\ntext", title="The Handbook").chunks[0].context == "# The Handbook"
    assert cut_text("# The `Handbook`\n\ntext", title="The Handbook").chunks[0].context == ""


def test_only_the_first_chunk_of_the_first_section_is_given_the_title() -> None:
    made = cut_text(f"# Scope\n\n{sentence(80)}\n\n{sentence(80)}\n\n# Terms\n\ntext", title="Contract 12")
    assert [chunk.context for chunk in made.chunks] == ["# Contract 12", "Scope", ""]


def test_a_part_of_a_word_is_not_the_title() -> None:
    assert cut_text("# Artful\n\ntext", title="Art").chunks[0].context == "# Art"


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
