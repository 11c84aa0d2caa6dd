"""Other graphs of the same 4-bit weights, to calibrate and to compare with. They keep their weights inside."""

from typing import cast

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, numpy_helper

from minirag_mcp.embed.packed import BLOCK, PackedModel
from minirag_mcp.embed.weights import Smoothing, make_tensors
from scripts.embedding.encoder import MICROSOFT, EncoderWriter

Floats = npt.NDArray[np.float32]


class Float32(EncoderWriter):
    """Float32 linear layers: what the 4-bit weights mean."""

    def __init__(self, model: PackedModel) -> None:
        super().__init__(model.sizes, {})
        self._packed = model
        hidden, wide = model.sizes.hidden, model.sizes.feed_forward
        ones = np.ones(hidden, np.float32)
        even = Smoothing(state=ones, context=ones, middle=ones, inner=np.ones(wide, np.float32))
        linear = tuple(f"l{n}.{part}." for n in range(model.sizes.layers) for part in ("q", "k", "v", "ao", "fi", "fo"))
        for name, array in make_tensors(model, (even,) * model.sizes.layers):
            if not name.startswith(linear):
                self._keep(name, array)

    def _keep(self, name: str, array: npt.NDArray[np.generic]) -> str:
        if name == "word.values":
            tensor = TensorProto()
            tensor.name, tensor.data_type = name, TensorProto.INT4
            tensor.dims.extend([array.shape[0], array.shape[1] * 2])
            tensor.raw_data = array.tobytes()
        else:
            tensor = numpy_helper.from_array(np.ascontiguousarray(array), name)
        self.initializers.append(tensor)
        return name

    def _scaled(self, values: str, factor: str) -> str:
        del factor
        return values

    def _bytes(self, values: str, name: str) -> str:
        return self.node("Identity", [values], name)

    def _parameters(self, name: str) -> tuple[Floats, Floats]:
        """Weight [outputs, inputs] and bias of a linear layer."""
        columns = self._packed.sizes.feed_forward if name.endswith(".fo") else self._packed.sizes.hidden
        weight, bias = self._packed.matrix(f"{name}.w", columns), self._packed.floats(f"{name}.b")
        if name.endswith(".q"):
            root = np.sqrt(np.float32(self._packed.sizes.hidden // self._packed.sizes.heads))
            return cast("Floats", weight / root), cast("Floats", bias / root)
        return weight, bias

    def _linear(self, source: str, name: str) -> str:
        weight, bias = self._parameters(name)
        product = self.node("MatMul", [source, self._keep(f"{name}.weight", weight.T)], f"{name}.product")
        return self.node("Add", [product, self._keep(f"{name}.bias", bias)], f"{name}.out")


class DynamicInt8(Float32):
    """Int8 linear layers whose input range is taken from each batch, one range for all its tokens."""

    def _linear(self, source: str, name: str) -> str:
        weight, bias = self._parameters(name)
        step = np.abs(weight).max(axis=1) / np.float32(127)
        values = np.rint(weight / step[:, None]).astype(np.int8).T
        zeros = np.zeros(step.size, np.int8)
        kept = (("weight", values), ("step", step), ("zero", zeros), ("bias", bias))
        inputs = [source, *(self._keep(f"{name}.{part}", array) for part, array in kept)]
        return self.node("DynamicQuantizeMatMul", inputs, f"{name}.out", domain=MICROSOFT)


class Blocks4(Float32):
    """The 4-bit blocks themselves; the input is quantised for each token and block of 32."""

    bits, block = 4, BLOCK

    def _linear(self, source: str, name: str) -> str:
        weight, bias = self._parameters(name)
        blocks = weight.reshape(weight.shape[0], -1, self.block)
        # A 4-bit block is exact by its largest value over eight; its sign tells which end it stands at.
        ends = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
        step = ends / np.float32(-8)
        step[step == 0] = 1
        values = np.clip(np.rint(blocks / step[:, :, None]) + 8, 0, 15).astype(np.uint8)
        return self._product((source, name), values[:, :, 0::2] | (values[:, :, 1::2] << 4), step=step, bias=bias)

    def _product(self, place: tuple[str, str], values: npt.NDArray[np.uint8], *, step: Floats, bias: Floats) -> str:
        source, name = place
        weight, scale = self._keep(f"{name}.weight", values), self._keep(f"{name}.step", step)
        return self.node(
            "MatMulNBits",
            [source, weight, scale, "", "", self._keep(f"{name}.bias", bias)],
            f"{name}.out",
            domain=MICROSOFT,
            K=step.shape[1] * self.block,
            N=step.shape[0],
            bits=self.bits,
            block_size=self.block,
            accuracy_level=4,
        )


class Blocks8(Blocks4):
    """Int8 blocks of 128; the input is quantised for each token and block."""

    bits, block = 8, 128

    def _linear(self, source: str, name: str) -> str:
        weight, bias = self._parameters(name)
        blocks = weight.reshape(weight.shape[0], -1, self.block)
        step = (np.abs(blocks).max(axis=2) / 127).astype(np.float32)
        values = (np.rint(blocks / step[:, :, None]) + 128).astype(np.uint8)
        return self._product((source, name), values, step=step, bias=bias)


VARIANTS: dict[str, type[Float32]] = {
    "float32 layers": Float32,
    "int8 layers, range of each batch": DynamicInt8,
    "4-bit layers, range of each block": Blocks4,
    "int8 layers, range of each block": Blocks8,
}
