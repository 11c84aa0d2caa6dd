"""The distinct texts of an index, by hash."""

import apsw

from minirag_mcp.store.changes import Ledger

HASH_BYTES = 16
"""Kept of a text's SHA-256: 128 bits tell any number of texts apart, at half the space."""


def text_number(connection: apsw.Connection, ledger: Ledger, text_hash: bytes) -> int:
    """The number of a text; one that is new waits for a vector."""
    key = text_hash[:HASH_BYTES]
    known = connection.execute("SELECT id FROM text WHERE hash = ?", (key,)).get
    if known is not None:
        return int(known)
    number = ledger.take_text()
    connection.execute("INSERT INTO text(id, hash, pending) VALUES (?, ?, 1)", (number, key))
    return number
