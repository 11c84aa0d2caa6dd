"""Completes command lines: argcomplete asks the parser, and this adds the names that are indexed."""

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from minirag_mcp.shell.cli_usage import subcommands
from minirag_mcp.shell.product import NAME

_MOST_NAMES = 500
"""More than anyone reads; a shell sorts and filters them at every key."""

_NAMED = {
    ("read", "path"): "names",
    ("delete", "path"): "names",
    ("read", "source"): "names",
    ("delete", "source"): "names",
    ("read-neighbors", "source"): "names",
    ("query", "scope"): "scopes",
    ("list", "scope"): "scopes",
}
"""Which arguments take the name of something indexed, or of a folder of such."""

_FOLDERS = frozenset({"base_dir", "db_path", "cache_dir"})
_NOTHING = frozenset({"query", "url", "title", "parent_id"})
"""Free text, for which the names of files would be wrong."""


def script(shell: str) -> str:
    """What `shell` (bash, zsh, fish or powershell) runs to complete the product's command lines."""
    from argcomplete.shell_integration import shellcode  # noqa: PLC0415 - for completion only

    return shellcode([NAME], shell=shell)


def answer(parser: argparse.ArgumentParser) -> NoReturn:
    """Say what may stand where the cursor is, and end the process. Never fails, never writes to the index."""
    from argcomplete.completers import DirectoriesCompleter, SuppressCompleter  # noqa: PLC0415
    from argcomplete.finders import CompletionFinder  # noqa: PLC0415

    for command, own in subcommands(parser).items():
        for action in own._actions:  # noqa: SLF001 - argparse has no other way to ask
            completer: object = None
            if action.dest in _FOLDERS:
                completer = DirectoriesCompleter()
            elif (command, action.dest) in _NAMED:
                completer = _Indexed(folders=_NAMED[command, action.dest] == "scopes", files=action.dest != "source")
            elif action.dest in _NOTHING or (action.dest == "source" and not action.choices):
                completer = SuppressCompleter()
            if completer is not None:
                vars(action)["completer"] = completer  # where argcomplete looks for it
    CompletionFinder()(parser, always_complete_options=False)
    os._exit(0)


class _Indexed:
    """The names under which sources are displayed, level by level, and the files that are here."""

    def __init__(self, *, folders: bool, files: bool) -> None:
        self._folders = folders
        self._files = files

    def __call__(self, *, prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
        """What may stand for `prefix`."""
        from argcomplete.completers import FilesCompleter  # noqa: PLC0415

        here = list(FilesCompleter()(prefix)) if self._files else []
        with suppress(Exception):  # a terminal that completes is no place for errors
            here += next_names(_displayed(parsed_args), prefix, folders=self._folders)
        return list(dict.fromkeys(here))


def next_names(names: Sequence[str], prefix: str, *, folders: bool) -> list[str]:
    """Those of `names` that continue `prefix`, each up to its next `/`; folders whole when `folders` may be named."""
    found: dict[str, None] = {}
    for name in names:
        if not name.startswith(prefix) or not name.isprintable():
            continue
        end = name.find("/", len(prefix)) + 1
        # The parts of an address are no levels: `https:` alone names nothing.
        found[name[:end] if end and "://" not in name else name] = None
    if not folders and len(found) == 1 and next(iter(found)).endswith("/"):
        return next_names(names, next(iter(found)), folders=folders)
    return list(found)[:_MOST_NAMES]


def _displayed(given: argparse.Namespace) -> list[str]:
    from minirag_mcp.config import Flags  # noqa: PLC0415
    from minirag_mcp.shell.opening import Opener  # noqa: PLC0415

    flags = Flags(
        base_dirs=tuple(getattr(given, "base_dir", None) or ()),
        db_path=getattr(given, "db_path", None),
        cache_dir=getattr(given, "cache_dir", None),
        model_name=getattr(given, "model_name", None),
    )
    opener = Opener(flags)
    if not opener.settings().db_path.is_dir():
        return []
    library = opener.library()
    return [library.display_path(record.key) for record in library.indexed()]
