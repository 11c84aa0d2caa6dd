import pytest

from minirag_mcp.chunk.blocks import Block, BlockKind, scan


def blocks(text: str) -> list[Block]:
    return scan(text, 0, len(text))


def shapes(text: str) -> list[tuple[str, str]]:
    return [(block.kind.name, text[block.start : block.end].strip("\n")) for block in blocks(text)]


def headings(text: str) -> list[tuple[int, str]]:
    return [(block.depth, block.heading) for block in blocks(text) if block.kind is BlockKind.HEADING]


def test_blocks_join_to_the_text_without_gaps() -> None:
    text = "# A\npara\n\n- item\n\n\n| a |\n|---|\n| 1 |\n\n---\n\n> q\n"
    found = blocks(text)
    assert "".join(text[block.start : block.end] for block in found) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One", [(1, "One")]),
        ("   ### Three ###  ", [(3, "Three")]),
        ("####### seven", []),
        ("#hashtag", []),
        ("# ", []),
        ("#\ttab", [(1, "tab")]),
        ("One\n===", [(1, "One")]),
        ("Two\n---\ntext", [(2, "Two")]),
        ("para one\npara two\n---", []),
        ("para\n\n---", []),
        ("- item\n---", []),
        ("# The `CWnd` **Class** [link](http://x.y/a_b)", [(1, "The CWnd Class link")]),
        ("## snake_case and _emphasis_ \\# &amp;", [(2, "snake_case and emphasis # &")]),
        ("## Anchored {#anchor}", [(2, "Anchored")]),
        ("# ![logo](logo.png)", [(1, "logo")]),
        ('# <a name="x"></a>Named', [(1, "Named")]),
        ("# C#", [(1, "C#")]),
        ("# Install¶", [(1, "Install")]),
        ("# Experi\u00adment \u200b", [(1, "Experiment")]),
        ("## 1.2.3 Порядок согласования", [(2, "1.2.3 Порядок согласования")]),
    ],
)
def test_headings_are_found_with_their_plain_words(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "```\n# code\n```",
        "~~~sh\n# code\n~~~",
        "````\n```\n# code\n```\n````",
        "- item\n\n  ```\n  # code\n  ```",
        "> ```\n> # code\n> ```",
        "1. ```py\n   # code\n   ```",
        "    # indented code",
        "<!-- # comment -->",
        "<!--\n# comment\n-->",
        "<div>\n# html\n</div>",
        "<pre>\n\n# raw\n\n</pre>",
        "<details>\n# html",
        "> # quoted",
        "- # in a list",
        "- item\n   # in the item",
    ],
)
def test_a_number_sign_in_code_comments_html_quotes_and_lists_is_no_heading(text: str) -> None:
    assert headings(text) == []


def test_one_stray_fence_swallows_nothing() -> None:
    assert headings("```\n\n# A\n\ntext\n\n# B") == [(1, "A"), (1, "B")]
    assert headings("```\n\n# A\n\n```python\n# code\n```\n\n# B") == [(1, "A"), (1, "B")]
    assert headings("> ```\n> open\n\n# A\n\n> ```\n> open") == [(1, "A")]


@pytest.mark.parametrize("mark", ["```", "~~~", "````", "> ```", "- ```"])
def test_a_stray_bare_fence_does_not_turn_code_inside_out(mark: str) -> None:
    block = f"{mark}\n{'> ' if mark[0] == '>' else ''}# code\n{mark}\n"
    prose = "\n# Heading\n\nSome words.\n\n"
    expected = [(1, "Heading")] * 3
    for text in (
        f"{mark}\n{prose}{block}{prose}{block}{prose}",
        f"{prose}{block}{mark}\n{prose}{block}{prose}",
        f"{prose}{block}{prose}{block}{prose}{mark}\n",
    ):
        assert headings(text) == expected


def test_blocks_of_another_kind_between_bare_fences_stay_whole() -> None:
    text = "```\na\n```\n\n~~~\n# code\n~~~\n\n```\nb\n```\n\n```python\n# code\n```\n"
    assert [kind for kind, _ in shapes(text)] == ["FENCE"] * 4


@pytest.mark.timeout(20)
def test_very_many_bare_fences_cost_one_pass() -> None:
    assert len(blocks("```\nx\n```\n" * 30_000 + "```\nx\n")) == 30_001


def test_a_fence_is_closed_only_by_its_own_kind_and_length() -> None:
    text = "~~~~\n~~~\n```\n# code\n~~~~\nafter"
    assert shapes(text) == [("FENCE", "~~~~\n~~~\n```\n# code\n~~~~"), ("PARAGRAPH", "after")]


def test_inline_code_at_the_beginning_of_a_line_opens_no_fence() -> None:
    assert headings("```inline``` words\n\n# A\n\n```\nx\n```") == [(1, "A")]


def test_an_unclosed_comment_or_raw_element_ends_with_its_paragraph() -> None:
    assert headings("<!-- open\n\n# A") == [(1, "A")]
    assert headings("<pre>\n\n# A") == [(1, "A")]


def test_tables_are_found_with_their_header_and_rows() -> None:
    text = "Caption\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\nafter"
    assert [kind for kind, _ in shapes(text)] == ["PARAGRAPH", "TABLE", "PARAGRAPH"]
    table = blocks(text)[1]
    assert text[table.rows : table.end] == "| 1 | 2 |\n| 3 | 4 |\n"


@pytest.mark.parametrize(
    "rows",
    [
        ["| a | b |", "|---|---|", "| 1 | two", "lines |", "| 2 | x |"],
        ["| a | b |", "|---|---|", "| 1 | three", "whole", "lines |", "| 2 | x |"],
        ["> | a | b |", "> | --- | --- |", "> | 1 | 2 |", "> | 2 | x |"],
        ["  | a | b |", "  |---|---|", "  | 1 | 2 |"],
        ["a | b", "---|---", "1 | 2", "2 | x"],
        ["| a | b |", "|---|---|", "| 1 |", "| 2 | x | y | z |", "|"],
        ["| a | b |", "|---|---|", "| `x \\| y` | b |", "| `x | y` | b |"],
    ],
)
def test_tables_of_every_shape_are_whole(rows: list[str]) -> None:
    text = "\n".join(rows)
    assert shapes(f"before\n\n{text}\n\nafter") == [("PARAGRAPH", "before"), ("TABLE", text), ("PARAGRAPH", "after")]


def test_text_below_a_row_that_lacks_its_last_pipe_is_no_part_of_the_table() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2\nafter\n\na | b"
    assert [kind for kind, _ in shapes(text)] == ["TABLE", "PARAGRAPH", "PARAGRAPH"]


def test_a_quote_in_a_quote_ends_a_table() -> None:
    text = "> | a | b |\n> |---|---|\n> | 1 | 2 |\n> > | no | row |"
    assert [kind for kind, _ in shapes(text)] == ["TABLE", "QUOTE"]


def test_a_header_without_rows_is_a_table_of_its_own() -> None:
    (table,) = blocks("| a | b |\n|---|---|")
    assert (table.kind, table.rows) == (BlockKind.TABLE, table.end)


def test_pipes_without_a_delimiter_row_are_text() -> None:
    assert shapes("a | b\nc | d") == [("PARAGRAPH", "a | b\nc | d")]
    assert [kind for kind, _ in shapes("a | b")] == ["PARAGRAPH"]


def test_a_list_goes_on_over_blank_lines_and_indented_text() -> None:
    text = "- one\n\n  more of one\n\n- two\n\nafter"
    assert [kind for kind, _ in shapes(text)] == ["LIST", "PARAGRAPH"]


def test_a_rule_belongs_to_what_stands_above_it() -> None:
    assert shapes("para\n\n---\n\nnext") == [("PARAGRAPH", "para\n\n---"), ("PARAGRAPH", "next")]
    assert [kind for kind, _ in shapes("---\n\ntext")] == ["COMMENT", "PARAGRAPH"]


def test_a_quote_and_the_paragraph_before_it_are_apart() -> None:
    assert [kind for kind, _ in shapes("para\n> quote\nlazy\n\npara")] == ["PARAGRAPH", "QUOTE", "PARAGRAPH"]


def test_only_the_given_range_is_read() -> None:
    text = "```\n# A\n```\n# B\n"
    found = scan(text, 4, 8)
    assert [(block.heading, block.start, block.end) for block in found] == [("A", 4, 8)]
    assert [block.start for block in scan("\n \ntext", 0, 7)] == [3]
    assert scan("", 0, 0) == []
    assert scan("\n \n", 0, 3) == []
