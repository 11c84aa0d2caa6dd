"""The settings of rag-mcp, from its own options and variables; everything else as minirag-mcp has it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from minirag_mcp.config import DEFAULT_MODEL, Flags, Settings, load_settings
from minirag_mcp.embed.home import default_cache_dir
from minirag_mcp.errors import ConfigError
from minirag_mcp.ingest.labels import LabelRules

EMBEDDERS: Mapping[str, str] = MappingProxyType(
    {
        "default": DEFAULT_MODEL,
        DEFAULT_MODEL: DEFAULT_MODEL,
        "minilm": "sentence-transformers/all-MiniLM-L6-v2",
        "bge": "BAAI/bge-large-en-v1.5",
    }
)
"""The names of RAG_MCP_EMBEDDER, and the model that each stands for."""

DEFAULT_COLLECTION = "knowledge"
"""The collection that is the index itself, as minirag-mcp sees it."""

_COLLECTION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")

_NOT_OURS = ("BASE_DIR", "BASE_DIRS", "DB_PATH", "MODEL_NAME", "RAG_INSTRUCTIONS_APPEND")
"""Variables of minirag-mcp that would name another index than those of rag-mcp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What was given on the command line; None means not given.

    mirror_basenames come beside those that count anyway.
    """

    corpus: str | None = None
    db: str | None = None
    collection: str | None = None
    embedder: str | None = None
    mirror_dir: str | None = None
    mirror_basenames: tuple[str, ...] = ()
    dedupe: bool = True


def knowledge_settings(given: Given, environment: Mapping[str, str]) -> Settings:
    """Settle every setting: an option wins over its variable. Raises ConfigError naming option or variable."""
    env = {name: value.strip() for name, value in environment.items() if value.strip()}
    corpus = given.corpus or env.get("RAG_MCP_CORPUS_ROOT")
    if not corpus:
        raise ConfigError(
            "RAG_MCP_CORPUS_ROOT is not set.", remedy="Set it to the folder of the documents, as an absolute path."
        )
    model = _model(given.embedder or env.get("RAG_MCP_EMBEDDER") or "default")
    flags = Flags(base_dirs=(corpus,), db_path=given.db or env.get("RAG_MCP_DB_PATH"), model_name=model)
    rest = {name: value for name, value in env.items() if name not in _NOT_OURS}
    settings = load_settings(flags, rest, cwd=Path.cwd(), user_cache_dir=default_cache_dir())
    named = "--corpus" if given.corpus else "RAG_MCP_CORPUS_ROOT"
    collection = given.collection or env.get("RAG_MCP_COLLECTION") or DEFAULT_COLLECTION
    return replace(
        settings,
        roots_setting=named,
        db_path=collection_folder(settings.db_path, collection),
        snapshot_dedupe=settings.snapshot_dedupe and given.dedupe,
        handoff_mirror_dir=_bare(given.mirror_dir) if given.mirror_dir is not None else settings.handoff_mirror_dir,
        handoff_mirror_basenames=_names(settings.handoff_mirror_basenames, given.mirror_basenames),
    )


def collection_folder(db: Path, collection: str) -> Path:
    """The folder in which a collection is kept. Raises ConfigError for what is no name."""
    if not _COLLECTION.fullmatch(collection):
        raise ConfigError(
            f"The collection {collection[:80]!r} is no name: that has 1 to 63 letters, digits, '.', '_' and '-', and "
            "begins and ends with a letter or digit.",
            remedy="Correct RAG_MCP_COLLECTION or --collection.",
        )
    return db if collection == DEFAULT_COLLECTION else db / "collections" / collection


def _model(name: str) -> str:
    model = EMBEDDERS.get(name.casefold())
    if model is None:
        raise ConfigError(
            f"RAG_MCP_EMBEDDER is {name[:80]!r}; it must be one of {', '.join(EMBEDDERS)}.",
            remedy="Leave it unset for the bundled model, which needs no download.",
        )
    return model


def _bare(name: str) -> str:
    if not name.strip() or name in {".", ".."} or set("/\\\0") & set(name):
        raise ConfigError(
            f"--handoff-mirror-dir is {name[:80]!r}; it must be the name of one folder, without any separator.",
            remedy=f"Leave it out for {LabelRules().mirror_dir}.",
        )
    return name.strip()


def _names(known: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    for name in more:
        if not name.strip() or set("/\\\0") & set(name):
            raise ConfigError(
                f"--handoff-mirror-basename is {name[:80]!r}; it must be the name of one file, without any separator.",
                remedy="Give the name alone, such as today.md.",
            )
    return tuple(dict.fromkeys((*known, *(name.strip() for name in more))))
