import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.text_files import book, page, read

from minirag_mcp.errors import ParseLimitError
from minirag_mcp.parse.html_nesting import flattened

DEPTH = 3000
NAMES = "div b span ul li table tr td p blockquote font dl dd dt section h1 a em x-y form".split()  # noqa: SIM905 - read as tags


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<div>", "</div>"), ("<b>", "</b>"), ("<b>", ""), ("<div>", ""), ("<span>", "</span>"), ("<div/>", ""),
        ("<ul><li>", "</li></ul>"), ("<table><tr><td>", "</td></tr></table>"), ("<x-part>", "</x-part>"),
        ("<b><div></b>", "</div>"), ("<div><table></div>", ""), ("<div><p>", "</div>"),
        ("<table><tr><td><ul><li><p>", ""),
    ],
)  # fmt: skip
def test_text_inside_and_after_any_nesting_is_kept(opening: str, closing: str) -> None:
    source = f"<p>before</p>{opening * DEPTH}inside{closing * DEPTH}<p>after</p>"
    text = read(page(source), "a.html").text
    assert re.findall("before|inside|after", text) == ["before", "inside", "after"]


def test_a_book_is_read_whole_however_deep_its_chapter() -> None:
    chapter = page("<div>" * DEPTH + "<p>inside</p>" + "</div>" * DEPTH + "<p>after</p>")
    assert re.findall("inside|after", read(book({"a.xhtml": chapter}), "a.epub").text) == ["inside", "after"]


def test_blocks_that_are_flattened_stay_apart() -> None:
    text = read(page("<div>" * DEPTH + "<div>one</div><div>two</div>"), "a.html").text
    assert "onetwo" not in text


def test_a_page_as_people_write_it_is_left_alone() -> None:
    inner = "<p>x <a title='a > b'>y</a><br><img src=a><script>if (a < b) '<div>'</script><!-- <div> -->"
    unclosed = "<ul>" + "<li>item" * 500 + "</ul><p>" * 500
    nested = "<div>" * 60 + inner * 200 + "</div>" * 60
    assert flattened(nested + unclosed) == nested + unclosed


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_no_soup_of_tags_loses_a_word(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - makes test input
    names = chance.sample(NAMES, chance.randint(1, 6))
    closing = chance.choice([0, 0.2, 0.4])
    pieces = ["start "]
    for number in range(chance.choice([300, 3000])):
        share = chance.random()
        name = chance.choice(names)
        pieces.append(f" w{number}w " if share < 0.1 else f"</{name}>" if share < 0.1 + closing else f"<{name}>")
    source = "".join(pieces)
    words = re.findall(r"w\d+w", source)
    assert set(words) <= set(re.findall(r"w\d+w", read(source, "a.html").text))


@pytest.mark.parametrize("piece", ['<a ="', "<a ='\"=", "<!--", "<script", "<a ", "<x=", "<b", "<div>"])
def test_tags_that_never_end_are_passed_in_linear_time(piece: str) -> None:
    assert len(flattened(piece * 200_000)) <= len(piece) * 200_000


def test_a_page_of_more_tags_than_memory_has_room_for_is_refused() -> None:
    with pytest.raises(ParseLimitError, match="more than 800,000 tags"):
        read("<p>x<br>" * 500_000, "a.html")
