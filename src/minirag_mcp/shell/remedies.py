"""Says the same to a model and to a person, each in the words of their shell.

Below the shells, work is named as a person types it (`minirag-mcp list`) and arguments as the Library takes them.
"""

import re

from minirag_mcp.shell.wire import Json

TOOL_OF_COMMAND = {
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
_FOR_MODELS = {
    "top_k": "topK",
    "add a root with --base-dir": "have the user add a root",
    ", or stop that process": "",
}
_FOR_PEOPLE = {"top_k": "--top-k"}
_SAID_BY_THE_SERVER = frozenset(
    {"error", "message", "notice", "warnings", "schemeWarning", "configError", "indexError"}
)
"""Fields of answers that never hold text of documents."""


def for_models(text: str) -> str:
    """`text` with tools and their arguments."""
    return _COMMAND.sub(_tool, _replaced(text, _FOR_MODELS))


def for_people(text: str) -> str:
    """`text` with commands and their flags."""
    return _replaced(text, _FOR_PEOPLE)


def answer_for_models(fields: Json) -> Json:
    """A tool's answer in which the server's own words are for models; text of documents stays as it is."""
    return {name: _field(value, said=name in _SAID_BY_THE_SERVER) for name, value in fields.items()}


def _field(value: object, *, said: bool) -> object:
    if isinstance(value, str):
        return for_models(value) if said else value
    if isinstance(value, list):
        return [_field(item, said=said) for item in value]
    return answer_for_models(value) if isinstance(value, dict) else value


def _replaced(text: str, words: dict[str, str]) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text


def _tool(found: re.Match[str]) -> str:
    tool = TOOL_OF_COMMAND.get(found[1])
    return f"`{tool}`" if tool else found[0]
