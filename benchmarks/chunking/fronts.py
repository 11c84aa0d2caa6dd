"""What may stand in front of a chunk, for trials: the product's way, nothing, or the title on every chunk."""

from dataclasses import replace
from enum import Enum

from minirag_mcp.chunk.breadcrumb import shortened
from minirag_mcp.chunk.cutter import cut
from minirag_mcp.chunk.plain import folded
from minirag_mcp.embed.contract import Tokenizer
from minirag_mcp.ingest.entry import entry_from_cut
from minirag_mcp.model import Chunk, Cut, Document, Fingerprint, SourceEntry, SourceKey, SourceRecord, SourceType

_SHARE = 3


class Front(Enum):
    """What stands in front.

    PRODUCT  the heading path, and the title in front of the first chunk
    NONE     nothing
    TITLE    the heading path, and the title in front of every chunk that does not say it
    """

    PRODUCT = "product"
    NONE = "none"
    TITLE = "title"


def entry_of(document: Document, key: str, *, counter: Tokenizer, budget: int, front: Front) -> SourceEntry:
    """What the store keeps of `document` when it is cut to `budget` tokens, the front included."""
    title = ""
    if front is Front.TITLE and document.title:
        title = shortened(document.title, budget // _SHARE, counter)
        budget -= counter.count(title)
    made = cut(document, counter=counter, budget=budget)
    made = replace(made, chunks=tuple(_fronted(chunk, made, front, title) for chunk in made.chunks))
    record = SourceRecord(
        key=SourceKey(key),
        source_type=SourceType.DATA,
        title=document.title,
        content_hash="",
        fingerprint=Fingerprint(model="", scheme=""),
        chunk_count=0,
    )
    return entry_from_cut(made, record)


def _fronted(chunk: Chunk, made: Cut, front: Front, title: str) -> Chunk:
    if front is Front.NONE:
        return replace(chunk, context="")
    if not title or folded(title) in folded(f"{chunk.context}\n{chunk.span.of(made.document.text)}"):
        return chunk
    return replace(chunk, context=f"{title}\n{chunk.context}" if chunk.context else title)
