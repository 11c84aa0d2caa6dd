"""The weights of the bundled graph, made from the packed 4-bit file: which tensors, in which order, by which sums.

Every step is elementwise IEEE arithmetic without accumulation, so each machine writes the same bytes.

A linear layer is int8. Its input is divided, channel by channel, by a fixed smoothing factor, so that the few loud
channels of this model do not use up the range (Xiao et al., "SmoothQuant", 2023); the factor is multiplied into the
weights here. Weights keep seven bits: an AVX2 machine adds two products of an unsigned and a signed byte in 16 bits,
and 2 x 255 x 63 is the most that fits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from minirag_mcp.embed.packed import BLOCK, PackedModel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float32]
    Array: TypeAlias = npt.NDArray[np.generic]

WEIGHT_LIMIT = 63
"""Largest weight; see the module docstring."""

ALIGNMENT = 64
"""Bytes; a cache line, and what the widest vector loads ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Smoothing:
    """What each channel of a linear layer's input is divided by, for one encoder layer; all `float32`, above zero.

    state    input of query, key and value: [hidden]
    context  input of the attention's output: [hidden]
    middle   input of the first feed-forward layer: [hidden]
    inner    input of the second feed-forward layer: [feed forward]
    """

    state: "Floats"
    context: "Floats"
    middle: "Floats"
    inner: "Floats"


def read_smoothing(path: Path, *, hidden: int) -> tuple[Smoothing, ...]:
    """The smoothing factors of each layer, as `float16[layers, 3 x hidden + feed forward]` keeps them."""
    import numpy as np  # noqa: PLC0415 - heavy

    edges = [hidden, 2 * hidden, 3 * hidden]
    rows = np.load(path).astype(np.float32)
    parts = (np.split(row, edges) for row in rows)
    return tuple(Smoothing(state=a, context=b, middle=c, inner=d) for a, b, c, d in parts)


def make_tensors(model: PackedModel, smoothing: tuple[Smoothing, ...]) -> Iterator[tuple[str, "Array"]]:
    """Every tensor of the weights file, by the name the graph knows it by, in file order."""
    import numpy as np  # noqa: PLC0415 - heavy

    hidden = model.sizes.hidden
    halves, scales = model.blocks("emb.word", hidden)
    yield "word.values", _repacked(halves)
    yield "word.scales", scales
    kind = model.floats("emb.type").reshape(-1, hidden)[0]
    yield "position", model.floats("emb.pos").reshape(-1, hidden) + kind
    for number, factors in enumerate(smoothing):
        before = "emb.ln" if number == 0 else f"l{number - 1}.oln"
        yield from _norm(model, before, factors.state)
        yield from _attention(model, number, factors)
        yield from _norm(model, f"l{number}.aln", factors.middle)
        yield from _feed_forward(model, number, factors)
    yield from _norm(model, f"l{model.sizes.layers - 1}.oln", np.ones(hidden, np.float32))


def _repacked(halves: "npt.NDArray[np.uint8]") -> "npt.NDArray[np.uint8]":
    """The table as signed 4-bit values in order, two a byte, the earlier one low: `uint8[rows, columns / 2]`."""
    import numpy as np  # noqa: PLC0415 - heavy

    rows, blocks, width = halves.shape
    even, odd = halves[:, :, 0::2], halves[:, :, 1::2]
    packed = np.empty((rows, blocks, width), np.uint8)
    packed[:, :, : width // 2] = (even & 15) | (odd << 4)
    packed[:, :, width // 2 :] = (even >> 4) | (odd & 0xF0)
    # A stored value is 8 too high; flipping the top bit of each half makes it two's complement.
    packed ^= 0x88
    return packed.reshape(rows, blocks * BLOCK // 2)


def _norm(model: PackedModel, name: str, factor: "Floats") -> Iterator[tuple[str, "Array"]]:
    yield f"{name}.weight", model.floats(f"{name}.w") / factor
    yield f"{name}.bias", model.floats(f"{name}.b") / factor
    yield f"{name}.factor", factor


def _attention(model: PackedModel, number: int, factors: Smoothing) -> Iterator[tuple[str, "Array"]]:
    import numpy as np  # noqa: PLC0415 - heavy

    hidden = model.sizes.hidden
    # The scale of attention scores lies in the query, the smoothing of the context in the value: both are linear.
    root = np.sqrt(np.float32(hidden // model.sizes.heads))
    outputs = {"q": np.full(hidden, root, np.float32), "k": np.ones(hidden, np.float32), "v": factors.context}
    for letter, output in outputs.items():
        name = f"l{number}.{letter}"
        weight = model.matrix(f"{name}.w", hidden) / output[:, None]
        yield from _linear(name, weight, model.floats(f"{name}.b") / output, factors.state)
    name = f"l{number}.ao"
    yield from _linear(name, model.matrix(f"{name}.w", hidden), model.floats(f"{name}.b"), factors.context)


def _feed_forward(model: PackedModel, number: int, factors: Smoothing) -> Iterator[tuple[str, "Array"]]:
    first, second = f"l{number}.fi", f"l{number}.fo"
    yield from _linear(
        first, model.matrix(f"{first}.w", model.sizes.hidden), model.floats(f"{first}.b"), factors.middle
    )
    yield f"l{number}.shrink", 1 / factors.inner
    yield from _linear(
        second, model.matrix(f"{second}.w", model.sizes.feed_forward), model.floats(f"{second}.b"), factors.inner
    )


def _linear(name: str, weight: "Floats", bias: "Floats", factor: "Floats") -> Iterator[tuple[str, "Array"]]:
    """`weight` is [outputs, inputs]; the graph wants int8[inputs, outputs] and one step per output."""
    import numpy as np  # noqa: PLC0415 - heavy

    weight = weight * factor
    step = np.abs(weight).max(axis=1) / np.float32(WEIGHT_LIMIT)
    yield f"{name}.weight", np.rint(weight / step[:, None]).astype(np.int8).T
    yield f"{name}.step", step
    yield f"{name}.bias", bias
