"""Local-first retrieval for AI assistants: hybrid search over your documents, with exact citations."""


def version() -> str:
    """The version of the installed distribution, or "unknown" when it runs without one."""
    from importlib import metadata  # noqa: PLC0415 - 12 ms

    try:
        return metadata.version("minirag-mcp")
    except metadata.PackageNotFoundError:
        return "unknown"
