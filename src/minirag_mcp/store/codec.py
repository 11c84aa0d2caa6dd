"""Documents and their cut as bytes, and back; pure.

A document text is kept in blocks of `BLOCK` characters, its sections in parts of about `_PART` chunks, so that one
passage of a very long document costs no more than one of a short.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from minirag_mcp.model import Chunk, Cut, Document, Mark, MarkKind, Place, Section, SectionKind, Span
from minirag_mcp.store.shape import present, shaped

BLOCK = 16_384
"""Characters of text compressed together: 0.1 ms to open; half as many cost a tenth more space."""

_PART = 32
"""Chunks described together: under 0.1 ms to open; contexts of neighbours compress away."""

Json: TypeAlias = Any

_RAW = b"\0"
"""First byte of data that is shorter uncompressed; a zlib stream never starts so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Consecutive sections of a source and the chunks in them."""

    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]

    def section(self, ordinal: int) -> Section:
        """The section of this ordinal, which must lie in this part. Raises MisshapenError."""
        found = next((section for section in self.sections if section.ordinal == ordinal), None)
        return present(found, f"section {ordinal}")

    def chunk(self, ordinal: int) -> Chunk:
        """The chunk of this ordinal, which must lie in this part. Raises MisshapenError."""
        found = next((chunk for chunk in self.chunks if chunk.ordinal == ordinal), None)
        return present(found, f"chunk {ordinal}")


def text_bytes(text: str) -> bytes:
    """UTF-8, with lone surrogates (names of files that are no text) as they are; ordered as `text` is."""
    return text.encode("utf-8", "surrogatepass")


def text_from(data: bytes) -> str:
    """The inverse of `text_bytes`."""
    return data.decode("utf-8", "surrogatepass")


def text_blocks(text: str) -> list[bytes]:
    """The text in compressed blocks."""
    return [_packed(text_bytes(text[start : start + BLOCK])) for start in range(0, len(text), BLOCK)]


def block_text(data: bytes) -> str:
    """The characters of one block."""
    return text_from(_unpacked(data))


def head_bytes(document: Document) -> bytes:
    """Everything of a document but its text and title."""
    marks = [[mark.kind, mark.start, mark.number, mark.name] for mark in document.marks]
    return _json_bytes([document.format, document.own_title, marks, document.metadata])


def document_from(head: bytes, *, title: str, text: str) -> Document:
    """The document that `head_bytes` describes. Raises MisshapenError."""
    with shaped("a document"):
        form, own_title, marks, metadata = _json_from(head)
        return Document(
            text=text,
            title=title,
            own_title=own_title,
            format=form,
            marks=tuple(
                Mark(kind=MarkKind(kind), start=start, number=number, name=name) for kind, start, number, name in marks
            ),
            metadata=tuple((name, value) for name, value in metadata),
        )


def parts(cut: Cut) -> Iterator[Part]:
    """The sections in groups of about `_PART` chunks; the chunks of a section stay with it."""
    by_section: dict[int, list[Chunk]] = {section.ordinal: [] for section in cut.sections}
    for chunk in cut.chunks:
        by_section[chunk.section].append(chunk)
    sections: list[Section] = []
    chunks: list[Chunk] = []
    for section in cut.sections:
        sections.append(section)
        chunks += by_section[section.ordinal]
        if len(chunks) + len(sections) >= 2 * _PART:
            yield Part(sections=tuple(sections), chunks=tuple(chunks))
            sections, chunks = [], []
    if sections:
        yield Part(sections=tuple(sections), chunks=tuple(chunks))


def part_bytes(part: Part) -> bytes:
    """A part as kept."""
    sections = [
        [s.ordinal, s.span.start, s.span.end, s.kind, s.headings, s.header, s.label, _place_list(s.place)]
        for s in part.sections
    ]
    chunks = [
        [c.ordinal, c.section, c.span.start, c.span.end, c.context, c.header, _place_list(c.place)] for c in part.chunks
    ]
    return _json_bytes([sections, chunks])


def part_from(data: bytes) -> Part:
    """The inverse of `part_bytes`. Raises MisshapenError."""
    with shaped("a part of a document"):
        sections, chunks = _json_from(data)
        return Part(
            sections=tuple(_section(*fields) for fields in sections), chunks=tuple(_chunk(*fields) for fields in chunks)
        )


def joined(parts_of_source: Sequence[Part], document: Document) -> Cut:
    """All parts of a source as one cut."""
    return Cut(
        document=document,
        sections=tuple(section for part in parts_of_source for section in part.sections),
        chunks=tuple(sorted((c for part in parts_of_source for c in part.chunks), key=lambda chunk: chunk.ordinal)),
    )


def alone(span: Span) -> Span:
    """The same span counted from its own first character, for reading an excerpt."""
    return Span(start=0, end=span.end - span.start)


def shown_section(section: Section, excerpt: str) -> str:
    """The section as a reader sees it, from its own characters alone."""
    return replace(section, span=alone(section.span)).shown(excerpt)


def shown_chunk(chunk: Chunk, excerpt: str) -> str:
    """The passage as a reader sees it, from its own characters alone."""
    return replace(chunk, span=alone(chunk.span)).shown(excerpt)


def embedded_chunk(chunk: Chunk, excerpt: str) -> str:
    """What the model reads, from the chunk's own characters alone."""
    return replace(chunk, span=alone(chunk.span)).embedded(excerpt)


def _section(  # noqa: PLR0913, PLR0917 - the fields as kept
    ordinal: int, start: int, end: int, kind: str, headings: list[str], header: str, label: str, place: Json
) -> Section:
    return Section(
        ordinal=ordinal,
        span=Span(start=start, end=end),
        kind=SectionKind(kind),
        headings=tuple(headings),
        header=header,
        label=label,
        place=_place(place),
    )


def _chunk(  # noqa: PLR0917 - the fields as kept
    ordinal: int, section: int, start: int, end: int, context: str, header: str, place: Json
) -> Chunk:
    return Chunk(
        ordinal=ordinal,
        section=section,
        span=Span(start=start, end=end),
        context=context,
        header=header,
        place=_place(place),
    )


def _place_list(place: Place | None) -> Json:
    return [place.kind, place.first, place.last, place.name] if place else None


def _place(fields: Json) -> Place | None:
    if fields is None:
        return None
    kind, first, last, name = fields
    return Place(kind=MarkKind(kind), first=first, last=last, name=name)


def _json_bytes(value: Json) -> bytes:
    return _packed(text_bytes(json.dumps(value, ensure_ascii=False, separators=(",", ":"))))


def _json_from(data: bytes) -> Json:
    return json.loads(text_from(_unpacked(data)))


def _packed(data: bytes) -> bytes:
    squeezed = zlib.compress(data)
    return squeezed if len(squeezed) <= len(data) else _RAW + data


def _unpacked(data: bytes) -> bytes:
    return data[1:] if data.startswith(_RAW) else zlib.decompress(data)
