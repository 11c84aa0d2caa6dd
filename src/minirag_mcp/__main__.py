"""Entry point: without arguments the MCP server on stdio, with a subcommand the command line."""

import os
import sys
from collections.abc import Sequence

from minirag_mcp.shell import process

_COMPLETING = "_ARGCOMPLETE"
"""In the environment when a shell asks for completions; argcomplete's own name."""


def main() -> int:
    """Run what the arguments ask for and return the exit code."""
    serves = len(sys.argv) == 1 and _COMPLETING not in os.environ
    return process.main(serve=_serve if serves else None, run=_run, interrupted=_interrupted)


def _serve() -> int:
    from minirag_mcp.shell.mcp_server import serve  # noqa: PLC0415 - the SDK costs half a second

    return serve()


def _run(arguments: Sequence[str]) -> int:
    from minirag_mcp.shell.cli import run  # noqa: PLC0415 - the server needs no argument parser

    return run(arguments)


def _interrupted(interruption: KeyboardInterrupt, arguments: Sequence[str]) -> int:
    from minirag_mcp.shell.cli import interrupted  # noqa: PLC0415

    return interrupted(interruption, arguments)


if __name__ == "__main__":
    sys.exit(main())
