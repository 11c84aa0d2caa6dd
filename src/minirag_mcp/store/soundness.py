"""Whether an index holds what was written: pages, rows that fit together, and every document read back."""

import json
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256

import apsw

from minirag_mcp.model import IndexFault, Progress, SourceKey
from minirag_mcp.store import codec, reader, records, words
from minirag_mcp.store.schema import MODEL_BITS, ORDINAL_BITS
from minirag_mcp.store.shape import MisshapenError, shaped
from minirag_mcp.store.texts import HASH_BYTES

_MOST_PAGE_FAULTS = 3
"""Of what SQLite finds: one is enough to need a new index, a few tell how bad it is."""

_UNREADABLE = (zlib.error, json.JSONDecodeError, UnicodeDecodeError, MisshapenError)
_TEXT_MASK = (1 << MODEL_BITS) - 1

_COUNTED = {
    "the row of counters is missing or doubled": "SELECT count(*) <> 1 FROM state",
    "the counter of chunks is wrong": """
        SELECT (SELECT chunks FROM state) IS NOT (SELECT count(*) FROM chunk WHERE text > 0)""",
    "a number is counted as free that is in use": """
        SELECT EXISTS(SELECT 1 FROM state WHERE next_source <= (SELECT max(id) FROM source)
          OR next_chunk <= (SELECT max(id) FROM chunk) OR next_text <= (SELECT max(id) FROM text))""",
    "{} sources lack some of their chunks": """
        SELECT count(*) FROM source WHERE first_chunk IS NOT NULL AND chunks IS NOT (SELECT count(*) FROM chunk
          WHERE chunk.id BETWEEN first_chunk AND first_chunk + chunks - 1 AND chunk.source = source.id)""",
    "{} chunks belong to no source": """
        SELECT count(*) FROM chunk WHERE NOT EXISTS(SELECT 1 FROM source
          WHERE source.id = chunk.source AND chunk.id - first_chunk BETWEEN 0 AND chunks - 1)""",
    "{} chunks stand for a text that is missing": """
        SELECT count(*) FROM chunk WHERE text NOT IN (SELECT id FROM text)
          AND (text <> 0 OR id NOT IN (SELECT chunk FROM repeat))""",
    "{} repeats are of no chunk, have a text of their own, or lack the chunk that stands for them": """
        SELECT count(*) FROM repeat LEFT JOIN chunk AS own ON own.id = repeat.chunk
          LEFT JOIN chunk AS other ON other.id = repeat.first
          WHERE own.text IS NOT 0 OR other.text IS NULL OR other.text = 0""",
    "{} chunks of snapshots do not say what they say, or others do": """
        SELECT (SELECT count(*) FROM chunk JOIN source ON source.id = chunk.source
            WHERE series IS NOT NULL AND chunk.id NOT IN (SELECT chunk FROM likeness))
          + (SELECT count(*) FROM likeness LEFT JOIN chunk ON chunk.id = likeness.chunk
            LEFT JOIN source ON source.id = chunk.source WHERE source.series IS NULL)""",
    "{} snapshots are of a series that is missing": """
        SELECT count(*) FROM source WHERE (series IS NULL) <> (date IS NULL)
          OR (series IS NOT NULL AND series NOT IN (SELECT id FROM series))""",
    "{} pieces of documents belong to no source": f"""
        SELECT (SELECT count(*) FROM document WHERE source NOT IN (SELECT id FROM source))
          + (SELECT count(*) FROM block WHERE id >> {ORDINAL_BITS} NOT IN (SELECT id FROM source))
          + (SELECT count(*) FROM part WHERE id >> {ORDINAL_BITS} NOT IN (SELECT id FROM source))""",  # noqa: S608 - constants
    "{} vectors are of no text or of no model": f"""
        SELECT count(*) FROM vector WHERE id & {_TEXT_MASK} NOT IN (SELECT id FROM text)
          OR id >> {MODEL_BITS} NOT IN (SELECT id FROM model)""",  # noqa: S608 - constants
    "{} vectors are empty or have the wrong length": f"""
        SELECT count(*) FROM vector JOIN model ON model.id = vector.id >> {MODEL_BITS}
          WHERE typeof(data) <> 'blob' OR length(data) <> dimension OR data = zeroblob(dimension)""",  # noqa: S608 - constants
    "{} entries of the word index belong to no chunk": """
        SELECT count(*) FROM words_docsize WHERE id NOT IN (SELECT id FROM chunk WHERE text > 0)""",
}
"""What must be nought, and what to say when it is not."""

_WORDLESS = """
SELECT key, count(*) FROM chunk JOIN source ON source.id = chunk.source
WHERE text > 0 AND chunk.id NOT IN (SELECT id FROM words_docsize) GROUP BY key ORDER BY key
"""

_KEPT = """
SELECT section, hash FROM source JOIN chunk ON chunk.id BETWEEN first_chunk AND first_chunk + chunks - 1
LEFT JOIN text ON text.id = chunk.text WHERE key = ? ORDER BY chunk.id
"""


def faults(connection: apsw.Connection, *, progress: Callable[[Progress], None]) -> list[IndexFault]:
    """What is wrong, the worst first; broken pages or rows hide what may be wrong with the documents."""
    try:
        return _pages(connection) or _rows(connection) or list(_documents(connection, progress))
    except (apsw.CorruptError, apsw.SQLError, *_UNREADABLE) as error:
        return [IndexFault(message=str(error))]


def _pages(connection: apsw.Connection) -> list[IndexFault]:
    """SQLite's own check, of the word index too."""
    rows = connection.execute(f"PRAGMA integrity_check({_MOST_PAGE_FAULTS})").fetchall()
    said = [line for (text,) in rows for line in str(text).splitlines()]
    return [IndexFault(message=line) for line in said if line != "ok"]


def _rows(connection: apsw.Connection) -> list[IndexFault]:
    counted = ((message, connection.execute(ask).get) for message, ask in _COUNTED.items())
    found = [IndexFault(message=message.format(number)) for message, number in counted if number]
    if not found and not connection.execute(_WORDLESS).fetchone():
        with shaped("the word index"):
            fit = words.fit_chunks(connection)
        found += [] if fit else [IndexFault(message="the word index does not hold the words that it was given")]
    return found


def _documents(connection: apsw.Connection, progress: Callable[[Progress], None]) -> Iterator[IndexFault]:
    for key, count in connection.execute(_WORDLESS):
        message = f"{count} chunks are missing from the word index"
        yield IndexFault(message=message, source=SourceKey(codec.text_from(key)))
    every = records.in_scope(connection, ())
    for number, record in enumerate(every):
        progress(Progress(done=number, total=len(every), current=record.key))
        reason = _misread(connection, record.key)
        if reason:
            yield IndexFault(message=reason, source=record.key)
    progress(Progress(done=len(every), total=len(every)))


def _misread(connection: apsw.Connection, key: SourceKey) -> str:
    """Why a document cannot be read back as it was embedded, or nothing."""
    try:
        cut = reader.cut(connection, key)
    except _UNREADABLE as error:
        return str(error)
    if cut is None:
        return ""
    kept = list(connection.execute(_KEPT, (codec.text_bytes(key),)))
    texts = ((chunk.section, codec.text_bytes(chunk.embedded(cut.document.text))) for chunk in cut.chunks)
    made = [(section, sha256(text).digest()[:HASH_BYTES]) for section, text in texts]
    same = len(kept) == len(made) and all(
        section == own and text_hash in {None, digest}  # a repeat stands for no text of its own
        for (section, text_hash), (own, digest) in zip(kept, made, strict=True)
    )
    return "" if same else "the text is not the one that was embedded"
