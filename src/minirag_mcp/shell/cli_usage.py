"""Wrong usage: what is wrong, what was probably meant, and where to read more. Imports nothing but the parser."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NoReturn

from minirag_mcp.shell.exit_codes import WRONG_USAGE

_OTHER_NAMES = {
    "add": "ingest",
    "cat": "read",
    "fetch": "ingest-url",
    "find": "query",
    "index": "ingest",
    "info": "status",
    "ls": "list",
    "remove": "delete",
    "rm": "delete",
    "search": "query",
    "show": "read",
    "update": "sync",
}
"""What other programs call the same work."""

_LONGEST_NAME = 40
"""Longer words are no command or option with a slip of the finger in it."""


class WrongUsage(SystemExit):
    """Ends the process with 2; the message has been written to stderr."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(WRONG_USAGE)
        self.message = message
        self.remedy = remedy


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line after the usage, harmless to a terminal, with the nearest right word."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and raise WrongUsage."""
        from minirag_mcp.shell import brief, printable  # noqa: PLC0415 - right usage does without

        said = brief.message(printable.one_line(message))
        remedy = f"See `{self.prog} --help`."
        with suppress(OSError):  # there is no other place to say it
            self.print_usage(sys.stderr)
            sys.stderr.write(f"error: {said} ({remedy})\n")
            sys.stderr.flush()
        raise WrongUsage(said, remedy)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Argparse's hook for a word that is none of those allowed."""
        if action.choices is None or value in action.choices:
            return
        allowed = [str(choice) for choice in action.choices]
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - it has no public name
            close = nearest(str(value), [*allowed, *_OTHER_NAMES])
            known = _OTHER_NAMES.get(close, close) if close else None
            raise argparse.ArgumentError(None, f"unknown command {_quoted(value)}{_meant(known)}")
        hint = _meant(nearest(str(value), allowed))
        raise argparse.ArgumentError(action, f"{_quoted(value)} is not one of {', '.join(allowed)}{hint}")


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """What `arguments` ask for. Raises WrongUsage, and SystemExit after help and version."""
    _require_command_first(parser, arguments)
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        command = subcommands(parser)[given.command]
        option = next((word for word in unknown if word.startswith("-") and word != "-"), None)
        if option is None:
            command.error(f"unexpected argument {_quoted(unknown[0])}")
        command.error(_unknown_option(option, _options(command)))
    return given


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parser of each subcommand, by name."""
    actions = parser._actions  # noqa: SLF001 - argparse has no other way to ask
    return next(dict(action.choices) for action in actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether `arguments`, be they right or wrong, ask for JSON."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The one of `known` that was probably meant by `word`."""
    if len(word) > _LONGEST_NAME:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - for slips of the finger only

    return next(iter(get_close_matches(word, list(known), n=1)), None)


def _require_command_first(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    first = next(iter(arguments), "")
    own = _options(parser)
    if not first.startswith("-") or first == "--" or first in own:
        return
    name = first.partition("=")[0]
    if any(name in _options(command) for command in subcommands(parser).values()):
        parser.error(f"{name} must come after the command")
    parser.error(_unknown_option(first, own))


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [text for action in parser._actions for text in action.option_strings]  # noqa: SLF001


def _unknown_option(word: str, known: Sequence[str]) -> str:
    name = word.partition("=")[0]
    whole = [option for option in known if len(name) > len("--") and option.startswith(name)]
    likely = whole[0] if len(whole) == 1 else nearest(name, known)
    return f"unknown option {_quoted(name)}{_meant(likely)}"


def _meant(word: str | None) -> str:
    return f"; did you mean {word!r}?" if word else ""


def _quoted(value: object) -> str:
    from minirag_mcp.shell import brief  # noqa: PLC0415 - right usage does without

    return repr(brief.shortened(str(value)))
