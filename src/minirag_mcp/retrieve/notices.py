"""What a reader must know about an answer that is less than it looks, or nothing at all."""

from minirag_mcp.model import Candidates, IndexCounts, Ranked
from minirag_mcp.retrieve.assemble import Display
from minirag_mcp.retrieve.options import SearchOptions
from minirag_mcp.retrieve.query import Query
from minirag_mcp.retrieve.sides import Asked
from minirag_mcp.store.contract import Store


def notices_of(  # noqa: PLR0913 - one argument for each stage that can fall short
    query: Query,
    *,
    asked: Asked,
    candidates: Candidates,
    selected: tuple[Ranked, ...],
    withheld: int,
    options: SearchOptions,
    counts: IndexCounts,
    store: Store,
    model: str,
    display: Display,
) -> tuple[str, ...]:
    """One sentence or two for each way in which the answer falls short, the gravest first; none when it does not."""
    empty = not (candidates.lexical or candidates.dense)
    if empty and (nothing_there := _nothing_there(query, counts, store, display)):
        return (nothing_there,)
    found = (
        _model_failed(asked),
        _without_vectors(counts, asked, options, model),
        _nothing_found(asked) if empty else "",
        _all_dropped(asked, options) if not (empty or selected) else "",
        _withheld(withheld),
    )
    return tuple(notice for notice in found if notice)


def _nothing_there(query: Query, counts: IndexCounts, store: Store, display: Display) -> str:
    if not counts.chunks:
        return "The index is empty. Sync the document folders first, then ask again."
    if query.scope and not store.sources(query.scope):
        names = ", ".join(display(key) for key in query.scope)
        return f"Nothing is indexed under the scope {names}. List the files to see what is, or ask without a scope."
    return ""


def _model_failed(asked: Asked) -> str:
    if asked.failure is None:
        return ""
    return f"Found by words only, not by meaning, because the embedding model failed: {asked.failure.explanation}"


def _without_vectors(counts: IndexCounts, asked: Asked, options: SearchOptions, model: str) -> str:
    if asked.vector is None or not counts.unembedded_chunks:
        return ""
    found = "cannot be found" if options.hybrid_weight == 0 else "are found by their words only"
    return (
        f"{counts.unembedded_chunks} of {counts.chunks} chunks have no vector of the model {model} yet and {found}. "
        "Sync to complete them."
    )


def _nothing_found(asked: Asked) -> str:
    if asked.vector is None and not asked.words:
        return "The query holds no word, name or code to look for. Say it in words."
    return "No passage holds any word of this query. Try other words, or the ones a document would use."


def _all_dropped(asked: Asked, options: SearchOptions) -> str:
    if options.max_distance is None:
        return ""
    limit = f"RAG_MAX_DISTANCE={options.max_distance:g}"
    if asked.vector is None:
        return f"{limit} dropped everything: without the vector side no passage has a distance. Unset it."
    return f"{limit} dropped everything that was found. Raise or unset it to see farther passages."


def _withheld(count: int) -> str:
    if not count:
        return ""
    return (
        f"{count} of the passages found stand in files outside the configured roots and are not shown. "
        "Give each set of roots its own DB_PATH."
    )
