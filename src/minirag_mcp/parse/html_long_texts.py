"""Texts of web pages with very many ampersands in one piece: parted, so that the converter reads them in time."""

import re

from minirag_mcp.parse.html_nesting import each_tag

_MOST_TOGETHER = 1_000
"""In an element that is not closed the converter copies the text so far at each `&`: 400,000 in one text take 5 s, and
parted a third of a second. A page with fewer than this is not looked at."""
_TOGETHER = re.compile(rf"(?:&[^&]*+){{{_MOST_TOGETHER}}}")
_PARTING = "<!---->"


def parted(source: str) -> str:
    """`source` with an empty comment, which no reader sees, before each thousandth `&` of a text."""
    if source.count("&") <= _MOST_TOGETHER:
        return source
    pieces: list[str] = []
    end = 0
    for tag in each_tag(source):
        pieces.extend((_parted(source[end : tag.start()]), tag[0]))
        end = tag.end()
    return "".join((*pieces, _parted(source[end:])))


def _parted(text: str) -> str:
    return _TOGETHER.sub(rf"\g<0>{_PARTING}", text) if text.count("&") > _MOST_TOGETHER else text
