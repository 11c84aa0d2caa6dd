"""The folder of an index, whoever comes first: for this user alone, and kept out of version control."""

import errno
import os
from contextlib import suppress
from pathlib import Path


def make_home(folder: Path) -> None:
    """Make `folder` unless it is there. Only one that is made here tells git to leave it out. Raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700)  # it holds what the documents say
    except FileExistsError:
        if folder.is_dir():
            return
        raise
    ignored = folder / ".gitignore"
    try:
        write_new(ignored, b"*\n")
    except OSError:
        with suppress(OSError):
            ignored.unlink(missing_ok=True)
            folder.rmdir()
        raise


def require_possible(folder: Path) -> None:
    """Raises OSError when `folder` is none, or cannot be made: an index there is not empty but a mistake."""
    standing = next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(path))
    if not standing.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(standing))
    if standing.resolve().is_relative_to("/proc") or standing.resolve().is_relative_to("/sys"):
        raise PermissionError(errno.EPERM, "the kernel's own folder keeps no files", str(standing))
    if not os.access(standing, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(standing))


def write_new(path: Path, data: bytes) -> None:
    """Make the file, for this user alone. Raises FileExistsError, OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)
