"""JSON schemas of what the tools answer, composed of plain dictionaries."""

from enum import StrEnum

from minirag_mcp.model import DocClass, MarkKind, SourceState, SourceType, Stage, SyncState

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


def one_of(values: type[StrEnum], description: str) -> Schema:
    """One of the values of an enumeration."""
    return {"type": "string", "enum": [value.value for value in values], "description": description}


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


_NEXT: Schema = {"type": ["integer", "null"], "description": "offset of what did not fit; null at the end"}
_NOTICE = text("what was left out of this answer, and how to get it")
_SOURCE = text("key of the source: absolute path, data id or URL; to pass as `source`")
_DISPLAY_PATH = text("file relative to its root, or the id or URL")
_TITLE = text("title of the document")
_SOURCE_TYPE = one_of(SourceType, "what the source is")
_CHUNK_INDEX = count("position of the chunk in its source, for read_chunk_neighbors")

_POSITION = record(
    "name",
    "first",
    "last",
    kind=one_of(MarkKind, "what is counted"),
    name=text("of the sheet or chapter"),
    first=count("as a person counts, from 1; of a time, seconds from the beginning"),
    last=count("the same as `first`, or where the passage ends"),
)

_CITATION = record(
    "position",
    text=text("the whole citation on one line, ready to quote"),
    displayPath=_DISPLAY_PATH,
    headings=items(text(), "heading path, outermost first"),
    place=text(
        "page, slide, sheet and rows, cell, chapter, time or lines in the original; empty where it has none, as in web "
        "pages and most Word files: there `headings` lead to the passage"
    ),
    position=_described(_POSITION, "`place` for programs; absent when that is empty"),
)

_RESULT = record(
    "snapshotDate",
    "alsoUnchangedOn",
    "snapshotsCovered",
    text=text("the passage that matched"),
    source=_SOURCE,
    sourceType=_SOURCE_TYPE,
    displayPath=_DISPLAY_PATH,
    title=_TITLE,
    chunkIndex=_CHUNK_INDEX,
    score=number("fused rank score; larger is better"),
    distance={"type": ["number", "null"], "description": "1 - cosine; null when only words found it"},
    parentId=text("key of its section in `parents`, and for read_file"),
    citation=_described(_CITATION, "where the passage stands, to quote with it"),
    snapshotDate=text("of a dated series: date of this snapshot"),
    alsoUnchangedOn=items(text(), "other dates on which it says the same; of many, the first and the last"),
    snapshotsCovered=count("number of all those dates"),
)

ANSWER = record(
    "notice",
    results=items(_RESULT, "best first"),
    sources=items(
        record(
            source=_SOURCE,
            displayPath=_DISPLAY_PATH,
            title=_TITLE,
            hits=count("how many of the results stand in it"),
        ),
        "documents of the results, best first",
    ),
    parents={
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "text of each section that results stand in, by parentId",
    },
    nextOffset=_NEXT,
    notice=text("anything that limits this answer"),
)

NEIGHBORS = record(
    "notice",
    source=_SOURCE,
    displayPath=_DISPLAY_PATH,
    title=_TITLE,
    chunks=items(
        record(
            chunkIndex=_CHUNK_INDEX,
            isTarget=flag("whether this is the chunk asked about"),
            text=text("the chunk as it stands in the document"),
            parentId=text("its section, for read_file"),
            citation=_described(_CITATION, "where the chunk stands, to quote with it"),
        ),
        "in reading order",
    ),
    atStart=flag("nothing stands before the first of these chunks"),
    atEnd=flag("nothing follows the last of these chunks"),
    notice=_NOTICE,
)

SOURCE_TEXT = record(
    "notice",
    "citation",
    source=_SOURCE,
    displayPath=_DISPLAY_PATH,
    title=_TITLE,
    text=text("Markdown of the document, or of the section asked for"),
    offset=count("where `text` begins, in characters"),
    totalChars=count("characters of the whole document or section"),
    citation=_described(_CITATION, "where the section stands; absent when a document was asked for"),
    nextOffset=_NEXT,
    notice=_NOTICE,
)

LISTING = record(
    "notice",
    files=items(
        record(
            source=_SOURCE,
            displayPath=_DISPLAY_PATH,
            sourceType=_SOURCE_TYPE,
            title=_TITLE,
            state=one_of(SourceState, "how the source stands to the index"),
            docClass=one_of(DocClass, "what it is to a reader"),
            chunkCount=count("chunks in the index"),
            error=_text_or_null("why it failed, and what to do"),
        ),
        "ordered by key",
    ),
    unlistedFolders=items(text(), "folders that could not be read"),
    total=count("files in scope, on all pages"),
    nextOffset=_NEXT,
    notice=_NOTICE,
)

INGESTED = record(source=_SOURCE, chunkCount=count("chunks it was cut into"), title=_TITLE)

DELETED = record(source=_SOURCE, deletedChunks=count("chunks removed from the index"))

_JOB_ID = text("of the job, for sync_status")
_JOB_STATE = one_of(SyncState, "how the job stands")

STARTED = record(jobId=_JOB_ID, state=_JOB_STATE)

_PROGRESS = record(
    stage=one_of(Stage, "`files` are read and found by their words, then their chunks get `vectors`"),
    done=count("files, or chunks, done in this stage"),
    total=count("files, or chunks, to do in this stage"),
    current=text("the last file done, in stage `files`"),
    itemsPerSecond=number("files, or chunks, per second of this stage"),
    estimatedEnd=_text_or_null("of this stage, ISO 8601; null when unknown or finished"),
)

_COUNTS = record(
    scanned=count("found under the roots"),
    ingested=count("new or changed, now indexed"),
    skipped=count("unchanged"),
    moved=count("moved or renamed, kept as they were"),
    deleted=count("gone from the disk, dropped from the index"),
    unreadable=count("that the system does not let us read"),
    failed=count("that cannot be indexed; `errors` says why"),
)

JOB = record(
    "notice",
    jobId=_JOB_ID,
    state=_JOB_STATE,
    startedAt=text("ISO 8601, UTC"),
    finishedAt=_text_or_null("null while it runs"),
    progress=_described(_PROGRESS, "how far the job is"),
    counts=_described(_COUNTS, "what the job did, in files"),
    errors=items(
        record(source=_SOURCE, code=text("kind of the error"), error=text("why, and what to do")),
        "one per failed file, ordered by source",
    ),
    nextOffset=_NEXT,
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
    "snapshotDedupe": flag("whether what dated snapshots repeat is searched once"),
    "handoffMirrorDir": text("name of the folder whose mirrors are handoffs"),
    "handoffMirrorBasenames": items(text(), "names of those mirrors"),
    "instructionsAppend": _text_or_null("what the user adds to this server's instructions"),
    "chunkScheme": text("how documents are cut today"),
    "chunkCount": count("chunks in the index"),
    "sourceCount": count("documents in the index"),
    "staleChunkCount": count("chunks that a sync would rebuild"),
    "unembeddedChunkCount": count("chunks found by words only"),
    "repeatedChunkCount": count("chunks that repeat the snapshot before, and are searched as one with it"),
    "schemeWarning": text("why some chunks are stale, and what to do"),
    "warnings": items(text(), "what else is not as it should be"),
    "configError": text("why nothing else works, and what to correct"),
    "indexError": text("why the index cannot be used, and what to do"),
}

STATUS = record(*_STATUS_FIELDS, version=text("of this server"), **_STATUS_FIELDS)
