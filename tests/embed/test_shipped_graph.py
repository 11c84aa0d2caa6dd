"""What the package ships is what the script makes."""

from pathlib import Path

import pytest

from minirag_mcp.embed.weights_file import BUNDLED

pytest.importorskip("onnx")


def test_building_again_gives_the_shipped_bytes(tmp_path: Path) -> None:
    from scripts.embedding.build import build

    build(tmp_path)
    for shipped in sorted(BUNDLED.iterdir()):
        assert (tmp_path / shipped.name).read_bytes() == shipped.read_bytes(), shipped.name
    assert len(list(tmp_path.iterdir())) == len(list(BUNDLED.iterdir()))
