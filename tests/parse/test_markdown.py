import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.parse.text_files import counted, read

from minirag_mcp.errors import EmptyFileError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.front_matter import front_matter

PICTURE = "data:image/png;base64,iVBORw0KGgo="
YAML = """---
title: "The \\"Plan\\""
type: spec   # a comment
date: 2026-03-01
draft: false
tags:
  - alpha
  - 'it''s beta'
topics: [one, "two, three", 4]
# a comment line
summary: >-
  folded
  text
code: |
  first
  second
author:
  name: Ann
  links:
    home: http://example.org/a#b
empty:
long: goes
  on here
items:
- x
- y
---
# Heading

Body
"""


def test_front_matter_becomes_names_and_values_and_leaves_the_text() -> None:
    document = read(YAML, "a.md")
    assert document.text == "# Heading\n\nBody\n"
    assert (document.title, document.own_title) == ('The "Plan"', True)
    assert dict(document.metadata) == {
        "title": 'The "Plan"',
        "type": "spec",
        "date": "2026-03-01",
        "draft": "false",
        "tags": "alpha, it's beta",
        "topics": "one, two, three, 4",
        "summary": "folded text",
        "code": "first\nsecond",
        "author.name": "Ann",
        "author.links.home": "http://example.org/a#b",
        "empty": "",
        "long": "goes on here",
        "items": "x, y",
    }


def test_toml_front_matter_is_read_too() -> None:
    text = '+++\ntitle = "T"\ndraft = true\ntags = ["a", "b"]\n[author]\nname = "Ann"\n[[menu]]\nx = 1\n+++\nBody\n'
    document = read(text, "a.md")
    assert document.text == "Body\n"
    assert document.metadata == (
        ("title", "T"), ("draft", "true"), ("tags", "a, b"), ("author.name", "Ann"), ("menu.x", "1"),
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "---\nnever closed: x\n\nbody\n",
        "---\n\nA paragraph between two rules.\n\n---\n\nbody\n",
        "---\n- a list\n- not names\n---\nbody\n",
        "---\ntitle: x\n  : broken\nplain words\n---\nbody\n",
        "+++\nnot toml\n+++\nbody\n",
        "text\n---\ntitle: below\n---\n",
        "----\ntitle: four dashes\n----\n",
        "---\n" + "a: b\n" * 20_000 + "---\nbody\n",
        "+++\na = " + "[" * 5000 + "\n+++\nbody",
    ],
)
def test_what_is_not_front_matter_stays_text(text: str) -> None:
    document = read(text, "notes.md")
    assert document.text == text
    assert document.metadata == ()


def test_empty_front_matter_is_taken_away() -> None:
    assert read("---\n---\nbody", "a.md").text == "body"
    assert read("---\n# only a comment\n...\nbody", "a.md").text == "body"


@given(
    st.lists(st.sampled_from(["title: x", "- a", "  b: c", "", "# c", "|", "k: [a", "'q': \"", "---", "...", "é: >"]))
)
@example(["a:", "  - b:", "c: |"])
def test_front_matter_of_any_shape_never_loses_the_body(lines: list[str]) -> None:
    text = "\n".join(["---", *lines, "---", "the body"])
    front = front_matter(text)
    assert text[front.end :].endswith("the body")
    assert all(name.strip() for name, _ in front.pairs)


def test_lines_are_those_of_the_file() -> None:
    document = read(YAML, "a.md")
    lines = YAML.split("\n")
    assert counted(document, MarkKind.LINE, "# Heading") == lines.index("# Heading") + 1
    assert counted(document, MarkKind.LINE, "Body") == lines.index("Body") + 1
    assert read("one\r\ntwo", "a.md").marks == (Mark(kind=MarkKind.LINE, start=0, number=1),)


@pytest.mark.parametrize(
    ("markup", "left"),
    [
        (f"a ![the plan]({PICTURE}) b", "a the plan b"),
        (f'![x]( <{PICTURE}> "title" )', "x"),
        (f"![]({PICTURE})text", "text"),
        (f"![two\nlines]({PICTURE})", "two lines"),
        (f"<img alt='a b' src=\"{PICTURE}\" width=3>", "a b"),
        (f"<img src={PICTURE}>text", "text"),
        (f"![plan][image1] x\n\n[image1]: <{PICTURE}>\n", "plan x\n\n"),
        (f"![][i] x\n\n[i]: {PICTURE}\n", " x\n\n"),
        (f"![logo] x\n\n[logo]: {PICTURE}\n", " x\n\n"),
        ("![s](data:image/svg+xml;utf8,<svg/>(1)) x", "s x"),
        (f"[![in link]({PICTURE})](http://example.org)", "[in link](http://example.org)"),
    ],
)
def test_an_inlined_picture_leaves_its_alt_text(markup: str, left: str) -> None:
    assert read(markup + "\nend", "a.md").text == left + "\nend"


@pytest.mark.parametrize(
    "text",
    [
        "![x](pictures/data:1.png) ![y](http://a/b.png) ![z](a.png 'data: x')",
        f"```\n![x]({PICTURE})\n```",
        f"~~~ md\n```\n![x]({PICTURE})\n~~~",
        f"- item\n  ```\n  <img src='{PICTURE}'>\n  ```",
        "the data: URI scheme, ](data:",
        '<img src="a.png" alt="data:">',
        "[link](other.md) ![x][ref]\n\n[ref]: a.png",
    ],
)
def test_references_and_fenced_code_stay_as_written(text: str) -> None:
    assert read(text, "a.md").text == text


def test_a_picture_after_a_stray_fence_is_still_removed() -> None:
    assert read(f"```\nnever closed ![x]({PICTURE})", "a.md").text == "```\nnever closed x"


def test_lines_stay_right_after_a_picture_over_several_lines() -> None:
    wrapped = PICTURE + "\nAAAA\nBBBB"
    text = f"---\na: b\n---\none ![p]({wrapped}) ![q]({wrapped}) same\nnext\n\n[r]: {PICTURE}\nlast\n"
    document = read(text, "a.md")
    for needle in ("same", "next", "last"):
        line = next(number for number, line in enumerate(text.split("\n"), start=1) if needle in line)
        assert counted(document, MarkKind.LINE, needle) == line


_PARTS = st.sampled_from(
    [
        "word",
        " ",
        "\n",
        "\n\n",
        f"![a]({PICTURE})",
        "![b](data:image/gif;base64,AA\nBB\n)",
        "```\n",
        "x.png",
        f"[r]: {PICTURE}\n",
    ]
)


@given(st.lists(_PARTS, max_size=25))
def test_every_line_number_leads_to_the_line_it_names(parts: list[str]) -> None:
    pieces = [f"w{number} " if part == "word" else part for number, part in enumerate(parts)]
    text = "start\n" + "".join(pieces)
    document = read(text, "a.md")
    for word in re.findall(r"\bw\d+ ", document.text):
        assert counted(document, MarkKind.LINE, word) == text[: text.index(word)].count("\n") + 1


def test_plain_text_keeps_every_character_and_line() -> None:
    text = "  first\n\n# not a title? It is.\n![x](data:image/png;base64,AA)\n"
    document = read(text, "a.txt")
    assert document.text == text
    assert counted(document, MarkKind.LINE, "![x]") == 4
    with pytest.raises(EmptyFileError):
        read("\n \n", "a.txt")


@pytest.mark.parametrize("head", ["% Pump manual\n% Ada\n% 2024\n", "% Pump manual\n"])
def test_the_title_lines_of_pandoc_give_the_title_and_stay_in_the_text(head: str) -> None:
    document = read(f"{head}\n# Summary\n\ntext", "a.md")
    assert (document.title, document.text) == ("Pump manual", f"{head}\n# Summary\n\ntext")


def test_bare_lines_of_names_and_values_give_the_title_and_stay_in_the_text() -> None:
    text = "Title: This Week 4\nDate: 2013-06-29 12:26\nCategory: Weekly\n\nHello.\n\n# Quote of the week\n"
    document = read(text, "2013-06-29-weekly.md")
    assert (document.title, document.own_title, document.text) == ("This Week 4", True, text)
    assert ("Date", "2013-06-29 12:26") in document.metadata


@pytest.mark.parametrize(
    "text",
    [
        "Title: alone\n\ntext",
        "% of all pumps\nleak",
        "Title: one\nand so on: we go\nprose without\n\ntext",
        "Note: one\nDate: two\n\ntext",
        "text\n\nTitle: late\nDate: x\n\ntext",
    ],
)
def test_prose_with_colons_is_no_front_matter(text: str) -> None:
    assert read(text, "The plan.md").title == "The plan"
