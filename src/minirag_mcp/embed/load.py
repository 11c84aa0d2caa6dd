"""Chooses the embedding model by its name."""

from pathlib import Path

from minirag_mcp.embed.bundled_model import IDENTITY, BundledEmbedder
from minirag_mcp.embed.contract import Embedder
from minirag_mcp.embed.fastembed_model import FastembedEmbedder

BUNDLED_MODEL = IDENTITY.name
"""The model that needs no download."""


def open_embedder(model_name: str, cache_dir: Path) -> Embedder:
    """The embedder of this name; any name but the bundled one belongs to the extra `fastembed`.

    Cheap: nothing is imported or loaded before the first use, but for another model, whose size must be known.
    Raises ModelError when that extra is not installed or does not know the name.
    """
    if model_name == BUNDLED_MODEL:
        return BundledEmbedder(cache_dir)
    return FastembedEmbedder(model_name, cache_dir)
