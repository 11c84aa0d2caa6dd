"""The first level-one heading that a reader of a Markdown text sees, and the words of a heading."""

import html
import re

from minirag_mcp.parse.title_text import LONGEST_LOOK, tidy

_WITHIN = 200_000
"""Characters searched: a title stands near the top, and texts may have 100 million."""

_LANDMARK = re.compile(
    r"""^[ ]{0,3}(?:
        (?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)
      | (?P<comment><!--)
      | <h1\b[^<>]*>(?P<element>(?:[^<]|<(?!/?h1\b)){0,2000})</h1\b
      | </?(?P<block>center|details|div|head|ol|p|pre|script|section|style|table|ul)\b
      | \#[ \t]+(?P<atx>[^\n]*)
      | (?P<setext>(?![*+-][ \t])[^\s\#>|=][^\n]{0,1000})\n[ ]{0,3}=+[ \t]*$
    )""",
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
_VERBATIM = frozenset({"pre", "script", "style"})
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|<img\b[^>]*>")
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>|<!--.*?-->")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_ATTRIBUTES = re.compile(r"\s*\{[#.][^}]*\}\s*$")
_CLOSING = re.compile(r"(?:^|\s)#+\s*$")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)")


def first_heading(text: str) -> str:
    """The words of the first level-one heading, `<h1>` elements included; "" when there is none with words.

    Nothing in code or comments is a heading, nor is a `#` inside an HTML block.
    """
    text = text[:_WITHIN]
    fence = ""
    start = hidden = 0
    last_comment_end = text.rfind("-->")
    while match := _LANDMARK.search(text, start):
        start = match.end()
        if fence or match["fence"]:
            fence = _fence_after(match, fence) if match.start() >= hidden else fence
        elif match["comment"]:
            start = text.find("-->", start) if start <= last_comment_end else start
        elif match["block"]:
            hidden = _block_end(text, match) if start > hidden else hidden
            start = hidden if match["block"].lower() in _VERBATIM else start
        elif heading := _words(match, in_block=match.start() < hidden):
            return heading
    return ""


def plain_heading(markup: str) -> str:
    """The words of a heading: no pictures, links, emphasis, tags, attributes or escapes."""
    bare = _CODE.sub(_as_references, markup[:LONGEST_LOOK])
    bare = _CLOSING.sub("", _ATTRIBUTES.sub("", bare))
    bare = _TAG.sub("", _LINK.sub(r"\1", _IMAGE.sub("", bare)))
    for _ in range(2):  # emphasis in emphasis
        bare = _EMPHASIS.sub(r"\2", bare)
    return tidy(html.unescape(_ESCAPE.sub(r"\1", bare)))


def _fence_after(match: re.Match[str], fence: str) -> str:
    """The fence that is open after this landmark."""
    marker = match["fence"] or ""
    if not fence:
        return marker
    return "" if marker.startswith(fence) and not match["info"].strip() else fence


def _block_end(text: str, match: re.Match[str]) -> int:
    end = text.find("\n\n", match.end())
    return len(text) if end < 0 else end


def _words(match: re.Match[str], *, in_block: bool) -> str:
    if in_block:
        return plain_heading(match["element"] or "")
    return plain_heading(match["element"] or match["atx"] or match["setext"] or "")


def _as_references(code: re.Match[str]) -> str:
    """Code with its signs as character references, which nothing takes for markup."""
    return "".join(sign if sign.isalnum() or sign == " " else f"&#{ord(sign)};" for sign in code[2])
