"""Headings as plain text: no markers, no inline markup."""

import html
import re

_STEPS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<!--.{0,400}?-->"), ""),
    (re.compile(r"!?\[([^\[\]]{0,400})\](?:\([^()\s]{0,2000}(?:[ \t]+[^()]{0,400})?\)|\[[^\[\]]{0,400}\])"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]{0,400}>"), ""),
    (re.compile(r"[ \t]*\{[#.][^{}]{0,200}\}[ \t]*$"), ""),
    (re.compile(r"(\*{1,3}|~~|`+)(?=\S)(.{0,400}?\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.{0,400}?\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
    (re.compile("\u00ad+|^[\u200b\u2060\ufeff]+|[\u200b\u2060\ufeff]+$"), ""),
    (re.compile(r"\s+"), " "),
    (re.compile(r"(?<=\w) ?¶$"), ""),
)
_LONGEST_HEADING = 1_000

_LONGEST_SHOWN = 200
"""A heading path stands in every citation; what is longer than a long sentence is no heading for a reader."""

_NOT_WORD = re.compile(r"[\W_]+")


def plain(markup: str) -> str:
    """The words of one heading line, as a reader would say them."""
    text = markup[:_LONGEST_HEADING]
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    text = html.unescape(text).strip()
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1].rstrip()}…"


def folded(text: str) -> str:
    """Words only, in one case, single spaces: for asking whether one text holds another."""
    return f" {_NOT_WORD.sub(' ', text.casefold()).strip()} "
