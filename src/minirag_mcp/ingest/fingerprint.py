"""What an index entry must have been made with to be trusted today."""

from minirag_mcp.chunk.scheme import scheme
from minirag_mcp.lexical.version import VERSION as TERMS_VERSION
from minirag_mcp.model import Fingerprint, ModelIdentity
from minirag_mcp.parse.registry import VERSION as PARSE_VERSION

_AFTER_PARSER = ", "


def current_fingerprint(identity: ModelIdentity, *, budget: int) -> Fingerprint:
    """The fingerprint of a source indexed now: the model, and every version that decides text, cut and words."""
    return Fingerprint(
        model=f"{identity.name}/{identity.dimension}",
        scheme=f"parse {PARSE_VERSION}{_AFTER_PARSER}{scheme(budget)}, terms {TERMS_VERSION}",
    )


def same_parser(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether one document text stands for both, so that only the cut, the words or the model differ."""
    return one.scheme.partition(_AFTER_PARSER)[0] == other.scheme.partition(_AFTER_PARSER)[0]
