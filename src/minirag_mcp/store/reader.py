"""What a read transaction takes from the tables."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import apsw

from minirag_mcp.model import (
    ChunkId,
    Cut,
    DocClass,
    Document,
    Fingerprint,
    IndexCounts,
    Owner,
    SectionId,
    SourceKey,
    SourceType,
    Span,
    StoredChunk,
    StoredSection,
    Vector,
)
from minirag_mcp.store import codec, series
from minirag_mcp.store.codec import BLOCK, Part
from minirag_mcp.store.schema import MODEL_BITS, ORDINAL_BITS
from minirag_mcp.store.shape import MisshapenError, present, shaped, state
from minirag_mcp.store.texts import HASH_BYTES

_MOST_DIGITS = 11
"""Of a number in a section id: more than any source number or ordinal has."""


class Pages:
    """Text blocks and parts of sources as a call reads them; each is opened once."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._blocks: dict[int, str] = {}
        self._parts: dict[tuple[int, int], Part] = {}

    def excerpt(self, source: int, span: Span) -> str:
        """The characters of the source's text in `span`."""
        first, last = span.start // BLOCK, max(span.end - 1, span.start) // BLOCK
        if span.start == span.end:
            return ""
        text = "".join(self._block(source << ORDINAL_BITS | number) for number in range(first, last + 1))
        if span.end - first * BLOCK > len(text):
            raise MisshapenError("a text is cut short")
        return text[span.start - first * BLOCK : span.end - first * BLOCK]

    def part(self, source: int, section: int) -> Part | None:
        """The part that holds this section, if the source has it."""
        if (source, section) not in self._parts:
            own = source << ORDINAL_BITS
            ask = "SELECT data FROM part WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
            data = self._connection.execute(ask, (own, own | section)).get
            if data is None:
                return None
            part = codec.part_from(data)
            self._parts.update({(source, own_section.ordinal): part for own_section in part.sections})
        return self._parts.get((source, section))

    def _block(self, number: int) -> str:
        if number not in self._blocks:
            data = self._connection.execute("SELECT data FROM block WHERE id = ?", (number,)).get
            with shaped("a text"):
                self._blocks[number] = codec.block_text(present(data, "a text"))
        return self._blocks[number]


def cut(connection: apsw.Connection, key: SourceKey) -> Cut | None:
    """The stored document with its sections and chunks."""
    found = document(connection, key)
    if found is None:
        return None
    ask = "SELECT data FROM part WHERE id >= ?1 << ?2 AND id < (?1 + 1) << ?2 ORDER BY id"
    number, count = connection.execute("SELECT id, chunks FROM source WHERE key = ?", (codec.text_bytes(key),)).get
    whole = codec.joined([codec.part_from(data) for (data,) in connection.execute(ask, (number, ORDINAL_BITS))], found)
    if len(whole.chunks) != count:
        raise MisshapenError("a part of a document is missing")
    return whole


def document(connection: apsw.Connection, key: SourceKey) -> Document | None:
    """The stored document."""
    row = connection.execute(
        "SELECT id, title, head, first_chunk FROM source LEFT JOIN document ON source = id WHERE key = ?",
        (codec.text_bytes(key),),
    ).fetchone()
    if row is None or row[3] is None:
        return None
    number, title, head, _ = row
    ask = "SELECT data FROM block WHERE id >= ?1 << ?2 AND id < (?1 + 1) << ?2 ORDER BY id"
    with shaped("a text"):
        text = "".join(codec.block_text(data) for (data,) in connection.execute(ask, (number, ORDINAL_BITS)))
    if len(text) < _last_character(connection, number):
        raise MisshapenError("a text is cut short")
    return codec.document_from(present(head, "a document"), title=codec.text_from(title), text=text)


def _last_character(connection: apsw.Connection, source: int) -> int:
    """Where the last section of a source ends."""
    ask = "SELECT data FROM part WHERE id >= ?1 << ?2 AND id < (?1 + 1) << ?2 ORDER BY id DESC LIMIT 1"
    data = connection.execute(ask, (source, ORDINAL_BITS)).get
    return max((section.span.end for section in codec.part_from(data).sections), default=0) if data else 0


def chunk_ids(connection: apsw.Connection, key: SourceKey, first: int, last: int) -> list[ChunkId]:
    """The ids of the chunks `first`…`last` of a source; those that exist."""
    ask = "SELECT first_chunk, chunks FROM source WHERE key = ? AND chunks > 0"
    row = connection.execute(ask, (codec.text_bytes(key),)).fetchone()
    if row is None:
        return []
    with shaped("the row of a source"):
        start, count = row
        return [ChunkId(start + ordinal) for ordinal in range(max(first, 0), min(last, count - 1) + 1)]


_CHUNK = """
SELECT source.id, source.key, source.type, source.title, source.doc_class, source.date, chunk.section,
  chunk.id - source.first_chunk
FROM chunk JOIN source ON source.id = chunk.source WHERE chunk.id = ?
"""


def chunks_of(connection: apsw.Connection, key: SourceKey, first: int, last: int) -> list[StoredChunk]:
    """The chunks `first`…`last` of a source, those that it has. Raises MisshapenError when one of them is not there."""
    ids = chunk_ids(connection, key, first, last)
    found = chunks(connection, ids)
    if [chunk.chunk for chunk in found if chunk.source == key] != ids:
        raise MisshapenError("a chunk of a source is missing")
    return found


def chunks(connection: apsw.Connection, ids: Sequence[ChunkId]) -> list[StoredChunk]:
    """These chunks in order; one that is gone is left out."""
    pages = Pages(connection)
    rows = ((number, connection.execute(_CHUNK, (number,)).fetchone()) for number in ids)
    return [_stored_chunk(connection, pages, number, row) for number, row in rows if row]


def _stored_chunk(connection: apsw.Connection, pages: Pages, chunk: ChunkId, row: tuple[Any, ...]) -> StoredChunk:
    source, key, kind, title, doc_class, date, section, ordinal = row
    part: Part = present(pages.part(source, section), "a part of a document")
    own, around = part.chunk(ordinal), part.section(section)
    if own.section != section:
        raise MisshapenError("a chunk stands in another section than it was written in")
    with shaped("the row of a source"):
        return StoredChunk(
            chunk=chunk,
            source=SourceKey(codec.text_from(key)),
            source_type=SourceType(kind),
            title=codec.text_from(title),
            ordinal=ordinal,
            section_id=SectionId(f"{source}:{section}"),
            headings=around.headings,
            label=around.label,
            place=own.place,
            text=codec.shown_chunk(own, pages.excerpt(source, own.span)),
            doc_class=DocClass(doc_class),
            dates=series.dates(connection, chunk, date),
        )


def owners(connection: apsw.Connection, ids: Sequence[ChunkId]) -> dict[ChunkId, Owner]:
    """The source of each chunk that exists."""
    ask = "SELECT key, type FROM chunk JOIN source ON source.id = chunk.source WHERE chunk.id = ?"
    rows = ((number, connection.execute(ask, (number,)).fetchone()) for number in ids)
    with shaped("the row of a source"):
        return {
            number: Owner(source=SourceKey(codec.text_from(row[0])), source_type=SourceType(row[1]))
            for number, row in rows
            if row
        }


def sections(connection: apsw.Connection, ids: Iterable[SectionId]) -> dict[SectionId, str]:
    """The shown text of each section that exists."""
    pages = Pages(connection)
    shown: dict[SectionId, str] = {}
    for section_id in dict.fromkeys(ids):
        source, ordinal = _section_numbers(section_id)
        part = pages.part(source, ordinal)
        if part is None:
            _require_gone(connection, source)
        else:
            section = part.section(ordinal)
            shown[section_id] = codec.shown_section(section, pages.excerpt(source, section.span))
    return shown


def section(connection: apsw.Connection, section_id: SectionId) -> StoredSection | None:
    """One section with the names of its source, if it exists."""
    pages = Pages(connection)
    number, ordinal = _section_numbers(section_id)
    part = pages.part(number, ordinal)
    if part is None:
        _require_gone(connection, number)
        return None
    row = connection.execute("SELECT key, type, title FROM source WHERE id = ?", (number,)).fetchone()
    with shaped("the row of a source"):
        key, kind, title = present(row, "the row of a source")
        found = part.section(ordinal)
        return StoredSection(
            section_id=section_id,
            source=SourceKey(codec.text_from(key)),
            source_type=SourceType(kind),
            title=codec.text_from(title),
            headings=found.headings,
            place=found.place,
            text=codec.shown_section(found, pages.excerpt(number, found.span)),
        )


def _require_gone(connection: apsw.Connection, source: int) -> None:
    """Raises MisshapenError when a source without parts has chunks all the same."""
    ask = """SELECT 1 FROM source WHERE id = ?1 AND chunks > 0
             AND NOT EXISTS(SELECT 1 FROM part WHERE part.id >= ?1 << ?2 AND part.id < (?1 + 1) << ?2)"""
    if connection.execute(ask, (source, ORDINAL_BITS)).get:
        raise MisshapenError("a part of a document is missing")


def _section_numbers(section_id: SectionId) -> tuple[int, int]:
    """Source number and ordinal; (0, 0), which is nothing's, for what is no section id."""
    source, _, ordinal = section_id.partition(":")
    canonical = all(part.isascii() and part.isdigit() and len(part) <= _MOST_DIGITS for part in (source, ordinal))
    if not canonical or f"{int(source)}:{int(ordinal)}" != section_id or int(ordinal) >> ORDINAL_BITS:
        return 0, 0
    return int(source), int(ordinal)


def known_hashes(connection: apsw.Connection, hashes: Collection[bytes], model: int | None) -> set[bytes]:
    """Which of these have a vector of the model."""
    if model is None:
        return set()
    ask = "SELECT 1 FROM text JOIN vector ON vector.id = (? | text.id) WHERE hash = ?"
    own = model << MODEL_BITS
    return {h for h in set(hashes) if connection.execute(ask, (own, h[:HASH_BYTES])).get}


_WAITING = "SELECT text.id AS text, chunk.id AS chunk FROM text JOIN chunk ON chunk.text = text.id WHERE"

_FLAGGED = f"{_WAITING} text.pending"

_LOOKED_UP = f"{_WAITING} NOT EXISTS(SELECT 1 FROM vector WHERE vector.id = (?1 | text.id))"  # noqa: S608 - our own


def unembedded(connection: apsw.Connection, model: int | None, limit: int) -> dict[bytes, str]:
    """Texts without a vector of the model, by hash, oldest first."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL, which status and list do without

    rows = connection.execute(
        f"SELECT min(chunk) FROM ({_waiting(connection, model)}) GROUP BY text ORDER BY text LIMIT ?2",  # noqa: S608
        ((model or 0) << MODEL_BITS, limit),
    ).fetchall()
    pages = Pages(connection)
    texts = [_embedded_text(connection, pages, int(chunk)) for (chunk,) in rows]  # type: ignore[arg-type]
    return {sha256(codec.text_bytes(text)).digest(): text for text in texts}


def texts(connection: apsw.Connection, *, after: int, limit: int) -> tuple[int, dict[bytes, str]]:
    """Embedded texts by hash, in the order of their numbers, and the number of the last."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL, which status and list do without

    rows = connection.execute(
        "SELECT text, min(id) FROM chunk WHERE text > ? GROUP BY text ORDER BY text LIMIT ?", (after, limit)
    ).fetchall()
    pages = Pages(connection)
    found = [_embedded_text(connection, pages, int(chunk)) for _, chunk in rows]  # type: ignore[arg-type]
    last = int(rows[-1][0]) if rows else after  # type: ignore[arg-type]
    return last, {sha256(codec.text_bytes(text)).digest(): text for text in found}


def distances(
    connection: apsw.Connection, model: int | None, vector: Vector, ids: Iterable[ChunkId]
) -> dict[ChunkId, float]:
    """1 − cosine of those chunks that have a vector of the model."""
    if model is None:
        return {}
    ask = """SELECT data FROM chunk JOIN vector ON vector.id = (?1 | chunk.text)
             WHERE chunk.id = coalesce((SELECT first FROM repeat WHERE chunk = ?2), ?2)"""
    own = model << MODEL_BITS
    rows = {number: data for number in ids if (data := connection.execute(ask, (own, number)).get) is not None}
    if not rows:
        return {}
    from minirag_mcp.store.vectors import segment  # noqa: PLC0415 - numpy, when a vector is first touched

    cosines = segment(list(rows.values()), len(vector)).cosines(vector)
    return {number: 1.0 - cosine for number, cosine in zip(rows, cosines.tolist(), strict=True)}


def counts(connection: apsw.Connection, model: int | None, fingerprint: Fingerprint) -> IndexCounts:
    """Totals of the index."""
    sources, chunks_held, stale = connection.execute(
        """SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(chunks) FILTER (WHERE fingerprint IS NOT
             (SELECT id FROM fingerprint WHERE model = ? AND scheme = ?)), 0)
           FROM source WHERE first_chunk IS NOT NULL""",
        (fingerprint.model, fingerprint.scheme),
    ).get
    waiting = connection.execute(
        f"SELECT count(*), ?1 FROM ({_waiting(connection, model)})",  # noqa: S608 - our own statements
        ((model or 0) << MODEL_BITS,),
    ).get[0]
    return IndexCounts(
        sources=sources,
        chunks=chunks_held,
        stale_chunks=stale,
        unembedded_chunks=waiting,
        repeated_chunks=connection.execute("SELECT count(*) FROM repeat").get,
    )


def _waiting(connection: apsw.Connection, model: int | None) -> str:
    """The statement that gives texts and chunks without a vector; `text.pending` speaks of one model only."""
    flagged = state(connection, "model")[0]
    return _FLAGGED if flagged == model and _all_there(connection, flagged) else _LOOKED_UP


def _all_there(connection: apsw.Connection, model: int) -> bool:
    """Whether as many vectors are kept as texts are said to have one."""
    own = model << MODEL_BITS
    kept, waiting, vectors = connection.execute(
        """SELECT (SELECT count(*) FROM text), (SELECT count(*) FROM text WHERE pending),
           (SELECT count(*) FROM vector WHERE id >= ? AND id < ?)""",
        (own, own + (1 << MODEL_BITS)),
    ).get
    return bool(kept - waiting == vectors)


def _embedded_text(connection: apsw.Connection, pages: Pages, chunk: int) -> str:
    row = connection.execute(
        """SELECT source, section, chunk.id - first_chunk FROM chunk JOIN source ON source.id = chunk.source
           WHERE chunk.id = ?""",
        (chunk,),
    ).fetchone()
    source, section, ordinal = present(row, "the source of a chunk")
    part: Part = present(pages.part(source, section), "a part of a document")
    own = part.chunk(ordinal)
    return codec.embedded_chunk(own, pages.excerpt(source, own.span))
