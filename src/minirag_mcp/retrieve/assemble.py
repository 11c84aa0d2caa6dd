"""Selected candidates to what a reader gets: passages with citations, their sources, each section once."""

from collections import Counter
from collections.abc import Callable, Sequence

from minirag_mcp.model import Citation, Passage, Ranked, SourceHits, SourceKey, StoredChunk

Display = Callable[[SourceKey], str]
"""How a source is named to a person: its path relative to its root, its id, or its URL."""


def passages_of(selected: Sequence[Ranked], chunks: Sequence[StoredChunk], display: Display) -> tuple[Passage, ...]:
    """One passage for each of `selected`, in its order; one whose chunk is gone from the index is left out."""
    stored = {chunk.chunk: chunk for chunk in chunks}
    return tuple(_passage(ranked, stored[ranked.chunk], display) for ranked in selected if ranked.chunk in stored)


def sources_of(passages: Sequence[Passage]) -> tuple[SourceHits, ...]:
    """Each source once, in order of its first passage, with the number of its passages."""
    hits = Counter(passage.source for passage in passages)
    firsts = {passage.source: passage for passage in reversed(passages)}
    return tuple(
        SourceHits(source=source, display_path=firsts[source].display_path, title=firsts[source].title, hits=count)
        for source, count in hits.items()
    )


def _passage(ranked: Ranked, chunk: StoredChunk, display: Display) -> Passage:
    shown = display(chunk.source)
    return Passage(
        source=chunk.source,
        source_type=chunk.source_type,
        display_path=shown,
        title=chunk.title,
        chunk_index=chunk.ordinal,
        section_id=chunk.section_id,
        text=chunk.text,
        score=ranked.score,
        distance=ranked.distance,
        citation=Citation(display_path=shown, headings=chunk.headings, place=chunk.place),
        doc_class=chunk.doc_class,
        dates=chunk.dates,
    )
