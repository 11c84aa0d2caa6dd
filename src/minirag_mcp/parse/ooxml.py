"""What Word, PowerPoint and Excel packages have in common: parts, relationships, properties."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from minirag_mcp.errors import CorruptFileError, ParseError, WrongFormatError
from minirag_mcp.parse.archive import Archive, parse_xml, resolve, with_article
from minirag_mcp.parse.blocks import cleaned, one_line
from minirag_mcp.parse.properties import sane_title

if TYPE_CHECKING:
    from lxml import etree

_OPEN = "http://schemas.openxmlformats.org/"
WORD = f"{{{_OPEN}wordprocessingml/2006/main}}"
SHEET = f"{{{_OPEN}spreadsheetml/2006/main}}"
SLIDE = f"{{{_OPEN}presentationml/2006/main}}"
DRAWING = f"{{{_OPEN}drawingml/2006/main}}"
CHART = f"{{{_OPEN}drawingml/2006/chart}}"
DIAGRAM = f"{{{_OPEN}drawingml/2006/diagram}}"
MATH = f"{{{_OPEN}officeDocument/2006/math}}"
LINK = f"{{{_OPEN}officeDocument/2006/relationships}}"
ALTERNATIVE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"

# Files saved as "strict" (ISO/IEC 29500-1) use other namespaces for the same elements.
_STRICT_MARKER = b"http://purl.oclc.org/ooxml/"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_FILE_NAME = re.compile(r"^[^!?]{1,260}\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg|webp)$", re.IGNORECASE)
"""Office puts the name of the inserted file, often with its whole path, where a description should be."""
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavour:
    """One of the three kinds of package: how it is called, where its main part usually is, and its root."""

    kind: str
    usual_part: str
    root: str


WORD_PACKAGE = Flavour(kind="Word document", usual_part="word/document.xml", root="document")
SLIDE_PACKAGE = Flavour(kind="PowerPoint presentation", usual_part="ppt/presentation.xml", root="presentation")
SHEET_PACKAGE = Flavour(kind="Excel workbook", usual_part="xl/workbook.xml", root="workbook")
_FLAVOURS = (WORD_PACKAGE, SLIDE_PACKAGE, SHEET_PACKAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """A link from one part to another: last word of its type, and the name of the target part."""

    kind: str
    target: str


class Package:
    """An Office package with its main part found and checked."""

    def __init__(self, archive: Archive, *, main: str, root: "etree._Element") -> None:
        self._archive = archive
        self._links: dict[str, dict[str, Relationship]] = {}
        self.main = main
        self.root = root

    @classmethod
    def open(cls, data: bytes, flavour: Flavour) -> Self:
        """Open `data` as `flavour`; errors as `Archive.open`, and WrongFormatError for another kind of file."""
        archive = Archive.open(data, kind=flavour.kind)
        main = _main_part(archive, flavour)
        if main is None:
            raise _wrong_content(archive, flavour)
        root = _read_xml(archive, main)
        if root is None:
            raise CorruptFileError(f"The {flavour.kind} is damaged: its main part {main} holds no XML.")
        if _local(root) != flavour.root:
            raise _wrong_content(archive, flavour)
        return cls(archive, main=main, root=root)

    def xml(self, part: str | None) -> "etree._Element | None":
        """The root element of a part, strict namespaces made transitional; None if there is none."""
        return _read_xml(self._archive, part) if part else None

    def read(self, part: str) -> bytes | None:
        """The bytes of a part, strict namespaces made transitional; None if there is no such part."""
        data = self._archive.read(part)
        return None if data is None else _transitional(data)

    def relationships(self, part: str) -> dict[str, Relationship]:
        """The relationships of `part` inside the package, by id."""
        if part not in self._links:
            self._links[part] = _relationships(self._archive, part)
        return self._links[part]

    def related(self, part: str, kind: str) -> str | None:
        """The first part that `part` names as its `kind` ("styles", "comments" …), or None."""
        found = (link.target for link in self.relationships(part).values() if link.kind == kind)
        return next((target for target in found if target in self._archive), None)

    def properties(self, kind: str, usual: str) -> "etree._Element | None":
        """The part of this kind that tells of the document, usually called so; None where it cannot be read."""
        try:
            return self.xml(self.related("", kind) or usual)
        except ParseError:
            return None

    def title(self) -> str | None:
        """The title in the core properties, if a person would call it one."""
        root = self.properties("core-properties", "docProps/core.xml")
        if root is None:
            return None
        return sane_title(root.findtext(f"{_DUBLIN_CORE}title"), author=root.findtext(f"{_DUBLIN_CORE}creator"))


def text_of(element: "etree._Element", tag: str) -> str:
    """The text of all descendants of `element` with this tag, joined."""
    return "".join(map(own_text, element.iter(tag)))


def own_text(element: "etree._Element") -> str:
    """The text of an element, that behind a reference to an entity included."""
    return (element.text or "") + "".join(child.tail or "" for child in element)


def is_on(element: "etree._Element | None", attribute: str) -> bool:
    """Whether a switch element is there and not switched off."""
    return element is not None and element.get(attribute, "true") not in ("0", "false", "off", "none")


def number_of(value: str | None, *, default: int = 0) -> int:
    """`value` as an integer, or `default`; documents hold anything."""
    try:
        return int(value) if value and len(value) < 12 else default  # noqa: PLR2004 - longer than any real number
    except ValueError:
        return default


def alternative_text(element: "etree._Element") -> str:
    """What an author says a picture shows, as Markdown; "" when there is nothing but a file name."""
    description = one_line(cleaned(element.get("descr", "")))
    if not description or _FILE_NAME.match(description) or number_of(element.get("hidden")):
        return ""
    return f"![{description.replace('[', '(').replace(']', ')')}]()"


def _relationships(archive: Archive, part: str) -> dict[str, Relationship]:
    folder, _, name = part.rpartition("/")
    root = _read_xml(archive, f"{folder}/_rels/{name}.rels".lstrip("/"))
    if root is None:
        return {}
    return {
        link.get("Id", ""): Relationship(
            kind=link.get("Type", "").rpartition("/")[2], target=resolve(part, link.get("Target", ""))
        )
        for link in root.iter("{*}Relationship")
        if link.get("TargetMode") != "External"
    }


def _main_part(archive: Archive, flavour: Flavour) -> str | None:
    links = _relationships(archive, "").values()
    named = [link.target for link in links if link.kind == "officeDocument"]
    return next((part for part in (*named, flavour.usual_part) if part in archive), None)


def _wrong_content(archive: Archive, flavour: Flavour) -> WrongFormatError:
    for other in _FLAVOURS:
        if other is not flavour and (other.usual_part in archive):
            return WrongFormatError(f"The content is not {with_article(flavour.kind)} but {with_article(other.kind)}.")
    return WrongFormatError(f"The content is not {with_article(flavour.kind)} but another zip archive.")


def _read_xml(archive: Archive, part: str) -> "etree._Element | None":
    data = archive.read(part)
    return None if data is None else parse_xml(_transitional(data))


def _transitional(data: bytes) -> bytes:
    return _STRICT.sub(_TRANSITIONAL, data) if _STRICT_MARKER in data else data


def _local(element: "etree._Element") -> str:
    return str(element.tag).rpartition("}")[2]
