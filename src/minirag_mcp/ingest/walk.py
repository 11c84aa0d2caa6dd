"""Which supported files lie under the roots, by name and stat alone; nothing is opened."""

# One Path per file would cost more than its stat.
# ruff: noqa: PTH112, PTH116, PTH118, PTH122

import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from minirag_mcp.errors import MissingPathError, RequestError, UnsupportedFormatError
from minirag_mcp.ingest.guard import HIDDEN_PREFIXES, Roots, change_stat
from minirag_mcp.model import FileEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What a walk found.

    files     ordered by path, each path once
    unlisted  folders that could not be read whole, a missing root, or a root without any entry
              but the index (an unmounted drive looks like that): nothing is known about what lies under them
    """

    files: tuple[FileEntry, ...]
    unlisted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folder:
    path: str
    real: str
    linked: bool = False


@dataclass(slots=True)
class _Walk:
    roots: Roots
    suffixes: Collection[str]
    skip: str
    files: dict[str, FileEntry] = field(default_factory=dict)
    unlisted: set[str] = field(default_factory=set)

    def under(self, start: _Folder) -> None:
        """Note everything wanted in and below a folder."""
        waiting = [start]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(folder.path) as entries:
                    waiting.extend(self._visit(folder, entries))
            except OSError:
                self.unlisted.add(folder.path)

    def _visit(self, folder: _Folder, entries: Iterator["os.DirEntry[str]"]) -> Iterator[_Folder]:
        for entry in entries:
            if entry.name.startswith(HIDDEN_PREFIXES):
                continue
            try:
                if entry.is_symlink():
                    yield from self._follow(folder, entry)
                elif entry.is_dir(follow_symlinks=False):
                    yield from self._enter(entry.path, os.path.join(folder.real, entry.name), linked=folder.linked)
                elif self.wanted(entry.name):
                    self.keep(entry.path, entry.stat(follow_symlinks=False))
            except FileNotFoundError:
                continue  # gone since the folder was listed

    def _follow(self, folder: _Folder, entry: "os.DirEntry[str]") -> Iterator[_Folder]:
        """A link counts if it stays inside a root; a linked folder is not searched for further folder links.

        That, and never entering a folder that holds the link, keeps any web of links finite.
        """
        try:
            real = os.path.realpath(entry.path, strict=True)
            target = os.stat(real)
        except OSError:
            return
        if not self.roots.contains(real) or self.is_index(real):
            return
        if not stat.S_ISDIR(target.st_mode):
            if self.wanted(entry.name):
                self.keep(entry.path, target)
        elif not folder.linked and not f"{folder.real}{os.sep}".startswith(f"{real}{os.sep}"):
            yield from self._enter(entry.path, real, linked=True)

    def _enter(self, path: str, real: str, *, linked: bool) -> Iterator[_Folder]:
        if real != self.skip:
            yield _Folder(path=path, real=real, linked=linked)

    def is_index(self, real: str) -> bool:
        """Whether a real path is the index folder or lies in it."""
        return real == self.skip or real.startswith(self.skip + os.sep)

    def wanted(self, name: str) -> bool:
        """Whether some parser takes a file of this name."""
        return os.path.splitext(name)[1].lower() in self.suffixes

    def keep(self, path: str, result: os.stat_result) -> None:
        """Note a regular file; pipes, sockets and devices are no documents."""
        if stat.S_ISREG(result.st_mode):
            self.files[path] = FileEntry(path=path, stat=change_stat(result))


def walk(roots: Roots, suffixes: Collection[str], start: Path | None, skip: Path) -> Walked:
    """List the supported files under all roots, or under `start`, leaving out the index folder `skip`.

    `start` is one file or folder inside a root; a missing one lists nothing if its root stands.
    Raises RequestError (also for a hidden name and for the index folder), OutsideRootsError, and
    UnsupportedFormatError for a file that no parser takes.
    """
    search = _Walk(roots=roots, suffixes=suffixes, skip=os.path.realpath(skip))
    for root in roots.standing():
        if not os.path.isdir(root.real) or is_bare(root.real, index=search.skip):
            search.unlisted.add(root.path)
        elif start is None:
            search.under(_Folder(path=root.path, real=root.real))
    if start is not None:
        _walk_from(search, start)
    files = tuple(search.files[path] for path in sorted(search.files))
    return Walked(files=files, unlisted=tuple(sorted(search.unlisted)))


def _walk_from(search: _Walk, start: Path) -> None:
    key = search.roots.key(start)
    search.roots.require_visible(key)
    try:
        real = search.roots.resolve(Path(key))
    except MissingPathError:
        return
    if search.is_index(str(real)):
        raise RequestError(f"{start} lies in the index folder, which is not indexed itself.")
    if real.is_dir():
        search.under(_Folder(path=key, real=str(real)))
    elif search.wanted(key):
        search.keep(key, os.stat(real))
    else:
        raise UnsupportedFormatError(f"{start} has no supported file name extension.")


def is_bare(folder: str, *, index: str) -> bool:
    """Whether a folder holds nothing but, perhaps, the real path `index` of the index and folders that lead to it."""
    try:
        with os.scandir(folder) as entries:
            return all(_is_of_index(entry, index) for entry in entries)
    except OSError:
        return False


def _is_of_index(entry: "os.DirEntry[str]", index: str) -> bool:
    real = os.path.realpath(entry.path)
    if real == index:
        return True
    if entry.is_symlink() or not index.startswith(real + os.sep):
        return False
    return entry.name.startswith(HIDDEN_PREFIXES) or is_bare(real, index=index)
