"""PowerPoint presentations (.pptx): one slide after another, to Markdown with slide marks."""

from typing import TYPE_CHECKING

from minirag_mcp.errors import NoTextError
from minirag_mcp.model import MarkKind
from minirag_mcp.parse.blocks import TextBuilder, cleaned, heading, one_line, paragraph
from minirag_mcp.parse.no_text import IF_IN_PICTURES
from minirag_mcp.parse.ooxml import LINK, SLIDE, SLIDE_PACKAGE, Package
from minirag_mcp.parse.pptx_shapes import read_shapes, shape_text
from minirag_mcp.parse.properties import written_title
from minirag_mcp.parse.title import is_boilerplate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from minirag_mcp.parse.parsed import Parsed

_SLIDE_LEVEL = 2


def parse(data: bytes) -> "Parsed":
    """The slides as Markdown, each under a SLIDE mark with its number and, where it has one, its title.

    Hidden slides are kept and counted, as the program counts them. Speaker notes and comments stand
    under their slide; slide numbers, dates, footers and text of masters are left out.
    Raises EmptyFileError, WrongFormatError, EncryptedFileError, CorruptFileError, ParseLimitError, NoTextError.
    """
    package = Package.open(data, SLIDE_PACKAGE)
    builder = TextBuilder()
    authors = _authors(package)
    title: str | None = None
    for number, part in enumerate(_slides(package), start=1):
        root = package.xml(part)
        blocks = [] if root is None else _slide_blocks(package, part, root, authors=authors)
        if blocks:
            builder.mark(MarkKind.SLIDE, number=number)
        for block in blocks:
            builder.add(block)
        if number == 1 and blocks:
            title = _opening_title(blocks)
    if builder.blank:
        raise NoTextError("The PowerPoint presentation holds no text.", remedy=IF_IN_PICTURES)
    return builder.build(title=package.title() or title)


def _slides(package: Package) -> "Iterator[str]":
    """Names of the slide parts in the order of the show; "" for a slide that is missing."""
    links = package.relationships(package.main)
    for entry in package.root.iter(f"{SLIDE}sldId"):
        link = links.get(entry.get(f"{LINK}id", ""))
        yield link.target if link else ""


def _slide_blocks(package: Package, part: str, root: "etree._Element", *, authors: dict[str, str]) -> list[str]:
    shapes = read_shapes(package, part, root)
    blocks = [heading(shapes.title, level=_SLIDE_LEVEL)] if shapes.title else []
    blocks.extend(shapes.blocks)
    notes = _notes(package, part)
    if notes:
        blocks.append(f"Notes: {notes}")
    blocks.extend(_comments(package, part, authors))
    return [block for block in blocks if block.strip()]


def _opening_title(blocks: list[str]) -> str | None:
    """What the first slide is called, unless that is only its part of the show: "Agenda", "Slide 1"."""
    mark, _, title = blocks[0].partition(" ")
    return None if mark != "#" * _SLIDE_LEVEL or is_boilerplate(title) else written_title(title)


def _notes(package: Package, part: str) -> str:
    root = package.xml(package.related(part, "notesSlide"))
    if root is None:
        return ""
    bodies = [shape for shape in root.iter(f"{SLIDE}sp") if _placeholder(shape) == "body"]
    return paragraph("\n".join(shape_text(shape) for shape in bodies))


def _placeholder(shape: "etree._Element") -> str:
    element = shape.find(f"{SLIDE}nvSpPr/{SLIDE}nvPr/{SLIDE}ph")
    return "" if element is None else element.get("type", "obj")


def _authors(package: Package) -> dict[str, str]:
    """Names of comment authors by id, of the old and the new kind of comments."""
    names: dict[str, str] = {}
    for kind in ("commentAuthors", "authors"):
        root = package.xml(package.related(package.main, kind))
        for author in () if root is None else root:
            names[author.get("id", "")] = one_line(cleaned(author.get("name", "")))
    return names


def _comments(package: Package, part: str, authors: dict[str, str]) -> "Iterator[str]":
    for link in package.relationships(part).values():
        root = package.xml(link.target) if link.kind == "comments" else None
        for comment in () if root is None else root.iter("{*}cm", "{*}reply"):
            text = _comment_text(comment)
            if text:
                yield f"> {authors.get(comment.get('authorId', ''), '') or 'Comment'}: {text}"


def _comment_text(comment: "etree._Element") -> str:
    plain = [node.text or "" for node in comment.iterchildren("{*}text")]
    rich = [shape_text(body) for body in comment.iterchildren("{*}txBody")]
    return one_line(cleaned(" ".join(plain + rich)))
