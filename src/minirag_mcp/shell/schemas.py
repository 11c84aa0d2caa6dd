"""JSON schemas of what the tools answer, composed of plain dictionaries."""

from enum import StrEnum

from minirag_mcp.model import MarkKind, SourceState, SourceType, Stage, SyncState

Schema = dict[str, object]


def text(description: str = "") -> Schema:
    """A string."""
    return _described({"type": "string"}, description)


def _text_or_null(description: str) -> Schema:
    """A string, or null."""
    return _described({"type": ["string", "null"]}, description)


def count(description: str = "") -> Schema:
    """A whole number from 0 on."""
    return _described({"type": "integer", "minimum": 0}, description)


def number(description: str) -> Schema:
    """Any number."""
    return _described({"type": "number"}, description)


def flag(description: str) -> Schema:
    """True or false."""
    return _described({"type": "boolean"}, description)


def one_of(values: type[StrEnum]) -> Schema:
    """One of the values of an enumeration."""
    return {"type": "string", "enum": [value.value for value in values]}


def items(schema: Schema, description: str = "") -> Schema:
    """A list."""
    return _described({"type": "array", "items": schema}, description)


def record(*optional: str, **properties: Schema) -> Schema:
    """An object with these properties, all required but the `optional` ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def _described(schema: Schema, description: str) -> Schema:
    return schema | {"description": description} if description else schema


_NEXT: Schema = {"type": ["integer", "null"], "description": "offset of the next part; null at the end"}
_NOTICE = text("what was left out of this answer, and how to get it")

_POSITION = record(
    "name",
    "first",
    "last",
    kind=one_of(MarkKind),
    name=text("of the sheet or chapter"),
    first=count("as a person counts, from 1; of a time, seconds from the beginning"),
    last=count("the same as `first`, or where the passage ends"),
)

_CITATION = record(
    "position",
    text=text("the whole citation on one line, ready to quote"),
    displayPath=text("file relative to its root, or the id or URL"),
    headings=items(text(), "heading path, outermost first"),
    place=text(
        "page, slide, sheet and rows, cell, chapter, time or lines in the original; empty where it has none, as in web "
        "pages and most Word files: there `headings` lead to the passage"
    ),
    position=_described(_POSITION, "`place` for programs; absent when that is empty"),
)

_RESULT = record(
    text=text("the passage that matched"),
    source=text("key of its source: absolute path, data id or URL"),
    sourceType=one_of(SourceType),
    displayPath=text(),
    title=text("title of the document"),
    chunkIndex=count("position in the source, for read_chunk_neighbors"),
    score=number("fused rank score; larger is better"),
    distance={"type": ["number", "null"], "description": "1 - cosine; null when only words found it"},
    parentId=text("key of its section in `parents`"),
    citation=_CITATION,
)

ANSWER = record(
    "notice",
    results=items(_RESULT, "best first"),
    sources=items(
        record(source=text(), displayPath=text(), title=text(), hits=count()), "documents of the results, best first"
    ),
    parents={
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "text of each section that results stand in, by parentId",
    },
    notice=text("anything that limits this answer"),
)

NEIGHBORS = record(
    "notice",
    source=text(),
    displayPath=text(),
    title=text(),
    chunks=items(
        record(
            chunkIndex=count(),
            isTarget=flag("whether this is the chunk asked about"),
            text=text(),
            parentId=text(),
            citation=_CITATION,
        ),
        "in reading order",
    ),
    atStart=flag("nothing stands before the first of these chunks"),
    atEnd=flag("nothing follows the last of these chunks"),
    notice=_NOTICE,
)

SOURCE_TEXT = record(
    "notice",
    source=text(),
    displayPath=text(),
    title=text(),
    text=text("Markdown of the document"),
    offset=count("where `text` begins, in characters"),
    totalChars=count("characters of the whole document"),
    nextOffset=_NEXT,
    notice=_NOTICE,
)

LISTING = record(
    "notice",
    files=items(
        record(
            source=text(),
            displayPath=text(),
            sourceType=one_of(SourceType),
            title=text(),
            state=one_of(SourceState),
            chunkCount=count(),
            error=_text_or_null("why it failed, and what to do"),
        )
    ),
    unlistedFolders=items(text(), "folders that could not be read"),
    total=count("files in scope, on all pages"),
    nextOffset=_NEXT,
    notice=_NOTICE,
)

INGESTED = record(source=text("key to read or delete it by"), chunkCount=count(), title=text())

DELETED = record(source=text(), deletedChunks=count("chunks removed from the index"))

STARTED = record(jobId=text("give it to sync_status"), state=one_of(SyncState))

JOB = record(
    "notice",
    jobId=text(),
    state=one_of(SyncState),
    startedAt=text("ISO 8601, UTC"),
    finishedAt=_text_or_null("null while it runs"),
    progress=record(
        stage=_described(one_of(Stage), "`files` are read and found by their words, then their chunks get `vectors`"),
        done=count("files, or chunks, done in this stage"),
        total=count("files, or chunks, to do in this stage"),
        current=text("the last file done, in stage `files`"),
        itemsPerSecond=number("files, or chunks, per second of this stage"),
        estimatedEnd=_text_or_null("of this stage, ISO 8601; null when unknown or finished"),
    ),
    counts=record(
        scanned=count(),
        ingested=count(),
        skipped=count("unchanged"),
        moved=count(),
        deleted=count(),
        unreadable=count(),
        failed=count(),
    ),
    errors=items(record(source=text(), code=text(), error=text("why, and what to do")), "one per failed file"),
    unlistedFolders=items(text(), "folders that could not be read; their entries were kept"),
    error=_text_or_null("why the whole job failed"),
    notice=_NOTICE,
)

_STATUS_FIELDS: dict[str, Schema] = {
    "roots": items(text(), "folders that are searched, and the only ones that may be read"),
    "dbPath": text("folder of the index"),
    "cacheDir": text("folder of the models"),
    "model": text("embedding model"),
    "chunkTokenBudget": count("most tokens of a chunk"),
    "maxFileSize": count("largest file that is indexed, in bytes"),
    "hybridWeight": number("share of the keyword side, 0 to 1"),
    "grouping": _text_or_null("`similar` or `related`: where results are cut; null: at topK"),
    "maxDistance": {"type": ["number", "null"], "description": "farther passages are dropped; null: none is"},
    "maxFiles": {"type": ["integer", "null"], "description": "most documents in an answer; null: any number"},
    "allowPrivateUrls": flag("whether ingest_url may fetch private and local addresses"),
    "chunkScheme": text(),
    "chunkCount": count(),
    "sourceCount": count(),
    "staleChunkCount": count("chunks that a sync would rebuild"),
    "unembeddedChunkCount": count("chunks found by words only"),
    "schemeWarning": text(),
    "warnings": items(text()),
    "configError": text("why nothing else works, and what to correct"),
    "indexError": text("why the index cannot be used, and what to do"),
}

STATUS = record(*_STATUS_FIELDS, version=text(), **_STATUS_FIELDS)
