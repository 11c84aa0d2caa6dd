"""The files of an index, for those who begin anew."""

# Path.is_file raises where the folder may not be entered.
# ruff: noqa: PTH113

import os
import time
from pathlib import Path

from minirag_mcp.store.database import FILE_NAME
from minirag_mcp.store.faults import classified
from minirag_mcp.store.schema import APPLICATION

_SQLITE = b"SQLite format 3\0"
_APPLICATION_AT = slice(68, 72)
"""Where a database says whose it is (SQLite, "Database File Format", 1.3)."""


def own_files(folder: Path) -> tuple[Path, ...]:
    """The database with its log and the log's index, those that are there; none if it is another program's."""
    found = tuple(path for end in ("", "-wal", "-shm") if os.path.isfile(path := folder / f"{FILE_NAME}{end}"))
    return () if _is_foreign(folder / FILE_NAME) else found


def remove(folder: Path) -> None:
    """Delete an index; what is no part of one stays. Raises StoreError."""
    for path in own_files(folder):
        try:
            path.unlink()
        except OSError as error:
            raise classified(error, folder / FILE_NAME) from error


def set_aside(folder: Path) -> Path | None:
    """Give an index that cannot be read another name beside it; None if it is another program's. Raises StoreError."""
    stamp = f"damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    found = own_files(folder)
    for path in found:
        try:
            path.rename(path.with_name(path.name.replace(FILE_NAME, f"index.{stamp}.db", 1)))
        except OSError as error:
            raise classified(error, folder / FILE_NAME) from error
    return folder / f"index.{stamp}.db" if found else None


def _is_foreign(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            head = opened.read(100)
    except OSError:  # whose it is shows when it can be read
        return False
    return head.startswith(_SQLITE) and head[_APPLICATION_AT] != APPLICATION.to_bytes(4, "big")
