"""One sync at a time per index, across processes: an advisory lock that dies with its process."""

import contextlib
import errno
import json
import os
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from minirag_mcp.errors import StoreError, SyncBusyError
from minirag_mcp.store.home import make_home

LOCK_NAME = ".sync.lock"

_TAKEN = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})

if sys.platform == "win32":  # pragma: no cover - Windows
    import msvcrt

    _FAR = 1 << 30  # Windows locks hide the bytes they cover, and the holder's name must stay readable

    def _seize(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

    _share = _seize

else:
    import fcntl

    def _seize(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _share(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds the lock, as it wrote itself; `started` in seconds since the epoch."""

    pid: int
    host: str
    started: float

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, which started it {_age(time.time() - self.started)} ago"


class SyncLock:
    """Context manager around a sync; the folder is made if it is missing.

    Entering raises SyncBusyError, naming the holder, if any process has it (this one included), and
    StoreError if the folder cannot be written. The operating system frees it when the process ends.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_NAME
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        descriptor = self._open()
        try:
            _seize(descriptor)
        except OSError as error:
            holder = _read_holder(descriptor)
            os.close(descriptor)
            if error.errno not in _TAKEN:
                raise self._unusable(error) from None
            raise SyncBusyError(f"This index is being synced by {holder or 'another process'}.") from None
        _write_holder(descriptor)
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _open(self) -> int:
        try:
            make_home(self._path.parent)
            return os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError as error:
            raise self._unusable(error) from None

    def _unusable(self, error: OSError) -> StoreError:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return StoreError(
            f"The index folder {self._path.parent} cannot be written or locked: {error.strerror or error}.",
            remedy=f"{'Free some space on that disk' if full else 'Give this user permission to write there'}, "
            "or choose another folder with DB_PATH.",
        )


def who_syncs(folder: Path) -> str:
    """Who holds the lock, in words; nothing when it is free. Makes no file. Raises StoreError."""
    path = folder / LOCK_NAME
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise StoreError(f"The lock {path} cannot be looked at: {error.strerror or error}.") from None
    try:
        _share(descriptor)
    except OSError:
        return str(_read_holder(descriptor) or "another process")
    finally:
        os.close(descriptor)
    return ""


def _write_holder(descriptor: int) -> None:
    """Name ourselves for whoever is refused; on a full disk the lock holds all the same, without a name."""
    holder = {"pid": os.getpid(), "host": platform.node(), "started": time.time()}
    with contextlib.suppress(OSError):
        os.truncate(descriptor, 0)
        os.write(descriptor, json.dumps(holder).encode())


def _read_holder(descriptor: int) -> Holder | None:
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        found = json.loads(os.read(descriptor, 4096))
        return Holder(pid=int(found["pid"]), host=str(found["host"]), started=float(found["started"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _age(seconds: float) -> str:
    whole = max(0, int(seconds))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if whole >= size:
            count = whole // size
            return f"{count} {unit}{'s' if count > 1 else ''}"
    return f"{whole} second{'' if whole == 1 else 's'}"
