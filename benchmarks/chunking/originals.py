"""Documents read without the product's parsers, part by part, so that a cited place can be looked up."""

import csv
import io
import json
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from pathlib import Path

import pypdfium2
from lxml import etree, html

from minirag_mcp.model import MarkKind, Place

Parts = Mapping[tuple[str, int], str]
"""(sheet or "", number) → raw text of a page, slide, row, line, cell or spine item, numbers as a person counts."""

_TIMING = re.compile(r"(?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})\s+-{2,3}>\s+(?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})")
_LINE_END = re.compile(r"\r*\n|\r")
_DESCRIPTION = re.compile(r'descr="([^"]*)"')
_WORD_PAGE = re.compile(r"<w:lastRenderedPageBreak\s*/>")
_TAG = re.compile(r"<[^>]*>")
_ENCODINGS = ("utf-8-sig", "utf-16", "cp1251", "cp1252", "latin-1")


def cited(parts: Parts, place: Place) -> str:
    """The text at `place`; of a time range, of every cue that overlaps it."""
    if place.kind is MarkKind.TIME:
        return " ".join(text for (end, start), text in parts.items() if start <= place.last and int(end) >= place.first)
    sheet = place.name if place.kind is MarkKind.ROW else ""
    return "\n".join(parts.get((sheet, number), "") for number in range(place.first, place.last + 1))


def read_parts(path: Path) -> Parts | None:
    """The parts of a document; None for formats that have none (web pages) and for damaged files."""
    reader = _READERS.get(path.suffix.lower())
    try:
        return dict(reader(path)) if reader else None
    except (pypdfium2.PdfiumError, zipfile.BadZipFile, etree.LxmlError, KeyError):
        return None


def read_original(path: Path) -> str | None:
    """All text of a document in the order of its file; None for formats without a reader and for damaged files."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".docx":
            return _word(path)
        if suffix in (".html", ".htm"):
            page = html.fromstring(path.read_bytes() or b"<p>")
            return "\n".join([page.text_content(), *(image.get("alt", "") for image in page.iter("img"))])
    except (zipfile.BadZipFile, etree.LxmlError, KeyError, ValueError):
        return None
    parts = read_parts(path)
    return None if parts is None else "\n".join(parts.values())


def _word(path: Path) -> str:
    """Text boxes stand twice in a Word file, for old programs too; they count as often as they stand."""
    with zipfile.ZipFile(path) as archive:
        parts = [name for name in archive.namelist() if name.startswith("word/") and name.endswith(".xml")]
        return "\n".join(_all_text(archive, part) for part in parts)


def _lines(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    for number, line in enumerate(_LINE_END.split(_decoded(path.read_bytes())), 1):
        yield ("", number), line


def _records(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    text = _decoded(path.read_bytes())
    separator = max(",;\t|", key=text[:5000].count)
    csv.field_size_limit(1 << 30)
    for number, record in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=separator), 1):
        yield ("", number), " ".join(record)


def _pages(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    with pypdfium2.PdfDocument(path) as document:
        for number, page in enumerate(document, 1):
            yield ("", number), page.get_textpage().get_text_range()


def _word_pages(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    """The pages as Word last laid them out; notes and comments, which are kept apart, count for all of them."""
    with zipfile.ZipFile(path) as archive:
        aside = [
            name for name in archive.namelist() if re.fullmatch(r"word/(foot|end)notes\.xml|word/comments\.xml", name)
        ]
        notes = " ".join(_all_text(archive, name) for name in aside)
        whole = archive.read("word/document.xml").decode(errors="replace")
        for number, page in enumerate(_WORD_PAGE.split(whole), 1):
            pictures = " ".join(_DESCRIPTION.findall(page))
            yield ("", number), unescape(f"{_TAG.sub('', page)} {pictures} {notes}")


def _slides(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    with zipfile.ZipFile(path) as archive:
        authors = [
            element.get("name", "")
            for name in archive.namelist()
            if name.lower().endswith("authors.xml")
            for element in etree.fromstring(archive.read(name))
        ]
        main = "ppt/presentation.xml"
        targets = _relations(archive, main)
        shown = etree.fromstring(archive.read(main)).iter("{*}sldId")
        for number, slide in enumerate(shown, 1):
            name = targets[slide.get(_RELATION_ID, "")]
            related = [target for target in _relations(archive, name).values() if _holds_text(target)]
            yield ("", number), "\n".join([*(_all_text(archive, part) for part in (name, *related)), *authors])


def _rows(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    with zipfile.ZipFile(path) as archive:
        main = next(name for name in archive.namelist() if re.fullmatch(r"xl/workbook\d*\.xml", name))
        targets = _relations(archive, main)
        shared = [
            "".join(item.itertext())
            for name in archive.namelist()
            if name.lower().endswith("sharedstrings.xml")
            for item in etree.fromstring(archive.read(name)).iterchildren("{*}si")
        ]
        for sheet in etree.fromstring(archive.read(main)).iter("{*}sheet"):
            target = targets.get(next((v for k, v in sheet.attrib.items() if k.endswith("}id")), ""), "")
            if target not in archive.namelist():
                continue
            comments = _sheet_comments(archive, target)
            for number, row in enumerate(etree.fromstring(archive.read(target)).iter("{*}row"), 1):
                at = int(row.get("r", number))
                cells = (_cell(cell, shared) for cell in row.iter("{*}c"))
                yield (str(sheet.get("name")), at), " ".join([*cells, *comments.pop(at, [])])
            for at, texts in comments.items():
                yield (str(sheet.get("name")), at), " ".join(texts)


def _sheet_comments(archive: zipfile.ZipFile, sheet: str) -> dict[int, list[str]]:
    """By row the comments and their authors."""
    found: dict[int, list[str]] = {}
    for part in _relations(archive, sheet).values():
        if "comments" in part.lower() and "threaded" not in part.lower() and part.endswith(".xml"):
            root = etree.fromstring(archive.read(part))
            names = "".join(author.text or "" for author in root.iter("{*}author"))
            for comment in root.iter("{*}comment"):
                row = int(re.sub(r"\D", "", comment.get("ref", "")) or 0)
                found.setdefault(row, []).extend(["".join(comment.itertext()), names])
    return found


def _cell(cell: "etree._Element", shared: list[str]) -> str:
    words = "".join(cell.itertext("{*}v", "{*}t")).strip()
    return shared[int(words)] if cell.get("t") == "s" and words.isdigit() else words


def _cells(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    notebook = json.loads(path.read_bytes())
    cells = notebook.get("cells") or [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    for number, cell in enumerate(cells, 1):
        yield ("", number), "\n".join(_strings(cell))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _cues(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    """Under (last second as text, first second); what stands below a time up to the next."""
    text = _decoded(path.read_bytes())
    found = list(_TIMING.finditer(text))
    ends = [timing.start() for timing in found[1:]]
    for timing, after in zip(found, [*ends, len(text)][: len(found)], strict=True):
        hours, minutes, seconds, _, end_hours, end_minutes, end_seconds, more = (
            int(part or 0) for part in timing.groups()
        )
        first = hours * 3600 + minutes * 60 + seconds
        last = end_hours * 3600 + end_minutes * 60 + end_seconds + bool(more)
        yield (str(last), first), _TAG.sub(_spoken, text[timing.end() : after])


def _spoken(tag: re.Match[str]) -> str:
    return tag[0][3:-1] if tag[0].startswith("<v ") else ""


def _chapters(path: Path) -> Iterator[tuple[tuple[str, int], str]]:
    with zipfile.ZipFile(path) as archive:
        container = etree.fromstring(archive.read("META-INF/container.xml"))
        main = next(container.iter("{*}rootfile")).get("full-path", "")
        package = etree.fromstring(archive.read(main))
        items = {item.get("id"): item for item in next(package.iter("{*}manifest")).iter("{*}item")}
        spine = [items[reference.get("idref")] for reference in package.iter("{*}itemref")]
        read = [item for item in spine if "nav" not in item.get("properties", "").split()]
        for number, item in enumerate(read, 1):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(main), item.get("href", "")))
            parser = etree.XMLParser(recover=True, resolve_entities=False, huge_tree=True)
            root = etree.fromstring(archive.read(name), parser)
            yield (
                ("", number),
                "".join([*root.itertext(), *(element.get("alt", "") for element in root.iter("{*}img"))]),
            )


_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

_READERS: dict[str, Callable[[Path], Iterator[tuple[tuple[str, int], str]]]] = {
    ".md": _lines,
    ".markdown": _lines,
    ".txt": _lines,
    ".csv": _records,
    ".docx": _word_pages,
    ".pdf": _pages,
    ".pptx": _slides,
    ".xlsx": _rows,
    ".ipynb": _cells,
    ".vtt": _cues,
    ".srt": _cues,
    ".epub": _chapters,
}


def _decoded(data: bytes) -> str:
    for encoding in _ENCODINGS:
        try:
            return data.decode(encoding).replace("\0", "")
        except UnicodeError:
            continue
    raise AssertionError


def _relations(archive: zipfile.ZipFile, part: str) -> dict[str, str]:
    folder, name = posixpath.split(part)
    listed = f"{folder}/_rels/{name}.rels"
    if listed not in archive.namelist():
        return {}
    return {
        relation.get("Id", ""): posixpath.normpath(posixpath.join(folder, relation.get("Target", ""))).lstrip("/")
        for relation in etree.fromstring(archive.read(listed))
        if relation.get("TargetMode") != "External"
    }


def _holds_text(part: str) -> bool:
    return part.endswith(".xml") and any(
        kind in part for kind in ("notesSlides/", "charts/", "diagrams/data", "comments/")
    )


def _all_text(archive: zipfile.ZipFile, part: str) -> str:
    root = etree.fromstring(archive.read(part))
    described = [
        str(value) for element in root.iter() for value in (element.get("descr"), element.get("title")) if value
    ]
    said = ("".join(element.itertext()) for element in root.iter("{*}p", "{*}v", "{*}t", "{*}text"))
    return " ".join([*said, *described])
