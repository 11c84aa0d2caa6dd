"""The files of an index, for those who set a damaged one aside."""

# Path.is_file raises where the folder may not be entered.
# ruff: noqa: PTH113

import os
from pathlib import Path

from minirag_mcp.store.database import FILE_NAME
from minirag_mcp.store.schema import APPLICATION

_SQLITE = b"SQLite format 3\0"
_APPLICATION_AT = slice(68, 72)
"""Where a database says whose it is (SQLite, "Database File Format", 1.3)."""


def own_files(folder: Path) -> tuple[Path, ...]:
    """The database with its log and the log's index, those that are there; none if it is another program's."""
    found = tuple(path for end in ("", "-wal", "-shm") if os.path.isfile(path := folder / f"{FILE_NAME}{end}"))
    return () if _is_foreign(folder / FILE_NAME) else found


def _is_foreign(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            head = opened.read(100)
    except OSError:  # whose it is shows when it can be read
        return False
    return head.startswith(_SQLITE) and head[_APPLICATION_AT] != APPLICATION.to_bytes(4, "big")
