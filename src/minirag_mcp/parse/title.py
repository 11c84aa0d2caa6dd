"""What a document is called: its own title when it has one, else a file name that says something."""

import html
import re
from dataclasses import dataclass

from minirag_mcp.parse.title_words import BOILERPLATE, GENERIC

_WITHIN = 200_000
"""Characters searched for the first heading: a title stands near the top, and texts may have 100 million."""
_LONGEST = 300
"""Characters of a title; it goes before every chunk, where a paragraph marked as a heading would drown the text."""
_LONGEST_MARKUP = 2000
"""Characters of a heading that are looked at, links and all."""
_SHORTEST_STEM = 4

_LANDMARK = re.compile(
    r"""^[ ]{0,3}(?:
        (?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)
      | (?P<comment><!--)
      | </?(?P<element>center|details|div|head|ol|p|pre|script|section|style|table|ul)\b
      | \#[ \t]+(?P<atx>[^\n]*)
      | (?P<setext>[^\s\#>|=*+-][^\n]{0,1000})\n=+[ \t]*$
    )""",
    re.MULTILINE | re.VERBOSE,
)
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|<img\b[^>]*>")
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>|<!--.*?-->")
_ATTRIBUTES = re.compile(r"\s*\{[#.][^}]*\}\s*$")
_CLOSING = re.compile(r"(?:^|\s)#+\s*$")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~|`+)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_NUMBERING = re.compile(
    r"""^(?:
        第[\d一二三四五六七八九十百]+[章条條節节部編编]\s*
      | (?:(?:chapter|section|part|article|глава|раздел|часть|розділ|kapitel|abschnitt|teil
            |chapitre|partie|cap[ií]tulo|capitolo|rozdzia[lł]|b[oö]l[uü]m)\s+)?
        (?:§\s*)?(?:\d+(?:\.\d+)*[.):]?|[ivxlc]+[.):])\s*
    )""",
    re.VERBOSE,
)
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_WORD = re.compile(r"[^\W\d_]+")


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
            return ChosenTitle(title=_tidy(candidate), own=True)
    heading = _first_heading(text)
    if heading and not is_boilerplate(heading):
        return ChosenTitle(title=heading, own=True)
    if stem and is_informative(stem):
        return ChosenTitle(title=_spaced(stem), own=False)
    if heading:
        return ChosenTitle(title=heading, own=True)
    return ChosenTitle(title=_spaced(stem or ""), own=False)


def is_boilerplate(heading: str) -> bool:
    """Whether a heading in plain text names a part that many documents share, or says nothing at all."""
    bare = _EDGES.sub("", _NUMBERING.sub("", heading.casefold()))
    return not bare or bare in BOILERPLATE or not _WORD.search(bare)


def is_informative(stem: str) -> bool:
    """Whether a file stem is more than a name that a program or a camera handed out."""
    if len(stem) < _SHORTEST_STEM:
        return False
    return any(word not in GENERIC for word in _WORD.findall(stem.casefold()))


def plain_heading(markup: str) -> str:
    """The words of a heading: no pictures, links, emphasis, tags, attributes or escapes."""
    bare = _CLOSING.sub("", _ATTRIBUTES.sub("", markup[:_LONGEST_MARKUP]))
    bare = _TAG.sub("", _LINK.sub(r"\1", _IMAGE.sub("", bare)))
    for _ in range(2):  # emphasis in emphasis
        bare = _EMPHASIS.sub(r"\2", bare)
    return _tidy(html.unescape(_ESCAPE.sub(r"\1", bare)))


def _first_heading(text: str) -> str:
    fence = ""
    hidden = 0
    head = text[:_WITHIN]
    last_end = head.rfind("-->")
    for match in _LANDMARK.finditer(head):
        marker = match["fence"]
        if match.start() < hidden:
            continue
        if marker and not fence:
            fence = marker
        elif marker and marker.startswith(fence) and not match["info"].strip():
            fence = ""
        elif not marker and not fence:
            hidden = _end_of_markup(head, match, last_end)
            if not hidden and (heading := plain_heading(match["atx"] or match["setext"] or "")):
                return heading
    return ""


def _end_of_markup(head: str, match: re.Match[str], last_end: int) -> int:
    """Where the comment or the HTML block that begins here ends; 0 for anything else, and a comment without end."""
    if match["comment"]:
        return head.find("-->", match.end()) if match.end() <= last_end else 0
    if not match["element"]:
        return 0
    end = head.find("\n\n", match.end())
    return len(head) if end < 0 else end


def _says_something(title: str) -> bool:
    return any(character.isalnum() for character in title)


def _spaced(stem: str) -> str:
    return _tidy(stem.replace("_", " ")) or stem


def _tidy(title: str) -> str:
    words = " ".join(title[:_LONGEST_MARKUP].split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"
