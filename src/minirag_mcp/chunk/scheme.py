"""The name of the way documents are cut; apart from the cutter, so that asking for it costs no import."""

VERSION = 4
"""Raised whenever the same document would be cut differently."""

MODEL_LIMIT = 500
"""Tokens of any chunk, whatever the model: the bundled one reads 512, of which prefix and special tokens take 6."""


def scheme(budget: int) -> str:
    """Name of the way `cut` cuts: two cuts of one document for one model under one scheme are equal."""
    return f"cut{VERSION}-{min(budget, MODEL_LIMIT)}"
