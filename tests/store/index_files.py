"""Index files for tests: opened, written and read in few words."""

from pathlib import Path

from tests.store.entries import IDENTITY, entry

from minirag_mcp.store.contract import Store
from minirag_mcp.store.database import FILE_NAME
from minirag_mcp.store.sqlite import open_store


def opened(folder: Path, *, busy_timeout: float = 10.0) -> Store:
    return open_store(folder, identity=IDENTITY, busy_timeout=busy_timeout)


def written(folder: Path, text: str = "alpha beta") -> Path:
    """An index with one source, closed; gives its file."""
    store = opened(folder)
    store.replace(entry("/d/a.md", text))
    store.close()
    return folder / FILE_NAME


def texts(store: Store) -> list[str]:
    return [c.text for r in store.sources() for c in store.chunks(r.key, 0, 99)]
