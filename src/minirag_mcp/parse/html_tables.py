"""Tables of web pages without header cells: told which header they have before they become Markdown."""

import html
import re
from collections.abc import Iterator

from minirag_mcp.parse.table_header import has_header

_EDGE = re.compile(r"<(/?)table\b[^<>]*>", re.IGNORECASE)
_ROW = re.compile(r"<tr\b[^<>]*>", re.IGNORECASE)
_CELL = re.compile(r"<t([dh])\b([^<>]*)>", re.IGNORECASE)
_COLUMNS = re.compile(r"""\bcolspan\s*=\s*["']?(\d{1,2})""", re.IGNORECASE)
_HEAD = re.compile(r"<thead\b", re.IGNORECASE)
_BOLD = re.compile(r"\s*<(?:b|strong)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_EMPTY_HEADER = "<tr><th></th></tr>"
# Rows by which the first is judged.
_JUDGED = 50


def with_headers(source: str) -> str:
    """`source` with an empty header row in each table whose first row, not marked as one, is no header.

    Tables of one row or one column, and those that hold tables, lay out the page and stay as they are.
    """
    pieces: list[str] = []
    end = 0
    for start, after in _innermost(source):
        row = _ROW.search(source, start, after)
        if row and not _HEAD.search(source, start, row.start()) and not _is_headed(source[row.start() : after]):
            pieces.extend((source[end : row.start()], _EMPTY_HEADER))
            end = row.start()
    return "".join((*pieces, source[end:])) if pieces else source


def _innermost(source: str) -> Iterator[tuple[int, int]]:
    opened: int | None = None
    for edge in _EDGE.finditer(source):
        if not edge[1]:
            opened = edge.end()
        elif opened is not None:
            yield opened, edge.start()
            opened = None


def _is_headed(body: str) -> bool:
    """Whether the first row is a header, or the table none of data."""
    rows = [_CELL.split(row) for row in _ROW.split(body, maxsplit=_JUDGED)[1:_JUDGED]]
    if len(rows) < 2 or len(rows[0]) < 5 or "d" not in (name.lower() for name in rows[0][1::3]):  # noqa: PLR2004
        return True
    texts = [_texts(row) for row in rows]
    return has_header(texts, usual=_in_bold(rows[0]) and not _in_bold(rows[1]))


def _texts(row: list[str]) -> list[str]:
    texts: list[str] = []
    for attributes, content in zip(row[2::3], row[3::3], strict=True):
        columns = _COLUMNS.search(attributes)
        text = " ".join(html.unescape(_TAG.sub(" ", content)).split())
        texts.extend([text, *[""] * (int(columns[1]) - 1 if columns else 0)])
    return texts


def _in_bold(row: list[str]) -> bool:
    return all(_BOLD.match(content) for content in row[3::3] if content.strip())
