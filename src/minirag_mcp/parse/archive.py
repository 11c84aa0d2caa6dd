"""Zip archives from strangers: opened from bytes, read under caps that count what is really inflated."""

import io
import posixpath
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Self

from minirag_mcp.errors import (
    CorruptFileError,
    EmptyFileError,
    EncryptedFileError,
    ParseLimitError,
    WrongFormatError,
)

if TYPE_CHECKING:
    from lxml import etree

MEGABYTE = 1024 * 1024
# The largest of 379 real files: 25.5 MB unpacked, ratio 32, 382 entries. Each cap leaves a factor of five or more.
MAX_TOTAL = 256 * MEGABYTE
MAX_PART = 128 * MEGABYTE
MAX_ENTRIES = 10_000
MAX_RATIO = 200
RATIO_FREE = 10 * MEGABYTE
_STEP = MEGABYTE

_IF_MADE = "No program writes such a file: save it again from the one it comes from, or exclude it."

_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTION_STREAM = "EncryptedPackage".encode("utf-16-le")
_CENTRAL_ENTRY = b"PK\x01\x02"
_LOCAL_ENTRY = b"PK\x03\x04"
_END_RECORD = b"PK\x05\x06"
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_STORED, _DEFLATED = 0, 8
_ENCRYPTED_FLAG = 0x1


class Archive:
    """A zip archive whose parts are read by name, never written to disk.

    Part names are compared exactly, then without regard to case and slash direction. Of duplicate
    names the last entry counts. Checksums are not verified: real files with wrong ones are readable.
    """

    def __init__(self, data: bytes, entries: list[zipfile.ZipInfo]) -> None:
        self._data = data
        self._entries = {entry.filename: entry for entry in entries}
        self._folded = {_fold(entry.filename): entry for entry in entries}
        self._inflated = 0

    @classmethod
    def open(cls, data: bytes, *, kind: str) -> Self:
        """Open `data`; `kind` ("Word document") names in messages what was expected.

        Raises EmptyFileError, EncryptedFileError (an Office file with a password is an OLE file, not
        a zip), WrongFormatError, CorruptFileError (cut short) or ParseLimitError (too many entries).
        """
        if not data.strip(b"\0\t\n\r "):
            raise EmptyFileError(f"The {kind} is empty.")
        if data.startswith(_OLE_MAGIC):
            raise _ole_error(data, kind)
        if data.count(_CENTRAL_ENTRY) > MAX_ENTRIES:
            raise ParseLimitError(f"The {kind} is an archive of more than {MAX_ENTRIES:,} entries.")
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = archive.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OverflowError) as error:
            raise _not_a_zip(data, kind) from error
        return cls(data, entries)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all parts, in the order of the archive."""
        return tuple(self._entries)

    def __contains__(self, name: str) -> bool:
        return self._entry(name) is not None

    def read(self, name: str) -> bytes | None:
        """The bytes of a part, or None if there is no such part.

        Raises ParseLimitError over a cap, EncryptedFileError and CorruptFileError if it cannot be inflated.
        """
        entry = self._entry(name)
        if entry is None:
            return None
        return b"".join(self._inflate(entry))

    def xml(self, name: str) -> "etree._Element | None":
        """The root element of an XML part, or None if the part is missing or holds no XML; errors as `read`."""
        data = self.read(name)
        return None if data is None else parse_xml(data)

    def _entry(self, name: str) -> zipfile.ZipInfo | None:
        return self._entries.get(name) or self._folded.get(_fold(name))

    def _inflate(self, entry: zipfile.ZipInfo) -> list[bytes]:
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise EncryptedFileError(f"The part {entry.filename} of the archive needs a password.")
        packed = self._packed(entry)
        if entry.compress_type == _STORED:
            self._count(entry, len(packed), len(packed))
            self._inflated += len(packed)
            return [bytes(packed)]
        if entry.compress_type != _DEFLATED:
            raise CorruptFileError(f"The part {entry.filename} is compressed by an unknown method.")
        return self._decompress(entry, packed)

    def _decompress(self, entry: zipfile.ZipInfo, packed: memoryview) -> list[bytes]:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        pieces: list[bytes] = []
        size = offset = 0
        pending: bytes = b""
        while not stream.eof and (pending or offset < len(packed)):
            if not pending:
                pending = bytes(packed[offset : offset + _STEP])
                offset += len(pending)
            try:
                piece = stream.decompress(pending, _STEP)
            except zlib.error as error:
                raise CorruptFileError(f"The part {entry.filename} of the archive is damaged.") from error
            pending = stream.unconsumed_tail
            pieces.append(piece)
            size += len(piece)
            self._count(entry, size, offset - len(pending))
        self._inflated += size
        return pieces

    def _packed(self, entry: zipfile.ZipInfo) -> memoryview:
        start = entry.header_offset
        header = self._data[start : start + _LOCAL_HEADER.size] if start >= 0 else b""
        if len(header) < _LOCAL_HEADER.size or not header.startswith(_LOCAL_ENTRY):
            raise CorruptFileError(f"The part {entry.filename} of the archive is missing.")
        _, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        begin = start + _LOCAL_HEADER.size + name_length + extra_length
        return memoryview(self._data)[begin : begin + entry.compress_size]

    def _count(self, entry: zipfile.ZipInfo, size: int, packed: int) -> None:
        if size > MAX_PART or self._inflated + size > MAX_TOTAL:
            raise ParseLimitError(f"The archive unpacks to too much: {entry.filename} is over the limit.")
        if size > RATIO_FREE and size > MAX_RATIO * packed:
            raise ParseLimitError(f"The part {entry.filename} unpacks to more than {MAX_RATIO} times its size.")


def xml_parser_options() -> dict[str, Any]:
    """Options for every lxml parser of this room: no DTD, no entities, no network, bounded text and depth."""
    return {
        "resolve_entities": False,
        "load_dtd": False,
        "no_network": True,
        "huge_tree": False,
        "recover": True,
        "remove_comments": True,
        "remove_pis": True,
    }


def parse_xml(data: bytes) -> "etree._Element | None":
    """The root element of `data`, damaged XML repaired as far as it goes; None if nothing is left.

    References to entities are left out, the text around them is not. Raises ParseLimitError where the reader stopped.
    """
    from lxml import etree  # noqa: PLC0415 - loaded only when a document needs it

    parser = etree.XMLParser(**xml_parser_options())
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    refuse_unread(parser.error_log)
    if root is not None:
        etree.strip_tags(root, etree.Entity)
    return root


def refuse_unread(log: "etree._ListErrorLog") -> None:
    """Raise ParseLimitError if the reader that wrote this log stopped at a limit: the rest of its part is missing."""
    for entry in log:
        if entry.type_name == "ERR_RESOURCE_LIMIT":
            nested = "depth" in entry.message
            reason = "nests more than 256 levels deep" if nested else "holds entities or a text without end"
            raise ParseLimitError(f"A part of the archive {reason}.", remedy=_IF_MADE)


def resolve(base: str, target: str) -> str:
    """The part name that `target` means when it is written in part `base`; leading `/` is the archive root."""
    joined = target.lstrip("/") if target.startswith("/") else posixpath.join(posixpath.dirname(base), target)
    return posixpath.normpath(joined) if joined else ""


def with_article(kind: str) -> str:
    """`kind` ("Excel workbook") with "a" or "an" before it."""
    return f"{'an' if kind[0] in 'AEIOU' else 'a'} {kind}"


def _fold(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()


def _ole_error(data: bytes, kind: str) -> EncryptedFileError | WrongFormatError:
    if _ENCRYPTION_STREAM in data:
        return EncryptedFileError(f"The {kind} is protected by a password.")
    return WrongFormatError(f"The content is not {with_article(kind)} but a file of an older Office format.")


def _not_a_zip(data: bytes, kind: str) -> CorruptFileError | WrongFormatError:
    if data.startswith((_LOCAL_ENTRY, _END_RECORD)):
        return CorruptFileError(f"The {kind} is damaged or cut short: its archive has no directory.")
    return WrongFormatError(f"The content is not {with_article(kind)}: it is not a zip archive.")
