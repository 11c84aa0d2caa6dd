"""An index of either kind, and what is found in it."""

from pathlib import Path

from tests.fakes.store import MemoryStore
from tests.store.entries import (
    IDENTITY,
    vector_of,
)

from minirag_mcp.model import (
    ModelIdentity,
    SourceKey,
)
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store


class Index:
    """One index, opened as often as a test likes."""

    def __init__(self, kind: str, path: Path) -> None:
        self._memory = MemoryStore(identity=IDENTITY) if kind == "memory" else None
        self._path = path
        self._open: list[Store] = []

    def open(self, identity: ModelIdentity = IDENTITY) -> Store:
        store = self._memory.reopened(identity) if self._memory else open_store(self._path, identity=identity)
        self._open.append(store)
        return store

    def close(self) -> None:
        for store in self._open:
            store.close()


def keys_found(store: Store, *terms: str, scope: tuple[str, ...] = ()) -> list[str]:
    keys = tuple(SourceKey(part) for part in scope)
    return [c.source for c in store.read([hit.chunk for hit in store.search_terms(terms, limit=50, scope=keys)])]


def keys_near(store: Store, text: str, scope: tuple[str, ...] = ()) -> list[str]:
    keys = tuple(SourceKey(part) for part in scope)
    hits = store.search_vector(vector_of(text), limit=50, scope=keys)
    return [c.source for c in store.read([hit.chunk for hit in hits])]
