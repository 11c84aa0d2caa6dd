"""Pieces of a text without white space: words, identifiers and their parts, runs of scripts without spaces."""

from collections.abc import Iterator
from itertools import pairwise

import regex  # type: ignore[import-untyped]

from minirag_mcp.lexical.fold import fold
from minirag_mcp.lexical.stem import stems

LONGEST_TERM = 64
"""Longer than any word or code a person types; keys, hashes and encoded data beyond it are cut here."""

_MOST_PARTS = 4
"""`getHTTPResponseCode` has four; more changes of case or kind are a hash or encoded data, not words."""

DENSE_GRAM = 2
"""nDCG@10 with letters and pairs .969 .986 .939 (XQuAD zh, CMRC, JSQuAD); pairs alone .967 .984 .935."""

STACKED_GRAM = 3
"""XQuAD th: letters and threes .970, threes alone .969, pairs alone .932 (`benchmarks/retrieval/analyzer.py`)."""

_DENSE = r"\p{Han}\p{Hiragana}\p{Katakana}ー"
_STACKED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_SPACED = rf"[[\p{{L}}\p{{N}}]--[{_DENSE}{_STACKED}\p{{Hangul}}]]\p{{M}}*+"
_JOINT = r"(?:::|:\\|://|(?<=\d),(?=\d)|[-‐_.'/\\@:&])"

PIECE = regex.compile(
    rf"""(?V1)
    (?P<dense>[{_DENSE}]+)
    | (?P<stacked>[[{_STACKED}]&&[\p{{L}}\p{{M}}]]+)
    | (?P<hangul>\p{{Hangul}}+)
    | (?P<compound>(?:(?<![\p{{L}}\p{{N}}.])\.(?=\p{{L}}))?(?:{_SPACED})+(?:{_JOINT}(?:{_SPACED})+)*
        (?:\+\+|(?<=(?<![\p{{L}}\p{{N}}])\p{{L}})\#)?)
    | (?P<symbol>[[\p{{So}}\p{{Sc}}]--[\x00-\x7f©®°\u2500-\u25ff\ufffd]])
    """,
    regex.VERBOSE,
)
"""Dots before (.NET), `++` after (C++) and `#` after a single letter (C#) belong to the word."""

_OPERATOR = regex.compile(r"(?V1)(?![-#*_.~`|:=]+$)[[\p{P}\p{S}]--[\p{So}\u2500-\u25ff]]{2,4}")
"""A word of signs alone, such as `->` or `!=`; not rulers, bullets and other furniture of Markdown."""

JOINTS = regex.compile(r"[-‐_.,'/\\@:&]+")
OUTER_JOINTS = regex.compile(r"[/\\@:]+")
_SILENT_JOINT = regex.compile(r"(?<!\d)[-‐_.,'/\\@:&]+|[-‐_.,'/\\@:&]+(?!\d)")
CHANGE = regex.compile(
    r"(?<=\p{Ll})(?=\p{Lu})"  # getUser
    r"|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})"  # HTTPServer, but not URLs, IPv6
    r"|(?<=\p{L}\p{M}*)(?=\p{N})|(?<=\p{N})(?=\p{L})"  # C2065, 10km
)
_HEX = regex.compile(r"[0-9a-fA-F]+")
_DIGITS = frozenset("0123456789")
_THOUSANDS = regex.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_VERSION_SIGN = regex.compile(r"(?<!\w)[vV](?=\d+\.\d)")
_POSSESSIVE = regex.compile(r"(?<=\p{L})'[sS]?$")


def split(text: str, language: str) -> Iterator[str]:
    """The terms of `text` (NFKC, as by `normalize`), in order of their piece."""
    empty = True
    for piece in PIECE.finditer(_VERSION_SIGN.sub("", _THOUSANDS.sub("", text))):
        empty = False
        found = piece[0]
        match piece.lastgroup:
            case "dense":
                yield from _grams(fold(found), DENSE_GRAM)
            case "stacked":
                yield from _grams(fold(found), STACKED_GRAM)
            case "hangul":
                yield from _hangul(fold(found))
            case "symbol":
                yield found
            case _:
                yield from _compound(found, language)
    if empty and _OPERATOR.fullmatch(text):
        yield text


def _grams(letters: str, size: int) -> Iterator[str]:
    """Each letter and each group of `size`: a query of one letter finds its words too."""
    yield from letters
    if len(letters) < size:
        yield letters
    else:
        yield from map("".join, zip(*(letters[start:] for start in range(size)), strict=False))


def _hangul(word: str) -> Iterator[str]:
    """The word, and its pairs of syllables, since endings are written on."""
    yield word[:LONGEST_TERM]
    if len(word) > 2:  # noqa: PLR2004 - a pair is itself
        yield from map("".join, pairwise(word))


def _compound(found: str, language: str) -> Iterator[str]:
    """A word; or an identifier, version, path, address …: whole, by its outer joints, and in parts."""
    if found[0] == "." or found[-1] in "+#":
        yield fold(found)[:LONGEST_TERM]
    word = _POSSESSIVE.sub("", found.strip(".+#"))
    parts = JOINTS.split(word)
    if len(parts) > 1:
        yield from _wholes(word)
    elided = "'" in word
    for part in parts:
        if not (elided and len(part) == 1):
            yield from _part(part, language)


def _wholes(word: str) -> Iterator[str]:
    """`word` and its stretches between outer joints, without joints but those between digits.

    So `ERR_CONN`, `err-conn` and `errConn` meet, and 1.0.21 stays apart from 1021.
    """
    segments = [segment for segment in OUTER_JOINTS.split(word) if JOINTS.search(segment)]
    for whole in dict.fromkeys([word, *segments]):
        joined = fold(_SILENT_JOINT.sub("", whole)) if len(whole) <= 2 * LONGEST_TERM else ""
        if 0 < len(joined) <= LONGEST_TERM:
            yield joined


def _part(part: str, language: str) -> Iterator[str]:
    """A stretch of letters and digits; whole and in pieces where its case or kind changes."""
    pieces = CHANGE.split(part) if len(part) <= LONGEST_TERM else [part]
    if not 1 < len(pieces) <= _MOST_PARTS or (len(pieces) > 2 and _HEX.fullmatch(part)):  # noqa: PLR2004 - `C2065` is 2
        pieces = []
    yield from _word(part, language) if not pieces else (fold(part),)
    for piece in pieces:
        yield from _word(piece, language)


def _word(word: str, language: str) -> tuple[str, ...]:
    if word[0].isalpha() and word[-1] not in _DIGITS and len(word) <= LONGEST_TERM:
        return stems(word, language)
    folded = fold(word[:LONGEST_TERM])[:LONGEST_TERM]
    return (folded,) if folded else ()
