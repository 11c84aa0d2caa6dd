"""What an EPUB says of itself: title and authors, the reading order, and what its contents page calls each part."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from minirag_mcp.errors import CorruptFileError, EncryptedFileError, ParseLimitError
from minirag_mcp.parse.archive import Archive, resolve
from minirag_mcp.parse.properties import written_title

if TYPE_CHECKING:
    from lxml import etree

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = (".xhtml", ".html", ".htm", ".xml")
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Obfuscated fonts are no obstacle to reading: EPUB Open Container Format, "Font Obfuscation"."""
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_KEPT = ("creator", "language", "date", "publisher", "subject", "description")
# Far over any book; a made one may list the same page without end.
_MOST_CHAPTERS = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """The outline of a book.

    chapters  part names in reading order, the contents page left out
    labels    by part, what the contents page calls the places in it, by their fragment ("" for the whole part);
              entries below another of the same part are its sections, and left out
    """

    title: str | None
    metadata: tuple[tuple[str, str], ...]
    chapters: tuple[str, ...]
    labels: dict[str, dict[str, str]]


def read_package(archive: Archive) -> Package:
    """The outline of the book, or all its pages by name when it has none that can be read.

    Raises EncryptedFileError when the pages are locked, and what `Archive.read` raises.
    """
    _refuse_locked(archive)
    name, root = _package_document(archive)
    if root is None:
        return Package(title=None, metadata=(), chapters=_pages(archive), labels={})
    items = {item.get("id", ""): item for item in _all(root, "item")}
    spine = [items[ref] for reference in _all(root, "itemref") if (ref := reference.get("idref", "")) in items]
    chapters = tuple(
        dict.fromkeys(
            _target(name, item.get("href", "")) for item in spine if "nav" not in item.get("properties", "").split()
        )
    )
    return Package(
        title=_title(root),
        metadata=tuple((kind, value) for kind in _KEPT for value in _said(root, kind)),
        chapters=tuple(part for part in chapters if part in archive)[:_MOST_CHAPTERS] or _pages(archive),
        labels=_labels(archive, name, list(items.values())),
    )


def _package_document(archive: Archive) -> "tuple[str, etree._Element | None]":
    container = _xml(archive, _CONTAINER)
    named = [file.get("full-path", "") for file in _all(container, "rootfile")] if container is not None else []
    for name in (*named, *(name for name in archive.names if name.lower().endswith(".opf"))):
        root = _xml(archive, name)
        if root is not None and next(_all(root, "itemref"), None) is not None:
            return name, root
    return "", None


def _pages(archive: Archive) -> tuple[str, ...]:
    pages = (name for name in archive.names if name.lower().endswith(_PAGES) and not name.startswith("META-INF/"))
    return tuple(sorted(pages))[:_MOST_CHAPTERS]


def _labels(archive: Archive, package: str, items: "list[etree._Element]") -> dict[str, dict[str, str]]:
    """Labels from the navigation document of EPUB 3 and the NCX of EPUB 2; the first to name a part counts."""
    labels: dict[str, dict[str, str]] = {}
    for item in items:
        part = _target(package, item.get("href", ""))
        navigates = "nav" in item.get("properties", "").split()
        if not navigates and item.get("media-type") != "application/x-dtbncx+xml":
            continue
        root = _xml(archive, part)
        own: dict[str, dict[str, str]] = {}
        for target, label, above in () if root is None else _links(root) if navigates else _points(root):
            named = _target(part, target)
            if label and (above is None or _target(part, above) != named):
                own.setdefault(named, {}).setdefault(unquote(target.partition("#")[2]), label)
        labels = own | labels
    return labels


_Entry = tuple[str, str, str | None]  # target, label, target of the entry above


def _links(root: "etree._Element") -> Iterator[_Entry]:
    """Of the table of contents, not of the page list and the landmarks beside it."""
    parts = [part for part in _all(root, "nav") if "toc" in part.get(_EPUB_TYPE, "").split()]
    for link in _all(parts[0] if parts else root, "a"):
        items = list(islice(link.iterancestors("{*}li"), 2))
        above = next(_all(items[1], "a"), None) if items[1:] else None
        yield link.get("href", ""), _words(link), None if above is None else above.get("href", "")


def _points(root: "etree._Element") -> Iterator[_Entry]:
    for point in _all(root, "navPoint"):
        label, content = next(_all(point, "navLabel"), None), next(_all(point, "content"), None)
        if label is None or content is None:
            continue
        parent = next(point.iterancestors("{*}navPoint"), None)
        above = None if parent is None else next(_all(parent, "content"), None)
        yield content.get("src", ""), _words(label), None if above is None else above.get("src", "")


def _refuse_locked(archive: Archive) -> None:
    root = _xml(archive, _ENCRYPTION)
    if root is None:
        return
    for encrypted in _all(root, "EncryptedData"):
        method = next(_all(encrypted, "EncryptionMethod"), None)
        if method is None or method.get("Algorithm", "") not in _FONT_ALGORITHMS:
            raise EncryptedFileError(
                "The book is locked by its seller (DRM).", remedy="Ask the seller for a copy without a lock."
            )


def _xml(archive: Archive, name: str) -> "etree._Element | None":
    """An XML part; None when it is missing or cannot be read, for a book can be read without any one of them."""
    try:
        return archive.xml(name)
    except (CorruptFileError, ParseLimitError):
        return None


def _all(root: "etree._Element", name: str) -> "Iterator[etree._Element]":
    yield from root.iter(f"{{*}}{name}", name)


def _said(root: "etree._Element", name: str) -> Iterator[str]:
    return (words for element in _elements(root, name) if (words := _words(element)))


def _elements(root: "etree._Element", name: str) -> "Iterator[etree._Element]":
    yield from root.iter(f"{{http://purl.org/dc/elements/1.1/}}{name}")


def _title(root: "etree._Element") -> str | None:
    """The title marked as the main one, else the first that is no placeholder."""
    main = {
        meta.get("refines", "").removeprefix("#")
        for meta in _all(root, "meta")
        if meta.get("property") == "title-type" and _words(meta) == "main"
    }
    titles = sorted(_elements(root, "title"), key=lambda element: element.get("id", "") not in main)
    return next((title for element in titles if (title := written_title(_words(element)))), None)


def _words(element: "etree._Element") -> str:
    return " ".join("".join(str(text) for text in element.itertext()).split())


def _target(base: str, href: str) -> str:
    path = unquote(href.partition("#")[0])
    return resolve(base, path) if path else posixpath.normpath(base)
