"""Says an error to a model: the same message and remedy, with tools where a person would type commands."""

import re

from minirag_mcp.errors import MiniragError

_TOOLS = {
    "status": "status",
    "list": "list_files",
    "sync": "sync_start",
    "read": "read_file",
    "query": "query_documents",
    "delete": "delete_file",
    "ingest": "ingest_file",
    "ingest-url": "ingest_url",
    "read-neighbors": "read_chunk_neighbors",
}
_COMMAND = re.compile(r"`minirag-mcp ([a-z-]+)[^`]*`")
_TOOL_OR_COMMAND = re.compile(r"`(\w+)` \(`\1`\)")


def for_models(error: MiniragError) -> str:
    """Message and remedy, naming tools."""
    text = _COMMAND.sub(_tool, error.explanation)
    return _TOOL_OR_COMMAND.sub(r"`\1`", text)


def _tool(found: re.Match[str]) -> str:
    tool = _TOOLS.get(found[1])
    return f"`{tool}`" if tool else found[0]
