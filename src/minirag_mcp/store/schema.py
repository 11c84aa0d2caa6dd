"""The tables of an index, and whether a file holds them.

source      one row per key; its chunks have the ids `first_chunk` … `first_chunk + chunks - 1`. Its own id is new
            with each replace, so that ids of a former version lead nowhere
document    format, marks and metadata of a source
block       document text, compressed, in pieces of a fixed number of characters; id: source and number in one
part        sections with their chunks, a few at a time; id: source and ordinal of the first section in one
chunk       which source, section and text a chunk id stands for
text        the distinct texts that are embedded, by hash; `pending` while the model in `state` has no vector of it
vector      int8 rows; id: model and text in one
words       full-text index over the terms of each chunk; keeps no text
series      dated series by the path that their snapshots share, and the rules that they stand by; in `source`, which
            series and date a snapshot is of
likeness    of the chunks of snapshots: what they say, as a hash
repeat      chunks that say what the snapshot before says, and the chunk that stands for them; they have no words and
            no text (0)
change      what readers that hold vectors in memory must drop or fetch, by generation
state       one row: counters that are never reused, and the model that `text.pending` speaks of
"""

from pathlib import Path
from typing import cast

import apsw

from minirag_mcp.errors import IndexNewerError
from minirag_mcp.store.faults import foreign

VERSION = 2
"""Goes up when a table changes its meaning; kept in the file header. 1 had no labels and no series."""

APPLICATION = 0x4D52_4147
"""Marks the file header, so that another program's database is never taken for an index."""

ORDINAL_BITS = 24
"""Sections and text blocks of one source: 16 million, beyond any file the size limit admits."""

MODEL_BITS = 40
"""Distinct texts of one index: a million million."""

# Every printable ASCII sign belongs to a token: tokens end at spaces only (`words.py` rids them of the rest).
_SIGNS = "".join(chr(code) for code in range(1, 128) if not chr(code).isalnum() and chr(code) != " ")

_TOKENIZER = f"""ascii tokenchars '{_SIGNS.replace("'", "''")}'""".replace('"', '""')

_LABELS = """
ALTER TABLE source ADD COLUMN doc_class TEXT NOT NULL DEFAULT 'note';
ALTER TABLE source ADD COLUMN series INTEGER;
ALTER TABLE source ADD COLUMN date TEXT;
ALTER TABLE source ADD COLUMN rules TEXT NOT NULL DEFAULT '';
CREATE INDEX source_series ON source(series, date) WHERE series IS NOT NULL;
CREATE TABLE series(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, rules TEXT NOT NULL);
CREATE TABLE likeness(chunk INTEGER PRIMARY KEY, hash BLOB NOT NULL);
CREATE TABLE repeat(chunk INTEGER PRIMARY KEY, first INTEGER NOT NULL);
CREATE INDEX repeat_first ON repeat(first);
PRAGMA user_version = 2;
"""

_TABLES = f"""
CREATE TABLE state(
    generation INTEGER NOT NULL, next_source INTEGER NOT NULL, next_chunk INTEGER NOT NULL,
    next_text INTEGER NOT NULL, chunks INTEGER NOT NULL, model INTEGER NOT NULL);
INSERT INTO state VALUES (0, 1, 1, 1, 0, 0);
CREATE TABLE model(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER NOT NULL, window INTEGER NOT NULL,
    UNIQUE(name, dimension, window));
CREATE TABLE fingerprint(id INTEGER PRIMARY KEY, model TEXT NOT NULL, scheme TEXT NOT NULL, UNIQUE(model, scheme));
CREATE TABLE source(
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, type TEXT NOT NULL, title BLOB NOT NULL,
    content_hash NOT NULL, fingerprint INTEGER NOT NULL, first_chunk INTEGER, chunks INTEGER NOT NULL,
    size INTEGER, mtime_ns INTEGER, failure BLOB);
CREATE TABLE document(source INTEGER PRIMARY KEY, head BLOB NOT NULL);
CREATE TABLE block(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE part(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE chunk(
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, section INTEGER NOT NULL, text INTEGER NOT NULL);
CREATE INDEX chunk_text ON chunk(text);
CREATE TABLE text(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, pending INTEGER NOT NULL);
CREATE INDEX text_pending ON text(id) WHERE pending;
CREATE TABLE vector(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE change(
    generation INTEGER NOT NULL, kind INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE INDEX change_generation ON change(generation);
CREATE VIRTUAL TABLE words USING fts5(
    title, context, body, content='', contentless_delete=1, tokenize="{_TOKENIZER}");
PRAGMA application_id = {APPLICATION};
{_LABELS}
"""  # noqa: S608 - constants of this module


_HEADER = """
SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
       (SELECT count(*) FROM sqlite_schema)
"""
"""One statement, so that all three are of one moment: another process may be laying out the tables."""


def laid_out(connection: apsw.Connection, file: Path) -> int:
    """The version of the tables that are there; 0 for an empty file.

    Raises IndexNewerError for a later version, IndexDamagedError for a database that is not an index.
    """
    found = cast("tuple[int, int, int]", next(connection.execute(_HEADER)))
    application, version, tables = found
    if application == APPLICATION:
        if version > VERSION:
            raise IndexNewerError(f"The index {file} has schema {version}; this version reads up to {VERSION}.")
        return version
    if application or tables:
        raise foreign(file)
    return 0


def lay_out(connection: apsw.Connection, found: int) -> None:
    """Make the tables that the version `found` lacks, all of them for 0; inside a transaction."""
    if found < VERSION:
        connection.execute(_LABELS if found else _TABLES)
