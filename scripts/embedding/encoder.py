"""Writes the graph of the bundled encoder. Needs the `onnx` package; the product does not.

The weights are external data: the graph names the file, and the offset and length of each tensor in it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from minirag_mcp.embed.packed import Sizes
from minirag_mcp.embed.weights import ALIGNMENT

MICROSOFT = "com.microsoft"
_MASKED = 1e4
"""Taken off the score of a padded key; e to the minus this is exactly zero in float32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteRange:
    """Real value = (byte - zero) x step."""

    step: float
    zero: int


class GraphWriter:
    """Collects nodes and initialisers."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []

    def node(self, kind: str, inputs: Sequence[str], output: str, *, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output, whose name is given back."""
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output

    def constant(self, name: str, value: npt.ArrayLike, kind: npt.DTypeLike) -> str:
        """Add a small tensor, kept in the graph itself."""
        self.initializers.append(numpy_helper.from_array(np.asarray(value, kind), name))
        return name

    def external(self, name: str, array: npt.NDArray[np.generic], *, location: str, offset: int) -> None:
        """Add a tensor that lies in the file `location`."""
        tensor = TensorProto()
        tensor.name = name
        tensor.data_type = helper.np_dtype_to_tensor_dtype(array.dtype)
        tensor.dims.extend(array.shape)
        if name == "word.values":  # two 4-bit values a byte
            tensor.data_type = TensorProto.INT4
            tensor.dims[1] *= 2
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", offset), ("length", array.nbytes)):
            tensor.external_data.add(key=key, value=str(value))
        self.initializers.append(tensor)

    def model(self, inputs: Sequence[str], output: str, *, width: int) -> onnx.ModelProto:
        """The model of everything added: integer inputs of [texts, tokens], one float output of [texts, width]."""
        graph = helper.make_graph(
            self.nodes,
            "encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["texts", width])],
            self.initializers,
        )
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="minirag-mcp")


def aligned(offset: int) -> int:
    """The first aligned place from `offset` on."""
    return -(-offset // ALIGNMENT) * ALIGNMENT


class EncoderWriter(GraphWriter):
    """The encoder: token ids and mask in, one unit vector per text out."""

    def __init__(self, sizes: Sizes, ranges: dict[str, ByteRange]) -> None:
        super().__init__()
        self._sizes = sizes
        self._ranges = ranges

    def encoder(self) -> onnx.ModelProto:
        """The whole graph; every external tensor must have been added."""
        self._constants()
        total = self._embedded()
        before = "emb.ln"
        for number in range(self._sizes.layers):
            total = self._layer(number, total, before)
            before = f"l{number}.oln"
        state = self._norm(total, before)
        return self.model(["input_ids", "attention_mask"], self._pooled(state), width=self._sizes.hidden)

    def _constants(self) -> None:
        heads = self._sizes.heads
        self.constant("zero", [0], np.int64)
        self.constant("one", [1], np.int64)
        self.constant("one_two", [1, 2], np.int64)
        self.constant("split", [0, 0, heads, self._sizes.hidden // heads], np.int64)
        self.constant("joined", [0, 0, self._sizes.hidden], np.int64)
        self.constant("unit", 1, np.float32)
        self.constant("masked", _MASKED, np.float32)
        self.node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
        self.node("Sub", ["mask", "unit"], "mask.0")
        self.node("Mul", ["mask.0", "masked"], "mask.1")
        self.node("Unsqueeze", ["mask.1", "one_two"], "penalty")

    def _embedded(self) -> str:
        self.node(
            "GatherBlockQuantized",
            ["word.values", "input_ids", "word.scales"],
            "word",
            domain=MICROSOFT,
            block_size=32,
            gather_axis=0,
            quantize_axis=1,
        )
        self.node("Shape", ["input_ids"], "length", start=1, end=2)
        self.node("Slice", ["position", "zero", "length"], "place")
        return self.node("Add", ["word", "place"], "embedded")

    def _layer(self, number: int, total: str, before: str) -> str:
        name = f"l{number}"
        smooth = self._norm(total, before)
        state = self._scaled(smooth, f"{before}.factor")
        attended = self._attention(name, self._bytes(smooth, f"{name}.x"))
        after = self.node("Add", [attended, state], f"{name}.sum")
        smooth = self._norm(after, f"{name}.aln")
        middle = self._scaled(smooth, f"{name}.aln.factor")
        inner = self._linear(self._bytes(smooth, f"{name}.a"), f"{name}.fi")
        inner = self.node("Gelu", [inner], f"{name}.gelu", domain=MICROSOFT)
        inner = self._scaled(inner, f"{name}.shrink")
        outer = self._linear(self._bytes(inner, f"{name}.g"), f"{name}.fo")
        return self.node("Add", [outer, middle], f"{name}.end")

    def _attention(self, name: str, state: str) -> str:
        query, key, value = (self._heads(self._linear(state, f"{name}.{part}")) for part in "qkv")
        scores = self.node("FusedMatMul", [query, key], f"{name}.scores", domain=MICROSOFT, transB=1)
        scores = self.node("Add", [scores, "penalty"], f"{name}.kept")
        shares = self.node("Softmax", [scores], f"{name}.shares", axis=-1)
        context = self.node("MatMul", [shares, value], f"{name}.context")
        context = self.node("Transpose", [context], f"{context}.0", perm=[0, 2, 1, 3])
        context = self.node("Reshape", [context, "joined"], f"{context}.1")
        return self._linear(self._bytes(context, f"{name}.c"), f"{name}.ao")

    def _heads(self, states: str) -> str:
        split = self.node("Reshape", [states, "split"], f"{states}.split")
        return self.node("Transpose", [split], f"{states}.heads", perm=[0, 2, 1, 3])

    def _norm(self, total: str, name: str) -> str:
        # Fusing the addition before it (SkipLayerNormalization) is eight times slower than the two apart.
        inputs = [total, f"{name}.weight", f"{name}.bias"]
        return self.node("LayerNormalization", inputs, f"{name}.out", axis=-1, epsilon=self._sizes.epsilon)

    def _scaled(self, values: str, factor: str) -> str:
        return self.node("Mul", [values, factor], f"{factor}.scaled")

    def _bytes(self, values: str, name: str) -> str:
        byte_range = self._ranges[name]
        self.constant(f"{name}.step", byte_range.step, np.float32)
        self.constant(f"{name}.zero", byte_range.zero, np.uint8)
        return self.node("QuantizeLinear", [values, f"{name}.step", f"{name}.zero"], name)

    def _linear(self, source: str, name: str) -> str:
        inputs = [source, f"{name}.weight", f"{source}.step", f"{name}.step", f"{source}.zero", "", f"{name}.bias"]
        return self.node("MatMulIntegerToFloat", inputs, f"{name}.out", domain=MICROSOFT)

    def _pooled(self, state: str) -> str:
        row = self.node("Unsqueeze", ["mask", "one"], "mask.row")
        total = self.node("MatMul", [row, state], "total.row")
        total = self.node("Squeeze", [total, "one"], "total")
        return self.node("LpNormalization", [total], "vectors", axis=-1, p=2)


def byte_range(low: float, high: float) -> ByteRange:
    """The range of unsigned bytes that covers `low` to `high`."""
    step = float(np.float32((high - low) / 255))
    return ByteRange(step=step, zero=min(max(math.floor(-low / step + 0.5), 0), 255))
