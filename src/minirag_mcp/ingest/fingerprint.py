"""What an index entry must have been made with to be trusted today."""

from minirag_mcp.chunk import cutter
from minirag_mcp.lexical import analyzer
from minirag_mcp.model import Fingerprint, ModelIdentity
from minirag_mcp.parse import registry


def current_fingerprint(identity: ModelIdentity, *, budget: int) -> Fingerprint:
    """The fingerprint of a source indexed now: the model, and every version that decides text, cut and words."""
    scheme = f"parse {registry.VERSION}, {cutter.scheme(budget)}, terms {analyzer.VERSION}"
    return Fingerprint(model=f"{identity.name}/{identity.dimension}", scheme=scheme)
