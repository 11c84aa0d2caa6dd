"""Both sides of a search: the words and the meaning of the question, and the candidates that each finds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from minirag_mcp.embed.contract import Embedder
from minirag_mcp.errors import ModelError
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.model import Candidates, IndexCounts, Ranked, Vector
from minirag_mcp.retrieve.evidence import evident
from minirag_mcp.retrieve.options import SearchOptions
from minirag_mcp.retrieve.query import MAX_TOP_K, Query
from minirag_mcp.store.contract import Store

_CANDIDATES = 2 * MAX_TOP_K
"""Of each side, however many passages are asked for, so that fewer are always the first of more. From 50 to 250,
nDCG@10 of the hybrid moves by less than .003."""

_MOST_TERMS = 256
"""A page of text has some 250 different words; the words of a longer question are already all there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question as each side takes it.

    words    distinct terms; empty when the side is not wanted or the question has none
    vector   unit vector; None when the side is not wanted or the model failed
    failure  why there is no vector although the side is wanted
    """

    words: tuple[str, ...]
    vector: "Vector | None"
    failure: ModelError | None = None


def ask(query: Query, *, embedder: Embedder, options: SearchOptions) -> Asked:
    """Prepare the question for the sides that the weight wants: at 1 the model is not touched, at 0 no term is made.

    Raises ModelError when the model fails and the weight leaves only the vector side.
    """
    words = tuple(dict.fromkeys(terms(query.text)))[:_MOST_TERMS] if options.hybrid_weight > 0 else ()
    if options.hybrid_weight == 1:
        return Asked(words=words, vector=None)
    try:
        return Asked(words=words, vector=embedder.embed_query(query.text))
    except ModelError as error:
        if options.hybrid_weight == 0:
            raise
        return Asked(words=words, vector=None, failure=error)


def gather(asked: Asked, query: Query, store: Store) -> Candidates:
    """What each side finds, best first; more than anyone asks for, so that the sides can meet."""
    scope, doc_class = query.scope, query.doc_class
    found, near = [], []
    if asked.words:
        found = store.search_terms(asked.words, limit=_CANDIDATES, scope=scope, doc_class=doc_class)
    if asked.vector is not None:
        near = store.search_vector(asked.vector, limit=_CANDIDATES, scope=scope, doc_class=doc_class)
    return Candidates(lexical=tuple(found), dense=tuple(near))


def weigh(candidates: Candidates, asked: Asked, counts: IndexCounts, store: Store) -> Candidates:
    """`candidates` with the keyword side cut to what is evidence, when the vectors of all chunks stand for the rest."""
    if not (candidates.lexical and candidates.dense) or counts.unembedded_chunks:
        return candidates
    frequencies = store.frequencies(asked.words)
    searched = counts.chunks - counts.repeated_chunks
    return replace(candidates, lexical=evident(candidates.lexical, frequencies=frequencies, chunks=searched))


def measure(ranking: Sequence[Ranked], asked: Asked, store: Store) -> tuple[Ranked, ...]:
    """`ranking` with the distance of every candidate that has a vector, also of those that only words found."""
    unmeasured = [ranked.chunk for ranked in ranking if ranked.distance is None]
    if asked.vector is None or not unmeasured:
        return tuple(ranking)
    distances = store.distances(asked.vector, unmeasured)
    return tuple(
        replace(ranked, distance=max(0.0, distances[ranked.chunk])) if ranked.chunk in distances else ranked
        for ranked in ranking
    )
