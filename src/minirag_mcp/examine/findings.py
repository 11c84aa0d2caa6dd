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


def permission(wanted: str, *paths: Path) -> tuple[str, tuple[Command, ...]]:
    """What to do, and the command, so that this user gets the rights `wanted` (as chmod writes them) to all paths."""
    if os.name != "posix":
        return "Give this user permission in the properties of the folder.", ()
    owners = {_owner(path) for path in paths}
    if owners == {os.geteuid()}:
        return "Give yourself permission.", (command("chmod", f"u+{wanted}", *map(str, paths)),)
    return f"Have {_named_user(owners)}, who owns it, or an administrator give this user permission.", ()


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _named_user(owners: set[int | None]) -> str:
    """The first owner that is another user, by name where it has one."""
    import pwd  # noqa: PLC0415 - POSIX only

    other = next((owner for owner in owners if owner not in (None, os.geteuid())), None)
    try:
        return "another user" if other is None else pwd.getpwuid(other).pw_name
    except KeyError:
        return f"user {other}"
