"""Scopes as ranges of keys."""

import pytest

from minirag_mcp.model import SourceKey
from minirag_mcp.store.codec import text_bytes
from minirag_mcp.store.scope import key_ranges


def covered(part: str, key: str, separators: str) -> bool:
    ranges = key_ranges((SourceKey(part),), separators)
    return any(first <= text_bytes(key) < last for first, last in ranges)


@pytest.mark.parametrize("part", ["C:\\docs", "C:\\docs\\", "C:\\"])
def test_on_windows_a_folder_covers_what_lies_under_it_by_either_separator(part: str) -> None:
    assert covered(part, "C:\\docs\\a.md", "/\\")
    assert not covered("C:\\docs", "C:\\docs-old\\a.md", "/\\")


def test_elsewhere_a_backslash_is_part_of_a_name() -> None:
    assert not covered("/docs", "/docs\\a.md", "/")
    assert covered("/docs", "/docs/a.md", "/")
    assert not covered("/docs", "/docs0", "/")
