"""What must hold of every cut, checked without the cutter's own idea of a code block."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from minirag_mcp.chunk.counter import TokenCounter
from minirag_mcp.model import Chunk, Cut, Section

_FENCE = re.compile(r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]|^ {0,3}(?:=+|-{2,})[ \t]*$")
_COMMENT = re.compile(r"^[ \t]*<!--.*-->[ \t]*$")
_RULE = frozenset("|:-> \t")
_NOT_LETTERS = re.compile(r"[\W_]+")
_LEAST_SAID = 40
"""Letters and digits by which a paragraph is looked for in its original; a shorter one is said again and again."""
_ROW = 1_000


def keeps_code_whole(chunk: Chunk, text: str, *, counter: TokenCounter, budget: int) -> bool:
    """Whether a chunk is over the budget only for one closed code block: the rest, but for headings, is within it."""
    lines = chunk.span.of(text).split("\n")
    fences = [(number, found) for number, line in enumerate(lines) if (found := _FENCE.match(line))]
    for (first, opening), (last, closing) in combinations(fences, 2):
        rest = "\n".join(line for line in [*lines[:first], *lines[last + 1 :]] if not _HEADING.match(line))
        closed = closing["mark"].startswith(opening["mark"]) and not closing["info"].strip()
        if closed and counter.count(rest) <= budget:
            return True
    return False


def outside(text: str, sections: Sequence[Section]) -> int:
    """Characters, blank ones aside, that stand in no section."""
    ends = [0, *(section.span.end for section in sections)]
    starts = [*(section.span.start for section in sections), len(text)]
    return sum(len("".join(text[end:start].split())) for end, start in zip(ends, starts, strict=True) if start > end)


def read_twice(sections: Sequence[Section]) -> int:
    """Characters that would be read twice if the sections were read one after the other."""
    return sum(max(0, before.span.end - after.span.start) for before, after in pairwise(sections))


def out_of_order(made: Cut) -> int:
    """Chunks that do not lie in their section, or do not join to it."""
    position = 0
    wrong = 0
    for chunk in made.chunks:
        section = made.sections[chunk.section].span
        wrong += not section.start <= chunk.span.start < chunk.span.end <= section.end
        wrong += chunk.span.start != max(position, section.start)
        position = chunk.span.end
    return wrong


def is_only_headings(chunk: Chunk, made: Cut) -> bool:
    """Whether a chunk is of headings alone although more stands in its section."""
    text = made.document.text
    lines = [line for line in chunk.span.of(text).split("\n") if line.strip() and not _COMMENT.match(line)]
    return (
        bool(lines)
        and all(_HEADING.match(line) for line in lines)
        and chunk.span.end < made.sections[chunk.section].span.end
    )


def is_only_a_table_header(chunk: Chunk, made: Cut) -> bool:
    """Whether a chunk is the header of a table whose rows stand in the next one."""
    text = made.document.text
    lines = [line for line in chunk.span.of(text).split("\n") if line.strip()]
    below = text[chunk.span.end : chunk.span.end + _ROW].split("\n", 1)[0]
    ruled = bool(lines) and "|" in lines[-1] and "-" in lines[-1] and _RULE.issuperset(lines[-1])
    return ruled and "|" in below and all(_HEADING.match(line) for line in lines[:-2])


def said_again(text: str, original: str) -> int:
    """Characters of beginnings of paragraphs that stand more often in `text` than in its original."""
    lines = (_letters(line) for line in text.split("\n"))
    said = Counter(letters[:_LEAST_SAID] for letters in lines if len(letters) >= _LEAST_SAID)
    source = _letters(original) if max(said.values(), default=0) > 1 else ""
    return sum(
        len(letters) * (times - there)
        for letters, times in said.items()
        if times > 1 and times > (there := source.count(letters)) > 0
    )


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()
