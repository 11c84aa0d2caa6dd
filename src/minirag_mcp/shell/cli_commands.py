"""One function per subcommand: parsed arguments in, result printed, exit code out."""

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from minirag_mcp.errors import (
    AccessError,
    MiniragError,
    OutsideRootsError,
    ParseError,
    RequestError,
    SourceNotFoundError,
)
from minirag_mcp.model import DocClass, IngestReport, SectionId, SourceKey, SourceType, SyncFailure
from minirag_mcp.shell import cli_input, fit, hits, opening, render, wire
from minirag_mcp.shell.cli_terminal import Terminal
from minirag_mcp.shell.exit_codes import DONE, FAILED

if TYPE_CHECKING:  # the engine is imported when a Library is opened
    from minirag_mcp.engine import Library

_Told_co = TypeVar("_Told_co", covariant=True)

Command = Callable[[argparse.Namespace, opening.Opener, Terminal], int]


def query(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Search."""
    library = opener.library()
    from_input = given.query == [cli_input.STANDARD_INPUT]
    question = cli_input.question(terminal) if from_input else " ".join(given.query)
    doc_class = DocClass(given.doc_class) if given.doc_class else None
    found = library.query(question, top_k=given.top_k, scope=_scope(given.scope), doc_class=doc_class)
    if given.json:
        terminal.result_json(wire.sendable(fit.whole_answer(found)))
        return DONE
    marks = partial(library.marks, question=question)
    terminal.result(hits.answer(found, terminal.page, marks=marks, whole_sections=given.sections))
    for notice in found.notices:
        terminal.warn(notice)
    return DONE


def read_neighbors(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Read around a chunk."""
    around = partial(opener.library().read_neighbors, given.chunk_index, before=given.before, after=given.after)
    read = _at(given.file_path, given.source, around)
    _show(
        given,
        terminal,
        fields=wire.neighbors(read, chunk_index=given.chunk_index),
        text=render.neighbors(read, chunk_index=given.chunk_index, bold=terminal.bold, dim=terminal.dim),
    )
    return DONE


def read(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Read a source back, or a part of it."""
    library = opener.library()
    if given.parent_id is None:
        found = _at(given.path, given.source, library.read)
    else:
        found = library.read(section=SectionId(given.parent_id))
    part = fit.page(found, offset=given.offset, limit=given.limit, most=None)
    if given.json:
        terminal.result_json(wire.sendable(part))
        return DONE
    terminal.document(str(part["text"]))
    if part["nextOffset"] is not None:
        terminal.warn(f"there is more of the document: read on with --offset {part['nextOffset']}")
    return DONE


def list_files(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """List files and items."""
    listed = opener.library().list_files(scope=_scope(given.scope))
    whole = {"total": len(listed.files), "nextOffset": None}
    _show(given, terminal, fields=wire.listing(listed) | whole, text=render.listing(listed))
    for notice in listed.notices:
        terminal.warn(notice)
    _warn_unlisted([folder for folder in listed.unlisted if Path(folder).is_dir()], terminal, opener)
    return DONE


def status(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Show configuration and health; never fails."""
    fields = wire.sendable(opening.status(opener))
    if given.json:
        terminal.result_json(fields)
        return DONE
    terminal.result(render.status(fields))
    for name in ("configError", "indexError", "schemeWarning"):
        if name in fields:
            terminal.warn(str(fields[name]))
    warnings = fields.get("warnings", [])
    for warning in warnings if isinstance(warnings, list) else []:
        terminal.warn(str(warning))
    return DONE


def doctor(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Look at everything; whatever is broken becomes a finding."""
    from minirag_mcp.shell import doctor as examining  # noqa: PLC0415 - only this command needs it

    return examining.run(opener, terminal, as_json=given.json)


def delete(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Remove from the index."""
    gone = _at(given.path, given.source, opener.library().delete)
    _show(given, terminal, fields=wire.deleted(gone), text=render.deleted(gone))
    return DONE


def sync(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Bring the index in step; any file that failed makes the run a failure."""
    report = opener.library().sync(_path(given.path), progress=terminal.progress)
    _show(given, terminal, fields=wire.sync_report(report), text=render.sync_report(report))
    _warn_failures(report.failures, terminal)
    _warn_unlisted(report.unlisted, terminal, opener)
    return FAILED if report.failures or report.unlisted else DONE


def ingest_url(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Fetch and index a page."""
    done = opener.library().ingest_url(given.url, source=given.source, title=given.title, progress=terminal.progress)
    _show(given, terminal, fields=wire.ingested(done), text=render.ingested(done))
    return DONE


def ingest(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Index files and folders, or standard input; anything that failed makes the run a failure."""
    if given.paths == [cli_input.STANDARD_INPUT]:
        report = _ingest_input(given, opener, terminal)
    else:
        files, failed = _files(opener.library(), given.paths)
        report = _ingest_files(opener.library(), files, terminal)
        report = replace(report, failures=(*failed, *report.failures))
    _show(
        given,
        terminal,
        fields=wire.ingest_run(report.ingested, report.failures),
        text=render.ingest_run(report.ingested, report.failures),
    )
    _warn_failures(report.failures, terminal)
    return FAILED if report.failures else DONE


def _ingest_files(library: "Library", files: Sequence[Path], terminal: Terminal) -> IngestReport:
    """One file is indexed whole or not at all; several by their words first."""
    if len(files) != 1:
        return library.ingest_files(files, progress=terminal.progress)
    try:
        return IngestReport(ingested=(library.ingest_file(files[0], progress=terminal.progress),))
    except (AccessError, ParseError, RequestError) as error:
        return IngestReport(ingested=(), failures=(_failure(files[0], error),))


def _ingest_input(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> IngestReport:
    library, limit = opener.library(), opener.settings().max_file_size
    kind = given.format or "text"
    try:
        text = cli_input.content(terminal, limit=limit, is_html=kind == "html")
        done = library.ingest_data(text, given.source, format=kind, title=given.title, progress=terminal.progress)
    except (ParseError, RequestError) as error:
        failure = SyncFailure(source=SourceKey(given.source), code=error.code, message=error.explanation)
        return IngestReport(ingested=(), failures=(failure,))
    return IngestReport(ingested=(done,))


def connect(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Make a client start this program."""
    from minirag_mcp.shell.connect import command  # noqa: PLC0415 - no other command reads configurations of clients

    return command.run(given, opener, terminal)


def _show(given: argparse.Namespace, terminal: Terminal, *, fields: wire.Json, text: str) -> None:
    """The result, for a program or for a person."""
    if given.json:
        terminal.result_json(wire.sendable(fields))
    else:
        terminal.result(text)


def _files(library: "Library", paths: Sequence[str]) -> tuple[list[Path], list[SyncFailure]]:
    """The files that `paths` name, folders walked, each once; and the paths that name nothing."""
    files: dict[Path, None] = {}
    failed: list[SyncFailure] = []
    for path in (_absolute(text) for text in paths):
        if not path.is_dir():
            files[path] = None
            continue
        try:
            listed = library.list_files(scope=(str(path),))
        except MiniragError as error:
            failed.append(_failure(path, error))
            continue
        if not (listed.files or listed.unlisted):
            failed.append(_failure(path, _no_document(path)))
        found = [Path(file.source) for file in listed.files if file.source_type is SourceType.FILE]
        files.update(dict.fromkeys(file for file in found if file.is_file()))
        failed += [
            SyncFailure(source=SourceKey(folder), code="unreadable_folder", message="The folder cannot be read.")
            for folder in listed.unlisted
        ]
    return list(files), failed


def _no_document(folder: Path) -> MiniragError:
    return RequestError(f"No supported file is under {folder}.", remedy="Hidden names are skipped; so are links out.")


def _failure(path: Path, error: MiniragError) -> SyncFailure:
    return SyncFailure(source=SourceKey(str(path)), code=error.code, message=error.explanation)


def _warn_failures(failures: Sequence[SyncFailure], terminal: Terminal) -> None:
    for failure in failures:
        message = render.unnamed(failure.message, of=failure.source)
        named = Path(failure.source).is_absolute() and failure.source in message
        terminal.warn(message if named else f"{failure.source}: {message}")


def _warn_unlisted(folders: Sequence[str], terminal: Terminal, opener: opening.Opener) -> None:
    index = os.path.realpath(opener.settings().db_path)
    for folder in folders:
        terminal.warn(f"{folder}: {_why_unlisted(folder, index)}")


def _why_unlisted(folder: str, index: str) -> str:
    from minirag_mcp.ingest.walk import is_bare  # noqa: PLC0415 - only where there is something to explain

    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises where a folder above may not be entered
        return "the folder does not exist"
    bare = is_bare(folder, index=index)
    return "the folder is empty; what was indexed from it is kept" if bare else "the folder cannot be read"


def _scope(scopes: Sequence[str]) -> tuple[str, ...]:
    """A scope that names something on disk is meant from the current directory, any other as it stands."""
    return tuple(str(_absolute(text)) if _absolute(text).exists() else text for text in scopes)


class _Asking(Protocol[_Told_co]):
    """A question about one source, named by a path or by its id."""

    def __call__(self, *, file_path: Path | None = None, source: str | None = None) -> _Told_co: ...


def _at(path: str | None, source: str | None, ask: _Asking[_Told_co]) -> _Told_co:
    """What is told of a path or an id; a path that names no file here may be one as displayed."""
    if path is None:
        return ask(source=source)
    given = _absolute(path)
    try:
        return ask(file_path=given)
    except (SourceNotFoundError, OutsideRootsError) as error:
        if os.path.lexists(given):
            raise
        try:
            return ask(source=path)
        except SourceNotFoundError as unknown:
            raise (unknown if isinstance(error, OutsideRootsError) else error) from None


def _path(text: str | None) -> Path | None:
    return None if text is None else _absolute(text)


def _absolute(text: str) -> Path:
    return Path(os.path.abspath(text))  # noqa: PTH100 - takes `..` out without following links or needing the file


COMMANDS: dict[str, Command] = {
    "ingest": ingest,
    "ingest-url": ingest_url,
    "sync": sync,
    "query": query,
    "read-neighbors": read_neighbors,
    "read": read,
    "list": list_files,
    "status": status,
    "doctor": doctor,
    "delete": delete,
    "connect": connect,
}
