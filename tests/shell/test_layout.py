"""Lines are broken where they fit, and nothing of a text is lost by it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.model import Span
from minirag_mcp.shell.layout import cells, clipped, lines, painted

TEXTS = st.text(st.one_of(st.sampled_from("ab  \n\t漢字、é\u0301\u200b👩\x1b"), st.characters()), max_size=80)


def width_of(text: str) -> int:
    return sum(map(cells, text))


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("the seal leaks", 8, ["the seal", "leaks"]),
        ("the seal leaks", 7, ["the", "seal", "leaks"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("漢字漢字", 5, ["漢字", "漢字"]),
        ("ab漢字", 4, ["ab漢", "字"]),
        ("one\n\ntwo", 80, ["one", "", "two"]),
        ("    indented text", 12, ["    indented", "text"]),
        ("漢", 1, ["漢"]),
        ("", 10, [""]),
    ],
)
def test_lines_are_broken_at_spaces_and_between_ideographs(text: str, width: int, expected: list[str]) -> None:
    assert [line.of(text) for line in lines(text, width=width)] == expected


@given(TEXTS, st.integers(1, 40))
def test_only_blanks_are_lost_and_no_line_is_too_wide(text: str, width: int) -> None:
    broken = [line.of(text) for line in lines(text, width=width)]
    assert "".join("".join(broken).split()) == "".join(text.split())
    assert all(width_of(line.rstrip()) <= max(width, *map(cells, line)) for line in broken if line.strip())


@given(TEXTS)
def test_without_a_width_the_text_is_as_it_was(text: str) -> None:
    assert "\n".join(line.of(text) for line in lines(text, width=None)) == text


@given(TEXTS, st.integers(0, 40))
def test_what_is_clipped_fits(text: str, width: int) -> None:
    assert text.startswith(clipped(text, width))
    assert width_of(clipped(text, width)) <= width


@given(TEXTS, st.lists(st.integers(0, 80), max_size=6).map(sorted))
def test_painting_adds_marks_and_takes_nothing_away(text: str, edges: list[int]) -> None:
    marks = [Span(start=first, end=last) for first, last in zip(edges[::2], edges[1::2], strict=False) if first < last]
    whole = painted(text, Span(start=0, end=len(text)), marks, mark="{}".format)
    assert whole == painted(text, Span(start=0, end=len(text)), [], mark=str.upper)
