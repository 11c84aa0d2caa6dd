"""The command line: parse, open, run one command, and turn every failure into an exit code and a line."""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from minirag_mcp.shell import ending
from minirag_mcp.shell.cli_parser import build, check
from minirag_mcp.shell.cli_usage import WrongUsage, parse, subcommands, wants_json
from minirag_mcp.shell.exit_codes import DONE, FAILED

if TYPE_CHECKING:  # nothing of these is imported before the arguments are known to be right
    from minirag_mcp.errors import MiniragError
    from minirag_mcp.shell.cli_terminal import Terminal
    from minirag_mcp.shell.opening import OpenLibrary


_COMPLETING = "_ARGCOMPLETE"
"""In the environment when a shell asks for completions; argcomplete's own name."""


def run(arguments: Sequence[str], *, opening: "OpenLibrary | None" = None) -> int:
    """Run one subcommand and return its exit code; help, version and usage errors end the process by themselves."""
    return ending.run(
        lambda: _understood(arguments),
        lambda given, terminal: _run(given, terminal, opening),
        partial(_failed, as_json=wants_json(arguments)),
    )


def interrupted(interruption: KeyboardInterrupt, arguments: Sequence[str]) -> int:
    """Say that the work was interrupted, and return the exit code that the interruption carries."""
    return ending.interrupted(interruption, partial(_failed, as_json=wants_json(arguments)))


def _understood(arguments: Sequence[str]) -> argparse.Namespace:
    parser = build()
    if _COMPLETING in os.environ:
        from minirag_mcp.shell import completion  # noqa: PLC0415 - for shells only

        completion.answer(parser)
    try:
        given = parse(parser, arguments)
        check(parser, given)
    except WrongUsage as wrong:
        if wants_json(arguments):
            _print_error("usage", wrong.message, wrong.remedy)
        raise
    if given.command == "completion":
        from minirag_mcp.shell import completion  # noqa: PLC0415

        sys.stdout.write(completion.script(given.shell))
        sys.exit(DONE)
    if given.command == "help":
        (subcommands(parser)[given.topic] if given.topic else parser).print_help()
        sys.exit(DONE)
    return given


def _print_error(code: str, message: str, remedy: str) -> None:
    """The JSON of a failure, without what the other commands need to print theirs."""
    import json  # noqa: PLC0415 - for programs only

    sys.stdout.write(json.dumps({"error": {"code": code, "message": message, "remedy": remedy}}, indent=2) + "\n")


def _run(given: argparse.Namespace, terminal: "Terminal", opening: "OpenLibrary | None") -> int:
    from minirag_mcp.config import Flags  # noqa: PLC0415
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
    finally:
        opener.close()


def _failed(error: "MiniragError", terminal: "Terminal", *, as_json: bool) -> int:
    from minirag_mcp.shell import wire  # noqa: PLC0415
    from minirag_mcp.shell.remedies import for_people  # noqa: PLC0415

    message, remedy = for_people(error.message), for_people(error.remedy)
    if as_json and terminal.writable:
        terminal.result_json(wire.sendable(wire.error(error.code, message=message, remedy=remedy)))
    else:
        terminal.error(message, remedy)
    return FAILED
