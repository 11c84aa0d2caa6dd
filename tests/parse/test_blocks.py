import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.errors import ParseLimitError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse import blocks
from minirag_mcp.parse.blocks import PAGE_BREAK, TextBuilder, cleaned, fenced, heading, one_line, paragraph


def test_control_characters_go_and_line_ends_become_one_kind() -> None:
    assert cleaned("plain") == "plain"
    assert cleaned("a\r\nb\rc\u2028d\x0be\x00f\ufffeg\ufdd0h\x85i\tj") == "a\nb\nc\nd\nefgh\ni\tj"


def test_blocks_are_markdown_and_nothing_else() -> None:
    assert heading(" a \n b ", level=9) == "###### a b"
    assert heading("  ", level=1) == ""
    assert heading("x", level=0) == "# x"
    assert paragraph("  # no heading \n\n \n a\u00a0  b\n---") == "\\# no heading\na b\n\\---"
    assert fenced("a ``` b") == "````\na ``` b\n````"
    assert one_line(" a\n\tb ") == "a b"


def test_marks_of_blocks_pages_and_blank_blocks_fall_on_their_characters() -> None:
    builder = TextBuilder()
    assert builder.blank
    builder.mark(MarkKind.PAGE, number=1)
    builder.add(f"one {PAGE_BREAK}two")
    builder.add(f" {PAGE_BREAK}")
    builder.add("")
    builder.add("three", marks=[Mark(kind=MarkKind.ROW, start=2, number=9)])
    builder.add("four", separator="\n")
    builder.mark(MarkKind.SLIDE, number=5)
    parsed = builder.build(title="T", metadata=(("a", "b"),))
    assert parsed.text == "one two\n\nthree\nfour"
    assert [(mark.number, parsed.text[mark.start :]) for mark in parsed.marks] == [
        (1, "one two\n\nthree\nfour"),
        (2, "two\n\nthree\nfour"),
        (3, "three\nfour"),
        (9, "ree\nfour"),
    ]
    assert (parsed.title, parsed.metadata) == ("T", (("a", "b"),))


def test_a_text_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_TEXT", 10)
    builder = TextBuilder()
    builder.add("x" * 9)
    with pytest.raises(ParseLimitError):
        builder.add("y")


@given(st.lists(st.text(st.sampled_from(f"a# \n|{PAGE_BREAK}"), max_size=12), max_size=8))
def test_every_page_break_is_counted_once_and_none_stays_in_the_text(blocks: list[str]) -> None:
    builder = TextBuilder()
    for block in blocks:
        builder.add(block)
    builder.add("end")
    parsed = builder.build()
    breaks = sum(block.count(PAGE_BREAK) for block in blocks)
    assert PAGE_BREAK not in parsed.text
    assert max((mark.number for mark in parsed.marks), default=1) == breaks + 1
    assert [mark.start for mark in parsed.marks] == sorted({mark.start for mark in parsed.marks})
