"""The security boundary: which paths may be used, how they are spelled, and how a file is opened.

Every decision is made on the real path, links followed, at the moment of use: a root may be mounted,
moved or re-linked while the program runs. Paths are strings here: containment is decided on the exact
characters the operating system takes and gives.
"""

# Path methods would say less, and cannot work relative to an open folder.
# ruff: noqa: PTH100, PTH110, PTH112, PTH116, PTH117, PTH118, PTH121, PTH123, PTH206

import errno
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from minirag_mcp.errors import (
    FileTooLargeError,
    MissingPathError,
    OutsideRootsError,
    RequestError,
    UnreadableFileError,
)
from minirag_mcp.model import FileStat, SourceKey

HIDDEN_PREFIXES = (".", "~$")
"""Hidden names, and the owner files that Office leaves beside an open document: never indexed."""

_MOST_READS = 3
"""A file that changes under our hands is read again; one that never rests is taken as last seen."""

_PIECE = 1024 * 1024
_FOLDER_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NEVER_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """One root as it stands now: `path` as the user spelled it, `real` with links followed."""

    path: str
    real: str

    def spelled(self, real: str) -> str:
        """The path under this root, as the user spelled it, of a real path inside it."""
        return self.path if real == self.real else os.path.join(self.path, os.path.relpath(real, self.real))


class Roots:
    """The configured folders. Nothing outside them is read, listed or named.

    A root that lies visibly inside another is covered by it: its files are spelled by the outer one.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = tuple(dict.fromkeys(os.path.abspath(path) for path in paths))
        self._labels = dict(zip(self._paths, _labels(self._paths), strict=True))

    @property
    def paths(self) -> tuple[Path, ...]:
        """The roots as configured, absolute, links not followed."""
        return tuple(Path(path) for path in self._paths)

    def standing(self) -> tuple[Root, ...]:
        """The roots that are not covered by another, outermost first, resolved now; they may be missing."""
        found: list[Root] = []
        for root in sorted(map(_root, self._paths), key=lambda root: root.real.count(os.sep)):
            if not any(_shows(outer.real, root.real) for outer in found):
                found.append(root)
        return tuple(found)

    def missing(self) -> tuple[Path, ...]:
        """The roots, as configured, that are no folder now."""
        return tuple(Path(path) for path in self._paths if not os.path.isdir(path))

    def contains(self, real: str) -> bool:
        """Whether a real path lies in a root."""
        return self._holder(real) is not None

    def covers(self, key: SourceKey) -> bool:
        """Whether a key is spelled as lying in a root, whatever stands there now."""
        return any(_within(key, path) for path in self._paths)

    def resolve(self, path: Path) -> Path:
        """The real path of something that exists inside a root.

        Raises RequestError (not absolute, NUL), OutsideRootsError and MissingPathError.
        """
        real = _real(path)
        self._require(real, path)
        try:
            os.stat(real)
        except OSError as error:
            raise _missing(path, error) from None
        return Path(real)

    def key(self, path: Path) -> SourceKey:
        """How a walk would spell this path, whether or not it exists.

        Links inside a root are kept; anything else is mapped through its real path.
        Raises RequestError and OutsideRootsError.
        """
        real = _real(path)
        self._require(real, path)
        given = os.path.normpath(path)
        direct = ".." not in path.parts and any(_within(given, root.path) for root in self.standing())
        return SourceKey(_as_listed(given if direct else self._respelled(given)))

    def require_visible(self, key: SourceKey) -> None:
        """Raises RequestError for a key that no walk comes by, since a name on its way below its root is hidden."""
        below = [os.path.relpath(key, path).split(os.sep) for path in self._paths if _within(key, path)]
        hidden = [[part for part in parts if part != "." and part.startswith(HIDDEN_PREFIXES)] for parts in below]
        if hidden and all(hidden):
            raise RequestError(
                f"{key} is not indexed, because the name {hidden[0][0]} is hidden.",
                remedy="Rename or copy it, or have its folder made a root of its own.",
            )

    def read(self, path: Path, *, limit: int) -> tuple[bytes, FileStat]:
        """The bytes of a regular file inside a root, at most `limit`, with its stat from before reading.

        The file is opened folder by folder without following links, so what is read is what was
        checked. Never waits on a pipe or device. Raises RequestError, AccessError,
        FileTooLargeError and UnreadableFileError.
        """
        real = str(self.resolve(path))
        root = self._require(real, path)
        try:
            if not stat.S_ISREG(os.stat(real).st_mode):
                raise UnreadableFileError(f"{path} is not a regular file.", remedy="Give the path of a document.")
            descriptor = _open_beneath(root.real, real)
            with open(descriptor, "rb", buffering=0) as file:
                return _settled(file.fileno(), path, limit)
        except FileNotFoundError as error:
            raise _missing(path, error) from None
        except OSError as error:
            raise UnreadableFileError(f"{path} cannot be read: {error.strerror or error}.") from None

    def display(self, key: SourceKey) -> str:
        """`key` relative to its innermost root, after the root's name if there are several roots.

        Data ids and URLs, and files of roots that are no longer configured, are shown as they are.
        """
        root = max((path for path in self._paths if _within(key, path)), key=len, default=None)
        if root is None:
            return str(key)
        relative = os.path.relpath(key, root)
        return relative if len(self._paths) == 1 else os.path.normpath(os.path.join(self._labels[root], relative))

    def scope(self, text: str) -> SourceKey:
        """The key that `text` means: an absolute path, a path as displayed, a data id or a URL prefix.

        A path that exists in no root as displayed is taken as an id. Raises RequestError and OutsideRootsError.
        """
        if not text.strip():
            raise RequestError("The scope is empty; give a path, a source id or a URL prefix.")
        if os.path.isabs(text):
            return self.key(Path(text))
        paths = self._displayed(text)
        for path in paths:
            self._require_beneath(path)
        return next((self.key(path) for path in paths if os.path.exists(path)), SourceKey(text.rstrip("/")))

    def displayed(self, text: str) -> tuple[SourceKey, ...]:
        """The keys that would be shown as `text`, whether or not anything is there."""
        keys = (SourceKey(os.path.normpath(path)) for path in self._displayed(text) if text and not os.path.isabs(text))
        return tuple(key for key in keys if self.covers(key))

    def _displayed(self, text: str) -> list[Path]:
        if "\0" in text or "://" in text:
            return []
        if len(self._paths) == 1:
            return [Path(self._paths[0], text)]
        wanted = os.path.normpath(text)
        return [
            Path(path, os.path.relpath(wanted, label)) for path, label in self._labels.items() if _within(wanted, label)
        ]

    def _holder(self, real: str) -> Root | None:
        roots = [_root(path) for path in self._paths]
        return next((root for root in roots if _within(real, root.real)), None) or _same_folder(real, roots)

    def _require(self, real: str, path: Path) -> Root:
        root = self._holder(real)
        if root is None:
            raise OutsideRootsError(f"{path} is outside the configured document roots.")
        return root

    def _require_beneath(self, path: Path) -> None:
        """Raises OutsideRootsError, alike whether or not anything is there: by the letters, then by links followed."""
        if not self.covers(SourceKey(os.path.normpath(path))):
            raise OutsideRootsError(f"{path} is outside the configured document roots.")
        self._require(_real(path), path)

    def _respelled(self, given: str) -> str:
        """The folder's real path under its root's spelling, and the last name as it is: it may be a link."""
        folder, name = os.path.split(given)
        real = os.path.realpath(folder)
        inside = [root for root in self.standing() if _within(real, root.real)]
        if inside:
            return os.path.join(inside[0].spelled(real), name)
        real = os.path.realpath(given)
        root = next(root for root in map(_root, self._paths) if _within(real, root.real) or _same_folder(real, [root]))
        return root.spelled(real) if _within(real, root.real) else given


def change_stat(result: os.stat_result) -> FileStat:
    """Size and time of last change.

    The later of content and status change is taken: a rename, or a tool that sets the content time back,
    still moves the status time, so files that trade names or keep their dates are not taken as unchanged.
    """
    return FileStat(size=result.st_size, mtime_ns=max(result.st_mtime_ns, result.st_ctime_ns))


def _root(path: str) -> Root:
    return Root(path=path, real=os.path.realpath(path))


def _real(path: Path) -> str:
    text = str(path)
    if "\0" in text:
        raise RequestError("The path holds a NUL character.")
    if not path.is_absolute():
        raise RequestError(f"The path {text!r} is not absolute.")
    try:
        return os.path.realpath(text)
    except ValueError as error:
        raise RequestError(f"The path {text!r} cannot be used: {error}.") from None
    except OSError as error:
        raise _missing(path, error) from None  # a link was replaced while it was being followed


def _missing(path: Path, error: OSError) -> MissingPathError:
    if error.errno == errno.ELOOP:
        return MissingPathError(f"{path} is a link that leads back to itself.")
    if isinstance(error, PermissionError):
        return MissingPathError(f"{path} cannot be seen: a folder above it may not be entered.")
    return MissingPathError(f"Nothing exists at {path}.")


def _within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies under it; matching stops at separators."""
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def _shows(outer: str, inner: str) -> bool:
    """Whether a walk of `outer` comes by `inner`: inside, and not behind a name that starts with a dot."""
    if not _within(inner, outer):
        return False
    return not any(part.startswith(".") and part != "." for part in os.path.relpath(inner, outer).split(os.sep))


def _same_folder(real: str, roots: Sequence[Root]) -> Root | None:
    """The root that a path lies in when their letters differ but the file system says it is one folder.

    Only a file system that ignores case, or the form of accents, lets two spellings name one folder.
    """
    folded = real.casefold()
    for root in roots:
        depth = root.real.rstrip(os.sep).count(os.sep) + 1
        head = os.sep.join(real.split(os.sep)[:depth])
        if len(head) == len(root.real) and folded.startswith(root.real.casefold()) and _is_same(head, root.real):
            return Root(path=root.path, real=head)
    return None


def _is_same(first: str, second: str) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False


def _as_listed(path: str) -> str:
    """`path` with its last name as its folder lists it, where the file system takes another spelling too."""
    folder, name = os.path.split(path)
    try:
        wanted = os.lstat(path)
        if not _is_same(os.path.join(folder, name.swapcase()), path):
            return path
        listed = [entry.name for entry in os.scandir(folder) if entry.inode() == wanted.st_ino]
    except OSError:
        return path
    return path if name in listed or not listed else os.path.join(folder, listed[0])


def _labels(paths: Sequence[str]) -> list[str]:
    """The shortest endings that tell the roots apart."""
    parts = [path.strip(os.sep).split(os.sep) for path in paths]
    longest = max(map(len, parts), default=0)
    for length in range(1, longest + 1):
        labels = [os.sep.join(part[-length:]) for part in parts]
        if len(set(labels)) == len(labels):
            return labels
    return list(paths)


def _open_beneath(root: str, real: str) -> int:
    """Open `real` one name at a time from `root`, refusing links that appeared since it was resolved."""
    if os.open not in os.supports_dir_fd:  # pragma: no cover - Windows
        return os.open(real, os.O_RDONLY | _NEVER_FOLLOW | _NEVER_WAIT)
    *folders, name = os.path.relpath(real, root).split(os.sep)
    here = os.open(root, _FOLDER_FLAGS | _NEVER_FOLLOW)
    try:
        for folder in folders:
            above, here = here, os.open(folder, _FOLDER_FLAGS | _NEVER_FOLLOW, dir_fd=here)
            os.close(above)
        return os.open(name, os.O_RDONLY | _NEVER_FOLLOW | _NEVER_WAIT, dir_fd=here)
    finally:
        os.close(here)


def _settled(descriptor: int, path: Path, limit: int) -> tuple[bytes, FileStat]:
    """Read until two stats around a read agree, a few times at most."""
    data, before = b"", os.fstat(descriptor)
    for _ in range(_MOST_READS):
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise UnreadableFileError(f"{path} is not a regular file.", remedy="Give the path of a document.")
        if before.st_size > limit:
            raise _too_large(path, before.st_size, limit)
        data = _read_all(descriptor, limit)
        if len(data) > limit:
            raise _too_large(path, len(data), limit)
        if change_stat(os.fstat(descriptor)) == change_stat(before):
            break
    return data, change_stat(before)


def _read_all(descriptor: int, limit: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    pieces: list[bytes] = []
    left = limit + 1
    while left > 0 and (piece := os.read(descriptor, min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _too_large(path: Path, size: int, limit: int) -> FileTooLargeError:
    return FileTooLargeError(f"{path} has {size:,} bytes or more; MAX_FILE_SIZE is {limit:,}.")
