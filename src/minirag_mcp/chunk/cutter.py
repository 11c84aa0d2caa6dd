"""A document cut into sections to read and chunks to rank: the flow of this room."""

from collections.abc import Sequence

from minirag_mcp.chunk.chunks import NOTICE, Chunker, Draft
from minirag_mcp.chunk.counter import Bounded, TokenCounter
from minirag_mcp.chunk.leaves import units_of
from minirag_mcp.chunk.outline import outline
from minirag_mcp.chunk.pieces import Piece, pieces_of
from minirag_mcp.chunk.place import Places
from minirag_mcp.chunk.scheme import MODEL_LIMIT
from minirag_mcp.chunk.sections import blocks_of, segments_of
from minirag_mcp.chunk.units import Sizes
from minirag_mcp.model import Chunk, Cut, Document, Section


def cut(document: Document, *, counter: TokenCounter, budget: int, limit: int = MODEL_LIMIT) -> Cut:
    """Cut `document` into sections and chunks, as spans of its text.

    Sections are disjoint, in order, and hold every character that is not blank; the chunks of a section join to it.
    `Chunk.embedded` has at most `budget` tokens, but for a closed code block, kept whole up to four budgets and never
    over `limit`. The only other exception is a single character that the counter takes for more than the budget.
    """
    budget, counter = min(budget, limit), Bounded(counter)
    sizes = Sizes(budget=budget, limit=limit, notice=counter.count(NOTICE))
    found = outline(document)
    blocks = blocks_of(document.text, found)
    units = units_of(document.text, blocks, counter, sizes)
    pieces = pieces_of(document.text, segments_of(found, blocks), units)
    drafts = Chunker(document.text, units, pieces, title=document.title, counter=counter, sizes=sizes).drafts()
    places = Places(document.text, found.marks)
    return Cut(document=document, sections=_sections(pieces, places), chunks=_chunks(drafts, places))


def _sections(pieces: Sequence[Piece], places: Places) -> tuple[Section, ...]:
    return tuple(
        Section(
            ordinal=ordinal,
            span=piece.span,
            kind=piece.segment.kind,
            headings=piece.segment.headings,
            header=piece.header,
            label=piece.segment.label,
            place=places.of(piece.span),
        )
        for ordinal, piece in enumerate(pieces)
    )


def _chunks(drafts: Sequence[Draft], places: Places) -> tuple[Chunk, ...]:
    return tuple(
        Chunk(
            ordinal=ordinal,
            section=draft.piece,
            span=draft.span,
            context=draft.context,
            header=draft.header,
            place=places.of(draft.span),
        )
        for ordinal, draft in enumerate(drafts)
    )
