import json
from typing import Any

import pytest
from tests.parse.text_files import mark_at, read

from minirag_mcp.errors import CorruptFileError, NoTextError, WrongFormatError
from minirag_mcp.model import Document, MarkKind


def notebook(*cells: dict[str, Any], **more: object) -> Document:
    return read(json.dumps({"nbformat": 4, "cells": cells, **more}), "analysis-of-ships.ipynb")


def code(source: object, *outputs: object, **more: object) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs), **more}


def prose(source: object) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


def test_cells_come_in_order_with_their_numbers() -> None:
    document = notebook(
        prose(["# Ships\n", "and boats"]), code([]), code("x = 1\n"), {"cell_type": "raw", "source": "raw"}
    )
    assert document.text == "# Ships\nand boats\n\n```python\nx = 1\n```\n\nraw"
    assert [mark_at(document, MarkKind.CELL, words).number for words in ("Ships", "x = 1", "raw")] == [1, 3, 4]
    assert (document.title, document.own_title) == ("Ships", True)


@pytest.mark.parametrize(
    "metadata", [{"language_info": {"name": "julia"}}, {"kernelspec": {"language": "julia", "name": "k"}}]
)
def test_code_is_fenced_in_the_notebooks_language(metadata: dict[str, object]) -> None:
    assert notebook(code("1"), metadata=metadata).text.startswith("```julia\n")


def test_outputs_are_text_and_only_text() -> None:
    document = notebook(
        code(
            "show()",
            {"output_type": "stream", "text": ["printed\n", "\x1b[31mred\x1b[0m\n"]},
            {
                "output_type": "display_data",
                "data": {"image/png": "AAAA", "text/plain": "<Figure size 1x1 with 1 Axes>"},
            },
            {"output_type": "execute_result", "data": {"text/html": "<b>no</b>", "text/plain": ["value 42"]}},
            {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": ["long"]},
            "nonsense",
        )
    )
    assert document.text == "```python\nshow()\n```\n\n```\nprinted\nred\nvalue 42\nKeyError: 'x'\n```"


def test_endless_output_is_bounded() -> None:
    document = notebook(code("f()", {"output_type": "stream", "text": "line\n" * 10_000}))
    assert len(document.text) < 2_100
    assert "…" in document.text


def test_code_with_fences_inside_stays_one_block() -> None:
    assert notebook(code("s = '''\n````\n'''")).text == "`````python\ns = '''\n````\n'''\n`````"


def test_pictures_in_prose_leave_their_alt_text() -> None:
    assert notebook(prose("see ![the map](data:image/png;base64,AAAA)")).text == "see the map"


def test_older_formats_are_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Deep"]},
        {
            "cell_type": "code",
            "input": "print 1",
            "language": "python",
            "outputs": [{"output_type": "stream", "text": "1\n"}],
        },
        {"cell_type": "code", "input": "", "outputs": [{"output_type": "pyerr", "ename": "E", "evalue": "v"}]},
    ]
    worksheets = {"nbformat": 3, "metadata": {"name": "Old one"}, "worksheets": [{"cells": cells}, "x"]}
    document = read(json.dumps(worksheets), "a.ipynb")
    assert document.text == "## Deep\n\n```python\nprint 1\n```\n\n```\n1\n```\n\n```\nE: v\n```"
    assert document.title == "Old one"


def test_lines_stored_without_their_ends_are_lines_all_the_same() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Plan", "", "First words", "and more."]},
        {"cell_type": "code", "input": ["a = 1", "print(a)"], "outputs": []},
        {"cell_type": "markdown", "source": ["One line."]},
    ]
    document = read(json.dumps({"nbformat": 2, "worksheets": [{"cells": cells}]}), "a.ipynb")
    assert document.text == "# Plan\n\nFirst words\nand more.\n\n```python\na = 1\nprint(a)\n```\n\nOne line."


def test_odd_cells_are_passed_over() -> None:
    document = notebook(
        {"source": "no kind"}, {}, {"cell_type": "heading", "source": "H", "level": "x"}, prose(None), prose([1, "a"])
    )
    assert document.text == "no kind\n\n# H\n\na"


def test_damaged_json_is_corrupt_and_other_files_are_told_apart() -> None:
    with pytest.raises(CorruptFileError):
        read('{"cells": [', "a.ipynb")
    for content in ("just text", "[1, 2]", '{"name": "package"}'):
        with pytest.raises(WrongFormatError):
            read(content, "a.ipynb")
    with pytest.raises(NoTextError):
        read('{"nbformat": 3, "cells": {"a": 1}}', "a.ipynb")
