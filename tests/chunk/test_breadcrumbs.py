"""The line of headings above a chunk: within its room, and still saying where the chunk stands."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.chunk.word_parts import WordParts

from minirag_mcp.chunk.breadcrumb import Breadcrumbs

HEADINGS = st.lists(st.text("abc ж中.", min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=6).map(tuple)


def line(path: tuple[str, ...], room: int) -> str:
    return Breadcrumbs(WordParts(), [path]).fit(path, room)


@settings(max_examples=150)
@given(HEADINGS, st.integers(0, 40))
def test_a_line_is_within_its_room_and_ends_with_the_innermost_heading_or_its_first_words(
    path: tuple[str, ...], room: int
) -> None:
    fitted = line(path, room)
    assert WordParts().count(fitted) <= room
    last = fitted.rpartition(" > ")[2].removesuffix("…").split()
    assert path[-1].split()[: len(last)] == last


@settings(max_examples=150)
@given(HEADINGS, st.integers(0, 40))
def test_a_line_keeps_the_outermost_heading_and_as_many_of_the_innermost_as_fit(
    path: tuple[str, ...], room: int
) -> None:
    whole = " > ".join(path)
    elided = [f"{path[0]} > … > {' > '.join(path[-kept:])}" for kept in range(len(path) - 2, 0, -1)]
    fitting = [choice for choice in (whole, *elided) if WordParts().count(choice) <= room]
    if fitting:
        assert line(path, room) == fitting[0]


def test_a_line_without_room_for_both_ends_keeps_the_innermost() -> None:
    assert line(("An outermost heading that is long", "A middle one", "Approval"), 4) == "… > Approval"


def test_of_a_single_heading_that_is_too_long_the_first_words_are_kept() -> None:
    assert line(("The order of approval of all kinds of documents",), 5) == "The order of …"


def test_without_any_room_or_heading_there_is_no_line() -> None:
    assert line(("A heading",), 0) == ""
    assert line((), 10) == ""
