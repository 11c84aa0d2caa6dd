"""Source entries for tests: small documents cut by paragraph and line."""

from hashlib import sha256

import numpy as np

from minirag_mcp.model import (
    Chunk,
    Cut,
    Document,
    FileStat,
    Fingerprint,
    Mark,
    MarkKind,
    ModelIdentity,
    Place,
    Section,
    SectionKind,
    SourceEntry,
    SourceKey,
    SourceRecord,
    SourceType,
    Span,
    Terms,
    Vector,
)

IDENTITY = ModelIdentity(name="bag-of-words", dimension=24, window=512)
OTHER_IDENTITY = ModelIdentity(name="other-bag", dimension=16, window=512)
FINGERPRINT = Fingerprint(model="bag-of-words", scheme="1")
STAT = FileStat(size=10, mtime_ns=1_700_000_000_123_456_789)


def vector_of(text: str, identity: ModelIdentity = IDENTITY) -> Vector:
    """A hashed bag of words of unit length: shared words are near."""
    found = np.zeros(identity.dimension, dtype=np.float32)
    for word in text.lower().split() or [""]:
        digest = sha256(f"{identity.name} {word}".encode("utf-8", "surrogatepass")).digest()
        found[digest[0] % identity.dimension] += 1.0 if digest[1] & 1 else -1.0
        found[digest[2] % identity.dimension] += 0.5
    length = float(np.linalg.norm(found))
    if not length:
        found[0] = length = 1.0
    return np.asarray(found / length, dtype=np.float32)


def hash_of(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def record(
    key: str,
    *,
    title: str = "A title",
    chunk_count: int = 0,
    fingerprint: Fingerprint = FINGERPRINT,
    failure: tuple[str, str] | None = None,
) -> SourceRecord:
    return SourceRecord(
        key=SourceKey(key),
        source_type=SourceType.FILE,
        title=title,
        content_hash=sha256(key.encode("utf-8", "surrogatepass")).hexdigest(),
        fingerprint=fingerprint,
        chunk_count=chunk_count,
        stat=STAT,
        failure=failure,
    )


def cut_by_line(document: Document) -> Cut:
    """A section for each paragraph, a chunk for each of its lines."""
    sections: list[Section] = []
    chunks: list[Chunk] = []
    position = 0
    for paragraph in document.text.split("\n\n"):
        ordinal = len(sections)
        end = position + len(paragraph)
        place = Place(kind=MarkKind.PAGE, first=ordinal + 1, last=ordinal + 1)
        sections.append(
            Section(
                ordinal=ordinal,
                span=Span(start=position, end=end),
                kind=SectionKind.HEADING,
                headings=("Part", f"{ordinal}"),
                label=f"[{ordinal}]",
                place=place,
            )
        )
        for line in paragraph.splitlines(keepends=True) or [""]:
            span = Span(start=position, end=position + len(line))
            chunks.append(Chunk(ordinal=len(chunks), section=ordinal, span=span, context=document.title, place=place))
            position = span.end
        position = end + 2
    return Cut(document=document, sections=tuple(sections), chunks=tuple(chunks))


def terms_of(cut: Cut) -> tuple[Terms, ...]:
    text, title = cut.document.text, tuple(cut.document.title.split())
    return tuple(
        Terms(
            title=title,
            context=tuple(" ".join(cut.sections[c.section].headings).split()),
            body=tuple(c.span.of(text).split()),
        )
        for c in cut.chunks
    )


def entry_of(
    cut: Cut, key: str, *, identity: ModelIdentity | None = IDENTITY, fingerprint: Fingerprint = FINGERPRINT
) -> SourceEntry:
    """The entry of a cut; `identity` None leaves the vectors for later."""
    embedded = [chunk.embedded(cut.document.text) for chunk in cut.chunks]
    hashes = tuple(hash_of(text) for text in embedded)
    vectors = {h: vector_of(text, identity) for h, text in zip(hashes, embedded, strict=True)} if identity else {}
    title, count = cut.document.title, len(cut.chunks)
    return SourceEntry(
        record=record(key, title=title, chunk_count=count, fingerprint=fingerprint),
        cut=cut,
        terms=terms_of(cut),
        hashes=hashes,
        vectors=vectors,
    )


def entry(
    key: str,
    text: str = "alpha beta\ngamma delta\n\nepsilon",
    *,
    title: str = "A title",
    identity: ModelIdentity | None = IDENTITY,
    fingerprint: Fingerprint = FINGERPRINT,
) -> SourceEntry:
    document = Document(
        text=text,
        title=title,
        own_title=False,
        format="markdown",
        marks=(Mark(kind=MarkKind.PAGE, start=0, number=1), Mark(kind=MarkKind.SHEET, start=3, name="Лист")),
        metadata=(("author", "Anna"), ("date", "2026-01-02")),
    )
    return entry_of(cut_by_line(document), key, identity=identity, fingerprint=fingerprint)
