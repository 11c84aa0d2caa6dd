"""Checks what a client sent against a tool's parameters; lenient in form, strict in names and meaning."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from minirag_mcp.errors import RequestError
from minirag_mcp.model import SectionId
from minirag_mcp.shell.brief import shortened
from minirag_mcp.shell.declaration import Parameter, Tool
from minirag_mcp.shell.fit import UPPER_LIMIT
from minirag_mcp.shell.spelling import unspelled

_MOST_NAMED = 3
"""Of several wrong names; who corrects them gets told of the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """Checked arguments of one call, defaults filled in; absent and null are the same."""

    values: Mapping[str, object]

    def text(self, name: str) -> str:
        """A required string."""
        return str(self.values[name])

    def optional_text(self, name: str) -> str | None:
        """A string, or None when it was not given."""
        value = self.values.get(name)
        return None if value is None else str(value)

    def integer(self, name: str) -> int:
        """A whole number that is required or has a default."""
        value = self.values[name]
        assert isinstance(value, int), "checked"  # noqa: S101
        return value

    def optional_integer(self, name: str) -> int | None:
        """A whole number, or None when it was not given."""
        return self.integer(name) if name in self.values else None

    def most_characters(self) -> int:
        """`maxChars`, as far as an answer may go."""
        return min(self.integer("maxChars"), UPPER_LIMIT)

    def scope(self) -> tuple[str, ...]:
        """The paths, ids or prefixes of `scope`: one string, or a list as JSON text or as an array."""
        value = self.values.get("scope")
        text = "" if isinstance(value, tuple) else str(value or "").strip()
        listed = value if isinstance(value, tuple) else _json_list(text)
        return tuple(map(unspelled, listed if listed is not None else filter(None, (text,))))

    def absolute_path(self, name: str) -> Path | None:
        """A path, or None when it was not given. Raises RequestError when it is not absolute."""
        text = self.optional_text(name)
        if text is None:
            return None
        path = Path(unspelled(text))
        if "\0" in text or not path.is_absolute():
            raise RequestError(
                f"{name} must be an absolute path, not {shortened(text)!r}.",
                remedy="Put the root in front of it (`status` lists the roots), or pass the `source` of a result.",
            )
        return path

    def target(self, *others: str) -> tuple[Path | None, str | None]:
        """`filePath` and `source`, exactly one of them given; `others` would have done too. Raises RequestError."""
        path, source = self.absolute_path("filePath"), self.optional_text("source")
        if path is not None and source is not None:
            raise RequestError("Give either filePath or source; both were given.")
        if path is None and source is None:
            given = "none was given" if others else "neither was given"
            raise RequestError(f"Give either {' or '.join(('filePath', 'source', *others))}; {given}.")
        return path, None if source is None else unspelled(source)

    def section(self) -> SectionId | None:
        """`parentId`, which stands alone. Raises RequestError."""
        section = self.optional_text("parentId")
        if section is None:
            return None
        if "filePath" in self.values or "source" in self.values:
            raise RequestError("parentId names a section by itself; leave filePath and source out.")
        return SectionId(section)


def check(tool: Tool, raw: Mapping[str, object] | None) -> Arguments:
    """The arguments of a call of `tool`. Raises RequestError naming the argument and what is allowed."""
    given = {name: value for name, value in (raw or {}).items() if value is not None}
    unknown = sorted(given.keys() - tool.names)
    if unknown:
        raise RequestError(_unknown(tool, unknown), remedy="Correct the name or leave it out.")
    missing = [parameter.name for parameter in tool.parameters if parameter.required and parameter.name not in given]
    if missing:
        raise RequestError(f"{tool.name} needs {_listed(missing)}.", remedy="Add it and call again.")
    defaults = {parameter.name: parameter.default for parameter in tool.parameters if parameter.default is not None}
    checked = {
        parameter.name: _value(parameter, given[parameter.name])
        for parameter in tool.parameters
        if parameter.name in given
    }
    return Arguments(values=defaults | checked)


def _unknown(tool: Tool, unknown: list[str]) -> str:
    takes = _listed([parameter.name for parameter in tool.parameters]) or "no arguments"
    plain = {_plain(name): name for name in tool.names}
    meant = [plain[_plain(name)] for name in unknown if _plain(name) in plain]
    hint = f" Did you mean {_listed(meant)}?" if meant else ""
    return f"{tool.name} does not know the argument {_listed(unknown[:_MOST_NAMED])}; it takes {takes}.{hint}"


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{shortened(name)}`" for name in names)


def _value(parameter: Parameter, value: object) -> object:
    if parameter.name == "scope" and isinstance(value, list):
        if not all(isinstance(item, str) for item in value):
            raise RequestError("`scope` must be one string or a list of strings.")
        _require_length(parameter, sum(map(len, value)))
        return tuple(value)
    return _whole(parameter, value) if parameter.kind == "integer" else _text(parameter, value)


def _text(parameter: Parameter, value: object) -> str:
    if not isinstance(value, str):
        raise RequestError(f"`{parameter.name}` must be a string, not {_kind(value)}.")
    if parameter.choices and value not in parameter.choices:
        raise RequestError(
            f"`{parameter.name}` is {shortened(value)!r}; it must be one of {', '.join(parameter.choices)}."
        )
    _require_length(parameter, len(value))
    return value


def _require_length(parameter: Parameter, length: int) -> None:
    longest = parameter.longest
    if longest is not None and length > longest:
        raise RequestError(f"`{parameter.name}` has {length:,} characters; it must have at most {longest:,}.")


def _whole(parameter: Parameter, value: object) -> int:
    number = _number(value)
    if number is None:
        raise RequestError(f"`{parameter.name}` must be a whole number, not {_kind(value)}.")
    if parameter.minimum is not None and number < parameter.minimum:
        raise RequestError(f"`{parameter.name}` is {shortened(str(number))}; it must be at least {parameter.minimum}.")
    return number


def _number(value: object) -> int | None:
    """Whole numbers come as 8, as 8.0 and as "8" from models."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        digits = value.strip().removeprefix("-")
        return int(value) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None  # noqa: PLR2004 - 64 bits
    return None


def _kind(value: object) -> str:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 40 else f"{shown[:40]}…"  # noqa: PLR2004 - a message, not a dump


def _json_list(text: str) -> tuple[str, ...] | None:
    """The strings of a JSON array, or None when `text` is something else, such as a path that begins with `[`."""
    if not text.startswith("["):
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(parsed, list) or not all(isinstance(item, str) for item in parsed):
        return None
    return tuple(parsed)
