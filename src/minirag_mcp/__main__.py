"""Entry point: without arguments the MCP server on stdio, with a subcommand the command line."""

import os
import sys
from typing import NoReturn


def main() -> int:
    """Run what the arguments ask for and return the exit code."""
    if len(sys.argv) == 1:
        from minirag_mcp.shell.mcp_server import serve  # noqa: PLC0415 - the SDK costs half a second

        return serve()
    from minirag_mcp.shell.cli import run  # noqa: PLC0415 - the server needs no argument parser
    from minirag_mcp.shell.exit_codes import INTERRUPTED  # noqa: PLC0415

    code = run(sys.argv[1:])
    if code == INTERRUPTED:
        _leave(code)
    return code


def _leave(code: int) -> NoReturn:
    """End now: a thread in the middle of a document cannot be stopped, and its work is not wanted any more."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
