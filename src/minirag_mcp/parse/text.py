"""Plain text, as it stands."""

from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.encoding import decode_written
from minirag_mcp.parse.parsed import Parsed


def parse(data: bytes) -> Parsed:
    """The text with its line numbers. Raises EmptyFileError, WrongFormatError (binary data)."""
    text = decode_written(data)
    return Parsed(text=text, marks=(Mark(kind=MarkKind.LINE, start=0, number=1),))
