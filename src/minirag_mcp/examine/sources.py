"""How the files and items stand to the index: what is not in it, or not as it is on the disk."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from minirag_mcp.config import Settings
from minirag_mcp.errors import MiniragError
from minirag_mcp.examine.findings import MOST_NAMED, counted, named, ok, permission, product, skipped, warn
from minirag_mcp.ingest.diff import HiddenFolders
from minirag_mcp.model import Finding, IndexCounts, ListedSource, Listing, SourceKey, SourceState, SourceType
from minirag_mcp.store.contract import covers

_IN_STEP = "Bring the index in step with the disk."

_ROUND = 1000
"""A limit proposed for MAX_FILE_SIZE is rounded up to so many bytes: people read it."""


def examine_sources(listing: Listing, known: Iterable[SourceKey], settings: Settings) -> list[Finding]:
    """One finding for each kind of thing that is not in step, or one for all.

    `known` are the keys of all files in the index, of whatever root.
    """
    large = {file.source: size for file in listing.files if (size := _size_refused(file, settings))}
    gone = _gone(listing)
    vanished = {file.source for file in gone}
    files = [file for file in listing.files if file.source not in large and file.source not in vanished]
    found = [
        *_unlisted(listing.unlisted, settings),
        *_behind(files, gone),
        *_unreadable([file for file in files if file.state is SourceState.UNREADABLE]),
        *_failed([file for file in files if file.state is SourceState.FAILED]),
        *_too_large(large, settings),
        *_homeless([key for key in known if not covers(_scope(settings), key)]),
    ]
    if found:
        return found
    unseen = sum(file.state is SourceState.UNLISTED for file in listing.files)
    if unseen:
        return [skipped(f"{counted(unseen, 'indexed file')} not looked at, for a root cannot be read (roots)")]
    number = len(listing.files)
    return [ok(f"{counted(number, 'source')}, each indexed as it stands" if number else "no supported file is there")]


def examine_vectors(counts: IndexCounts) -> list[Finding]:
    """Chunks that are found by their words alone."""
    if counts.unembedded_chunks:
        message = f"{counts.unembedded_chunks:,} of {counted(counts.chunks, 'chunk')} have no vector of this model"
        return [warn(f"{message}: they are found by their words alone.", "Compute what is missing.", product("sync"))]
    return [ok(f"{counted(counts.chunks, 'chunk')}, none without a vector")]


def _scope(settings: Settings) -> tuple[SourceKey, ...]:
    return tuple(SourceKey(os.path.abspath(root)) for root in settings.roots)  # noqa: PTH100 - as the walk spells them


def _unlisted(folders: Sequence[str], settings: Settings) -> Iterator[Finding]:
    """Folders below the roots; the roots themselves are looked at on their own."""
    below = [folder for folder in folders if folder not in _scope(settings)]
    for folder in below[:MOST_NAMED]:
        step, commands = permission("rx", Path(folder))
        yield warn(f"The folder {folder} cannot be listed; what was indexed from it is kept.", step, *commands)
    yield from _more(below, "folder that cannot be listed", "folders that cannot be listed")


def _behind(files: Sequence[ListedSource], gone: Sequence[ListedSource]) -> Iterator[Finding]:
    told = {
        "not indexed yet": [file for file in files if file.state is SourceState.NOT_INGESTED],
        "changed since, or indexed in another way than today's": [f for f in files if f.state is SourceState.STALE],
        "indexed but no longer on the disk": gone,
    }
    for what, those in told.items():
        if those:
            names = named([file.display_path for file in those])
            yield warn(f"{counted(len(those), 'source')} {what}: {names}.", _IN_STEP, product("sync"))


def _gone(listing: Listing) -> list[ListedSource]:
    """Files in the index that the next sync drops: not found, and in no folder that only could not be listed."""
    hidden = HiddenFolders(listing.unlisted)
    return [
        file
        for file in listing.files
        if file.source_type is SourceType.FILE
        and file.state in (SourceState.STALE, SourceState.FAILED, SourceState.UNREADABLE)
        and not os.path.lexists(file.source)
        and not hidden.covers(file.source)
    ]


def _unreadable(files: Sequence[ListedSource]) -> Iterator[Finding]:
    for file in files[:MOST_NAMED]:
        step, commands = permission("r", Path(file.source))
        then = (*commands, product("sync")) if commands else ()
        yield warn(f"{file.source} may not be read.", f"{step} Then sync.", *then)
    yield from _more(files, "unreadable file", "unreadable files")


def _failed(files: Sequence[ListedSource]) -> Iterator[Finding]:
    for file in files[:MOST_NAMED]:
        message, fix = _parted(file.error or "It could not be indexed.")
        told = message if file.display_path in message else f"{file.display_path}: {message}"
        yield warn(told, f"{fix} To try again:", product("ingest", file.source))
    yield from _more(files, "failed source", "failed sources")


def _parted(explanation: str) -> tuple[str, str]:
    """What went wrong, and what to do, of an explanation as it is kept."""
    remedies = (kind.default_remedy for kind in _errors(MiniragError))
    remedy = next((remedy for remedy in remedies if explanation.endswith(remedy)), "")
    return explanation.removesuffix(remedy).rstrip(), remedy or "Do as it says."


def _errors(kind: type[MiniragError]) -> Iterator[type[MiniragError]]:
    for below in kind.__subclasses__():
        yield below
        yield from _errors(below)


def _too_large(sizes: dict[SourceKey, int], settings: Settings) -> Iterator[Finding]:
    if sizes:
        enough = -(-max(sizes.values()) // _ROUND) * _ROUND
        names = named([f"{key} ({size:,} bytes)" for key, size in sizes.items()])
        yield warn(
            f"{counted(len(sizes), 'file')} over MAX_FILE_SIZE, {settings.max_file_size:,} bytes: {names}.",
            "Split them, move them out of the root, or raise the limit, also in the configuration of your client:",
            product("sync", MAX_FILE_SIZE=str(enough)),
        )


def _size_refused(file: ListedSource, settings: Settings) -> int:
    """The size of a file that is not indexed for its size; 0 for others."""
    if file.source_type is not SourceType.FILE or file.state is SourceState.INGESTED:
        return 0
    try:
        size = os.stat(file.source).st_size  # noqa: PTH116 - one Path a file is slow
    except OSError:
        return 0
    return size if size > settings.max_file_size else 0


def _homeless(keys: Sequence[SourceKey]) -> Iterator[Finding]:
    """Files of folders that are no roots any more; nothing shows them, nothing drops them."""
    if keys:
        folder = os.path.dirname(keys[0])  # noqa: PTH120 - keys are strings
        yield warn(
            f"{counted(len(keys), 'indexed file')} of folders that are no roots now, and never shown: "
            f"{named([str(key) for key in keys])}.",
            "Make their folder a root again, or have each forgotten, the first like this:",
            product("delete", keys[0], "--base-dir", folder),
        )


def _more(those: Sequence[object], one: str, many: str) -> Iterator[Finding]:
    more = len(those) - MOST_NAMED
    if more > 0:
        yield warn(
            f"There {'is' if more == 1 else 'are'} {more:,} more {one if more == 1 else many}.",
            "See all:",
            product("list"),
        )
