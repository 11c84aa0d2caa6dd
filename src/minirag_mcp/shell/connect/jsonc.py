"""Reads JSON with comments and trailing commas, and changes one member of it without touching any other byte."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

Path = Sequence[str]
Value = object
"""None, bool, str, Number, or a list or dict of them; `put` takes what `json.dumps` takes too."""

_MOST_LEVELS = 100
"""Deeper than any configuration, and well below what the interpreter's stack holds."""

_BLANK = " \t\r\n"
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*(?s:.*?)\*/)*+")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


class JsonProblem(ValueError):  # noqa: N818 - told to the user by the caller, with the file's name
    """The text cannot be read or changed as asked; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written, whatever its size."""

    text: str


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands; `members` is empty unless the value is an object."""

    start: int
    end: int
    value: Value
    members: tuple["Member", ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """A key, its value, and the comma after it, if there is one."""

    key: str
    start: int
    node: Node
    comma: int | None


def parse(text: str) -> Node:
    """The one value of `text`. Raises JsonProblem with line and column."""
    return _Reader(text).whole()


def is_plain(text: str) -> bool:
    """Whether strict readers take `text` too: no comments, no trailing commas."""
    try:
        json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def put(text: str, path: Path, value: Value) -> str:
    """`text` with `value` at `path`; objects on the way are made. Raises JsonProblem."""
    root = parse(text)
    parent, depth = _deepest(root, path)
    key, missing = path[depth], path[depth + 1 :]
    for name in reversed(missing):
        value = {name: value}
    style = _Style.of(text, root)
    there = next((member for member in parent.members if member.key == key), None)
    if there is None:
        return _inserted(text, parent, key=key, value=value, style=style)
    indent = _own_indent(text, there.start)
    new = style.block(value, indent) if indent is not None else style.line(value)
    return text[: there.node.start] + new + text[there.node.end :]


def take(text: str, path: Path) -> str:
    """`text` without the member at `path`, or as it is when there is none. Raises JsonProblem."""
    parent, depth = _deepest(parse(text), path)
    place = next((n for n, member in enumerate(parent.members) if member.key == path[depth]), None)
    if depth < len(path) - 1 or place is None:
        return text
    member = parent.members[place]
    start = len(text[: member.start].rstrip(_BLANK))
    if _ends_in_comment(text, parent, place, start) and not _ends_its_line(text, member):
        start = member.start
    cut = [(start, member.node.end)]
    if member.comma is not None:
        cut.append((member.comma, member.comma + 1))
    elif place > 0:
        before = parent.members[place - 1].comma
        cut += [] if before is None else [(before, before + 1)]
    return _without(text, cut)


def _ends_in_comment(text: str, parent: Node, place: int, end: int) -> bool:
    before = parent.members[place - 1] if place else None
    begin = parent.start + 1 if before is None else (before.comma or before.node.end)
    return "//" in text[begin:end]


def _ends_its_line(text: str, member: Member) -> bool:
    """Whether nothing stands between the member, with its comma, and the end of its line."""
    end = member.node.end if member.comma is None else member.comma + 1
    return text[end:].lstrip(" \t\r").startswith("\n")


def _without(text: str, cut: Sequence[tuple[int, int]]) -> str:
    for start, end in sorted(cut, reverse=True):
        text = text[:start] + text[end:]
    return text


def _deepest(root: Node, path: Path) -> tuple[Node, int]:
    """The deepest object on the way to the last of `path` that is there, and how far down the way it is."""
    node = root
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            where = ".".join(path[:depth]) or "the file"
            raise JsonProblem(f"{where} holds no JSON object")
        named = [member.node for member in node.members if member.key == key]
        if len(named) > 1:
            raise JsonProblem(f"the key {key!r} is there {len(named)} times")
        if depth == len(path) - 1 or not named:
            return node, depth
        node = named[0]
    raise ValueError("an empty path")


@dataclass(frozen=True, slots=True)
class _Style:
    """How the file is laid out."""

    newline: str
    unit: str
    one_line: bool

    @classmethod
    def of(cls, text: str, root: Node) -> "_Style":
        indent = _own_indent(text, root.members[0].start) if root.members else None
        return cls(
            newline="\r\n" if "\r\n" in text else "\n",
            unit=indent or "  ",
            one_line=bool(root.members) and "\n" not in text[root.start : root.end],
        )

    def line(self, value: Value) -> str:
        return json.dumps(value, ensure_ascii=False)

    def block(self, value: Value, indent: str) -> str:
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
        return f"{self.newline}{indent}".join(lines)


def _inserted(text: str, parent: Node, *, key: str, value: Value, style: _Style) -> str:
    last = parent.members[-1] if parent.members else None
    begin = parent.start + 1 if last is None else (last.node.end if last.comma is None else last.comma + 1)
    inner = text[begin : parent.end - 1]
    place = begin + len(inner.rstrip(_BLANK))
    indent = _own_indent(text, last.start) if last else None
    named = json.dumps(key, ensure_ascii=False)
    if inner.strip(_BLANK) == "" and (style.one_line if last is None else indent is None):
        new = f"{' ' if last else ''}{named}: {style.line(value)}"
    else:
        outer = _line_indent(text, parent.start)
        indent = outer + style.unit if indent is None else indent
        new = f"{style.newline}{indent}{named}: {style.block(value, indent)}"
        if "\n" not in text[place : parent.end - 1] and last is None:
            new += style.newline + outer
    if last is not None and last.comma is not None:
        new += ","  # as the file does it, so that taking the member out leaves the file as it was
    text = text[:place] + new + text[place:]
    return text if last is None or last.comma is not None else f"{text[: last.node.end]},{text[last.node.end :]}"


def _line_indent(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _own_indent(text: str, place: int) -> str | None:
    """What stands before `place` on its line, if that is blank and not the first line."""
    begin = text.rfind("\n", 0, place) + 1
    before = text[begin:place]
    return before if begin and not before.strip(" \t") else None


class _Reader:
    """One pass over the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._level = 0

    def whole(self) -> Node:
        self._skip()
        node = self._value()
        self._skip()
        if self._at < len(self._text):
            raise self._problem("nothing more may follow")
        return node

    def _skip(self) -> None:
        found = _TRIVIA.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _value(self) -> Node:
        start = self._at
        opening = self._text[start : start + 1]
        if opening in ("{", "["):
            self._level += 1
            if self._level > _MOST_LEVELS:
                raise self._problem(f"more than {_MOST_LEVELS} levels")
            node = self._object() if opening == "{" else self._array()
            self._level -= 1
            return node
        if opening == '"':
            text = self._string()
            return Node(start, self._at, text)
        return self._scalar(start)

    def _scalar(self, start: int) -> Node:
        for word, value in _WORDS.items():
            if self._text.startswith(word, start):
                self._at = start + len(word)
                return Node(start, self._at, value)
        found = _NUMBER.match(self._text, start)
        if found is None:
            raise self._problem("a value is expected")
        self._at = found.end()
        return Node(start, self._at, Number(found[0]))

    def _string(self) -> str:
        found = _STRING.match(self._text, self._at)
        if found is None:
            raise self._problem("a string that is not closed, or holds what it may not")
        self._at = found.end()
        return str(json.loads(found[0]))

    def _array(self) -> Node:
        start = self._at
        self._at += 1
        values: list[Value] = []
        self._skip()
        while not self._taken("]"):
            values.append(self._value().value)
            self._skip()
            if not self._taken(","):
                self._close("]")
                break
            self._skip()
        return Node(start, self._at, values)

    def _object(self) -> Node:
        start = self._at
        self._at += 1
        members: list[Member] = []
        self._skip()
        while not self._taken("}"):
            member, more = self._member()
            members.append(member)
            if not more:
                self._close("}")
                break
            self._skip()
        return Node(start, self._at, {one.key: one.node.value for one in members}, tuple(members))

    def _member(self) -> tuple[Member, bool]:
        start = self._at
        if not self._text.startswith('"', start):
            raise self._problem("a key in double quotes is expected")
        key = self._string()
        self._skip()
        if not self._taken(":"):
            raise self._problem("a colon is expected")
        self._skip()
        node = self._value()
        self._skip()
        comma = self._at
        more = self._taken(",")
        return Member(key, start, node, comma if more else None), more

    def _taken(self, mark: str) -> bool:
        taken = self._text.startswith(mark, self._at)
        self._at += taken
        return taken

    def _close(self, mark: str) -> None:
        if not self._taken(mark):
            raise self._problem(f"a comma or {mark} is expected")

    def _problem(self, what: str) -> JsonProblem:
        line = self._text.count("\n", 0, self._at) + 1
        column = self._at - (self._text.rfind("\n", 0, self._at) + 1) + 1
        return JsonProblem(f"line {line}, column {column}: {what}")
