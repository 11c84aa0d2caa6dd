"""The bytes of a response, unpacked, never more than allowed."""

import zlib
from collections.abc import Iterator
from http.client import HTTPResponse

from minirag_mcp.errors import FetchFailedError

_PIECE = 64 * 1024
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_RAW_DEFLATE = -zlib.MAX_WBITS
_GZIP_MAGIC = b"\x1f\x8b"
_ZLIB_CHECK = 31
"""RFC 1950: the first two bytes of a frame are a multiple of it."""

_STEP = 1024 * 1024


def read_body(response: HTTPResponse, *, limit: int) -> bytes:
    """The decoded content. Raises FetchFailedError (too large, cut short, coded unknowably), OSError, HTTPException."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding in ("", "identity"):
        return _joined(_pieces(response), limit)
    if encoding in ("gzip", "x-gzip", "deflate"):
        return _joined(_unpacked(_pieces(response)), limit)
    raise FetchFailedError(f"The content is coded as {encoding!r}, which was not asked for.")


def _joined(pieces: Iterator[bytes], limit: int) -> bytes:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > limit:
            raise FetchFailedError(f"The content is larger than {limit:,} bytes.", remedy="Fetch a smaller page.")
    return bytes(body)


def _pieces(response: HTTPResponse) -> Iterator[bytes]:
    while piece := response.read(_PIECE):
        yield piece
    if response.length:
        raise FetchFailedError(f"The connection ended {response.length:,} bytes early.")


def _unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Inflate step by step: a bomb meets the limit before it has unfolded. gzip members may follow each other."""
    unpacker = None
    try:
        for piece in pieces:
            left = piece
            while left:
                if unpacker is None or (unpacker.eof and left.startswith(_GZIP_MAGIC)):
                    unpacker = zlib.decompressobj(_window(left))
                elif unpacker.eof:
                    return
                yield unpacker.decompress(left, _STEP)
                left = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
        if unpacker is not None:
            yield unpacker.flush()
    except zlib.error as error:
        raise FetchFailedError("The compressed content is damaged.") from error
    if unpacker is not None and not unpacker.eof:
        raise FetchFailedError("The compressed content is cut short.")


def _window(start: bytes) -> int:
    """How to inflate: some servers send bare deflate under the name that RFC 9110 gives to zlib's frame."""
    zlib_frame = start[0] & 0x0F == zlib.DEFLATED and int.from_bytes(start[:2], "big") % _ZLIB_CHECK == 0
    return _GZIP_OR_ZLIB if zlib_frame or start.startswith(_GZIP_MAGIC) else _RAW_DEFLATE
