"""An answer as a person reads it."""

from functools import partial

import pytest
from tests.shell import samples

from minirag_mcp.lexical.found import found
from minirag_mcp.model import Span
from minirag_mcp.shell import hits
from minirag_mcp.shell.layout import Page

BRACKETS = Page(bold="<b>{}</b>".format, dim="<i>{}</i>".format, mark="[{}]".format)


def nothing(_text: str) -> tuple[Span, ...]:
    return ()


def test_a_hit_shows_rank_title_citation_scores_and_passage() -> None:
    answer = samples.answer(samples.passage(0, text="Line one.\nLine two."), samples.passage(1))
    assert hits.answer(answer, Page(), marks=nothing) == (
        "1. Pump manual\n"
        "   manuals/pump.pdf · Faults > Leaks · pages 12–13  [chunk 0 · score 0.0164 · distance 0.123]\n"
        "\n"
        "   Line one.\n"
        "   Line two.\n"
        "\n"
        "2. Pump manual\n"
        "   manuals/pump.pdf · Faults > Leaks · pages 12–13  [chunk 1 · score 0.0163 · words only]\n"
        "\n"
        "   Replace the seal.\n"
        "\n"
        "2 passages from 1 document"
    )


def test_no_hit_says_so() -> None:
    assert hits.answer(samples.answer(), Page(), marks=nothing) == "No results."


def test_the_words_of_the_question_stand_out_in_title_and_passage() -> None:
    marks = partial(found, question="are pumps sealed")
    text = hits.answer(samples.answer(samples.passage(text="The pump's seals, sealing.")), BRACKETS, marks=marks)
    assert text.splitlines()[0] == "1. [Pump]<b> manual</b>"
    assert text.splitlines()[3] == "   The [pump]'s [seals], [sealing]."


def test_a_section_stands_once_at_its_best_passage() -> None:
    answer = samples.answer(
        samples.passage(0, section="1:1"), samples.passage(1, section="1:1"), samples.passage(2, section="1:2")
    )
    text = hits.answer(answer, Page(), marks=nothing, whole_sections=True)
    assert text.count("Faults\n\n   Replace the seal.") == 2
    assert text.count("   (in the section shown at 1)") == 1


def test_lines_are_broken_where_the_terminal_ends() -> None:
    answer = samples.answer(samples.passage(text="The seal of the pump leaks whenever it is cold outside."))
    text = hits.answer(answer, Page(columns=30), marks=nothing)
    assert max(map(len, text.splitlines())) <= 30
    assert "   The seal of the pump leaks\n   whenever it is cold\n   outside.\n" in text


@pytest.mark.parametrize("columns", [1, 2, 10, 20, 29])
def test_a_very_narrow_terminal_breaks_lines_itself(columns: int) -> None:
    answer = samples.answer(samples.passage())
    assert hits.answer(answer, Page(columns=columns), marks=nothing) == hits.answer(answer, Page(), marks=nothing)
