"""Bytes of unknown encoding to text."""

from minirag_mcp.errors import WrongFormatError


def decode(data: bytes) -> str:
    """Stub until the detector stands."""
    try:
        return with_plain_lines(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise WrongFormatError("The file is binary data, not text.") from None


def with_plain_lines(text: str) -> str:
    r"""The text with every line end a `\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
