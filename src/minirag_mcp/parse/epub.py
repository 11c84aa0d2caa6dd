"""E-books: the chapters in reading order, each converted like a web page."""

import re

from minirag_mcp.errors import CorruptFileError, NoTextError, WrongFormatError
from minirag_mcp.model import Mark, MarkKind
from minirag_mcp.parse.archive import Archive
from minirag_mcp.parse.encoding import decode
from minirag_mcp.parse.epub_chapters import read_part
from minirag_mcp.parse.epub_package import read_package
from minirag_mcp.parse.html_page import declared_charset
from minirag_mcp.parse.no_text import IF_IN_PICTURES
from minirag_mcp.parse.parsed import Parsed

_EMPTY_ELEMENT = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*?)?)\s*/>")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)


def parse(data: bytes) -> Parsed:
    """The chapters with their marks; a chapter without a heading gets the one that the contents page gives it.

    Raises CorruptFileError (no chapter can be read), EncryptedFileError, NoTextError and the errors of `Archive.open`.
    """
    archive = Archive.open(data, kind="EPUB book")
    package = read_package(archive)
    pieces: list[str] = []
    marks: list[Mark] = []
    offset = broken = 0
    name = ""
    for number, part in enumerate(package.chapters, start=1):
        source = _source(archive, part)
        if source is None:
            broken += 1
            continue
        text, chapters = read_part(source, package.labels.get(part, {}), before=name)
        for start, name in chapters:
            marks.append(Mark(kind=MarkKind.CHAPTER, start=offset + start, number=number, name=name))
        if text:
            pieces.append(text)
            offset += len(text) + 2
    text = "\n\n".join(pieces)
    if not text and (broken or not package.chapters):
        raise CorruptFileError("No chapter of the book can be read.")
    if not text:
        raise NoTextError("The book holds no text, perhaps only pictures.", remedy=IF_IN_PICTURES)
    return Parsed(text=text, marks=tuple(marks), title=package.title, metadata=package.metadata)


def _source(archive: Archive, part: str) -> str | None:
    """A chapter's XHTML as an HTML reader takes it, or None when it is damaged beyond reading."""
    try:
        data = archive.read(part)
        source = decode(data, declared=declared_charset(data)) if data else None
    except (CorruptFileError, WrongFormatError):
        return None
    return _EMPTY_ELEMENT.sub(_opened_and_closed, source) if source else source


def _opened_and_closed(element: re.Match[str]) -> str:
    name, attributes = element.groups()
    return element[0] if name.lower() in _VOID else f"<{name}{attributes}></{name}>"
