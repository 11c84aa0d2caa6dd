"""The command line: parse, open, run one command, and turn every failure into an exit code and a line."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from minirag_mcp.shell.cli_parser import build
from minirag_mcp.shell.exit_codes import DONE, FAILED, INTERRUPTED

if TYPE_CHECKING:  # nothing of these is imported before the arguments are known to be right
    from minirag_mcp.errors import MiniragError
    from minirag_mcp.shell.cli_terminal import Terminal
    from minirag_mcp.shell.opening import OpenLibrary


def run(arguments: Sequence[str], *, opening: "OpenLibrary | None" = None) -> int:
    """Run one subcommand and return its exit code; usage errors exit with 2 by themselves."""
    given = _parsed(arguments)
    from minirag_mcp.shell.cli_terminal import Terminal  # noqa: PLC0415 - help and usage errors are done by now
    from minirag_mcp.shell.stdio import result_stdout  # noqa: PLC0415

    terminal = Terminal(result_stdout(), sys.stderr)
    try:
        return _run(given, terminal, opening)
    except KeyboardInterrupt:
        _interrupted(terminal, as_json=given.json)
        return INTERRUPTED
    except BrokenPipeError:
        terminal.abandon()
        return DONE


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments; help, version and usage errors end the process here, also when they cannot be written."""
    try:
        try:
            return build().parse_args(arguments)
        finally:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(DONE)
        sys.stderr.write(f"error: stdout cannot be written: {error.strerror}\n")
        sys.exit(FAILED)


def _run(given: argparse.Namespace, terminal: "Terminal", opening: "OpenLibrary | None") -> int:
    from minirag_mcp.config import Flags  # noqa: PLC0415
    from minirag_mcp.errors import MiniragError  # noqa: PLC0415
    from minirag_mcp.shell.cli_commands import COMMANDS  # noqa: PLC0415
    from minirag_mcp.shell.opening import Opener, open_library  # noqa: PLC0415

    flags = Flags(
        base_dirs=tuple(given.base_dir),
        db_path=given.db_path,
        cache_dir=given.cache_dir,
        model_name=given.model_name,
    )
    opener = Opener(flags, opening=opening or open_library)
    try:
        return COMMANDS[given.command](given, opener, terminal)
    except MiniragError as error:
        return _failed(error, terminal, as_json=given.json)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        if os.environ.get("MINIRAG_DEBUG"):
            raise
        problem = MiniragError(
            f"Unexpected {type(error).__name__}: {error}",
            remedy="This is a defect; run again with MINIRAG_DEBUG=1 and report what it prints.",
        )
        return _failed(problem, terminal, as_json=given.json)
    finally:
        opener.close()


def _interrupted(terminal: "Terminal", *, as_json: bool) -> None:
    from minirag_mcp.errors import CancelledError  # noqa: PLC0415

    remedy = "What was done is kept; run the same command again to go on."
    _failed(CancelledError("Interrupted.", remedy=remedy), terminal, as_json=as_json)


def _failed(error: "MiniragError", terminal: "Terminal", *, as_json: bool) -> int:
    from minirag_mcp.shell import wire  # noqa: PLC0415
    from minirag_mcp.shell.remedies import for_people  # noqa: PLC0415

    message, remedy = for_people(error.message), for_people(error.remedy)
    if as_json and terminal.writable:
        terminal.result_json(wire.sendable(wire.error(error.code, message=message, remedy=remedy)))
    else:
        terminal.error(message, remedy)
    return FAILED
