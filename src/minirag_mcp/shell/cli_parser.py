"""The subcommands and their options. Imports nothing but the argument parser."""

import argparse
import re
import sys
from collections.abc import Callable

from minirag_mcp import version
from minirag_mcp.shell import cli_help
from minirag_mcp.shell.cli_usage import Parser, subcommands
from minirag_mcp.shell.product import CLIENTS, DEFAULT_TOP_K, MOST_NEIGHBORS, NAME

_EPILOG = f"""\
With no arguments, {NAME} serves the Model Context Protocol on stdin and stdout.

Options come after the command. {NAME} COMMAND --help lists them, with examples.

Examples:
  {NAME} sync --base-dir ~/docs
  {NAME} query "when must the seal be replaced" --base-dir ~/docs

Environment variables: BASE_DIR, BASE_DIRS, DB_PATH, CACHE_DIR, MODEL_NAME,
  MAX_FILE_SIZE, CHUNK_TOKEN_BUDGET, ALLOW_PRIVATE_URLS, RAG_HYBRID_WEIGHT,
  RAG_GROUPING, RAG_MAX_DISTANCE, RAG_MAX_FILES, RAG_INSTRUCTIONS_APPEND,
  RAG_SNAPSHOT_DEDUPE, RAG_HANDOFF_MIRROR_DIR, RAG_HANDOFF_MIRROR_BASENAMES

Exit codes: 0 done, 1 failed (also single files), 2 wrong usage, 130 interrupted
"""
FORMATS = ("text", "markdown", "html")
DOC_CLASSES = ("note", "handoff")
SHELLS = ("bash", "zsh", "fish", "powershell")


class _Version(argparse.Action):
    """As argparse's own, but the version is looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        sys.stdout.write(f"{NAME} {version()}\n")
        parser.exit()


def build() -> argparse.ArgumentParser:
    """The whole parser. Usage errors end the process with exit code 2."""
    parser = Parser(
        prog=NAME,
        description="Hybrid search over your own documents, with exact citations, on this machine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, prog=NAME)
    for name, (summary, add_arguments) in _COMMANDS.items():
        command = _add_command(commands, name, summary)
        add_arguments(command)
        _add_common(command)
    for name, (summary, add_arguments) in _WITHOUT_LIBRARY.items():
        add_arguments(_add_command(commands, name, summary))
    return parser


def check(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """What the parser cannot say of arguments that depend on each other. Raises WrongUsage."""
    if given.command != "ingest":
        return
    command = subcommands(parser)["ingest"]
    if given.paths == ["-"]:
        if given.source is None:
            command.error("standard input needs --source ID, the id to index it under")
    elif "-" in given.paths:
        command.error("- stands alone; a file of that name is ./-")
    elif any(one is not None for one in (given.source, given.format, given.title)):
        command.error("--source, --format and --title are for standard input, which - stands for")


def _add_command(commands: "argparse._SubParsersAction[Parser]", name: str, summary: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=f"{summary}.",
        usage=cli_help.usage(name),
        epilog=cli_help.epilog(name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _add_common(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("settings (each overrides its environment variable)")
    group.add_argument(
        "--base-dir",
        action="append",
        default=[],
        metavar="DIR",
        help="document root; repeat for several (BASE_DIRS, BASE_DIR; default: current directory)",
    )
    group.add_argument(
        "--db-path", metavar="DIR", help="folder of the index (DB_PATH; default: .minirag/index in the first root)"
    )
    group.add_argument("--cache-dir", metavar="DIR", help="folder for models (CACHE_DIR; default: the user's cache)")
    group.add_argument("--model-name", metavar="NAME", help="embedding model (MODEL_NAME; default: the bundled one)")
    group.add_argument("--json", action="store_true", help="print JSON, with the fields of the MCP tool")


def _ingest(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths", nargs="+", metavar="PATH", help="file or folder inside a root; - alone reads standard input"
    )
    group = command.add_argument_group("standard input")
    group.add_argument("--source", metavar="ID", help="id to index it under; required with -")
    group.add_argument("--format", choices=FORMATS, metavar="FORMAT", help=f"{', '.join(FORMATS)} (default: text)")
    group.add_argument("--title", metavar="TITLE", help="title to show (default: found in the text)")


def _ingest_url(command: argparse.ArgumentParser) -> None:
    command.add_argument("url", metavar="URL", help="address with http:// or https://")
    command.add_argument("--source", metavar="ID", help="id to index it under (default: the URL)")
    command.add_argument("--title", help="title to show (default: found in the page)")


def _sync(command: argparse.ArgumentParser) -> None:
    command.add_argument("path", nargs="?", metavar="PATH", help="only this folder or file (default: all roots)")


def _query(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "query", nargs="+", metavar="TEXT", help="question or words, in any language; - alone reads standard input"
    )
    command.add_argument(
        "--top-k",
        type=_whole(1),
        default=DEFAULT_TOP_K,
        metavar="N",
        help=f"how many passages; more than 100 count as 100 (default: {DEFAULT_TOP_K})",
    )
    command.add_argument(
        "--sections", action="store_true", help="print the whole section around each passage, each section once"
    )
    command.add_argument(
        "--doc-class", choices=DOC_CLASSES, metavar="CLASS", help="only notes, or only handoffs: note or handoff"
    )
    _add_scope(command)


def _read_neighbors(command: argparse.ArgumentParser) -> None:
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("--file-path", metavar="PATH", help="file the chunk belongs to")
    target.add_argument("--source", metavar="ID", help="data id or URL the chunk belongs to")
    command.add_argument("--chunk-index", type=_whole(0), required=True, metavar="N", help="chunk, counted from 0")
    command.add_argument(
        "--before",
        type=_whole(0, MOST_NEIGHBORS),
        default=1,
        metavar="N",
        help="chunks before it, 0 to 50 (default: 1)",
    )
    command.add_argument(
        "--after", type=_whole(0, MOST_NEIGHBORS), default=1, metavar="N", help="chunks after it, 0 to 50 (default: 1)"
    )


def _target(command: argparse.ArgumentParser) -> "argparse._MutuallyExclusiveGroup":
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("path", nargs="?", metavar="PATH", help="an indexed file, here or as displayed")
    target.add_argument("--source", metavar="ID", help="data id or URL")
    return target


def _delete(command: argparse.ArgumentParser) -> None:
    _target(command)


def _read(command: argparse.ArgumentParser) -> None:
    _target(command).add_argument("--parent-id", metavar="ID", help="section of a hit, its parentId in JSON")
    command.add_argument("--offset", type=_whole(0), default=0, metavar="N", help="character to start at (default: 0)")
    command.add_argument("--limit", type=_whole(1), metavar="N", help="at most this many characters (default: all)")


def _add_scope(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--scope",
        action="append",
        default=[],
        metavar="PATH",
        help="only this path, data id or URL prefix and everything under it; repeat for several",
    )


def _connect(command: argparse.ArgumentParser) -> None:
    command.add_argument("client", choices=CLIENTS, metavar="CLIENT", help=f"one of {', '.join(CLIENTS)}")
    command.add_argument("--name", type=_entry_name, default="minirag", help="name of the entry (default: minirag)")
    command.add_argument("--project", action="store_true", help="the configuration of the current directory's project")
    command.add_argument("--remove", action="store_true", help="take the entry out again")
    decision = command.add_mutually_exclusive_group()
    decision.add_argument("--dry-run", action="store_true", help="show what would be written, and write nothing")
    decision.add_argument("--yes", action="store_true", help="write without asking")


def _entry_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a name of up to 64 letters, digits, hyphens and underscores")
    return text


def _completion(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def _help(command: argparse.ArgumentParser) -> None:
    names = [*_COMMANDS, *_WITHOUT_LIBRARY]
    command.add_argument("topic", nargs="?", choices=names, metavar="COMMAND", help="one of the commands")


def _nothing(_command: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def _whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Takes whole numbers from `low` on, up to `high`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < low or (high is not None and number > high):
            bounds = f"at least {low}" if high is None else f"from {low} to {high}"
            raise argparse.ArgumentTypeError(f"{text!r} is not allowed; it must be {bounds}")
        return number

    return read


_COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "ingest": ("Index files, or all supported files of folders, again even if unchanged", _ingest),
    "ingest-url": ("Fetch a web page and index it", _ingest_url),
    "sync": ("Bring the index in step with the disk", _sync),
    "query": ("Search by meaning and by words", _query),
    "read-neighbors": ("Read the chunks around a search result", _read_neighbors),
    "read": ("Read an indexed document back as Markdown", _read),
    "list": ("List files and indexed items with their state", _add_scope),
    "status": ("Show configuration and index health", _nothing),
    "doctor": ("Check configuration, folders, model and index, and say what mends them", _nothing),
    "delete": ("Remove a file or item from the index, never from the disk", _delete),
    "connect": ("Write the configuration that makes a client start this program, and try it", _connect),
}

_WITHOUT_LIBRARY: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "completion": ("Print what completes commands, options and names in a shell", _completion),
    "help": ("Show the help of a command", _help),
}
"""These need no index, and take no settings."""
