"""Findings in few words."""

import os
from pathlib import Path

from minirag_mcp.errors import MiniragError
from minirag_mcp.model import Command, Finding, Verdict

MOST_NAMED = 3
"""Names in one finding: enough to know what it is about."""


def ok(message: str) -> Finding:
    """All is well."""
    return Finding(verdict=Verdict.OK, message=message)


def skipped(message: str) -> Finding:
    """Could not be looked at; `message` says why."""
    return Finding(verdict=Verdict.SKIPPED, message=message)


def warn(message: str, fix: str, *commands: Command) -> Finding:
    """Works, but less well than it might."""
    return Finding(verdict=Verdict.WARN, message=message, fix=fix, commands=commands)


def fail(message: str, fix: str, *commands: Command) -> Finding:
    """Does not work."""
    return Finding(verdict=Verdict.FAIL, message=message, fix=fix, commands=commands)


def failure(error: MiniragError) -> Finding:
    """What an error says."""
    return fail(error.message, error.remedy)


def product(*words: str, **variables: str) -> Command:
    """A command of this program."""
    return Command(words=("minirag-mcp", *words), variables=tuple(variables.items()))


def command(*words: str) -> Command:
    """A command of the system."""
    return Command(words=words)


def counted(number: int, noun: str) -> str:
    """A number and its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def named(names: list[str]) -> str:
    """The first few names, and how many more."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def permission(path: Path, wanted: str) -> tuple[str, tuple[Command, ...]]:
    """What to do, and the command, so that this user gets the rights `wanted` (as chmod writes them)."""
    if os.name != "posix":
        return "Give this user permission in the properties of the folder.", ()
    if _is_own(path):
        return "Give yourself permission.", (command("chmod", f"u+{wanted}", str(path)),)
    return f"Have its owner, {_owner(path)}, or an administrator give this user permission.", ()


def _is_own(path: Path) -> bool:
    try:
        return path.stat().st_uid == os.geteuid()
    except OSError:
        return False


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except (OSError, KeyError):
        return "unknown"
