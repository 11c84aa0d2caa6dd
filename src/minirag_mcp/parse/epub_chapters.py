"""Where the chapters of a book begin inside one of its parts: where the contents page points, else at the headings."""

import re
from collections.abc import Mapping, Sequence

from minirag_mcp.parse.first_heading import plain_heading
from minirag_mcp.parse.html_furniture import without_navigation
from minirag_mcp.parse.html_page import markdown_of
from minirag_mcp.parse.html_title import title_of

Chapters = list[tuple[int, str]]
"""Offset in the text of a part, and the name of the chapter that begins there; the first offset is 0."""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+)$", re.MULTILINE)
_PICTURE = re.compile(r"!\[([^\]\n]*)\]\((?!https?:)[^)\n]*\)")
_TARGET = re.compile(r"""<[A-Za-z][^<>\s]*\s(?:[^<>]*?\s)?(?:id|name)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')[^<>]*>""")
_OPEN, _CLOSE = "\ufdd1", "\ufdd2"
"""Around the number of a target while a part is converted. Noncharacters, so no text holds them."""
_MARKER = re.compile(f"^{_OPEN}([0-9]+){_CLOSE}\\s*|{_OPEN}([0-9]+){_CLOSE}", re.MULTILINE)


def read_part(source: str, labels: Mapping[str, str], *, before: str) -> tuple[str, Chapters]:
    """The text of a part, and its chapters; pictures, which lie inside the book, by their alt text.

    `labels` are those of `Package.labels`; `before` is the chapter in which the part before it ends. A part without
    a heading gets the label of the whole of it as one.
    """
    fragments = [fragment for fragment in labels if fragment]
    text = _PICTURE.sub(r"\1", markdown_of(_with_markers(source, fragments), without=without_navigation)).strip()
    text, starts = _without_markers(text, fragments)
    whole = labels.get("") or next((labels[fragment] for fragment in labels if not starts), "")
    heading = _HEADING.search(text)
    if not text:
        return "", []
    first = plain_heading(heading[2]) if heading and (not starts or heading.start() == 0) else ""
    going_on = before if starts else ""
    name = whole or first or going_on or title_of(source) or ""
    if whole and not heading and whole.casefold() not in text[: 4 * len(whole)].casefold():
        return f"## {whole}\n\n{text}", [(0, whole)]
    later = [(start, labels[fragment]) for fragment, start in starts.items()] if starts else _by_headings(text)
    return text, [*([] if later and later[0][0] == 0 else [(0, name)]), *later]


def _by_headings(text: str) -> Chapters:
    """The headings after the first that are as high as any."""
    found = list(_HEADING.finditer(text))
    highest = min((len(heading[1]) for heading in found), default=0)
    chapters = [(heading.start(), plain_heading(heading[2])) for heading in found if len(heading[1]) == highest]
    return chapters[1:]


def _with_markers(source: str, fragments: Sequence[str]) -> str:
    numbers = {fragment: number for number, fragment in enumerate(fragments)}

    def marked(element: re.Match[str]) -> str:
        number = numbers.pop(element[1] or element[2] or "", None)
        return element[0] if number is None else f"{_OPEN}{number}{_CLOSE}{element[0]}"

    return _TARGET.sub(marked, source) if numbers else source


def _without_markers(text: str, fragments: Sequence[str]) -> tuple[str, dict[str, int]]:
    """The text, and where the line begins in which each target stood."""
    pieces: list[str] = []
    starts: dict[int, str] = {}
    length = line = end = 0
    for marker in _MARKER.finditer(text):
        piece = text[end : marker.start()]
        pieces.append(piece)
        if "\n" in piece:
            line = length + piece.rindex("\n") + 1
        length += len(piece)
        end = marker.end()
        starts.setdefault(line, fragments[int(marker[1] or marker[2])])
    pieces.append(text[end:])
    return "".join(pieces), {fragment: line for line, fragment in starts.items()}
