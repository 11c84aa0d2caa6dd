"""Which keys a scope covers, as ranges of the key index: no pattern, so no character is a wildcard."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw

from minirag_mcp.model import ChunkId, DocClass, Scored
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


def select(
    connection: apsw.Connection, columns: str, scope: Scope, doc_class: DocClass | None = None
) -> list[tuple[Any, ...]]:
    """`columns` of each source in scope, and of that class if one is given, once, ordered by key."""
    where = "" if doc_class is None else f" AND doc_class = '{doc_class.value}'"
    if not scope:
        return list(connection.execute(f"SELECT {columns} FROM source WHERE 1{where} ORDER BY key"))  # noqa: S608 - our own
    ask = f"SELECT key, {columns} FROM source WHERE key >= ? AND key < ?{where}"  # noqa: S608 - our own
    found = {row[0]: row[1:] for bounds in key_ranges(scope) for row in connection.execute(ask, bounds)}
    return [found[key] for key in sorted(found)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The part of an index that is searched.

    sources    their numbers
    chunks     half-open ranges of chunk ids
    stand_ins  chunks of other sources that stand for repeats in these: the repeat to show for each
    """

    sources: tuple[int, ...]
    chunks: tuple[tuple[int, int], ...]
    stand_ins: dict[int, int]

    def shown(self, hits: Sequence[Scored]) -> list[Scored]:
        """The hits, each repeat in its own place; best first, ties by chunk id."""
        if not self.stand_ins:
            return list(hits)
        found = (replace(hit, chunk=ChunkId(self.stand_ins.get(hit.chunk, hit.chunk))) for hit in hits)
        return sorted(found, key=lambda hit: (-hit.score, hit.chunk))


def extent(connection: apsw.Connection, scope: Scope, doc_class: DocClass | None) -> Extent | None:
    """What scope and class leave of the index; None for all of it."""
    if not scope and doc_class is None:
        return None
    rows = select(connection, "id, first_chunk, chunks", scope, doc_class)
    with shaped("the row of a source"):
        held = [(int(number), int(first), int(count)) for number, first, count in rows if count]
    sources = tuple(number for number, _, _ in held)
    stand_ins = _stand_ins(connection, scope, set(sources))
    chunks = [(first, first + count) for _, first, count in held] + [(first, first + 1) for first in stand_ins]
    return Extent(sources=sources, chunks=tuple(chunks), stand_ins=stand_ins)


_REPEATS_OF = """
SELECT repeat.chunk, repeat.first, here.id, there.source FROM source AS here
JOIN repeat ON repeat.chunk BETWEEN here.first_chunk AND here.first_chunk + here.chunks - 1
JOIN chunk AS there ON there.id = repeat.first WHERE here.key = ? AND here.series IS NOT NULL
"""


def _stand_ins(connection: apsw.Connection, scope: Scope, sources: set[int]) -> dict[int, int]:
    """For the sources that `scope` names one by one; of a folder a series is there as a whole."""
    named = [row for key in sorted(scope) for row in connection.execute(_REPEATS_OF, (text_bytes(key),))]
    found: dict[int, int] = {}
    for chunk, first, here, there in named:
        if here in sources and there not in sources:
            found.setdefault(first, chunk)
    return found
