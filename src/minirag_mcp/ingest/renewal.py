"""Begin an index anew: what is there is deleted on request, or set aside when it cannot be read."""

from pathlib import Path

from minirag_mcp.ingest.lock import SyncLock
from minirag_mcp.store import files


def forget_index(folder: Path) -> None:
    """Delete the index in `folder`, while nobody syncs it. Raises SyncBusyError and StoreError."""
    if files.own_files(folder):
        with SyncLock(folder):
            files.remove(folder)


def set_index_aside(folder: Path) -> Path | None:
    """Keep a damaged index under another name in its folder, and tell which; None if it is another program's database.

    Raises SyncBusyError and StoreError.
    """
    with SyncLock(folder):
        return files.set_aside(folder)
