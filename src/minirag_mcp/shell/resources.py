"""Documents and their sections as MCP resources: addresses, lists and contents; pure but for the Library."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from minirag_mcp.errors import RequestError
from minirag_mcp.model import SectionId, SourceKey, SourceRecord, SourceText
from minirag_mcp.shell import fit, wire
from minirag_mcp.shell.brief import shortened
from minirag_mcp.shell.printable import one_line
from minirag_mcp.shell.spelling import spelled, unspelled

if TYPE_CHECKING:  # the engine is imported by the first call, not before the handshake
    from minirag_mcp.engine import Library

MARKDOWN = "text/markdown"
_SCHEME = "minirag"
_OFFSET = re.compile("[0-9]{1,15}", re.ASCII)

PAGE = 100
"""Resources in one answer to `resources/list`: some 30,000 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One kind of address."""

    uri: str
    name: str
    title: str
    description: str
    takes: frozenset[str]


DOCUMENT = Template(
    uri=f"{_SCHEME}://document/{{source}}{{?offset}}",
    name="document",
    title="Document",
    description="An indexed document as Markdown. `source` is a path as displayPath shows it, an absolute path, a data "
    "id or a URL, percent-encoded. A long document comes in parts, by `offset`. The tool read_file gives the same.",
    takes=frozenset({"source", "offset"}),
)
SECTION = Template(
    uri=f"{_SCHEME}://section/{{parentId}}",
    name="section",
    title="Section",
    description="The section of a document that a search result stands in, by the result's parentId. The tool "
    "read_file gives the same.",
    takes=frozenset({"parentId"}),
)
TEMPLATES = (DOCUMENT, SECTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One document as a resource."""

    uri: str
    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A text at an address; `about` holds what a citation of it needs."""

    uri: str
    mime_type: str
    text: str
    about: wire.Json


def listed(library: "Library", cursor: str | None) -> tuple[list[Listed], str | None]:
    """The indexed documents after `cursor`, and the cursor of those that follow. Raises RequestError."""
    after = "" if cursor is None else _key_of(cursor)
    records = [record for record in library.indexed() if record.key > after]
    shown = records[:PAGE]
    following = _cursor_of(shown[-1].key) if len(records) > PAGE else None
    return [_resource(record, library.display_path(record.key)) for record in shown], following


def read(library: "Library", uri: str) -> list[Content]:
    """What is at an address; of a long document one part, and where the next is. Raises MiniragError."""
    kind, name, offset = _parts(uri)
    if kind == SECTION.name:
        return [_content(uri, library.read(section=SectionId(name)))]
    found = library.read(source=unspelled(name))
    page = fit.page(found, offset=offset, limit=None, most=fit.UPPER_LIMIT)
    contents = [_content(uri, _part(found, str(page["text"])))]
    following = page["nextOffset"]
    if isinstance(following, int):
        said = f"Characters {offset:,} to {following:,} of {len(found.text):,}. The next part is at this address."
        contents.append(
            Content(uri=address(found.source, offset=following), mime_type="text/plain", text=said, about={})
        )
    return contents


def address(source: SourceKey, *, offset: int = 0) -> str:
    """Where a document is read."""
    part = f"?offset={offset}" if offset else ""
    return f"{_SCHEME}://document/{quote(spelled(source), safe='')}{part}"


def _part(found: SourceText, text: str) -> SourceText:
    return SourceText(source=found.source, display_path=found.display_path, title=found.title, text=text)


def _content(uri: str, found: SourceText) -> Content:
    about = {name: value for name, value in wire.source_text(found).items() if name != "text"}
    return Content(uri=uri, mime_type=MARKDOWN, text=found.text, about=about)


def _resource(record: SourceRecord, display_path: str) -> Listed:
    passages = f"{record.chunk_count} passage{'' if record.chunk_count == 1 else 's'}"
    return Listed(
        uri=address(record.key),
        name=one_line(display_path),
        title=one_line(record.title or display_path),
        description=f"{record.source_type.value}, {passages}",
    )


def _parts(uri: str) -> tuple[str, str, int]:
    """Kind, name and offset of an address."""
    try:
        split = urlsplit(uri)
    except ValueError:
        raise _unknown(uri) from None
    names = split.path.split("/")
    kinds: Sequence[str] = [template.name for template in TEMPLATES]
    if split.scheme != _SCHEME or split.netloc not in kinds or len(names) != len(("", "name")) or not names[1]:
        raise _unknown(uri)
    return split.netloc, unquote(names[1]), _offset(split.query, uri)


def _offset(query: str, uri: str) -> int:
    given = dict(parse_qsl(query, keep_blank_values=True))
    offset = given.pop("offset", "0")
    if given or not _OFFSET.fullmatch(offset):
        raise _unknown(uri)
    return int(offset)


def _unknown(uri: str) -> RequestError:
    return RequestError(
        f"There is no resource {shortened(uri)!r}.",
        remedy=f"Addresses are {DOCUMENT.uri} and {SECTION.uri}, each value percent-encoded.",
    )


def _cursor_of(key: SourceKey) -> str:
    return base64.urlsafe_b64encode(key.encode("utf-8", "surrogatepass")).decode("ascii")


def _key_of(cursor: str) -> str:
    try:
        return base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, UnicodeError):
        raise RequestError(
            f"The cursor {shortened(cursor)!r} is none of this server's.",
            remedy="Leave it out to begin at the first page, or pass the nextCursor of the page before.",
        ) from None
