"""Which keys a scope covers, as ranges of the key index: no pattern, so no character is a wildcard."""

from collections.abc import Iterator
from typing import Any

import apsw

from minirag_mcp.store.codec import text_bytes
from minirag_mcp.store.contract import SEPARATORS, Scope
from minirag_mcp.store.shape import shaped


def key_ranges(scope: Scope, separators: str = SEPARATORS) -> Iterator[tuple[bytes, bytes]]:
    """First key covered, and first key after those covered, for each range of keys in `scope`."""
    for part in dict.fromkeys(scope):
        whole = text_bytes(part)
        yield whole, whole + b"\0"
        stem = text_bytes(part.rstrip(separators))
        for separator in separators:
            yield stem + separator.encode(), stem + chr(ord(separator) + 1).encode()


def select(connection: apsw.Connection, columns: str, scope: Scope) -> list[tuple[Any, ...]]:
    """`columns` of each source in scope, once, ordered by key."""
    if not scope:
        return list(connection.execute(f"SELECT {columns} FROM source ORDER BY key"))  # noqa: S608 - our own
    ask = f"SELECT key, {columns} FROM source WHERE key >= ? AND key < ?"  # noqa: S608 - our own
    found = {row[0]: row[1:] for bounds in key_ranges(scope) for row in connection.execute(ask, bounds)}
    return [found[key] for key in sorted(found)]


def chunk_ranges(connection: apsw.Connection, scope: Scope) -> list[tuple[int, int, int]]:
    """Id, first chunk and number of chunks of each source in scope that has any."""
    rows = select(connection, "id, first_chunk, chunks", scope)
    with shaped("the row of a source"):
        return [(int(i), int(first), int(n)) for i, first, n in rows if n]
