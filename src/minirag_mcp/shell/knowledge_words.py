"""What rag-mcp tells of its own accord, in the words of its commands and variables."""

import re

from minirag_mcp.shell.wire import Json

_OURS = {
    "`minirag-mcp sync`": "`rag-mcp ingest`",
    "DB_PATH": "RAG_MCP_DB_PATH",
    "MODEL_NAME": "RAG_MCP_EMBEDDER",
}
_THEIRS = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in _OURS))

_SAID = frozenset({"message", "notice"})
"""Fields of answers that never hold text of documents."""


def said(text: str) -> str:
    """`text` with the commands and variables of rag-mcp."""
    return _THEIRS.sub(lambda found: _OURS[found[0]], text)


def answer(fields: Json) -> Json:
    """An answer in which what it tells of itself is in these words."""
    return {name: _field(name, value) for name, value in fields.items()}


def _field(name: str, value: object) -> object:
    if isinstance(value, str):
        return said(value) if name in _SAID else value
    return answer(value) if isinstance(value, dict) else value
