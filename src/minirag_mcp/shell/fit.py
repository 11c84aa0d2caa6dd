"""Keeps an answer to a model within its size, and says so whenever something was left out."""

from collections import Counter
from dataclasses import replace

from minirag_mcp.errors import RequestError
from minirag_mcp.model import Answer, Job, Listing, Neighbors, Passage, SectionId, SourceKey, SourceText, StoredChunk
from minirag_mcp.shell import brief, wire
from minirag_mcp.shell.product import DEFAULT_TOP_K

MOST_CHARACTERS = 30_000
"""Clients warn from about 10,000 tokens on and cut at 25,000; 30,000 characters of any script stay below the cut."""

UPPER_LIMIT = 50_000
"""Of what a caller may ask for: English prose of this size is below the cut as well, other scripts may not be."""

LOWER_LIMIT = 2_000
"""Holds a passage with its citation, and what is said of those that were left out."""

_NOTICE_ROOM = 600
"""Kept free for the notice that tells what was left out."""

_UNLISTED_SHARE = 5
"""Where not everything fits, folders that could not be read take at most this share (one in N) of an answer."""

_SHORTEST_LINE_CUT = 2
"""A page ends at a line end if that leaves at least this share (one in N) of what would fit."""


def answer(found: Answer, *, offset: int = 0, most: int = MOST_CHARACTERS) -> wire.Json:
    """The results from `offset` on that fit, with their sections; `nextOffset` is where to go on, None at the end.

    As many results as a query usually gives come first, then their sections, best first; beyond them a result comes
    with its section or not at all. Raises RequestError when `offset` lies outside the results.
    """
    total = len(found.passages)
    _check_page(offset, None, total=total, unit="results")
    found = _from(found, offset)
    if _size(_answer(found, following=None)) <= most:
        return _answer(found, following=None)
    room = most - _NOTICE_ROOM
    shown = _Shown(found)
    for hit in found.passages[:DEFAULT_TOP_K]:
        if not shown.add(hit, most=room):
            break
    if all(shown.complete(hit, most=room) for hit in found.passages[: shown.count]):
        for hit in found.passages[shown.count :]:
            if not shown.add(hit, most=room, whole=True):
                break
    following = offset + shown.count
    return _answer(
        shown.answer(offset=offset, total=total, most=most), following=following if following < total else None
    )


def whole_answer(found: Answer) -> wire.Json:
    """Everything, for a reader without a limit."""
    return _answer(found, following=None)


def _answer(found: Answer, *, following: int | None) -> wire.Json:
    return wire.answer(found) | {"nextOffset": following}


def _from(found: Answer, offset: int) -> Answer:
    """The answer without its first `offset` results and what belongs to them alone; its notices in few words."""
    passages = found.passages[offset:]
    hits = Counter(hit.source for hit in passages)
    sections = {hit.section_id for hit in passages}
    return Answer(
        passages=passages,
        sources=tuple(replace(source, hits=hits[source.source]) for source in found.sources if source.source in hits),
        sections={name: text for name, text in found.sections.items() if name in sections},
        notices=tuple(brief.message(notice) for notice in found.notices),
    )


class _Shown:
    """The first results of an answer, and the sections of the first of those; counts the characters they take."""

    def __init__(self, found: Answer) -> None:
        self.count = 0
        self._found = found
        self._sections: set[SectionId] = set()
        self._hits: Counter[SourceKey] = Counter()
        self._sources = {source.source: source for source in found.sources}
        self._size = _size(_answer(replace(found, passages=(), sources=(), sections={}), following=len(found.passages)))

    def add(self, hit: Passage, *, most: int, whole: bool = False) -> bool:
        """Take the next result, if it fits, with its section if it is to be `whole`; the first fits always."""
        size = _size(wire.passage(hit)) + 1
        if hit.source not in self._hits:
            size += _size(wire.source_hits(self._sources[hit.source])) + 1
        section = self._section_size(hit) if whole else 0
        if self.count and self._size + size + section > most:
            return False
        if whole:
            self._sections.add(hit.section_id)
        self._size += size + section
        self._hits[hit.source] += 1
        self.count += 1
        return True

    def complete(self, hit: Passage, *, most: int) -> bool:
        """Take the section of a result that is shown, if it fits."""
        size = self._section_size(hit)
        if self._size + size > most:
            return False
        self._sections.add(hit.section_id)
        self._size += size
        return True

    def answer(self, *, offset: int, total: int, most: int) -> Answer:
        """What was taken, with a notice of what was not: of `total` results, those from `offset` on were to be had."""
        found, passages = self._found, self._found.passages[: self.count]
        return Answer(
            passages=passages,
            sources=tuple(
                replace(source, hits=self._hits[source.source])
                for source in found.sources
                if source.source in self._hits
            ),
            sections={name: text for name, text in found.sections.items() if name in self._sections},
            notices=(*found.notices, self._left_out(offset=offset, total=total, most=most)),
        )

    def _section_size(self, hit: Passage) -> int:
        text = self._found.sections.get(hit.section_id)
        return 0 if text is None or hit.section_id in self._sections else _size({hit.section_id: text}) - 1

    def _left_out(self, *, offset: int, total: int, most: int) -> str:
        parts = [f"This answer is kept under {most:,} characters."]
        end = offset + self.count
        if end < total:
            parts.append(
                f"It holds results {offset + 1} to {end} of {total}; for the next ask again with offset={end}."
            )
        complete = sum(1 for hit in self._found.passages[: self.count] if hit.section_id in self._sections)
        if not complete:
            parts.append("None of these has its section in `parents`; to read one call read_file with its parentId.")
        elif complete < self.count:
            parts.append(
                f"Only the first {complete} of these have their section in `parents`; for another call read_file with "
                "its parentId."
            )
        return " ".join(parts)


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


def page(read: SourceText, *, offset: int, limit: int | None, most: int | None = MOST_CHARACTERS) -> wire.Json:
    """The text from `offset` on, at most `limit` characters and an answer of `most`; None is no bound.

    Pages that go on at the `nextOffset` of the page before, None at the end, join to the whole text.
    Raises RequestError when `offset` lies outside the text or `limit` is below 1.
    """
    total = len(read.text)
    _check_page(offset, limit, total=total, unit="characters")
    text = read.text[offset : offset + (limit or total)]
    if most is not None:
        room = most - _NOTICE_ROOM - _size(wire.source_text(replace(read, text="")))
        text = text if _size({"": text}) <= room else _cut(text, room)
    end = offset + len(text)
    fields = wire.source_text(replace(read, text=text)) | {
        "offset": offset,
        "totalChars": total,
        "nextOffset": end if end < total else None,
    }
    if end < total:
        fields["notice"] = f"Characters {offset + 1:,} to {end:,} of {total:,}; read on with offset={end}."
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
    notices = [brief.message(notice) for notice in listed.notices]
    fields = wire.listing(replace(listed, files=wanted, notices=tuple(notices)))
    fields, said = _few_unlisted(fields, most=most - _NOTICE_ROOM)
    fields, shown = _first_that_fit(fields, "files", most=most - _NOTICE_ROOM)
    end = offset + shown
    fields |= {"total": total, "nextOffset": end if end < total else None}
    if end < total:
        said.append(f"Files {offset + 1:,} to {end:,} of {total:,}; go on with offset={end}, or narrow with scope.")
    return _told(fields, *notices, *said)


def job(one: Job, *, offset: int = 0, limit: int | None = None, most: int = MOST_CHARACTERS) -> wire.Json:
    """A sync job with as many of its errors from `offset` on, and of its unlisted folders, as fit; counts are complete.

    `nextOffset` is where the errors go on, None at the end. Raises RequestError when `offset` lies outside them or
    `limit` is below 1.
    """
    total = len(one.report.failures)
    _check_page(offset, limit, total=total, unit="errors")
    later = replace(one.report, failures=one.report.failures[offset : offset + (limit or total)])
    fields = wire.job(replace(one, report=later)) | {"nextOffset": None}
    fields, said = _few_unlisted(fields, most=most - _NOTICE_ROOM)
    fields, shown = _first_that_fit(fields, "errors", most=most - _NOTICE_ROOM)
    end = offset + shown
    if end < total:
        fields |= {"nextOffset": end}
        said.append(f"Errors {offset + 1:,} to {end:,} of {total:,}; for the next ask again with offset={end}.")
    return _told(fields, *said)


def _few_unlisted(fields: wire.Json, *, most: int) -> tuple[wire.Json, list[str]]:
    """`fields` with the first of `unlistedFolders` when it is larger than `most`, and what to say of the others."""
    folders = fields["unlistedFolders"]
    assert isinstance(folders, list)  # noqa: S101 - the callers' own field
    if _size(fields) <= most:
        return fields, []
    few, kept = _first_that_fit({"unlistedFolders": folders}, "unlistedFolders", most=most // _UNLISTED_SHARE)
    said = f"Only the first {kept} of {len(folders)} unlistedFolders are shown."
    return fields | few, [said] if kept < len(folders) else []


def _told(fields: wire.Json, *notices: str) -> wire.Json:
    return fields | {"notice": " ".join(notices)} if notices else fields


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
