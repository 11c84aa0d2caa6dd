"""Index files for tests: opened, written and read in few words."""

from pathlib import Path
from typing import Any

import apsw
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


def harm(file: Path, statement: str) -> None:
    """Change rows of an index behind the program's back; `flipped(x)` is x with another byte in its middle."""
    connection = apsw.Connection(str(file))
    connection.create_scalar_function("flipped", _flipped)
    connection.execute(statement)
    connection.close()


def _flipped(*values: Any) -> Any:
    (data,) = values
    middle = len(data) // 2
    return bytes(data[:middle]) + bytes([data[middle] ^ 0x41]) + bytes(data[middle + 1 :])
