"""Bytes of unknown encoding to text: marks, UTF-8, UTF-16 and UTF-32 without marks, then the legacy encodings."""

import codecs
import re
from collections.abc import Iterator

from minirag_mcp.errors import EmptyFileError, WrongFormatError
from minirag_mcp.parse.charset import WIDE, ranked_charsets, wide_charset
from minirag_mcp.parse.charset_names import text_charset

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_CONTROL_SHARE = 0.01
"""Control characters in text: logs with colours reach 0.5 %, random bytes have 10 %."""
_NUL_SHARE = 0.001
"""Runs of NUL in text that a crash or a padded record left there."""
_BROKEN_SHARE = 0.02
"""Broken sequences in UTF-8 text, as a share of its characters beyond ASCII; other encodings come to 50 % and more."""
_STRAY_SHARE = 0.001
"""Bytes that a legacy encoding does not define, in an otherwise sound file."""
_NOT_TEXT = "The file is binary data, not text."

_NO_TEXT = re.compile("[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r\f\b\x1b") + b"\x7f"
_ESCAPES = b"\x1b$"
"""Begins a Japanese or Korean run in the ISO 2022 encodings, whose bytes are all ASCII."""
_LOOK = 32_768
_MOST_BROKEN_NEARBY = 0.5


def decode(data: bytes, *, declared: str | None = None) -> str:
    r"""The text of `data`, every line end a `\n`, no NUL, no byte order mark.

    `declared` is what the file itself says of its encoding; a byte order mark and valid UTF-8 win over it, and
    it is set aside when the bytes do not fit. The whole of `data` has a say, not its beginning.
    Raises WrongFormatError for binary data.
    """
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return with_plain_lines(_marked(data[len(mark) :].decode(charset, "replace")))
    return with_plain_lines(_unmarked(data, declared))


def decode_written(data: bytes, *, declared: str | None = None) -> str:
    """As `decode`, for formats that are text throughout. Raises EmptyFileError when there is only white space."""
    text = decode(data, declared=declared)
    refuse_blank(text)
    return text


def refuse_blank(text: str) -> None:
    """Raises EmptyFileError when `text` is only white space."""
    if not text or text.isspace():
        raise EmptyFileError("The file holds only white space.")


def with_plain_lines(text: str) -> str:
    r"""The text with every line end a `\n`; `\r\r\n`, which copying makes of `\r\n`, is one, too."""
    if "\r" not in text:
        return text
    return text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> Iterator[str]:
    """Line by line, ends included, without a copy of the whole, which may be 100 MB."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _marked(text: str) -> str:
    """The text after a byte order mark, with which binary data may begin by chance."""
    if len(_NO_TEXT.findall(text, 0, _LOOK)) > max(1, _CONTROL_SHARE * min(len(text), _LOOK)):
        raise WrongFormatError(_NOT_TEXT)
    return text.replace("\0", "")


def _unmarked(data: bytes, declared: str | None) -> str:
    if 0 in data:
        wide = _wide(data)
        if wide is not None:
            return wide
        data = _without_nul(data)
    text = None if _ESCAPES in data else _utf8(data)
    if text is None:
        text = _declared(data, declared)
    return text if text is not None else _legacy(data)


def _wide(data: bytes) -> str | None:
    """UTF-32 or UTF-16 text that holds NUL bytes, as any with spaces, digits or line ends does."""
    wide = wide_charset(data)
    return data.decode(wide, "replace").replace("\0", "") if wide else None


def _without_nul(data: bytes) -> bytes:
    text = data.rstrip(b"\0")
    if len(re.findall(rb"\0+", text)) > max(1, _NUL_SHARE * len(text)):
        raise WrongFormatError(_NOT_TEXT)
    return text.replace(b"\0", b"")


def _utf8(data: bytes) -> str | None:
    """`data` as UTF-8, with a few broken sequences replaced; None when it is something else."""
    # Line ends are settled while a character still has one byte: a long text may take four.
    data = data.replace(b"\r\n", b"\n") if b"\r\n" in data else data
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        around = data[max(0, error.start - _LOOK) : error.start + _LOOK]
        if _broken_share(around.decode(errors="replace")) > _MOST_BROKEN_NEARBY:
            return None
        text = data.decode(errors="replace")
        if _broken_share(text) > _BROKEN_SHARE:
            return None
    _refuse_controls(data)
    return text


def _broken_share(text: str) -> float:
    """Replaced sequences, as a share of all characters beyond ASCII."""
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    return text.count("\ufffd") / beyond if beyond else 0.0


def _declared(data: bytes, declared: str | None) -> str | None:
    charset = text_charset(declared) if declared else None
    try:
        return data.decode(charset) if charset else None
    except UnicodeDecodeError:
        return None


def _legacy(data: bytes) -> str:
    for charset in ranked_charsets(data):
        if charset not in WIDE:
            _refuse_controls(data.translate(None, b"\x0e\x0f") if _ESCAPES in data else data)
        text = data.decode(charset, "replace")
        if text.count("\ufffd") <= _STRAY_SHARE * len(text):
            return text
    raise WrongFormatError(_NOT_TEXT)


def _refuse_controls(data: bytes) -> None:
    """Control codes that no text needs show that the bytes are not text."""
    if sum(data.count(code) for code in _CONTROLS) > max(1, _CONTROL_SHARE * len(data)):
        raise WrongFormatError(_NOT_TEXT)
