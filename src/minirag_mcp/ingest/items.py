"""Sources that are no files: content handed over by a client, and fetched pages. Pure.

Both become bytes under a name whose extension picks the parser, as a file would.
"""

import codecs
import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from minirag_mcp.errors import RequestError, UnsupportedFormatError
from minirag_mcp.model import SourceKey, SourceType
from minirag_mcp.parse.charset_names import text_charset
from minirag_mcp.parse.registry import SUFFIXES

_DATA_SUFFIXES: Mapping[str, str] = MappingProxyType({"text": ".txt", "markdown": ".md", "html": ".html"})

_MEDIA_SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        "text/html": ".html",
        "application/xhtml+xml": ".html",
        "text/markdown": ".md",
        "text/csv": ".csv",
        "text/vtt": ".vtt",
        "application/pdf": ".pdf",
        "application/epub+zip": ".epub",
        "application/x-ipynb+json": ".ipynb",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    }
)
_LONGEST_ID = 1000
"""Characters of a source id: enough for any URL that a person keeps, and short enough to stand in every answer."""

_TEXT_ENDINGS = ("+xml", "+json", "/xml", "/json")
_VAGUE = frozenset({"", "text/plain", "application/octet-stream", "binary/octet-stream", "application/zip"})
_DECODED = frozenset({".html", ".md", ".csv", ".vtt", ".txt"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Content on its way to a parser: `name` only picks the format, `content_hash` covers all that shapes the text."""

    key: SourceKey
    source_type: SourceType
    name: str
    data: bytes
    content_hash: str
    title: str | None = None

    @property
    def size(self) -> int:
        """Bytes of the content, without the mark that says UTF-8."""
        return len(self.data) - (len(codecs.BOM_UTF8) if self.data.startswith(codecs.BOM_UTF8) else 0)


def data_item(data: str, source: str, *, format: str, title: str | None = None) -> Item:  # noqa: A002 - its public name
    """Content from a client as an item. Raises RequestError naming the argument that is wrong."""
    if format not in _DATA_SUFFIXES:
        raise RequestError(f"The format {format!r} is not one of {', '.join(_DATA_SUFFIXES)}.")
    if not data.strip():
        raise RequestError("The data is empty; there is nothing to index.")
    # The mark says UTF-8 louder than a charset that HTML may declare for itself.
    content = codecs.BOM_UTF8 + data.encode("utf-8", "replace")
    return _item(_chosen(source), SourceType.DATA, name=f"data{_DATA_SUFFIXES[format]}", data=content, title=title)


def page_item(
    data: bytes,
    url: str,
    *,
    content_type: str,
    charset: str | None,
    final_url: str | None = None,
    source: str | None = None,
    title: str | None = None,
) -> Item:
    """A fetched page as an item, under its URL or the id `source`.

    The declared type picks the parser, and where it is vague the extension of `final_url`, which is where redirects
    led; of `url` without one. Raises RequestError,
    and UnsupportedFormatError for content that no parser takes.
    """
    suffix = _page_suffix(content_type, final_url or url)
    content = _as_utf8(data, charset) if suffix in _DECODED else data
    return _item(
        url if source is None else _chosen(source), SourceType.URL, name=f"page{suffix}", data=content, title=title
    )


def _item(source: str, source_type: SourceType, *, name: str, data: bytes, title: str | None) -> Item:
    known = f"{name}\0{title or ''}\0".encode("utf-8", "replace")
    return Item(
        key=_checked(source),
        source_type=source_type,
        name=name,
        data=data,
        content_hash=hashlib.sha256(known + data).hexdigest(),
        title=title.strip() or None if title else None,
    )


def _chosen(source: str) -> str:
    """An id that a client chose; one that reads as a place on disk would be cited as if it were that file."""
    plain = source.strip()
    parts = re.split(r"[/\\]", plain)
    if plain.lower().startswith("file:") or parts[0] == "~" or PureWindowsPath(plain).root:
        reason = "reads as a place on disk"
    elif not {".", ".."}.isdisjoint(parts):
        reason = "has . or .. for a part"
    else:
        return source
    raise RequestError(f"The source id {plain!r} {reason}; choose a name such as release-notes, or the page's URL.")


def _checked(source: str) -> SourceKey:
    if not source.strip():
        raise RequestError("The source id is empty; choose a name for the content, such as release-notes.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in source):
        raise RequestError("The source id holds control characters; choose a plain name.")
    if len(source) > _LONGEST_ID:
        raise RequestError(f"The source id has {len(source):,} characters; at most {_LONGEST_ID:,} are allowed.")
    return SourceKey(source.strip())


def _page_suffix(content_type: str, url: str) -> str:
    media = content_type.partition(";")[0].strip().lower()
    by_name = PurePosixPath(unquote(urlsplit(url).path)).suffix.lower()
    if media in _MEDIA_SUFFIXES:
        return _MEDIA_SUFFIXES[media]
    if media in _VAGUE and by_name in SUFFIXES:
        return by_name
    if media.startswith("text/") or media.endswith(_TEXT_ENDINGS):
        return ".txt"
    raise UnsupportedFormatError(f"{url} is {media or 'of no declared type'}, which no parser takes.")


def _as_utf8(data: bytes, charset: str | None) -> bytes:
    """Apply the charset that the server declared, which outranks one inside the page; a wrong one is ignored."""
    known = text_charset(charset) if charset else None
    if known is None or data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data
    try:
        return codecs.BOM_UTF8 + data.decode(known).encode("utf-8")
    except ValueError:
        return data
