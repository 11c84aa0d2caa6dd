"""Where models are kept."""

from pathlib import Path


def default_cache_dir() -> Path:
    """The user's cache folder, unless CACHE_DIR names another."""
    from platformdirs import user_cache_path  # noqa: PLC0415 - help and usage errors do without

    return user_cache_path("minirag-mcp", appauthor=False) / "models"
