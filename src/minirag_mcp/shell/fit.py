"""Keeps an answer to a model within its size, and says so whenever something was left out."""

from dataclasses import replace

from minirag_mcp.errors import RequestError
from minirag_mcp.model import Answer, Listing, Neighbors, SectionId, SourceHits, SourceKey, SourceText, StoredChunk
from minirag_mcp.shell import wire

MOST_CHARACTERS = 30_000
"""Clients warn from about 10,000 tokens on and cut at 25,000; 30,000 characters of any script stay below the cut."""

_NOTICE_ROOM = 600
"""Kept free for the notice that tells what was left out."""

_SHORTEST_LINE_CUT = 2
"""A page ends at a line end if that leaves at least this share (one in N) of what would fit."""


def answer(found: Answer, *, most: int = MOST_CHARACTERS) -> Answer:
    """`found` with the sections, then the passages, of the lowest ranks left out until it fits."""
    room = most - _NOTICE_ROOM
    size = _size(wire.answer(found))
    if size <= most:
        return found
    kept, size, left_out = _without_sections(found, size=size, room=room)
    shown = replace(found, sections=kept)
    if size > room:
        shown = _without_passages(shown, size=size, room=room)
    return replace(shown, notices=(*found.notices, *_left_out(found, shown, sections=left_out)))


def _without_sections(found: Answer, *, size: int, room: int) -> tuple[dict[SectionId, str], int, int]:
    kept = dict(found.sections)
    for hit in reversed(found.passages):
        if size <= room:
            break
        text = kept.pop(hit.section_id, None)
        if text is not None:
            size -= _size({hit.section_id: text}) - 1
    return kept, size, len(found.sections) - len(kept)


def _without_passages(found: Answer, *, size: int, room: int) -> Answer:
    passages = list(found.passages)
    while size > room and len(passages) > 1:
        size -= _size(wire.passage(passages.pop())) + 1
    hits: dict[SourceKey, int] = {}
    for hit in passages:
        hits[hit.source] = hits.get(hit.source, 0) + 1
    sources = tuple(_counted(source, hits) for source in found.sources if source.source in hits)
    return replace(found, passages=tuple(passages), sources=sources)


def _counted(source: SourceHits, hits: dict[SourceKey, int]) -> SourceHits:
    return replace(source, hits=hits[source.source])


def _left_out(found: Answer, shown: Answer, *, sections: int) -> tuple[str, ...]:
    lines = []
    if sections:
        lines.append(
            f"To stay under {MOST_CHARACTERS:,} characters, {sections} of {len(found.sections)} sections of the "
            "lower-ranked results are not in `parents`; read them with read_chunk_neighbors or read_file."
        )
    dropped = len(found.passages) - len(shown.passages)
    if dropped:
        lines.append(f"The last {dropped} of {len(found.passages)} results are left out; ask with a smaller topK.")
    return tuple(lines)


def neighbors(read: Neighbors, *, chunk_index: int, most: int = MOST_CHARACTERS) -> wire.Json:
    """The chunks nearest to `chunk_index` that fit, with a `notice` when others were left out."""
    whole = wire.neighbors(read, chunk_index=chunk_index)
    if _size(whole) <= most:
        return whole
    near = sorted(read.chunks, key=lambda chunk: abs(chunk.ordinal - chunk_index))
    kept: list[StoredChunk] = []
    size = _NOTICE_ROOM + _size(wire.neighbors(replace(read, chunks=()), chunk_index=chunk_index))
    for chunk in near:
        size += _size(wire.neighbors(replace(read, chunks=(chunk,)), chunk_index=chunk_index))
        if kept and size > most:
            break
        kept.append(chunk)
    chunks = tuple(sorted(kept, key=lambda chunk: chunk.ordinal))
    shown = replace(
        read,
        chunks=chunks,
        at_start=read.at_start and chunks[0] == read.chunks[0],
        at_end=read.at_end and chunks[-1] == read.chunks[-1],
    )
    return wire.neighbors(shown, chunk_index=chunk_index) | {
        "notice": f"Only the {len(chunks)} nearest of {len(read.chunks)} chunks fit; "
        "ask again around another chunkIndex for the others."
    }


def page(read: SourceText, *, offset: int, limit: int | None, most: int = MOST_CHARACTERS) -> wire.Json:
    """The text from `offset` on, as much as fits; `nextOffset` is where to read on, None at the end.

    Raises RequestError when `offset` lies outside the text or `limit` is below 1.
    """
    total = len(read.text)
    _check_page(offset, limit, total=total, unit="characters")
    wanted = read.text[offset : offset + (limit or total)]
    room = most - _NOTICE_ROOM - _size(wire.source_text(replace(read, text="")))
    text = wanted if _size({"": wanted}) <= room else _cut(wanted, room)
    end = offset + len(text)
    fields = wire.source_text(replace(read, text=text)) | {
        "offset": offset,
        "totalChars": total,
        "nextOffset": end if end < total else None,
    }
    if end < total:
        fields["notice"] = f"Characters {offset:,} to {end:,} of {total:,}; read on with offset={end}."
    return fields


def _cut(text: str, room: int) -> str:
    """The longest beginning of `text` whose JSON has at most `room` characters, at a line end where one is near."""
    low, high = 1, min(len(text), room)
    while low < high:
        middle = (low + high + 1) // 2
        if _size({"": text[:middle]}) <= room:
            low = middle
        else:
            high = middle - 1
    line_end = text.rfind("\n", 0, low) + 1
    return text[:line_end] if line_end > low // _SHORTEST_LINE_CUT else text[:low]


def listing(listed: Listing, *, offset: int, limit: int | None, most: int = MOST_CHARACTERS) -> wire.Json:
    """The files from `offset` on, as many as fit; `nextOffset` is where to go on, None at the end.

    Raises RequestError when `offset` lies outside the list or `limit` is below 1.
    """
    total = len(listed.files)
    _check_page(offset, limit, total=total, unit="files")
    wanted = listed.files[offset : offset + (limit or total)]
    fields = wire.listing(replace(listed, files=wanted))
    fields, shown = _first_that_fit(fields, "files", most=most - _NOTICE_ROOM)
    end = offset + shown
    fields |= {"total": total, "nextOffset": end if end < total else None}
    if end < total:
        more = f"Files {offset:,} to {end:,} of {total:,}; go on with offset={end}, or narrow with scope."
        fields["notice"] = " ".join([*listed.notices, more])
    return fields


def job(fields: wire.Json, *, most: int = MOST_CHARACTERS) -> wire.Json:
    """A sync job with as many of its errors as fit; the counts stay complete."""
    shown, kept = _first_that_fit(fields, "errors", most=most - _NOTICE_ROOM)
    if shown is not fields:
        shown["notice"] = f"Only the first {kept} errors are shown; list_files shows the state of every file."
    return shown


def _first_that_fit(fields: wire.Json, name: str, *, most: int) -> tuple[wire.Json, int]:
    """`fields` with the first items of its list `name` that fit, and how many those are (at least one)."""
    items = fields[name]
    assert isinstance(items, list)  # noqa: S101 - the callers' own field
    size = _size(fields)
    if size <= most:
        return fields, len(items)
    kept = list(items)
    while len(kept) > 1 and size > most:
        size -= _size(kept.pop()) + 1
    return fields | {name: kept}, len(kept)


def _check_page(offset: int, limit: int | None, *, total: int, unit: str) -> None:
    if offset < 0 or (offset and offset >= total):
        raise RequestError(f"offset {offset} lies outside the {total:,} {unit} there are.")
    if limit is not None and limit < 1:
        raise RequestError(f"limit is {limit}; it must be at least 1.")


def _size(fields: wire.Json) -> int:
    return len(wire.compact(fields))
