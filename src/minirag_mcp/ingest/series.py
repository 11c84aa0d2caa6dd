"""Dated series: a paragraph that every snapshot repeats is one fact, and is found once.

Of three snapshots or more of one document, a chunk that the snapshot just before holds too, under the same heading and
to the byte, is a repeat: the first of the run stands for it, and is the only one that is embedded and searched. What
comes back after a change is a new fact, for it is compared with the snapshot just before it alone. Every snapshot
keeps its whole text.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import dropwhile

from minirag_mcp.ingest.entry import searched
from minirag_mcp.model import ChunkId, Cut, DocClass, Section, StoredSnapshot, Terms
from minirag_mcp.store.contract import Store

FEWEST_SNAPSHOTS = 3
"""Two dated files may be a coincidence; three are a habit."""

FOLDED, UNFOLDED = "folded 1", "unfolded"
"""The rules that a series stands by: those of this module, or none."""

_LIKENESS_BYTES = 16


def likenesses(cut: Cut) -> tuple[bytes, ...]:
    """What each chunk says, as a hash: its heading path and, to the byte, what stands below the headings.

    The title of the document does not count above other headings: it may hold the date of the snapshot.
    """
    text, title = cut.document.text, cut.document.title
    sections = [(_path(section, title), section.headings) for section in cut.sections]
    shown = ((*sections[chunk.section], chunk.shown(text)) for chunk in cut.chunks)
    said = ((path, _below(headings, whole)) for path, headings, whole in shown)
    return tuple(hashlib.sha256(json.dumps(each).encode()).digest()[:_LIKENESS_BYTES] for each in said)


def _path(section: Section, title: str) -> tuple[str, ...]:
    headings = section.headings
    return headings[1:] if len(headings) > 1 and headings[0] == title else headings


def _below(headings: tuple[str, ...], shown: str) -> str:
    """A chunk without the headings that it begins with; a line that is none of its own is text."""
    lines = shown.split("\n")
    own = ("", *headings)
    return "\n".join(dropwhile(lambda line: line.strip("# \t") in own and line[:1] in {"", "#"}, lines))


def repeats(snapshots: Sequence[StoredSnapshot]) -> dict[ChunkId, ChunkId]:
    """The chunks of a series that are repeats, and for each the first of its run; `snapshots` go by date.

    Of several chunks that say the same, the first repeats the first of the snapshot before, and so on.
    """
    found: dict[ChunkId, ChunkId] = {}
    if len(snapshots) < FEWEST_SNAPSHOTS:
        return found
    before: dict[tuple[DocClass, bytes], list[ChunkId]] = {}
    for snapshot in snapshots:
        left = {said: iter(firsts) for said, firsts in before.items()}
        before = defaultdict(list)
        for chunk, likeness in zip(snapshot.chunks, snapshot.likenesses, strict=True):
            said = (snapshot.doc_class, likeness)
            first = next(left.get(said, iter(())), None)
            if first is not None:
                found[chunk] = first
            before[said].append(chunk if first is None else first)
    return found


def settle(store: Store, series: str, *, fold: bool) -> dict[bytes, str]:
    """Make a series as its snapshots are now, or, unless `fold`, one without repeats.

    Returns the texts of the chunks that are repeats no longer, by hash. Raises StoreError.
    """
    with store.together():
        snapshots = store.snapshots(series)
        wanted = repeats(snapshots) if fold else {}
        folded = {chunk: first for snapshot in snapshots for chunk, first in snapshot.firsts.items()}
        returned = {
            chunk: (terms, text_hash, text)
            for snapshot in snapshots
            for chunk, terms, text_hash, text in _returned(store, snapshot, wanted)
        }
        store.refold(
            series,
            rules=FOLDED if fold else UNFOLDED,
            fold={chunk: first for chunk, first in wanted.items() if folded.get(chunk) != first},
            unfold={chunk: (terms, text_hash) for chunk, (terms, text_hash, _) in returned.items()},
        )
    return {text_hash: text for _, text_hash, text in returned.values()}


def _returned(
    store: Store, snapshot: StoredSnapshot, wanted: dict[ChunkId, ChunkId]
) -> Iterator[tuple[ChunkId, Terms, bytes, str]]:
    """The chunks of a snapshot that were repeats and are to be none, with all that finds them."""
    ordinals = [n for n, chunk in enumerate(snapshot.chunks) if chunk in snapshot.firsts and chunk not in wanted]
    cut = store.cut(snapshot.source) if ordinals else None
    if cut is not None:
        for ordinal, terms, text_hash, text in searched(cut, ordinals):
            yield snapshot.chunks[ordinal], terms, text_hash, text
