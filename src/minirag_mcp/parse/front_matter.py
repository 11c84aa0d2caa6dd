"""Front matter: the block of names and values above a Markdown text, in YAML (`---`), TOML (`+++`) or bare lines.

Of YAML the part that front matter is written in is read: names with plain, quoted, folded or literal values, lists,
and nested names, which become `outer.inner`. Anything else makes the block part of the text, so nothing is lost.

Bare lines, such as Pelican and MultiMarkdown read, and the title lines of Pandoc (`% title`) look like text that
begins so: they are understood, and stay in it.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LONGEST = 64 * 1024
"""Characters of a block; the largest of 2,808 documentation files has 1,600."""
_LONGEST_BARE = 4096
_OPENING = re.compile(r"(---|\+\+\+)[ \t]*\n")
_YAML_END = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_TOML_END = re.compile(r"^\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE)
_ENTRY = re.compile(
    r"""(?P<name>"[^"\n]+"|'[^'\n]+'|[^\s#:\[\]{},&*!|>%@`"'-][^:\n]*?|-[^\s:][^:\n]*?)"""
    r"""[ \t]*:(?:[ \t]+(?P<value>.*))?$"""
)
_PANDOC = re.compile(r"%[ \t]+(?P<title>\S.*)\n(?=%|[ \t]*\n)")
_BARE = re.compile(r"(?P<name>[A-Za-z][\w -]{0,30}):[ \t]+(?P<value>\S.*)")
_BLOCK = re.compile(r"[|>][-+0-9]*[ \t]*(?:#.*)?")
_COMMENT = re.compile(r"\s+#.*$")
_LIST_ITEM = re.compile(r"""\s*("[^"]*"|'[^']*'|[^,]+)""")
_ITEM = re.compile(r"-(?:[ \t]+(?P<value>.*))?$")

Pairs = tuple[tuple[str, str], ...]


class _NotFrontMatterError(Exception):
    """The block is not what it looked like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What stood above the text, and where the text begins."""

    pairs: Pairs
    end: int

    def value(self, name: str) -> str | None:
        """The value of a name, in any case; None when it is missing or blank."""
        return next((value for key, value in self.pairs if key.casefold() == name and value), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    indent: int
    text: str


def front_matter(text: str) -> FrontMatter:
    """The front matter of a Markdown text; no pairs and `end` 0 when it has none."""
    opening = _OPENING.match(text)
    closing = _closing(text, opening) if opening else None
    if opening is None or closing is None:
        return FrontMatter(pairs=_bare(text), end=0)
    block = text[opening.end() : closing.start()]
    try:
        pairs = _toml(block) if opening[1] == "+++" else _yaml(block)
    except _NotFrontMatterError:
        return FrontMatter(pairs=(), end=0)
    return FrontMatter(pairs=pairs, end=closing.end())


def _closing(text: str, opening: re.Match[str]) -> re.Match[str] | None:
    end = _TOML_END if opening[1] == "+++" else _YAML_END
    return end.search(text, opening.end(), opening.end() + _LONGEST)


def _bare(text: str) -> Pairs:
    """The title of Pandoc, or the names and values above the first blank line, if a title is among several."""
    if line := _PANDOC.match(text, 0, _LONGEST_BARE):
        return (("title", line["title"].strip()),)
    lines = text[:_LONGEST_BARE].partition("\n\n")[0].split("\n")
    entries = [entry for line in lines if (entry := _BARE.fullmatch(line))]
    pairs = tuple((entry["name"].strip(), entry["value"].strip()) for entry in entries)
    titled = any(name.casefold() == "title" for name, _ in pairs)
    return pairs if titled and len(pairs) > 1 and len(pairs) == len(lines) else ()


def _toml(block: str) -> Pairs:
    try:
        return tuple(_flat("", tomllib.loads(block)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _NotFrontMatterError from error


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), inner)
    elif isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        yield name, ", ".join(map(_shown, value))
    elif isinstance(value, list):
        for item in value:
            yield from _flat(name, item)
    else:
        yield name, _shown(value)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _yaml(block: str) -> Pairs:
    lines = [_Line(indent=len(line) - len(line.lstrip(" ")), text=line.strip()) for line in block.split("\n")]
    pairs = tuple(_mapping("", lines))
    if not pairs and any(line.text and not line.text.startswith("#") for line in lines):
        raise _NotFrontMatterError
    return pairs


def _mapping(prefix: str, lines: list[_Line]) -> Iterator[tuple[str, str]]:
    """The entries of one level; deeper lines, and list items on the same level, belong to the entry above them."""
    position = 0
    lines = [line for line in lines if not line.text.startswith("#")]
    while position < len(lines):
        line = lines[position]
        position += 1
        if not line.text:
            continue
        entry = _ENTRY.match(line.text)
        if entry is None or line.indent > _indent(lines):
            raise _NotFrontMatterError
        end = position
        while end < len(lines) and _belongs(lines[end], line):
            end += 1
        yield from _entry(prefix + entry["name"].strip("\"' "), entry["value"] or "", lines[position:end])
        position = end


def _indent(lines: list[_Line]) -> int:
    return next((line.indent for line in lines if line.text), 0)


def _belongs(line: _Line, entry: _Line) -> bool:
    return not line.text or line.indent > entry.indent or (line.indent == entry.indent and bool(_ITEM.match(line.text)))


def _entry(name: str, value: str, below: list[_Line]) -> Iterator[tuple[str, str]]:
    inner = [line for line in below if line.text]
    if _BLOCK.fullmatch(value):
        yield name, (" " if value[0] == ">" else "\n").join(line.text for line in inner)
    elif value and not _COMMENT.fullmatch(" " + value):
        yield name, _scalar(" ".join((value, *(line.text for line in inner))))
    elif inner and all(line.indent > inner[0].indent or _ITEM.match(line.text) for line in inner):
        yield name, ", ".join(_items(inner))
    elif inner and _ENTRY.match(inner[0].text):
        yield from _mapping(f"{name}.", below)
    else:
        yield name, _scalar(" ".join(line.text for line in inner))


def _items(lines: Iterable[_Line]) -> Iterator[str]:
    for line in lines:
        item = _ITEM.match(line.text)
        yield _scalar((item["value"] or "") if item else line.text)


def _scalar(value: str) -> str:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return ", ".join(_scalar(item) for item in _LIST_ITEM.findall(value[1:-1]))
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        quote = value[0]
        return value[1:-1].replace(quote * 2 if quote == "'" else '\\"', quote)
    return _COMMENT.sub("", value)
