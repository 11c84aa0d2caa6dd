"""Measures how far each channel of each quantised input reaches, over texts of many kinds.

    python -m scripts.embedding.calibrate FOLDER ...

Reads the `.md`, `.txt` and `.py` files and the `text` fields of the `.jsonl` files under the folders, a sample of
each folder. Writes `channel_ranges.npz`: by input (`l0.x` …), float16[2, channels], lowest and highest value seen.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper

from minirag_mcp.embed.packed import PackedModel, find_packed_file
from minirag_mcp.embed.quiet_runtime import load_runtime
from minirag_mcp.embed.unigram import UnigramTokenizer
from scripts.embedding.build import PARTS, RANGES
from scripts.embedding.variants import Float32

if TYPE_CHECKING:
    import onnxruntime as ort

TEXTS_PER_FOLDER = 60
LONGEST = 1200
"""Characters of a sampled text; one in ten is not shortened, so that full windows are seen too."""

ODD_TEXTS = (
    "",
    "x",
    "ERR_CONN_4012",
    "12345 67890",
    "a" * 300,
    "0 " * 200,
    "ы" * 300,
    "||||||------|||||",
    "😀😀😀🎉",
    '<div class="a"><p>x</p></div>',
    "dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcw== " * 20,
    "A B C D E F G H I J K L M N O P",
    "\u200b\u200d\u202e\ufffd",
    "۱۲۳ ١٢٣ १२३ 一二三",
)

Floats = npt.NDArray[np.float32]


def main() -> None:
    """Run the texts through the float32 graph and keep the extremes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    chooser = random.Random(1)  # noqa: S311 - a sample, not a secret
    model = PackedModel(find_packed_file())
    tokenizer = UnigramTokenizer(model.pieces())
    texts = [text for folder in parser.parse_args().folders for text in sampled(folder, chooser)]
    names = [f"l{number}.{part}" for number in range(model.sizes.layers) for part in PARTS]
    session = opened(model, names)
    extremes: dict[str, Floats] = {}
    for text in [prefix + text for prefix in ("query: ", "passage: ") for text in ODD_TEXTS] + texts:
        ids = np.array([[tokenizer.start, *tokenizer.encode(text, limit=510), tokenizer.end]], np.int64)
        values = session.run(names, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        for name, value in zip(names, values, strict=True):
            channels = value.reshape(-1, value.shape[-1])
            seen = np.stack([channels.min(axis=0), channels.max(axis=0)])
            before = extremes.get(name, seen)
            extremes[name] = np.stack([np.minimum(before[0], seen[0]), np.maximum(before[1], seen[1])])
    kept: dict[str, Any] = {name: value.astype(np.float16) for name, value in extremes.items()}
    np.savez(RANGES, **kept)
    print(f"{len(texts)} texts")


def opened(model: PackedModel, names: list[str]) -> "ort.InferenceSession":
    """A session of the float32 graph that also gives the inputs of its linear layers."""
    graph = Float32(model).encoder()
    graph.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    ort = load_runtime()
    options = ort.SessionOptions()
    options.log_severity_level = 3
    return ort.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])


def sampled(folder: Path, chooser: random.Random) -> Iterator[str]:
    """Texts of one folder with a prefix, most of them shortened."""
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".md", ".txt", ".py"):
            found.append(path.read_text("utf-8", errors="replace"))
        elif path.suffix == ".jsonl":
            found.extend(json.loads(line)["text"] for line in path.read_text("utf-8").splitlines())
    for number, text in enumerate(chooser.sample(found, min(len(found), TEXTS_PER_FOLDER))):
        start = chooser.randrange(max(1, len(text) - LONGEST))
        part = text[start:] if number % 10 == 0 else text[start : start + LONGEST]
        yield ("query: " if len(part) < 100 else "passage: ") + part  # noqa: PLR2004 - queries are short


if __name__ == "__main__":
    main()
