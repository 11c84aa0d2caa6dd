"""Tables of any shape: what stands above a piece of a row are the names of its own columns."""

import re
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.chunk.cutting import cut_text, tokens, words

_SIZES = st.lists(st.integers(0, 40), min_size=1, max_size=14)
_FRAMES = st.sampled_from([("| ", " |"), ("", ""), ("> | ", " |")])
_BUDGETS = st.sampled_from([24, 60, 110])


def _table(sizes: Sequence[Sequence[int]], columns: int, frame: tuple[str, str]) -> str:
    start, end = frame
    header = [f"h{column}" for column in range(columns)]
    cells = [
        [f"r{row}c{column} {words(size)}" for column, size in enumerate(row_sizes)]
        for row, row_sizes in enumerate(sizes)
    ]
    return "\n".join(f"{start}{' | '.join(row)}{end}" for row in (header, ["---"] * columns, *cells))


@settings(max_examples=80)
@given(st.lists(_SIZES, min_size=1, max_size=6), st.integers(2, 14), _FRAMES, _BUDGETS)
def test_cells_never_stand_under_the_names_of_other_columns(
    sizes: list[list[int]], columns: int, frame: tuple[str, str], budget: int
) -> None:
    text = _table(sizes, columns, frame)
    made = cut_text(text, budget=budget)
    assert "".join("".join(chunk.span.of(text) for chunk in made.chunks).split()) == "".join(text.split())
    for chunk in made.chunks:
        assert tokens(made, chunk) <= budget
        names = [int(name) for name in re.findall(r"h(\d+)", chunk.header)]
        cells = [(int(row), int(column)) for row, column in re.findall(r"r(\d+)c(\d+)", chunk.span.of(text))]
        if names and cells:
            assert names == list(range(names[0], names[0] + len(names)))
            assert cells[0][1] in (names[0], names[0] + 1)
            assert len({row for row, _ in cells}) == 1 or names == list(range(columns))
            assert all(column in names or column >= columns for _, column in cells)
