"""What a document is called: its own title when it has one, else a file name that says something."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from minirag_mcp.parse.first_heading import first_heading
from minirag_mcp.parse.stem_words import is_generic
from minirag_mcp.parse.title_text import folded, tidy, words_of
from minirag_mcp.parse.title_words import BOILERPLATE, PARTS

_SHORTEST_STEM = 4
"""Letters: a shorter name, `abc` or `p12`, is short for something that only its maker knows."""
_WIDE = 0x2E80
"""From here on a character is a syllable or a word, and counts for two: a contract may be called 合同."""

_FILLED_IN_LATER = re.compile(r"\{\{|\{%|<%|\$\{")
"""Marks of templates: the title of what will be made from the file, not of the file."""
_PARTS = "|".join(map(folded, PARTS.split()))
_NUMBERING = re.compile(
    rf"""^(?:
        第[\d一二三四五六七八九十百]+[章条條节節部编編回]\s*
      | [一二三四五六七八九十]+[、,.]\s*
      | {folded("제")}\s*\d+\s*[장조절편]\s*
      | (?:{_PARTS})\s+(?:[ivxlc]+\s+|\w+\s*[:.–—-]\s+)
      | (?:(?:{_PARTS})\s+)?(?:§\s*)?(?:\d+(?:\.\d+)*[.):]?|[ivxlc]+[.):]|[a-z][.)](?=\s))\s*
    )""",
    re.VERBOSE,
)
_COUNTED = re.compile(r"\s*(?:№|no\.?|nr\.?|n[°º]|\#)?\s*(?:\d+|\b[a-zа-я]|\b[ivxl]+)$")
"""What tells one annex from another: `Приложение № 2`, `Appendix A`, `Annex IV`."""
_FOOTNOTE = re.compile(r"(?:\s*[∗†‡]|(?<=\w{3})\*)+$")
"""Signs of notes that stand behind the titles of papers."""
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenTitle:
    """A title, and whether it was given for or found in the content (`own`) or made from a file name."""

    title: str
    own: bool


def choose_title(text: str, *, given: str | None, found: str | None, stem: str | None) -> ChosenTitle:
    """The title of a document with this text.

    In order: the title `given` by the user, the one `found` in the format's metadata, the first level-one
    heading unless it is boilerplate, the file `stem` when it is informative, the heading all the same, the stem.
    Without a stem the last resort is "".
    """
    for candidate in (given, found):
        if candidate and _says_something(candidate):
            return ChosenTitle(title=tidy(candidate), own=True)
    heading = _FOOTNOTE.sub("", first_heading(text))
    if heading and not is_boilerplate(heading):
        return ChosenTitle(title=heading, own=True)
    name = _readable(stem or "")
    if is_informative(name):
        return ChosenTitle(title=_spaced(name), own=False)
    if heading:
        return ChosenTitle(title=heading, own=True)
    return ChosenTitle(title=_spaced(name), own=False)


def is_boilerplate(heading: str) -> bool:
    """Whether a heading in plain text names a part that many documents share, or says nothing at all.

    A numbered generic word such as "Page 1" is boilerplate too; a generic word alone may be a subject.
    """
    plain = folded(heading)
    bare = _EDGES.sub("", _NUMBERING.sub("", _EDGES.sub("", plain)))
    if not words_of(bare) or bare in BOILERPLATE or _EDGES.sub("", _COUNTED.sub("", bare)) in BOILERPLATE:
        return True
    return any(character.isdigit() for character in plain) and is_generic(words_of(plain))


def is_informative(stem: str) -> bool:
    """Whether a file stem is more than a name that a program or a camera handed out."""
    if sum(2 if ord(character) >= _WIDE else 1 for character in stem) < _SHORTEST_STEM:
        return False
    words = words_of(folded(stem))
    return bool(words) and not is_generic(words) and not is_generic(words_of(folded(_CAMEL.sub(" ", stem))))


def _says_something(title: str) -> bool:
    return any(character.isalnum() for character in title) and not _FILLED_IN_LATER.search(title)


def _readable(stem: str) -> str:
    """The stem with `%D0%98` as letters, as addresses write names of files that are downloaded."""
    if not _PERCENT.search(stem):
        return stem
    try:
        name = unquote(stem, errors="strict")
    except UnicodeDecodeError:
        return stem
    return name if name.isprintable() else stem


def _spaced(stem: str) -> str:
    return tidy(stem.replace("_", " ")) or stem
