from pathlib import Path

import pytest
from tests.chunk.golden import FOLDER, cut_file, expected, sources, written_out


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_a_document_is_cut_as_its_golden_file_says(path: Path) -> None:
    assert written_out(cut_file(path)) == expected(path).read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert set(FOLDER.rglob("*.cut.txt")) == {expected(path) for path in sources()}
