"""The command line of rag-mcp: every result, and every failure, is one JSON object on stdout."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from minirag_mcp import version
from minirag_mcp.shell import cli_usage, ending
from minirag_mcp.shell.exit_codes import FAILED

if TYPE_CHECKING:  # nothing of these is imported before the arguments are known to be right
    from minirag_mcp.errors import MiniragError
    from minirag_mcp.shell.cli_terminal import Terminal

_EPILOG = """\
With no arguments, rag-mcp serves the tool search_knowledge on stdin and stdout.

Examples:
  rag-mcp ingest ~/docs --db ~/docs.index
  rag-mcp query "what did we decide about the seal" --db ~/docs.index --corpus ~/docs -k 5

Environment variables: RAG_MCP_CORPUS_ROOT, RAG_MCP_DB_PATH, RAG_MCP_COLLECTION,
  RAG_MCP_EMBEDDER; and of minirag-mcp all but those that name roots, index and model

Exit codes: 0 done, 1 failed (also single files), 2 wrong usage, 130 interrupted
"""


class _Version(argparse.Action):
    """As argparse's own, but the version is looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        sys.stdout.write(f"rag-mcp {version()}\n")
        parser.exit()


def build() -> argparse.ArgumentParser:
    """The whole parser."""
    parser = cli_usage.Parser(
        prog="rag-mcp",
        description="Cited passages from a folder of documents, on this machine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    _add_index(parser, default=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="rag-mcp")
    _ingest(commands.add_parser("ingest", help="index a folder; only what changed", allow_abbrev=False))
    _query(commands.add_parser("query", help="answer a question with cited passages", allow_abbrev=False))
    return parser


def _add_index(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    parser.add_argument(
        "--collection",
        metavar="NAME",
        default=default,
        help="namespace in the index (RAG_MCP_COLLECTION; default: knowledge)",
    )
    parser.add_argument(
        "--embedder",
        metavar="NAME",
        default=default,
        help="default, minilm or bge (RAG_MCP_EMBEDDER; default: the bundled model)",
    )


def _ingest(command: argparse.ArgumentParser) -> None:
    command.add_argument("corpus", metavar="PATH", help="folder of the documents")
    command.add_argument(
        "--db", metavar="DB", help="folder of the index (RAG_MCP_DB_PATH; default: .minirag/index in PATH)"
    )
    how = command.add_mutually_exclusive_group()
    how.add_argument("--full", action="store_true", help="read and embed everything again, in place; searches go on")
    how.add_argument(
        "--clean",
        action="store_true",
        help="delete the index first; pages and data items, which are no files, are forgotten too",
    )
    command.add_argument(
        "--no-snapshot-dedupe",
        action="store_true",
        help="embed what dated snapshots repeat as often as it stands there",
    )
    command.add_argument(
        "--handoff-mirror-dir", metavar="D", help="name of the folder whose mirrors are handoffs (default: context)"
    )
    command.add_argument(
        "--handoff-mirror-basename",
        action="append",
        default=[],
        metavar="B",
        help="one more name of such mirrors; repeat for several (always: handoff.md, active.md, resume.md)",
    )
    command.add_argument("--quiet", action="store_true", help="print the JSON on one line")
    _add_index(command, default=argparse.SUPPRESS)


def _query(command: argparse.ArgumentParser) -> None:
    command.add_argument("query", metavar="Q", help="question or words, in any language")
    command.add_argument("--db", metavar="DB", help="folder of the index (RAG_MCP_DB_PATH)")
    command.add_argument("--corpus", metavar="ROOT", help="folder that passages must lie in (RAG_MCP_CORPUS_ROOT)")
    command.add_argument("-k", type=int, default=5, metavar="N", help="how many passages, 1 to 20 (default: 5)")
    command.add_argument("--doc-class", metavar="C", help="only notes, or only handoffs: note or handoff")
    _add_index(command, default=argparse.SUPPRESS)


def run(arguments: Sequence[str]) -> int:
    """Run one subcommand and return its exit code; help, version and usage errors end the process by themselves."""
    return ending.run(lambda: cli_usage.parse(build(), arguments), _command, _failed)


def interrupted(interruption: KeyboardInterrupt, _arguments: Sequence[str]) -> int:
    """Say that the work was interrupted, and return the exit code that the interruption carries."""
    return ending.interrupted(interruption, _failed)


def _command(given: argparse.Namespace, terminal: "Terminal") -> int:
    from minirag_mcp.shell import knowledge_commands  # noqa: PLC0415 - help and usage errors are done by now

    command = knowledge_commands.ingest if given.command == "ingest" else knowledge_commands.query
    return command(given, os.environ, terminal)


def _failed(error: "MiniragError", terminal: "Terminal") -> int:
    from minirag_mcp import knowledge  # noqa: PLC0415
    from minirag_mcp.shell import knowledge_words, wire  # noqa: PLC0415

    failure = {"ok": False, "error": knowledge.failed(error)["error"]}
    if terminal.writable:
        terminal.result_json(wire.sendable(knowledge_words.answer(failure)))
    else:
        terminal.error(knowledge_words.said(error.message), knowledge_words.said(error.remedy))
    return FAILED
