"""Web pages: what a reader sees, as Markdown; navigation, scripts, styles and hidden parts left out."""

import html
import re
from codecs import lookup
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from minirag_mcp.errors import NoTextError, ParseLimitError
from minirag_mcp.parse import pictures
from minirag_mcp.parse.encoding import decode_written
from minirag_mcp.parse.html_furniture import without_furniture
from minirag_mcp.parse.html_long_texts import parted
from minirag_mcp.parse.html_nesting import flattened
from minirag_mcp.parse.html_tables import with_headers
from minirag_mcp.parse.html_title import head_of, title_of
from minirag_mcp.parse.no_text import IF_BY_SCRIPTS
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.properties import written_title

if TYPE_CHECKING:
    from html_to_markdown import ConversionOptions

_UNSEEN = (
    "head",
    "title",
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "svg",
    "[hidden]",
    '[aria-hidden="true"]',
)
_DECLARATION = re.compile(
    rb"""<meta\b[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)|^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9_.:-]+)""",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 4096
_META = re.compile(r"<meta\b[^<>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![a-z:-])([a-z:-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
_KEPT = frozenset({"author", "description", "keywords", "date", "article:published_time"})
_LONGEST_PAGE = 32 * 1024 * 1024
"""Characters, inlined pictures not counted."""
_MOST_TAGS = 800_000
"""The converter takes 270 to 670 bytes of memory for each tag and 5 for each character of text."""
_INLINED = re.compile(r"data:[\w/+.;=-]{1,100};base64,[A-Za-z0-9+/=%\s]*")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")

_MEANT = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
    "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman",
}
"""What pages mean by the encodings they name, after the WHATWG Encoding standard."""


def parse(data: bytes) -> Parsed:
    """The page as Markdown; the title and author, description … from its head.

    Raises EmptyFileError, NoTextError and WrongFormatError (binary data).
    """
    source = decode_written(data, declared=declared_charset(data))
    text = markdown_of(source)
    if not text:
        raise NoTextError("The page holds no text.", remedy=IF_BY_SCRIPTS)
    head = head_of(source)
    return Parsed(text=text, title=written_title(title_of(head)), metadata=tuple(_named_values(head)))


def markdown_of(source: str, *, without: Callable[[str], str] = without_furniture) -> str:
    """The visible text of an HTML source as Markdown; "" when there is none. `without` leaves parts of the source out.

    Raises ParseLimitError for a source of more than 32 million characters or 800,000 tags.
    """
    from html_to_markdown import convert  # noqa: PLC0415 - loaded only when a page comes

    if len(source) > _LONGEST_PAGE:
        source = _INLINED.sub("data:,", source)
    if len(source) > _LONGEST_PAGE:
        raise ParseLimitError(f"The page is longer than {_LONGEST_PAGE:,} characters.")
    if source.count("<") > _MOST_TAGS:
        raise ParseLimitError(f"The page has more than {_MOST_TAGS:,} tags.")
    text = convert(parted(with_headers(without(flattened(source)))), _options()).content or ""
    return _BLANK_LINES.sub("\n\n", pictures.without(text, pictures.inlined_pictures(text))).strip()


def declared_charset(data: bytes) -> str | None:
    """The encoding that a page says it is in, as Python calls it; None when it says none that is known."""
    found = _DECLARATION.search(data[:_DECLARED_WITHIN])
    if found is None:
        return None
    name = (found[1] or found[2]).decode("ascii").lower()
    try:
        return _MEANT.get(name) or lookup(name).name
    except LookupError:
        return None


def _named_values(head: str) -> list[tuple[str, str]]:
    pairs = []
    for element in _META.findall(head):
        attributes = {name.lower(): "".join(values) for name, *values in _ATTRIBUTE.findall(element)}
        name = attributes.get("name", attributes.get("property", "")).lower()
        value = " ".join(html.unescape(attributes.get("content", "")).split())
        if name in _KEPT and value:
            pairs.append((name, value))
    return pairs


@cache
def _options() -> "ConversionOptions":
    from html_to_markdown import ConversionOptions, PreprocessingOptions  # noqa: PLC0415 - as above

    return ConversionOptions(
        extract_metadata=False,
        inline_data_media="alt_text_only",
        strip_tags=["a"],
        compact_tables=True,
        exclude_selectors=list(_UNSEEN),
        # Its own cleaning drops whole <form> and <header> elements, in which some sites put all of a page.
        preprocessing=PreprocessingOptions(enabled=False),
    )
