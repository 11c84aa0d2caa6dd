"""From a document to what the store keeps of it: cut, words and hashes. Pure."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby

from minirag_mcp.chunk.cutter import cut
from minirag_mcp.chunk.scheme import MODEL_LIMIT
from minirag_mcp.embed.contract import Tokenizer
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.model import Chunk, Cut, Document, SourceEntry, SourceRecord, Terms


def make_entry(document: Document, record: SourceRecord, *, counter: Tokenizer, budget: int) -> SourceEntry:
    """Cut `document` and complete `record` with its title and chunk count; no vectors yet.

    No chunk is longer than what the model reads, whatever the `budget`. Raises ModelError (no tokenizer).
    """
    limit = min(counter.limit, MODEL_LIMIT)
    return entry_from_cut(cut(document, counter=counter, budget=budget, limit=limit), record)


def entry_from_cut(pieces: Cut, record: SourceRecord) -> SourceEntry:
    """What the store keeps of a document that was cut into `pieces`; no vectors yet."""
    document = pieces.document
    return SourceEntry(
        record=SourceRecord(
            key=record.key,
            source_type=record.source_type,
            title=document.title,
            content_hash=record.content_hash,
            fingerprint=record.fingerprint,
            chunk_count=len(pieces.chunks),
            stat=record.stat,
            labels=record.labels,
        ),
        cut=pieces,
        terms=_words(pieces),
        hashes=tuple(text_hash(chunk.embedded(document.text)) for chunk in pieces.chunks),
    )


def searched(pieces: Cut, ordinals: Iterable[int]) -> Iterator[tuple[int, Terms, bytes, str]]:
    """The words, the hash and the embedded text of these chunks."""
    terms_of = _words(pieces)
    for ordinal in ordinals:
        text = pieces.chunks[ordinal].embedded(pieces.document.text)
        yield ordinal, terms_of[ordinal], text_hash(text), text


def text_hash(text: str) -> bytes:
    """The name of an embedded text: its SHA-256 digest."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _words(pieces: Cut) -> tuple[Terms, ...]:
    """The words of each chunk; title and breadcrumb repeat from chunk to chunk and are analysed once."""
    title = terms(pieces.document.title)
    found: list[Terms] = []
    for context, chunks in groupby(pieces.chunks, key=lambda chunk: chunk.context):
        words = terms(context)
        found.extend(Terms(title=title, context=words, body=_body(chunk, pieces)) for chunk in chunks)
    return tuple(found)


def _body(chunk: Chunk, pieces: Cut) -> tuple[str, ...]:
    return terms(chunk.shown(pieces.document.text))
