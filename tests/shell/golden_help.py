"""Every help text as a person sees it, for people to check; `python -m tests.shell.golden_help` writes them anew."""

import os
from pathlib import Path
from unittest.mock import patch

from minirag_mcp.shell import cli_parser
from minirag_mcp.shell.cli_usage import subcommands

FOLDER = Path(__file__).parent.parent / "golden" / "help"


def texts() -> dict[str, str]:
    """The help of the product and of each subcommand, by file name, as on a terminal of 80 columns."""
    with patch.dict(os.environ, {"COLUMNS": "80", "NO_COLOR": "1"}):
        parser = cli_parser.build()
        every = {"minirag-mcp": parser, **subcommands(parser)}
        return {f"{name}.txt": one.format_help() for name, one in every.items()}


if __name__ == "__main__":
    for name, text in texts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
