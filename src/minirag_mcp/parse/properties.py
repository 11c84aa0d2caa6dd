"""Which document properties are worth believing."""

import re

from minirag_mcp.errors import WrongFormatError
from minirag_mcp.parse.blocks import cleaned, one_line
from minirag_mcp.parse.encoding import decode
from minirag_mcp.parse.stem_words import is_generic
from minirag_mcp.parse.title_text import folded, is_unspaced, words_of

_MAX_TITLE = 500
"""Characters; what is longer is an abstract or a dump. Titles of regulations come to 400."""
_FILE_NAME = re.compile(
    r"\.(?:docx?|docm|dotx?|rtf|wpd|wps|hwpx?|odt|odp|ods|sxw|pages|pptx?|ppsx?|xlsx?|xlsm|numbers|pdf|ps|eps|ai|cdr|"
    r"fh\d+|graffle|vsdx?|indd|qx[dp]|pmd|p65|fm|pub|tex|dtx|dvi|lyx|html?|mhtml?|php|aspx?|jsp|txt|log|csv|eml|msg|"
    r"jpe?g|png|gif|tiff?|bmp|svg|psd|webp|zip)\W*$|^(?:[a-z]:[\\/]|\\\\|(?:file|https?)://?|/\w+/|about:)",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"^(?:microsoft (?:®\s*)?(?:office )?(?:word|excel|powerpoint|publisher|visio|outlook)\b|"
    r"xetex output|graphics produced by|<[0-9a-f]+>$)",
    re.IGNORECASE,
)
"""What programs write when nobody gave a title, seen in the properties of real files."""
_PLACEHOLDERS = frozenset(
    map(
        folded,
        (
            "title of your work", "title of the thesis", "thesis title", "title of the document", "document title",
            "enter title here", "title goes here", "your title", "your title here", "insert title here",
            "type the document title", "no title given", "no title", "titel der arbeit", "titre du document",
            "título del documento", "название документа", "заголовок документа", "vite app", "react app",
            "html document", "web page", "webpage", "normal",
        ),
    )
)  # fmt: skip
"""Titles of templates, and of pages made from them."""
_CODE_LIKE = re.compile(r"^(?=\S*[\d_/\\])\S+$")
_WRAPPED = re.compile(r"^\((.*)\)$")
_MISREAD = re.compile(
    r"[\xa8\xb8\xc0-\xff]{4}|[\xc0-\xff][\x80-\x9f\xa1-\xa6\xa9\xac-\xaf\xb1-\xb3\xb5\xb6\xb9\xbc-\xbf]"
)
"""Four accented letters on end, or one with a sign after it: no language in Latin letters writes so, but bytes of
another encoding that were taken for Latin-1 look so."""


def sane_title(value: str | None, *, author: str | None = None) -> str | None:
    """`value` as a title, or None when a program or a template wrote it, not a person.

    None too for a blank, a file name or path, a bare code, the name of the `author`, and text in a lost encoding.
    """
    title = written_title(value)
    if title is None or _FILE_NAME.search(title) or _is_code(title):
        return None
    if author and folded(one_line(author)) == folded(title):
        return None
    return title


def written_title(value: str | None) -> str | None:
    """`value` as a title, or None when it is blank, a placeholder, or text in a lost encoding."""
    if not value or "\ufffd" in value or "\x00" in value.strip("\x00"):
        return None
    title = _WRAPPED.sub(r"\1", one_line(cleaned(_reread(value) or "")))
    if len(title) > _MAX_TITLE or _PROGRAM.match(title) or folded(title) in _PLACEHOLDERS:
        return None
    return None if is_generic(words_of(folded(title))) else title


def _is_code(title: str) -> bool:
    """Whether a title without letters, or of one word, is a number, an id or a file name without its suffix.

    One word may be a whole sentence in scripts that put no spaces between words.
    """
    words = words_of(title)
    if not words:
        return True
    if not _CODE_LIKE.match(title) or any(map(is_unspaced, words)):
        return False
    digits = sum(character.isdigit() for character in title)
    return any(sign in title for sign in "_/\\") or digits >= sum(map(len, words))


def _reread(title: str) -> str | None:
    """The title, its bytes read in the right encoding if they were taken for Latin-1; None when none is right."""
    if not _MISREAD.search(title):
        return title
    for taken_for in ("latin-1", "cp1252"):
        try:
            return decode(title.encode(taken_for))
        except (UnicodeEncodeError, WrongFormatError):
            continue
    return None
