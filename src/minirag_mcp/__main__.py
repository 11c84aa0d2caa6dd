"""Entry point: without arguments the MCP server on stdio, with a subcommand the command line."""

import sys


def main() -> int:
    """Run what the arguments ask for and return the exit code."""
    if len(sys.argv) == 1:
        from minirag_mcp.shell.mcp_server import serve  # noqa: PLC0415 - the SDK costs half a second

        return serve()
    from minirag_mcp.shell.cli import run  # noqa: PLC0415 - the server needs no argument parser

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
