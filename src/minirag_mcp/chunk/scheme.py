"""The name of the way documents are cut; apart from the cutter, so that asking for it costs no import."""

VERSION = 1
"""Raised whenever the same document would be cut differently."""

MODEL_LIMIT = 500
"""Tokens of any chunk: the bundled model sees 512, of which its prefix and special tokens take 6."""


def scheme(budget: int, *, limit: int = MODEL_LIMIT) -> str:
    """Name of the way `cut` cuts: two cuts of one document under one scheme are equal."""
    return f"cut{VERSION}-{min(budget, limit)}-{limit}"
