"""What the package ships is what the script makes."""

from pathlib import Path

import pytest

from minirag_mcp.embed.languages import DIRECTIONS
from minirag_mcp.embed.weights_file import BUNDLED

pytest.importorskip("onnx")


def test_building_again_gives_the_shipped_bytes(tmp_path: Path) -> None:
    from scripts.embedding.build import build

    build(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    # The language directions come from translations that are not part of the repository.
    assert made == {path.name: path.read_bytes() for path in BUNDLED.iterdir() if path.name != DIRECTIONS}
