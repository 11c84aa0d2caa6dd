from pathlib import Path

import pytest
from tests.chunk.golden import FOLDER, cut_file, written_out


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_a_document_is_cut_as_its_golden_file_says(path: Path) -> None:
    assert written_out(cut_file(path)) == path.with_suffix(".cut.txt").read_text(encoding="utf-8")
