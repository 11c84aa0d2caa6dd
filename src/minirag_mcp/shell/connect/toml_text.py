"""Reads TOML, and changes one server's entry in it without touching any other byte.

The entry is a table under a header of its own, as the client writes it; other shapes are only ever removed.
Every change is checked by its caller against what the standard library's parser reads.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from minirag_mcp.shell.connect.entry import placed

Path = tuple[str, ...]

_BLANK = re.compile(r"[ \t]*+")
_COMMENT = re.compile(r"#[^\n]*+")
_BARE = re.compile(r"[A-Za-z0-9_-]++")
_QUOTED = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2}(?!"))|'
    r"'''.*?'''(?:'{0,2}(?!'))|"
    r'"(?:[^"\\\n]|\\.)*+"|'
    r"'[^'\n]*+'",
    re.DOTALL,
)
_KEYS_OF_AN_ENTRY = 2
"""The table of servers, and the name of one."""

_TO_ESCAPE = re.compile(r"[\x7f]")


class TomlProblem(ValueError):  # noqa: N818 - told to the user by the caller, with the file's name
    """The text cannot be read or changed as asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Decimal:
    """A number with a point or an exponent, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A header, or a key with its value. `end` is behind the line it ends on; `value` is empty for a header."""

    path: Path
    start: int
    end: int
    value: tuple[int, int]
    header: bool


def parse(text: str) -> dict[str, object]:
    """The data of `text`. Raises TomlProblem with line and column."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise TomlProblem(str(error)) from None


def put(text: str, path: Path, value: object) -> str:
    """`text` with `value` at `path` of two keys or more."""
    statements = list(_statements(text))
    for there in statements:
        if there.path == path and not there.header:
            return text[: there.value[0]] + written(value) + text[there.value[1] :]
        if _holds(there, path):
            return _inline(text, there, path, value)
    newline = "\r\n" if "\r\n" in text else "\n"
    for depth in range(len(path) - 1, 0, -1):
        header = next((one for one in statements if one.header and one.path == path[:depth]), None)
        if header is not None and len(path) > depth + (depth == 1):
            start = "" if text[: header.end].endswith("\n") else newline
            line = f"{start}{'.'.join(map(_key, path[depth:]))} = {written(value)}{newline}"
            return text[: header.end] + line + text[header.end :]
    if not isinstance(value, dict):
        raise TomlProblem("the entry is not a table under a header of its own")
    before = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return text + before + newline.join(tables(path, value)) + newline


def take(text: str, path: Path) -> str:
    """`text` without what is at `path` and below; comments that stand before the next header stay."""
    cut: list[tuple[int, int]] = []
    inside = False
    for one in _statements(text):
        if _holds(one, path):
            return _inline(text, one, path, None)
        inside = one.path[: len(path)] == path if one.header else inside
        if inside or one.path[: len(path)] == path:
            joined = inside and not one.header and cut
            cut.append((cut[-1][1] if joined else _line_start(text, one.start), one.end))
    for start, end in reversed(cut):
        text = _closed_up(text[:start], text[end:])
    return text


def tables(path: Path, value: dict[str, object]) -> list[str]:
    """The lines of a table, and of the tables in it."""
    lines = [f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(name)} = {written(one)}" for name, one in value.items() if not isinstance(one, dict)]
    for name, one in value.items():
        if isinstance(one, dict):
            lines += ["", *tables((*path, name), one)]
    return lines


def written(value: object) -> str:
    """A value on one line; a date comes out as a text, which the caller's check refuses."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(name)} = {written(one)}" for name, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, Decimal):
        return value.text
    # JSON's escapes are TOML's, but for the one character that JSON leaves as it is.
    return _TO_ESCAPE.sub(r"\\u007f", json.dumps(str(value), ensure_ascii=False))


def _holds(there: Statement, path: Path) -> bool:
    """Whether what is at `path` stands, or would stand, inside the value of this statement."""
    return not there.header and len(there.path) < len(path) and there.path == path[: len(there.path)]


def _inline(text: str, there: Statement, path: Path, value: object) -> str:
    """`text` with `value` in the table that is written on one line; None takes out what is there."""
    start, end = there.value
    table = tomllib.loads(f"table = {text[start:end]}", parse_float=Decimal)["table"]
    others = len(there.path) < _KEYS_OF_AN_ENTRY and set(table) - {path[len(there.path)]}
    if others and written(table) != text[start:end]:
        raise TomlProblem(
            "all servers are written on one line, which cannot be changed without touching more than ours"
        )
    return text[:start] + written(placed(table, path[len(there.path) :], value)) + text[end:]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else written(name)


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _closed_up(before: str, after: str) -> str:
    """The two parts, without the blank line that set off what was between them."""
    for blank in ("\n\r\n", "\n\n"):
        if before.endswith(blank) and (not after.strip() or after.startswith(("\n", "\r\n"))):
            return before[: 1 - len(blank)] + after
    return before + after


def _statements(text: str) -> Iterator[Statement]:
    """The statements of a valid text, in order."""
    table: Path = ()
    at = 0
    while (start := _next(text, at)) < len(text):
        if text[start] == "[":
            double = text.startswith("[[", start)
            table, at = _keys(text, start + 1 + double)
            at = _line_end(text, at + 1 + double)
            yield Statement(table, start, at, (at, at), header=True)
        else:
            keys, at = _keys(text, start)
            begin = _skipped(text, at + 1)
            end = _value_end(text, begin)
            at = _line_end(text, end)
            yield Statement(table + keys, start, at, (begin, end), header=False)


def _next(text: str, at: int) -> int:
    while at < len(text):
        at = _skipped(text, at)
        if text.startswith("#", at):
            at = _after(_COMMENT, text, at)
        elif text.startswith(("\n", "\r\n"), at):
            at += 1 + text.startswith("\r", at)
        else:
            return at
    return at


def _keys(text: str, at: int) -> tuple[Path, int]:
    """A dotted key and the place behind it."""
    keys: list[str] = []
    while True:
        at = _skipped(text, at)
        found = _QUOTED.match(text, at) or _BARE.match(text, at)
        if found is None:
            raise TomlProblem("a key is expected")
        name = found[0]
        keys.append(name if _BARE.fullmatch(name) else next(iter(tomllib.loads(f"{name} = 0"))))
        at = _skipped(text, found.end())
        if not text.startswith(".", at):
            return tuple(keys), at
        at += 1


def _value_end(text: str, at: int) -> int:
    """The place behind the value that begins at `at`."""
    depth = 0
    end = at
    while at < len(text):
        mark = text[at]
        if mark in "\"'":
            at = end = _after(_QUOTED, text, at)
            continue
        if mark == "#":
            if not depth:
                return end
            at = _after(_COMMENT, text, at)
            continue
        if mark == "\n" and not depth:
            return end
        depth += (mark in "[{") - (mark in "]}")
        at += 1
        end = end if mark in " \t\r\n" else at
    return end


def _line_end(text: str, at: int) -> int:
    """Behind the line of `at`, where only blanks and a comment are left."""
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _skipped(text: str, at: int) -> int:
    return _after(_BLANK, text, at)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    if found is None:
        raise TomlProblem("a text that is not closed")
    return found.end()
