"""Results as text for people: values in, lines out."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import indent

from minirag_mcp.model import (
    Citation,
    Deleted,
    Ingested,
    ListedSource,
    Listing,
    Neighbors,
    SourceKey,
    SourceState,
    SyncFailure,
    SyncReport,
    Verdict,
)
from minirag_mcp.shell.printable import escaped, one_line
from minirag_mcp.shell.wire import Json

Paint = Callable[[str], str]

_STATUS_ROWS = {
    "version": "version",
    "roots": "roots",
    "dbPath": "index",
    "cacheDir": "models",
    "model": "model",
    "chunkTokenBudget": "token budget",
    "maxFileSize": "max file size",
    "hybridWeight": "hybrid weight",
    "grouping": "grouping",
    "maxDistance": "max distance",
    "maxFiles": "max files",
    "allowPrivateUrls": "private URLs",
    "snapshotDedupe": "dedupe",
    "handoffMirrorDir": "handoff folder",
    "handoffMirrorBasenames": "handoff names",
    "instructionsAppend": "instructions",
    "chunkScheme": "chunk scheme",
    "sourceCount": "sources",
    "chunkCount": "chunks",
    "staleChunkCount": "stale chunks",
    "unembeddedChunkCount": "without vector",
    "repeatedChunkCount": "repeats",
}


def plain(text: str) -> str:
    """No emphasis."""
    return text


def neighbors(read: Neighbors, *, chunk_index: int, bold: Paint = plain, dim: Paint = plain) -> str:
    """Chunks in order under number and place, `>` at the one asked about; says where the document begins and ends."""
    lines = [bold(one_line(read.title or read.display_path))]
    if read.at_start:
        lines += ["", dim("  (beginning of the document)")]
    for chunk in read.chunks:
        citation = Citation(display_path=read.display_path, headings=chunk.headings, place=chunk.place)
        mark = ">" if chunk.ordinal == chunk_index else " "
        lines += ["", dim(f"{mark} [{chunk.ordinal}] {one_line(str(citation))}"), indent(escaped(chunk.text), "  ")]
    if read.at_end:
        lines += ["", dim("  (end of the document)")]
    return "\n".join(lines)


def listing(listed: Listing) -> str:
    """One line per file: state, chunks, path, and why it failed; and a closing count by state."""
    if not listed.files:
        return "No files."
    width = max(len(file.state.value) for file in listed.files)
    digits = max(len(str(file.chunk_count)) for file in listed.files)
    lines = [
        f"{file.state.value:<{width}}  {file.chunk_count:>{digits}}  {one_line(file.display_path)}{_reason(file)}"
        for file in listed.files
    ]
    states = [file.state for file in listed.files]
    counts = [f"{states.count(state)} {state.value}" for state in SourceState if state in states]
    return "\n".join([*lines, "", f"{_counted(len(states), 'source')}: {', '.join(counts)}"])


def _reason(file: ListedSource) -> str:
    return f"  ({one_line(unnamed(file.error, of=file.source))})" if file.error else ""


def unnamed(message: str, *, of: SourceKey) -> str:
    """The message of a failure, without the file name that it begins with: for a line that names the file."""
    return message.removeprefix(f"{Path(of).name}: ")


def sync_report(report: SyncReport) -> str:
    """The counts of a sync in one line."""
    counts = report.counts
    done = [
        (counts.ingested, "ingested"),
        (counts.skipped, "unchanged"),
        (counts.moved, "moved"),
        (counts.deleted, "dropped"),
        (counts.unreadable, "unreadable"),
        (counts.failed, "failed"),
    ]
    parts = [f"{number} {word}" for number, word in done if number]
    return f"{_counted(counts.scanned, 'file')}: {', '.join(parts) or 'nothing to do'}"


def ingest_run(done: Sequence[Ingested], failed: Sequence[SyncFailure]) -> str:
    """One line per indexed source, and a closing count."""
    lines = [ingested(one) for one in done]
    failures = f", {len(failed)} failed" if failed else ""
    return "\n".join([*lines, f"{_counted(len(done), 'source')} indexed{failures}"])


def ingested(one: Ingested) -> str:
    """Source, chunks and title."""
    title = f"  {one_line(one.title)}" if one.title else ""
    return f"{one_line(one.source)}  ({_counted(one.chunk_count, 'chunk')}){title}"


def deleted(gone: Deleted) -> str:
    """What went from the index."""
    removed = _counted(gone.deleted_chunks, "chunk")
    return f"{one_line(gone.source)}: {removed} removed from the index; the disk is untouched"


def status(fields: Json) -> str:
    """The status answer as aligned rows."""
    width = max(len(label) for label in _STATUS_ROWS.values())
    rows = []
    for name, label in _STATUS_ROWS.items():
        if name not in fields:
            continue
        value = fields[name]
        values = value if isinstance(value, list) else [_worded(value)]
        rows += [f"{label if first else '':<{width}}  {one_line(str(shown))}" for first, shown in _marked(values)]
    return "\n".join(rows)


def settings(fields: Json) -> str:
    """Every setting on one line."""
    rows = ((label, fields[name]) for name, label in _STATUS_ROWS.items() if name in fields)
    values = ((label, value if isinstance(value, list) else [value]) for label, value in rows)
    return "; ".join(f"{label} {', '.join(str(_worded(one)) for one in several)}" for label, several in values)


def finding(fields: Json, *, bold: Paint = plain, dim: Paint = plain) -> str:
    """State, check and what was found; below it what to do, and the command alone on its line, to be copied."""
    state, check = str(fields["state"]), str(fields["check"])
    mark = dim if state in (Verdict.OK, Verdict.SKIPPED) else bold
    lines = [f"{mark(f'{state:<7}')}  {check}: {one_line(str(fields['message']))}"]
    below = {"fix": " " * 9, "command": " " * 11}
    lines += [margin + one_line(str(fields[name])) for name, margin in below.items() if fields[name]]
    return "\n".join(lines)


def examination(counts: Mapping[str, int]) -> str:
    """How many checks went how."""
    return ", ".join(f"{counts[verdict.value]} {verdict.value}" for verdict in Verdict if counts[verdict.value])


def _worded(value: object) -> object:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


def _marked(values: list[object]) -> list[tuple[bool, object]]:
    return [(index == 0, value) for index, value in enumerate(values)]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
