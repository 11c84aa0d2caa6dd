"""The store in memory and the one in SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.indexes import Index

from minirag_mcp.store.contract import Store


@pytest.fixture(params=["memory", "sqlite"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    opened = Index(request.param, tmp_path / "index")
    yield opened
    opened.close()


@pytest.fixture
def store(index: Index) -> Store:
    return index.open()
