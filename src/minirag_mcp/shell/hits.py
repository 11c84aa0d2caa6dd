"""The answer to a question, as a person reads it."""

from collections.abc import Callable, Iterator, Sequence

from minirag_mcp.model import Answer, Passage, SectionId, Span
from minirag_mcp.shell.layout import Page, cells, lines, painted
from minirag_mcp.shell.printable import one_line

Marks = Callable[[str], Sequence[Span]]
"""Where the words of the question stand in a text."""


def answer(found: Answer, page: Page, *, marks: Marks, whole_sections: bool = False) -> str:
    """Each hit with rank, title, citation, scores and passage, and a closing count.

    With `whole_sections` the section around each passage stands in its place, once, at the best passage of it.
    """
    if not found.passages:
        return "No results."
    shown: dict[SectionId, int] = {}
    parts = []
    for rank, hit in enumerate(found.passages, start=1):
        first = shown.setdefault(hit.section_id, rank)
        text = found.sections.get(hit.section_id, hit.text) if whole_sections else hit.text
        pointer = f"(in the section shown at {first})" if whole_sections and first != rank else ""
        parts.append("\n".join(_hit(rank, hit, page, marks=marks, text=pointer or text, is_pointer=bool(pointer))))
    total = f"{_counted(len(found.passages), 'passage')} from {_counted(len(found.sources), 'document')}"
    return "\n\n".join([*parts, page.dim(total)])


def _hit(rank: int, hit: Passage, page: Page, *, marks: Marks, text: str, is_pointer: bool) -> Iterator[str]:
    number = f"{rank}. "
    margin = " " * len(number)
    width = page.room(len(number))
    title = one_line(hit.title or hit.display_path)
    for index, line in enumerate(lines(title, width=width)):
        yield (margin if index else number) + painted(title, line, marks(title), mark=page.mark, rest=page.bold)
    for where in _where(hit, width):
        for line in lines(where, width=width):
            yield margin + page.dim(line.of(where))
    yield ""
    found = () if is_pointer else marks(text)
    for line in lines(text, width=width):
        body = painted(text, line, found, mark=page.mark)
        yield margin + (page.dim(body) if is_pointer else body) if body.strip() else ""


def _where(hit: Passage, width: int | None) -> tuple[str, ...]:
    """The citation and the scores, below each other when they do not fit into one line."""
    citation = one_line(str(hit.citation))
    distance = "words only" if hit.distance is None else f"distance {hit.distance:.3f}"
    scores = f"[chunk {hit.chunk_index} · score {hit.score:.4f} · {distance}]"
    both = f"{citation}  {scores}"
    first = (both,) if width is None or sum(map(cells, both)) <= width else (citation, scores)
    return (*first, dates) if (dates := _dates(hit)) else first


def _dates(hit: Passage) -> str:
    """On which other dates a series says the same: of an unbroken run, the first and the last tell them all."""
    if hit.dates is None or not hit.dates.others:
        return ""
    run = sorted((hit.dates.own, *hit.dates.others))
    return f"the same in {len(run)} snapshots from {run[0]} to {run[-1]}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
