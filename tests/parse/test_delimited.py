import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parse.text_files import counted, read

from minirag_mcp.errors import EmptyFileError, NoTextError
from minirag_mcp.model import MarkKind

ROWS = [["name", "price"], ["Bolt, M8", "1,50"], ["Nut", "NA"]]


def written(rows: list[list[str]], separator: str) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=separator).writerows(rows)
    return buffer.getvalue()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(separator: str) -> None:
    document = read(written(ROWS, separator), "prices.csv")
    assert document.text == "| name | price |\n| --- | --- |\n| Bolt, M8 | 1,50 |\n| Nut | NA |"
    assert (document.title, document.own_title, document.format) == ("prices", False, "csv")


def test_decimal_commas_do_not_split_cells() -> None:
    text = read("id;x;y\n1;0,5;1,5\n2;0,7;2,5\n", "a.csv").text
    assert text.endswith("| 2 | 0,7 | 2,5 |")


def test_a_declared_separator_is_obeyed_and_not_a_row() -> None:
    document = read("sep=;\na,b;c\n1,2;3\n", "a.csv")
    assert document.text == "| a,b | c |\n| --- | --- |\n| 1,2 | 3 |"
    assert counted(document, MarkKind.ROW, "1,2") == 3


def test_cells_stay_as_written_and_blanks_blank() -> None:
    document = read('id,a,b,c\n007,NA,,1.50\n008,nan,"  ",N/A\n', "a.csv")
    assert document.text.split("\n")[2:] == ["| 007 | NA |  | 1.50 |", "| 008 | nan |  | N/A |"]


def test_a_quoted_cell_of_several_lines_stays_in_its_row() -> None:
    document = read('a,b\n"line 1\nline 2",x|y\nlast,z\n', "a.csv")
    assert document.text.split("\n")[2] == r"| line 1<br>line 2 | x\|y |"
    assert counted(document, MarkKind.ROW, "last") == 3


def test_ragged_rows_are_filled_up_and_none_is_lost() -> None:
    lines = read("a,b\n1\n1,2,3,4\n,,\n5,6\n", "a.csv").text.split("\n")
    assert lines == [
        "| a | b |  |  |",
        "| --- | --- | --- | --- |",
        "| 1 |  |  |  |",
        "| 1 | 2 | 3 | 4 |",
        "| 5 | 6 |  |  |",
    ]


def test_rows_are_numbered_as_in_the_file_over_blank_ones() -> None:
    document = read("a,b\n1,2\n\n,\n3,4\n5,6\n", "a.csv")
    assert [counted(document, MarkKind.ROW, cell) for cell in ("a", "1", "3", "5")] == [1, 2, 5, 6]


def test_leading_blank_rows_do_not_shift_the_numbers() -> None:
    document = read("\n\na,b\n1,2\n", "a.csv")
    assert [counted(document, MarkKind.ROW, cell) for cell in ("a", "1")] == [3, 4]


def test_an_unclosed_quotation_mark_does_not_swallow_the_file() -> None:
    document = read('size,part\n5,"bolt\n6,nut\n7,pin\n', "a.csv")
    assert document.text.split("\n")[2:] == ['| 5 | "bolt |', "| 6 | nut |", "| 7 | pin |"]


def test_a_single_column_is_a_table_too() -> None:
    assert read("word\nalpha beta\n", "a.csv").text == "| word |\n| --- |\n| alpha beta |"


def test_a_cell_of_a_million_characters_is_kept() -> None:
    assert len(read("a,b\n" + "x" * 1_000_000 + ",1\n", "a.csv").text) > 1_000_000


def test_many_rows_are_all_there() -> None:
    document = read("n\n" + "".join(f"{number}\n" for number in range(25_000)), "a.csv")
    lines = document.text.split("\n")
    assert len(lines) == 25_002
    assert lines[-1] == "| 24999 |"
    assert counted(document, MarkKind.ROW, "| 24999") == 25_001


@pytest.mark.parametrize("text", ["sep=;\n", " \n\t\n"])
def test_a_table_of_nothing_is_empty(text: str) -> None:
    with pytest.raises(EmptyFileError):
        read(text, "a.csv")


def test_a_table_of_blank_cells_holds_no_text() -> None:
    with pytest.raises(NoTextError):
        read(",,\n,,\n", "a.csv")


_CELLS = st.text(st.sampled_from('ab1 ,"\né中'), max_size=5)


@given(st.lists(st.lists(_CELLS, min_size=2, max_size=4), min_size=1, max_size=8))
def test_every_row_is_one_line_and_every_word_is_there(rows: list[list[str]]) -> None:
    rows = [["head", "er", "x", "y"], *rows]
    document = read(written(rows, ","), "a.csv")
    lines = document.text.split("\n")
    assert len(lines) <= len(rows) + 1
    shown = "".join(lines).replace(" ", "")
    assert all(letter in shown for row in rows for cell in row for letter in "ab1é中" if letter in cell)
