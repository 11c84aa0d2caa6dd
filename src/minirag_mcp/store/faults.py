"""Foreign exceptions become the product's own here, and nowhere else in this room."""

import errno
import json
import shutil
import zlib
from pathlib import Path

import apsw

from minirag_mcp.errors import IndexBusyError, IndexDamagedError, StoreError
from minirag_mcp.store.shape import MisshapenError

FOREIGN = (apsw.Error, OSError, zlib.error, json.JSONDecodeError, UnicodeError, MisshapenError)
"""What SQLite, the file system and the decoding of stored bytes may raise."""

_BUSY = (apsw.BusyError, apsw.LockedError)
_DAMAGED = (
    apsw.CorruptError,
    apsw.FormatError,
    apsw.SQLError,  # our own SQL is tested, so a table or column is missing
    zlib.error,
    json.JSONDecodeError,
    UnicodeDecodeError,
    MisshapenError,
)
_DENIED = (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError, PermissionError)
_SMALLEST_FREE = 64 * 1024
"""Bytes: room for the index of a log, which takes 32 KiB, and a page or two."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def classified(error: BaseException, file: Path) -> StoreError:
    """The StoreError that says what `error`, raised while using the database `file`, means to a user."""
    if isinstance(error, _BUSY):
        return IndexBusyError(f"The index {file} is being written by another process.")
    if isinstance(error, apsw.NotADBError):
        return IndexDamagedError(
            f"The file {file} is no index, or a destroyed one: {error}.",
            remedy=f"If it is another program's, choose another DB_PATH; if it was an index, {_renewed(file)}.",
        )
    if isinstance(error, _DAMAGED):
        return damaged(file, str(error))
    if is_full(error, file):
        return StoreError(
            f"There is no space left to write the index {file}; what it held is unchanged.",
            remedy="Free some space on that disk, or choose another DB_PATH, and try again.",
        )
    if isinstance(error, NotADirectoryError | FileExistsError):
        return StoreError(
            f"The index cannot be at {file.parent}: {error.filename or file.parent} is not a folder.",
            remedy="Give DB_PATH a folder, one that exists or one that can be made.",
        )
    if isinstance(error, _DENIED) or (isinstance(error, OSError) and error.errno == errno.EROFS):
        return StoreError(
            f"The index {file} may not be opened or written: {error}.",
            remedy="Give this user permission to write the DB_PATH folder, or choose another DB_PATH.",
        )
    return StoreError(
        f"The index {file} could not be used: {error}.",
        remedy="Check the disk that holds DB_PATH (free space, errors, connection), or choose another DB_PATH.",
    )


def is_full(error: BaseException, file: Path) -> bool:
    """Whether `error` says, or comes from, a lack of space; SQLite tells that of a failed write only."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    if not isinstance(error, (apsw.IOError, apsw.CantOpenError)):
        return isinstance(error, apsw.FullError)
    if getattr(error, "extendedresult", None) == apsw.SQLITE_IOERR_SHMSIZE:
        return True
    try:
        return shutil.disk_usage(file.parent).free < _SMALLEST_FREE
    except OSError:
        return False


def damaged(file: Path, reason: str) -> IndexDamagedError:
    """The index `file` holds what this program never wrote."""
    remedy = _renewed(file)
    return IndexDamagedError(f"The index {file} cannot be read: {reason}.", remedy=f"{remedy[0].upper()}{remedy[1:]}.")


def foreign(file: Path) -> IndexDamagedError:
    """The database `file` belongs to another program."""
    return IndexDamagedError(
        f"The file {file} is a database of another program, not an index.",
        remedy="Choose another folder for the index with DB_PATH, and leave that file alone.",
    )


def exchanged(file: Path) -> StoreError:
    """The file that was written is not, or no longer, the one that everybody finds."""
    return StoreError(
        f"The index {file} was deleted or exchanged while it was being written; what was written is lost.",
        remedy="Run `minirag-mcp sync` again, which indexes what is missing, and ingest again what is no file.",
    )


def _renewed(file: Path) -> str:
    """How to begin anew; the folder may hold what is not ours."""
    return (
        f"delete the file {file}, with {file.name}-wal and {file.name}-shm beside it if they are there, "
        "and run `minirag-mcp sync`, which indexes your files again"
    )
