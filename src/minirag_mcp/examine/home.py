"""The index folder: can it be used, is there room, and who else may read it?"""

# Path.is_dir and Path.exists raise where a folder above may not be entered.
# ruff: noqa: PTH110, PTH112

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from minirag_mcp.config import Settings
from minirag_mcp.examine.findings import command, fail, named, ok, permission, skipped, warn
from minirag_mcp.model import Finding
from minirag_mcp.store.files import own_files

_LITTLE_SPACE = 200 * 1000**2
"""Bytes: some 2,800 documents of the corpus measured take 77 MB, and as much again while they are replaced."""

_PROBE = bytes(64 * 1024)
"""What is written to see whether writing works: more than a file system keeps beside its directory entry."""

_TELLS_GIT = frozenset({"*", "index.db", "index.db*", "*.db", "/index.db*"})


def examine_home(settings: Settings) -> list[Finding]:
    """One finding for each thing that is wrong with the folder, or one for all."""
    home = Path(os.path.normpath(settings.db_path))
    missing = next((r for r in settings.roots if home.is_relative_to(r) and not os.path.isdir(r)), None)
    if missing is not None:
        return [skipped(f"{home} would be made in the root {missing}, which is no folder.")]
    standing = next((path for path in (home, *home.parents) if os.path.lexists(path)), Path(home.anchor))
    if not os.path.isdir(standing):
        return [
            fail(
                f"The index cannot be at {home}: {standing} is not a folder.",
                "Give DB_PATH (or --db-path) a folder, one that exists or one that can be made.",
            )
        ]
    if standing != home:
        return list(_unwritable(standing)) or [ok(f"{home} does not exist yet; the first sync makes it.")]
    found = [
        *(list(_unwritable(home)) or _unspacious(home)),
        *_shut_files(home),
        *_open_to_others(home),
        *_seen_by_git(home),
    ]
    return found or [ok(f"{home} can be written; {_size(home)}, {_millions(shutil.disk_usage(home).free)} free")]


def _unwritable(folder: Path) -> Iterator[Finding]:
    if os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return
    if _is_read_only(folder):
        yield fail(f"{folder} is on a disk that may only be read.", _ELSEWHERE)
        return
    step, commands = permission("rwx", folder)
    yield fail(f"The index folder {folder} may not be written.", f"{step} Or: {_ELSEWHERE}", *commands)


_ELSEWHERE = "Choose another folder for the index with DB_PATH (or --db-path)."


def _unspacious(folder: Path) -> list[Finding]:
    free = shutil.disk_usage(folder).free
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".probe-") as probe:
            probe.write(_PROBE)
            probe.flush()
    except OSError as error:
        message = f"Nothing can be written to {folder}: {error.strerror or error} ({_millions(free)} free)."
        return [fail(message, f"Free some space on that disk. Or: {_ELSEWHERE}")]
    if free < _LITTLE_SPACE:
        return [warn(f"The disk of {folder} has {_millions(free)} left.", f"Free some space there. Or: {_ELSEWHERE}")]
    return []


def _shut_files(folder: Path) -> Iterator[Finding]:
    """Files of an index that another user made, or that lost their rights."""
    files = (*own_files(folder), folder / ".sync.lock")
    shut = [path for path in files if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK)]
    if shut:
        step, commands = permission("rw", *shut)
        yield fail(f"What may not be read and written: {named([str(path) for path in shut])}.", step, *commands)


def _open_to_others(folder: Path) -> Iterator[Finding]:
    """The index holds what the documents say: others who may enter the folder should not read it."""
    if os.name != "posix" or not folder.stat().st_mode & (stat.S_IXGRP | stat.S_IXOTH):
        return
    opened = [path for path in own_files(folder) if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    if opened:
        names = named([str(path) for path in opened])
        yield warn(
            f"Other users of this machine may read the text of your documents in {names}.",
            "Keep them out.",
            command("chmod", "go-rwx", *map(str, opened)),
        )


def _seen_by_git(folder: Path) -> Iterator[Finding]:
    tree = next((path for path in folder.parents if os.path.exists(path / ".git")), None)
    if tree is None:
        return
    ignored = folder / ".gitignore"
    try:
        lines = set(ignored.read_text("utf-8", "replace").split())
    except OSError:
        lines = set()
    if not lines & _TELLS_GIT:
        yield warn(
            f"The index lies in the git working tree {tree}, and no .gitignore beside it leaves it out: "
            "the text of your documents could be committed.",
            f"Add the line index.db* to {ignored}.",
        )


def _is_read_only(folder: Path) -> bool:
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _size(folder: Path) -> str:
    files = own_files(folder)
    return f"the index takes {_millions(sum(path.stat().st_size for path in files))}" if files else "no index in it yet"


def _millions(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"  # noqa: PLR2004 - where the unit changes
