"""What is asked: checked, clamped, and safe to hand to any side of the search."""

from dataclasses import dataclass

from minirag_mcp.errors import RequestError
from minirag_mcp.model import DocClass
from minirag_mcp.store.contract import Scope

MAX_TOP_K = 100
"""More passages than any reader takes in; every search looks at a multiple of this."""

_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question: `text` is not blank and encodable, 1 ≤ `top_k` ≤ MAX_TOP_K."""

    text: str
    top_k: int
    scope: Scope = ()
    doc_class: DocClass | None = None


def make_query(text: str, *, top_k: int, scope: Scope = (), doc_class: DocClass | None = None) -> Query:
    """Check a question; a `top_k` over MAX_TOP_K is clamped, since asking for too much is no mistake.

    Raises RequestError for blank text and for `top_k` under 1.
    """
    readable = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    if not readable.strip():
        raise RequestError(
            f"The query is blank ({text[:_MOST_SHOWN]!r}).", remedy="Say in words, a name or a code what to look for."
        )
    if top_k < 1:
        raise RequestError(
            f"top_k is {top_k}; it must be at least 1.", remedy=f"Ask for 1 to {MAX_TOP_K} passages; 8 is usual."
        )
    return Query(text=readable, top_k=min(top_k, MAX_TOP_K), scope=scope, doc_class=doc_class)
