"""Markdown: front matter taken as metadata, inlined pictures as their alt text, the rest as it stands."""

from minirag_mcp.errors import NoTextError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.encoding import decode_written
from minirag_mcp.parse.front_matter import front_matter
from minirag_mcp.parse.no_text import IF_IN_PICTURES
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.pictures import Cut, inlined_pictures, without


def parse(data: bytes) -> Parsed:
    """The text below the front matter, with the line numbers of the file.

    Raises EmptyFileError, NoTextError (only front matter, or only pictures) and WrongFormatError (binary data).
    """
    whole = decode_written(data)
    front = front_matter(whole)
    cuts = tuple(cut for cut in inlined_pictures(whole) if cut.start >= front.end)
    text = without(whole, (Cut(start=0, end=front.end, text=""), *cuts)) if front.end or cuts else whole
    if not text or text.isspace():
        raise NoTextError("The file holds no text below its front matter, or only pictures.", remedy=IF_IN_PICTURES)
    return Parsed(
        text=text, marks=_line_marks(whole, front.end, cuts), title=front.value("title"), metadata=front.pairs
    )


def _line_marks(whole: str, start: int, cuts: tuple[Cut, ...]) -> tuple[Mark, ...]:
    """Line numbers from where the text begins, and anew after each picture that took line ends with it."""
    line, counted, removed = whole.count("\n", 0, start) + 1, start, start
    marks = [Mark(kind=MarkKind.LINE, start=0, number=line)]
    for cut in cuts:
        removed += cut.end - cut.start - len(cut.text)
        if "\n" in whole[cut.start : cut.end]:
            line += whole.count("\n", counted, cut.end)
            counted = cut.end
            marks.append(Mark(kind=MarkKind.LINE, start=cut.end - removed, number=line))
    return tuple(marks)
