"""Which document properties are worth believing."""

import re

from minirag_mcp.parse.blocks import cleaned, one_line

_MAX_TITLE = 200
# What programs write when nobody gave a title, seen in the properties of real files.
_PLACEHOLDER = re.compile(
    r"^(untitled.*|unknown|\(?anonymous\)?|\(?unspecified\)?|no title|title|document\s?\d*|doc\s?\d*|"
    r"microsoft (word|excel|powerpoint)\b.*|book\s?\d*|workbook\s?\d*|worksheet|sheet\s?\d*|normal|print|"
    r"template.*|.*\.(docx?|dotx?|pptx?|xlsx?|pdf|indd|qxd|tex|dvi|fm|rtf|odt|odp|ods|html?|txt|pmd|cdr|ai|eps|ps)|"
    r"presentation\s?\d*|powerpoint[ -].*|slide \d+|diapositiv[ae] \d+|folie \d+|"
    r"документ\s?\d*|презентация\s?\d*|книга\s?\d*|без имени.*|слайд \d+|unbenannt.*|sans titre.*|[\W\d_]*)$",
    re.IGNORECASE,
)
_CODE_LIKE = re.compile(r"^(?=\S*[\d_/\\])\S+$")


def sane_title(value: str | None) -> str | None:
    """`value` as a title, or None when it is blank, a placeholder, a file name or a bare code."""
    if not value or "\ufffd" in value or "\x00" in value.strip("\x00"):
        return None
    title = one_line(cleaned(value))
    if len(title) > _MAX_TITLE or _PLACEHOLDER.match(title) or _CODE_LIKE.match(title):
        return None
    return title
