"""The flow out: from a question to an answer, every stage in order."""

from minirag_mcp.embed.contract import Embedder
from minirag_mcp.model import Answer, Fingerprint
from minirag_mcp.retrieve.assemble import Display, passages_of, sources_of
from minirag_mcp.retrieve.fuse import Fusion, reciprocal_ranks
from minirag_mcp.retrieve.notices import notices_of
from minirag_mcp.retrieve.options import SearchOptions
from minirag_mcp.retrieve.permit import Permit, Permitted
from minirag_mcp.retrieve.query import Query
from minirag_mcp.retrieve.select import select
from minirag_mcp.retrieve.sides import ask, gather, measure, weigh
from minirag_mcp.store.contract import Store


def search(
    query: Query,
    *,
    store: Store,
    embedder: Embedder,
    options: SearchOptions,
    display: Display,
    permitted: Permitted = lambda _: True,
    fusion: Fusion = reciprocal_ranks,
) -> Answer:
    """The passages that answer `query`, best first, with their sources and each section once.

    What is not `permitted` is left out, and so said. An answer that is degraded or empty says why in its notices.
    Raises StoreError, and ModelError when the vector side is the only one wanted and its model fails.
    """
    asked = ask(query, embedder=embedder, options=options)
    counts = store.counts(Fingerprint(model=embedder.identity.name, scheme=""))
    candidates = weigh(gather(asked, query, store), asked, counts, store)
    ranking = measure(fusion(candidates, weight=options.hybrid_weight), asked, store)
    owners = store.owners([ranked.chunk for ranked in ranking])
    permit = Permit(owners, permitted)
    files = {chunk: owner.source for chunk, owner in owners.items()}
    selected = select(ranking, top_k=query.top_k, options=options, sources=files, passes=permit.passes)
    passages = passages_of(selected, store.read([ranked.chunk for ranked in selected]), display)
    return Answer(
        passages=passages,
        sources=sources_of(passages),
        sections=store.sections(dict.fromkeys(passage.section_id for passage in passages)),
        notices=notices_of(
            query,
            asked=asked,
            candidates=candidates,
            selected=selected,
            withheld=permit.refused,
            options=options,
            counts=counts,
            store=store,
            model=embedder.identity.name,
            display=display,
        ),
        withheld=permit.refused,
    )
