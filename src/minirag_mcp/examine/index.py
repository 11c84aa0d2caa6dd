"""The index itself: whether what was written is still there."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from minirag_mcp.errors import IndexDamagedError
from minirag_mcp.examine.findings import MOST_NAMED, command, counted, fail, failure, ok, product
from minirag_mcp.model import Command, Finding, IndexFault, Progress, SourceKey, SourceRecord, SourceType
from minirag_mcp.store.contract import Store
from minirag_mcp.store.files import own_files


def examine_index(store: Store, folder: Path, *, progress: Callable[[Progress], None]) -> list[Finding]:
    """One finding for each damaged document, or one for the whole index. Closes `store`. Raises StoreError."""
    try:
        faults = store.faults(progress=progress)
        records = {record.key: record for record in store.sources()} if not _whole(faults) else {}
    except IndexDamagedError as error:
        store.close()
        commands = _renewal(folder)
        return [_damaged(folder, error.message, commands) if commands else failure(error)]
    store.close()
    if _whole(faults):
        more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
        return [_damaged(folder, f"The index is damaged: {faults[0].message}{more}.", _renewal(folder))]
    if faults:
        return [*_misread(faults, records)]
    chunks = sum(record.chunk_count for record in records.values())
    whole = f"{counted(len(records), 'source')} with {counted(chunks, 'chunk')}, all read back whole"
    return [ok(whole if records else "empty: nothing is indexed yet")]


def _whole(faults: Sequence[IndexFault]) -> bool:
    """Whether it is the index that is damaged, and not single documents in it."""
    return any(fault.source is None for fault in faults)


def _damaged(folder: Path, message: str, commands: tuple[Command, ...]) -> Finding:
    return fail(
        message,
        f"Stop the servers that use {folder}, set the damaged index aside, and index your files again. What was "
        "given as text or fetched is not on the disk: ingest it again.",
        *commands,
    )


def _renewal(folder: Path) -> tuple[Command, ...]:
    """Set aside, never deleted: text that is no file may still be saved from it."""
    moves = tuple(command("mv", str(path), str(_aside(path))) for path in own_files(folder))
    return (*moves, product("sync")) if moves else ()


def _aside(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.damaged{end}") for end in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(name for name in names if not os.path.lexists(name))


def _misread(faults: Sequence[IndexFault], records: dict[SourceKey, SourceRecord]) -> list[Finding]:
    """The first few damaged documents by name, the others by number."""
    shown = [_document(fault, records.get(fault.source or SourceKey(""))) for fault in faults[:MOST_NAMED]]
    rest = faults[MOST_NAMED:]
    if rest:
        shown.append(
            fail(f"{counted(len(rest), 'more document')} cannot be read back.", "Mend these, then look again.")
        )
    return shown


def _document(fault: IndexFault, record: SourceRecord | None) -> Finding:
    key = str(fault.source)
    message = f"What is kept of {key} is damaged: {fault.message}."
    if record is not None and record.source_type is SourceType.FILE and os.path.isfile(key):  # noqa: PTH113
        return fail(message, "Index the file again.", product("ingest", key))
    if record is not None and record.source_type is SourceType.URL:
        return fail(message, "Fetch the page again.", product("ingest-url", key))
    return fail(message, "Remove it from the index, and ingest it again from where it came.", _forget(key))


def _forget(key: str) -> Command:
    return product("delete", "--source", key)
