"""The document roots: are they there, may they be read, are they what was meant?"""

import os
from collections.abc import Iterator
from pathlib import Path

from minirag_mcp.config import Settings
from minirag_mcp.examine.findings import counted, fail, ok, permission, warn
from minirag_mcp.ingest.ground import correction
from minirag_mcp.ingest.walk import is_bare
from minirag_mcp.model import Finding


def examine_roots(settings: Settings) -> list[Finding]:
    """One finding for each root that is not as it should be, or one for all."""
    setting = settings.roots_setting
    index = os.path.realpath(settings.db_path)
    found = [finding for root in settings.roots for finding in _root(root, setting, index)]
    found += _overlapping(settings.roots, setting)
    names = ", ".join(map(str, settings.roots))
    return found or [ok(f"{counted(len(settings.roots), 'root')}, there and readable: {names} ({setting})")]


def _root(root: Path, setting: str, index: str) -> Iterator[Finding]:
    if not os.path.isdir(root):  # noqa: PTH112 - Path.is_dir raises where a folder above may not be entered
        what = "is not a folder" if os.path.lexists(root) else "does not exist, or a folder above may not be entered"
        yield fail(f"The root {root} {what}.", correction(setting))
        return
    if not os.access(root, os.R_OK | os.X_OK):
        step, commands = permission("rx", root)
        yield fail(f"The root {root} may not be read.", step, *commands)
        return
    try:
        next(root.iterdir(), None)
    except OSError as error:
        yield fail(
            f"The root {root} cannot be read: {error.strerror or error}.", "Check the disk that holds it and its mount."
        )
        return
    if is_bare(str(root), index=index):
        yield warn(
            f"The root {root} is empty, as an unmounted drive looks; what was indexed from it is kept.",
            f"Mount the drive, or put documents there. {correction(setting)}",
        )
    if _is_vast(root):
        yield warn(
            f"The root {root} holds everything of a user or of the machine: syncing takes long, and whoever may ask "
            "the index may read all of it.",
            correction(setting),
        )


def _is_vast(root: Path) -> bool:
    real = os.path.realpath(root)
    return real in (os.path.realpath(Path(real).anchor), os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - Path.home raises where there is none


def _overlapping(roots: tuple[Path, ...], setting: str) -> Iterator[Finding]:
    """Roots that are, or lie visibly in, another one: it covers them."""
    seen: dict[str, Path] = {}
    for root in sorted(roots, key=lambda root: (os.path.realpath(root).count(os.sep), str(root))):
        real = os.path.realpath(root)
        outer = next((outer for outer in seen if _shows(outer, real)), None)
        if outer is None:
            seen[real] = root
            continue
        how = f"is the same folder as {seen[outer]}" if outer == real else f"lies in the root {seen[outer]}"
        yield warn(f"The root {root} {how}, which covers it.", f"Leave {root} out of {setting}.")


def _shows(outer: str, inner: str) -> bool:
    if outer == inner:
        return True
    return Path(inner).is_relative_to(outer) and not any(
        part.startswith(".") for part in Path(inner).relative_to(outer).parts
    )
