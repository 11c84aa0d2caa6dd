from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.parse.table import cell_text, markdown_table, table_row, table_rule, trimmed

CELLS = st.lists(st.lists(st.text(max_size=20), max_size=5), max_size=6)


def test_rows_become_a_table_with_the_first_row_as_header() -> None:
    assert markdown_table([["Code", "Name"], ["1"]]) == "| Code | Name |\n| --- | --- |\n| 1 |  |"


def test_no_cells_give_no_table() -> None:
    assert markdown_table([]) == ""
    assert markdown_table([[], []]) == ""


def test_pipes_and_line_ends_in_a_cell_do_not_break_the_row() -> None:
    assert cell_text("a|b\r\n\n  c\u2028d  e ") == "a\\|b<br>c<br>d e"
    assert table_row(["x", ""]) == "| x |  |"
    assert table_rule(2) == "| --- | --- |"


def test_blank_rows_and_columns_at_the_end_are_dropped_and_inner_ones_kept() -> None:
    assert trimmed([["a", "", "", " "], ["", "", ""], ["", "", "c", ""], [" "]]) == [
        ["a", "", ""],
        ["", "", ""],
        ["", "", "c"],
    ]
    assert trimmed([["", " "]]) == []


@given(CELLS)
def test_a_table_has_one_line_a_row_and_a_rule(rows: list[list[str]]) -> None:
    table = markdown_table(rows)
    if any(rows):
        assert len(table.splitlines()) == len(rows) + 1
    else:
        assert table == ""
