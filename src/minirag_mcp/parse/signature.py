"""What a file's first bytes give away."""

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office or encrypted Office file"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"\0\0\1\0", "an icon"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"{\\rtf", "an RTF document"),
    (b"SQLite format 3\0", "a SQLite database"),
    (b"\x7fELF", "a program"),
    (b"ID3", "an MP3 recording"),
    (b"OggS", "an Ogg recording"),
    (b"fLaC", "a FLAC recording"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x1aE\xdf\xa3", "a Matroska film"),
    (b"\0asm", "a WebAssembly module"),
)
_RIFF_KINDS = {b"WAVE": "a WAV recording", b"WEBP": "a WebP picture", b"AVI ": "an AVI film"}
_BINARY_AFTER_TEXT_LIKE = (b"BZh", b"ID3")
_LOOK = 64


def signature_of(data: bytes) -> str | None:
    """What `data` is by its first bytes, in words with an article, or None when nothing is given away.

    Text that merely begins with the letters of a signature is not taken for it.
    """
    head = data[:_LOOK]
    if head[:4] == b"RIFF" and head[8:12] in _RIFF_KINDS:
        return _RIFF_KINDS[head[8:12]]
    if head[4:8] == b"ftyp" and head[0] == 0:
        return "an MP4 film or HEIF picture"
    for magic, kind in _SIGNATURES:
        if head.startswith(magic) and not (magic in _BINARY_AFTER_TEXT_LIKE and _printable(head)):
            return kind
    return None


def _printable(head: bytes) -> bool:
    return not any(byte < 0x09 or 0x0E <= byte < 0x20 for byte in head)  # noqa: PLR2004 - ASCII control codes
