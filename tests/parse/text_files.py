"""Small files of the text formats, and what a citation of their text would say."""

import io
import zipfile
from collections.abc import Mapping

from minirag_mcp.model import Document, Mark, MarkKind
from minirag_mcp.parse import registry
from minirag_mcp.parse.parsed import Parsed

_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book/package.opf"/></rootfiles></container>'
)


def read(content: str | bytes, name: str) -> Document:
    """The document of a file called `name`."""
    data = content if isinstance(content, bytes) else content.encode()
    return registry.parse(data, name=name, stem=name.rpartition(".")[0])


def counted(parsed: Parsed | Document, kind: MarkKind, needle: str) -> int:
    """The line or row of the original file at which `needle` stands."""
    start = parsed.text.index(needle)
    mark = mark_at(parsed, kind, needle)
    return mark.number + parsed.text.count("\n", mark.start, start)


def mark_at(parsed: Parsed | Document, kind: MarkKind, needle: str) -> Mark:
    """The mark in force where `needle` stands."""
    start = parsed.text.index(needle)
    return [mark for mark in parsed.marks if mark.kind is kind and mark.start <= start][-1]


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def book(chapters: Mapping[str, str | bytes], *, head: str = "", items: str = "", **more: str | bytes) -> bytes:
    """An EPUB whose chapters lie in `book/`, in reading order; `more` are further parts, `__` for a slash."""
    manifest = "".join(f'<item id="c{n}" href="{name}"/>' for n, name in enumerate(chapters)) + items
    spine = "".join(f'<itemref idref="c{n}"/>' for n, _ in enumerate(chapters))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata>{head}</metadata><manifest>{manifest}</manifest><spine>{spine}</spine></package>"
    )
    parts: dict[str, str | bytes] = {"META-INF/container.xml": _CONTAINER, "book/package.opf": package}
    parts |= {f"book/{name}": content for name, content in chapters.items()}
    return zipped(parts | {name.replace("__", "/"): content for name, content in more.items()})


def page(body: str, title: str = "") -> str:
    """A chapter or web page."""
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head><body>{body}</body></html>'
