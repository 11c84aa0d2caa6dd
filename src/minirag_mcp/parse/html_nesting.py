"""Web pages that nest without end: brought to a depth at which no converter drops what stands inside."""

import re
from collections import Counter
from collections.abc import Iterator

_DEEPEST_BLOCK = 120
_DEEPEST_INLINE = 80
"""The converter leaves out what lies deeper than 1,024 elements. A block brings up to six with it, as a table its body,
row, cell, list item and paragraph. Real pages reach about 60 levels in all."""

_SKIPPED = r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title|xmp)\b.*?(?:</\1\b|\Z)"
# Quotes hide ">" only as a value. Each alternative runs to its end or to the end of the page, so the scan is linear.
_REST = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?)*+(?:>|\Z)"""
_TAG = re.compile(rf"{_SKIPPED}|<(/?)([a-z][^\s/>]*+){_REST}", re.IGNORECASE | re.DOTALL)

_BLOCK_NAMES = (
    "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav object ol pre search section summary table ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
# Elements that hold nothing, and those that the next of their kind ends: they add no depth of their own.
_FLAT_NAMES = (
    "area base body br caption col colgroup dd dt embed head hr html img input li link meta optgroup option p param "
    "rb rp rt rtc source tbody td tfoot th thead tr track wbr"
)
_FLAT = frozenset(_FLAT_NAMES.split())
_LINE_BREAK = "<br>"


def each_tag(source: str) -> Iterator[re.Match[str]]:
    """The tags of a page: [2] is "/" in an end tag, [3] the name; comments, scripts and the like have no name."""
    return _TAG.finditer(source)


def flattened(source: str) -> str:
    """`source` without tags that nest deeper than in any real page; what they hold stays, blocks on their own lines."""
    nesting = _Nesting()
    pieces: list[str] = []
    end = 0
    for tag in each_tag(source):
        name = (tag[3] or "").lower()
        if not name or name in _FLAT:
            continue
        kept = nesting.close(name) if tag[2] else nesting.open(name)
        if not kept:
            pieces.extend((source[end : tag.start()], _LINE_BREAK if name in _BLOCKS else ""))
            end = tag.end()
    return "".join((*pieces, source[end:])) if pieces else source


class _Nesting:
    """The elements that are open. In doubt one counts as open: too many are left out of a page rather than too few."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._blocks = 0
        self._dropped: Counter[str] = Counter()

    def open(self, name: str) -> bool:
        """Whether the element may be opened here."""
        block = name in _BLOCKS
        room = self._blocks < _DEEPEST_BLOCK if block else len(self._open) - self._blocks < _DEEPEST_INLINE
        if not room:
            self._dropped[name] += 1
            return False
        self._open.append(name)
        self._blocks += block
        return True

    def close(self, name: str) -> bool:
        """Whether the end of the element belongs to one that was opened, or to none."""
        if self._dropped[name]:
            self._dropped[name] -= 1
            return False
        for index in range(len(self._open) - 1, -1, -1):
            above = self._open[index]
            if above == name:
                self._blocks -= sum(other in _BLOCKS for other in self._open[index:])
                del self._open[index:]
                break
            if above == "table" or (above in _BLOCKS and name not in _BLOCKS):
                break
        return True
