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
