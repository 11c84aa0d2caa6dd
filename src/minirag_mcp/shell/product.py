"""What the product calls itself, to people and to protocols."""

NAME = "minirag-mcp"
TITLE = "minirag: search your documents"


def version() -> str:
    """The version of the installed distribution, or "unknown" when it runs without one."""
    from importlib.metadata import PackageNotFoundError  # noqa: PLC0415 - 12 ms
    from importlib.metadata import version as installed  # noqa: PLC0415

    try:
        return installed(NAME)
    except PackageNotFoundError:
        return "unknown"
