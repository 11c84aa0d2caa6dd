from pathlib import Path

import pytest
from tests.chunk.golden import (
    DIGESTS,
    FOLDER,
    RAISE_A_VERSION,
    cut_file,
    cut_otherwise,
    digests,
    expected,
    recorded,
    sources,
    versions,
    written_out,
)


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_a_document_is_cut_as_its_golden_file_says(path: Path) -> None:
    assert written_out(cut_file(path)) == expected(path).read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert set(FOLDER.rglob("*.cut.txt")) == {expected(path) for path in sources()}


def test_no_document_is_cut_otherwise_under_the_same_versions() -> None:
    names = cut_otherwise()
    assert not names, RAISE_A_VERSION.format(names=", ".join(names))


def test_the_digests_of_all_cuts_are_kept_with_the_versions_they_were_made_with() -> None:
    assert recorded() == {"versions": versions(), "digests": digests()}, (
        f"{DIGESTS.name} is not of these documents and VERSIONs: run `python -m tests.chunk.golden`."
    )
