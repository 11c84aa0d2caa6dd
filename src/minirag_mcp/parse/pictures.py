"""Pictures inlined as `data:` URIs: megabytes of letters that say nothing, reduced to what they are called."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_URI = r"(?:<data:[^>\n]*>|data:[^,()\s]*;base64,[A-Za-z0-9+/=%\s]*|data:(?:[^()\s]|\([^()\s]*\))*)"
_TITLE = r"""(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?"""
_TARGET = re.compile(rf"\]\(\s*{_URI}{_TITLE}\s*\)", re.IGNORECASE)
_DEFINITION = re.compile(
    rf"^[ ]{{0,3}}\[(?P<label>[^\]\n]{{1,200}})\]:[ \t]*(?:<data:[^>\n]*>|data:\S*){_TITLE}[ \t]*(?:\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
_ELEMENT = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
_SOURCE = re.compile(r"""\ssrc\s*=\s*["']?\s*data:""", re.IGNORECASE)
_ALT = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<marker>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_LONGEST_ALT = 2000
"""Characters looked back for the beginning of a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A piece `[start, end)` of the text, and what stands in its place."""

    start: int
    end: int
    text: str


def inlined_pictures(text: str) -> tuple[Cut, ...]:
    """The inlined pictures of a Markdown text outside fenced code, in order, each with its alt text."""
    if "data:" not in text.lower():
        return ()
    fences = _fenced_code(text)
    cuts = sorted((*_inline(text), *_elements(text), *_references(text)), key=lambda cut: cut.start)
    kept: list[Cut] = []
    for cut in cuts:
        apart = not kept or cut.start >= kept[-1].end
        if apart and not any(start <= cut.start < end for start, end in fences):
            kept.append(cut)
    return tuple(kept)


def without(text: str, cuts: tuple[Cut, ...]) -> str:
    """The text with every cut made."""
    pieces: list[str] = []
    position = 0
    for cut in cuts:
        pieces += (text[position : cut.start], cut.text)
        position = cut.end
    return "".join((*pieces, text[position:])) if cuts else text


def _fenced_code(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the fenced code blocks that are closed; a stray fence line makes no block."""
    spans = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            if match["marker"][0] == "~" or "`" not in match["info"]:
                opened = match
        elif match["marker"].startswith(opened["marker"]) and not match["info"].strip():
            spans.append((opened.start(), match.end()))
            opened = None
    return tuple(spans)


def _inline(text: str) -> Iterator[Cut]:
    """`![alt](data:…)`."""
    for match in _TARGET.finditer(text):
        start = text.rfind("![", max(0, match.start() - _LONGEST_ALT), match.start())
        if start >= 0:
            yield Cut(start=start, end=match.end(), text=_one_line(text[start + 2 : match.start()]))


def _elements(text: str) -> Iterator[Cut]:
    """`<img src="data:…" alt="…">`."""
    for match in _ELEMENT.finditer(text):
        if not _SOURCE.search(match[0]):
            continue
        alt = _ALT.search(match[0])
        yield Cut(
            start=match.start(), end=match.end(), text=_one_line(next(filter(None, alt.groups()), "")) if alt else ""
        )


def _references(text: str) -> Iterator[Cut]:
    """`![alt][label]` and `[label]: <data:…>`, as word processors export them."""
    definitions = list(_DEFINITION.finditer(text))
    if not definitions:
        return
    for match in definitions:
        yield Cut(start=match.start(), end=match.end(), text="")
    labels = {" ".join(match["label"].casefold().split()) for match in definitions}
    for use in re.finditer(r"!\[([^\[\]]{0,2000})\](?:\[([^\[\]\n]{0,200})\])?(?!\()", text):
        label = " ".join((use[2] or use[1]).casefold().split())
        if label in labels:
            yield Cut(start=use.start(), end=use.end(), text=_one_line(use[1] if use[2] else ""))


def _one_line(alt: str) -> str:
    return " ".join(alt.split())
