"""One question to an index, answered with cited passages; every failure is an answer of the same shape.

    search_knowledge("when must the seal be replaced", k=5, store=library)
    search_knowledge("…", store="/docs/.minirag/index", corpus_root="/docs", doc_class="note")

The fields are those of the tool `search_knowledge`, which answers with what this returns.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import MappingProxyType

from minirag_mcp.config import Settings
from minirag_mcp.embed.home import default_cache_dir
from minirag_mcp.engine import Library
from minirag_mcp.errors import ConfigError, MiniragError, ModelError, StoreError
from minirag_mcp.model import Answer, DocClass, Passage, SnapshotDates, SourceType

MAX_K = 20
DEFAULT_K = 5

LONGEST_QUERY = 10_000
"""Characters; the model reads only the first of it."""

ALLOWED_DOC_CLASSES = tuple(doc_class.value for doc_class in DocClass)

_DIGITS = 6

Json = dict[str, object]

_KINDS: Mapping[type[MiniragError], str] = MappingProxyType(
    {ConfigError: "not_configured", StoreError: "store_unreachable", ModelError: "model_unavailable"}
)


def search_knowledge(
    query: object,
    k: object = DEFAULT_K,
    *,
    store: Library | Path | str,
    corpus_root: Path | str | None = None,
    doc_class: object = None,
) -> Json:
    """The up to `k` passages (1 to 20; other numbers are clamped) that answer `query`, best first.

    store        an open Library, or the folder of an index, which is then read with the bundled model
    corpus_root  what passages must lie in, links followed; may be left out for a Library, whose roots it has
    doc_class    "note", "handoff", or None for both

    Returns {ok, query, k, count, dropped_out_of_scope, results, notice?}. When it cannot be answered, `ok` is false,
    `results` is empty and `error` is {type, message}. Raises nothing that the arguments, the index or the model cause.
    """
    number = _number(k)
    asked = query if isinstance(query, str) else ""
    clamped = DEFAULT_K if number is None else max(1, min(number, MAX_K))
    problem = _problem(query, number, doc_class)
    if problem is not None:
        return failure(*problem, query=asked, k=clamped)
    try:
        settings = _settings(store, corpus_root)
        if isinstance(store, Library) and settings == store.settings:
            return _answered(store, asked, clamped, doc_class)
        with Library(settings) as library:
            return _answered(library, asked, clamped, doc_class)
    except MiniragError as error:
        return failed(error, query=asked, k=clamped)


def failed(error: MiniragError, *, query: str = "", k: int = DEFAULT_K) -> Json:
    """The answer that tells of an error."""
    return failure(_kind(error), error.explanation, query=query, k=k)


def failure(kind: str, message: str, *, query: str = "", k: int = DEFAULT_K) -> Json:
    """The answer to what cannot be answered."""
    return {
        "ok": False,
        "error": {"type": kind, "message": message},
        "query": query,
        "k": k,
        "count": 0,
        "dropped_out_of_scope": 0,
        "results": [],
    }


def _kind(error: MiniragError) -> str:
    return next((kind for family, kind in _KINDS.items() if isinstance(error, family)), error.code)


def _number(k: object) -> int | None:
    """A whole number, as itself, as a float or as text; None for anything else."""
    if isinstance(k, bool):
        return None
    if isinstance(k, int):
        return k
    try:
        return int(float(k)) if isinstance(k, float | str) else None
    except (ValueError, OverflowError):
        return None


def _problem(query: object, k: int | None, doc_class: object) -> tuple[str, str] | None:
    """The first argument that is wrong, as kind and message."""
    if not isinstance(query, str) or not query.replace("\0", " ").strip():
        return "invalid_query", "The query is empty. Say in words, a name or a code what to look for."
    if len(query) > LONGEST_QUERY:
        return "invalid_query", f"The query has {len(query):,} characters; it must have at most {LONGEST_QUERY:,}."
    if k is None:
        return "invalid_k", f"k is no whole number. Give one from 1 to {MAX_K}, or leave it out for {DEFAULT_K}."
    if doc_class is not None and not (isinstance(doc_class, str) and doc_class in ALLOWED_DOC_CLASSES):
        allowed = " or ".join(f'"{name}"' for name in ALLOWED_DOC_CLASSES)
        return "invalid_doc_class", f"doc_class must be {allowed}, in lower case, or be left out for both."
    return None


def _settings(store: Library | Path | str, corpus_root: Path | str | None) -> Settings:
    if isinstance(store, Library):
        roots = store.settings.roots if corpus_root is None else (Path(corpus_root).absolute(),)
        return replace(store.settings, roots=roots)
    if corpus_root is None:
        raise ConfigError("corpus_root is missing.", remedy="Name the folder that passages must lie in.")
    return Settings(
        roots=(Path(corpus_root).absolute(),),
        roots_setting="corpus_root",
        db_path=Path(store).absolute(),
        cache_dir=default_cache_dir(),
    )


def _answered(library: Library, query: str, k: int, doc_class: object) -> Json:
    status = library.status()
    if not status.counts.chunks:
        message = "The index is empty. Index the documents with `minirag-mcp sync`, then ask again."
        return failure("empty_store", " ".join((*status.warnings, message)), query=query, k=k)
    answer = library.query(query, top_k=k, doc_class=DocClass(str(doc_class)) if doc_class else None)
    shown = [passage for passage in answer.passages if not _leads_out(passage)]
    fields: Json = {
        "ok": True,
        "query": query,
        "k": k,
        "count": len(shown),
        "dropped_out_of_scope": answer.withheld + len(answer.passages) - len(shown),
        "results": [_result(passage) for passage in shown],
    }
    return fields | _notice(answer)


def _notice(answer: Answer) -> Json:
    return {"notice": " ".join(answer.notices)} if answer.notices else {}


def _leads_out(passage: Passage) -> bool:
    """Whether the id of what is no file reads as a path that leads out of the corpus."""
    if passage.source_type is SourceType.FILE:
        return False
    posix, windows = PurePosixPath(passage.source), PureWindowsPath(passage.source)
    return posix.is_absolute() or windows.is_absolute() or ".." in {*posix.parts, *windows.parts}


def _result(passage: Passage) -> Json:
    citation = passage.citation
    fields: Json = {
        "text": passage.text,
        "citation": {
            "source": passage.display_path.replace(os.sep, "/"),
            "heading": citation.headings[-1] if citation.headings else "",
            "headings": list(citation.headings),
            "chunk_index": passage.chunk_index,
            "title": passage.title or passage.display_path,
            "place": str(citation.place) if citation.place else "",
            "doc_class": passage.doc_class.value,
        },
        "score": round(passage.score, _DIGITS),
    }
    return fields | (_dates(passage.dates) if passage.dates else {})


def _dates(dates: SnapshotDates) -> Json:
    own: Json = {"snapshot_date": dates.own}
    others: Json = {"also_unchanged_on": dates.some_others, "snapshots_covered": dates.covered}
    return own | others if dates.others else own
