"""The full-text index over terms: any term can be kept and asked for, none is ever syntax."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from minirag_mcp.model import ChunkId, Scored, Terms
from minirag_mcp.store.ranking import COLUMN_WEIGHTS, selective
from minirag_mcp.store.scope import Extent
from minirag_mcp.store.shape import state

_ESCAPE = "\x01"
"""Opens a two-character stand-in for what the tokenizer would fold (A–Z) or split at."""

_SAFE = {code: _ESCAPE + chr(code).lower() for code in range(ord("A"), ord("Z") + 1)} | {
    ord(" "): _ESCAPE + "_",
    0: _ESCAPE + "0",
    ord(_ESCAPE): _ESCAPE + "1",
}

_LONGEST = 4096
"""Characters of a term: the index cuts tokens at 32,768 bytes, and a question must be cut where the text was."""

_COLUMNS = ("title", "context", "body")

_WEIGHTS = ", ".join(map(str, COLUMN_WEIGHTS))

_RANKED = f"SELECT rowid, bm25(words, {_WEIGHTS}) AS score FROM words WHERE words MATCH ?1"  # noqa: S608 - numbers

_ORDERED = "ORDER BY score, rowid LIMIT ?2"

_SCOPED = (
    "AND ((SELECT source FROM chunk WHERE chunk.id = words.rowid) IN (SELECT value FROM carray(?3))"
    " OR words.rowid IN (SELECT value FROM carray(?4)))"
)


def add(connection: apsw.Connection, terms: Iterable[tuple[int, Terms]]) -> None:
    """Index the terms of these chunks, none of which is indexed."""
    rows = ((chunk, _line(t.title), _line(t.context), _line(t.body)) for chunk, t in terms)
    connection.executemany("INSERT INTO words(rowid, title, context, body) VALUES (?, ?, ?, ?)", rows)


def remove(connection: apsw.Connection, chunks: Iterable[int]) -> None:
    """Forget these chunks."""
    connection.executemany("DELETE FROM words WHERE rowid = ?", ((chunk,) for chunk in chunks))


def search(connection: apsw.Connection, terms: Sequence[str], *, limit: int, within: Extent | None) -> list[Scored]:
    """The best `limit` chunks for any of `terms`, in that part of the index only unless it is None."""
    asked = [_safe(term) for term in dict.fromkeys(terms) if term]
    total = state(connection, "chunks")[0]
    wanted = selective(_frequencies(connection, asked), total)
    if not wanted:
        return []
    question = " OR ".join('"' + term.replace('"', '""') + '"' for term in wanted)
    if within is None:
        rows = connection.execute(f"{_RANKED} {_ORDERED}", (question, limit))
    else:
        bound = (question, limit, _ids(within.sources), _ids(list(within.stand_ins)))
        rows = connection.execute(f"{_RANKED} {_SCOPED} {_ORDERED}", bound)
    return [Scored(chunk=ChunkId(chunk), score=-score) for chunk, score in rows]


def frequencies(connection: apsw.Connection, terms: Iterable[str]) -> dict[str, int]:
    """In how many chunks each term stands."""
    kept = {term: _safe(term) for term in terms}
    found = _frequencies(connection, list(kept.values()))
    return {term: found[name] for term, name in kept.items()}


def fit_chunks(connection: apsw.Connection) -> bool:
    """Whether the index holds the words that it counted when it took in each chunk, by number, chunk and position.

    One word in the place of another goes unseen: which words there were is kept nowhere else.
    """
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.instance USING fts5vocab(main, words, instance)")
    found = connection.execute("SELECT col, count(*), sum(doc), sum(offset) FROM temp.instance GROUP BY col")
    held = {column: (count, chunks, positions) for column, count, chunks, positions in found}
    counted = [[0, 0, 0] for _ in _COLUMNS]
    for chunk, sizes in connection.execute("SELECT id, sz FROM words_docsize"):
        for column, number in zip(counted, _numbers(sizes), strict=True):
            column[0] += number
            column[1] += number * chunk
            column[2] += number * (number - 1) // 2
    return all(held.get(name, (0, 0, 0)) == tuple(sums) for name, sums in zip(_COLUMNS, counted, strict=True))


def _numbers(data: bytes) -> list[int]:
    """Varints (SQLite, "Database File Format", 1.6), none of nine bytes: no chunk has so many words."""
    numbers: list[int] = []
    value = 0
    for byte in data:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - the bit that says more follows
            numbers.append(value)
            value = 0
    return numbers


def _frequencies(connection: apsw.Connection, terms: Sequence[str]) -> dict[str, int]:
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)")
    ask = "SELECT doc FROM temp.vocabulary WHERE term = ?"
    return {term: connection.execute(ask, (term,)).get or 0 for term in terms}


def _line(terms: Iterable[str]) -> str:
    return " ".join(_safe(term) for term in terms)


def _safe(term: str) -> str:
    return term[:_LONGEST].encode("utf-8", "replace").decode().translate(_SAFE)


def _ids(numbers: Sequence[int]) -> Any:
    return apsw.carray(array("q", numbers or [0]))  # nothing has the number 0, and an empty array is refused
