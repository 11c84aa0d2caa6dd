"""Whether the first row of a table is its header: a wrong one would be read above rows that it says nothing about."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import islice

# Rows that tell what a column holds.
_LOOKED_AT = 50
# Share of the filled cells of a column that must be alike.
_MOSTLY = 0.6
# Characters of a label; longer cells are sentences.
_LONGEST_LABEL = 60
_AMOUNT = re.compile(r"[-+−–~≈<>($€£¥₽₴₹ ]*\d[\d\s.,'’]*[%‰)$€£¥₽₴₹ ]*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}(?:[ T]\d{1,2}:\d\d\S*)?")
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w./#+-]{1,24}")
_WRITTEN = re.compile(r"[^\W_]")
_SENTENCE_END = (".", ":", ";", "!", "。", "：")


class _Kind(Enum):
    AMOUNT = auto()
    YEAR = auto()
    DATE = auto()
    CODE = auto()
    TEXT = auto()


def has_header(rows: Sequence[Sequence[str]], *, usual: bool = False) -> bool:
    """Whether the first of `rows` names what stands below it; a single row may pass for a header, for it heads nothing.

    It does not when it holds amounts, or what its columns hold in the other rows too, or only a caption; it does
    when it puts a label above figures, dates or codes. Words above words are a header when it is `usual`, as in
    sheets or where the row is set apart, and else when they read as labels: short, all filled, all different, and
    none repeated in its column.
    """
    first, body = rows[0], rows[1 : 1 + _LOOKED_AT]
    if not body:
        return True
    if not any(cell.strip() for cell in first[1:]) and len(first) > 1:
        return False
    verdicts = set(_verdicts(first, body))
    if False in verdicts:
        return False
    return True in verdicts or usual or _reads_as_labels(first, body)


def _verdicts(first: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[bool]:
    """What each column says, if anything."""
    for column, cell in enumerate(first):
        kind = _kind(cell)
        below = _main_kind(row[column] for row in body if column < len(row))
        if kind is None or (kind is below is _Kind.TEXT):
            continue
        if kind is _Kind.AMOUNT or kind is below:
            yield False
        elif below not in (None, _Kind.TEXT):
            yield True


def _kind(cell: str) -> _Kind | None:
    """What a cell holds; None when nothing is written in it but marks such as a dash."""
    text = cell.strip()
    if not _WRITTEN.search(text):
        return None
    if len(text) > _LONGEST_LABEL:
        return _Kind.TEXT
    for pattern, kind in ((_YEAR, _Kind.YEAR), (_DATE, _Kind.DATE), (_AMOUNT, _Kind.AMOUNT), (_CODE, _Kind.CODE)):
        if pattern.fullmatch(text):
            return kind
    return _Kind.TEXT


def _main_kind(cells: Iterator[str]) -> _Kind | None:
    kinds = Counter(kind for cell in cells if (kind := _kind(cell)))
    most = max(kinds, key=lambda kind: kinds[kind], default=None)
    return most if most and kinds[most] >= _MOSTLY * kinds.total() else None


def _reads_as_labels(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    labels = [" ".join(cell.split()).casefold() for cell in first]
    if not all(labels[1:]) or len(set(labels)) < len(labels):
        return False
    if any(len(label) > _LONGEST_LABEL or label.endswith(_SENTENCE_END) for label in labels):
        return False
    # A merged header cell is repeated right below itself, and a header at the top of every page.
    others = [row for row in islice(body, 1, None) if list(row) != list(first)]
    return not any(label == cell.strip().casefold() for row in others for label, cell in zip(labels, row, strict=False))
