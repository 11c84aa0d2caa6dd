"""Entry point: without arguments the MCP server on stdio, with a subcommand the command line."""

import os
import sys
from typing import NoReturn


def main() -> int:
    """Run what the arguments ask for and return the exit code."""
    if "stdout" in _opened():
        sys.stderr.write("error: stdout is closed (Send it to a file, a pipe or /dev/null.)\n")
        return 1
    if len(sys.argv) == 1:
        from minirag_mcp.shell.mcp_server import serve  # noqa: PLC0415 - the SDK costs half a second

        return serve()
    from minirag_mcp.shell.cli import run  # noqa: PLC0415 - the server needs no argument parser
    from minirag_mcp.shell.exit_codes import INTERRUPTED  # noqa: PLC0415

    code = run(sys.argv[1:])
    if code == INTERRUPTED:
        _leave(code)
    return code


def _opened() -> list[str]:
    """The standard streams that were closed, each an empty file now, lest the next file opened take its place."""
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        nowhere = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: that of the stream
        setattr(sys, name, open(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    return closed


def _leave(code: int) -> NoReturn:
    """End now: a thread in the middle of a document cannot be stopped, and its work is not wanted any more."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
