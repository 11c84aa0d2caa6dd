"""Settings: flags over environment over defaults, checked, as one frozen value. Pure: callers pass the world in."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TypeVar

from minirag_mcp.chunk.scheme import MODEL_LIMIT
from minirag_mcp.errors import ConfigError
from minirag_mcp.ingest.ground import CURRENT_DIRECTORY
from minirag_mcp.ingest.labels import LabelRules
from minirag_mcp.ingest.options import IndexOptions, WritingOptions
from minirag_mcp.retrieve.options import Grouping, SearchOptions

DEFAULT_MODEL = "multilingual-e5-small-q4"
DEFAULT_MAX_FILE_SIZE = 100 * 1024 * 1024
"""At this size the slowest kinds of text are parsed well within the time and memory of `parse/limits.py`."""

DEFAULT_TOKEN_BUDGET = 160
"""Measured on 14 retrieval sets: docs/adr/0007-token-budget.md."""
MIN_TOKEN_BUDGET = 16
"""A third of it may be context, which leaves a few words."""

MAX_TOKEN_BUDGET = MODEL_LIMIT
"""Where the chosen model reads less, so much less is cut."""

MAX_INSTRUCTIONS_APPEND = 500
"""Characters; with the server's own they stay below the 2,000 at which clients cut."""

VARIABLES = (
    "BASE_DIR",
    "BASE_DIRS",
    "DB_PATH",
    "CACHE_DIR",
    "MODEL_NAME",
    "MAX_FILE_SIZE",
    "CHUNK_TOKEN_BUDGET",
    "RAG_HYBRID_WEIGHT",
    "RAG_GROUPING",
    "RAG_MAX_DISTANCE",
    "RAG_MAX_FILES",
    "RAG_SNAPSHOT_DEDUPE",
    "RAG_HANDOFF_MIRROR_DIR",
    "RAG_HANDOFF_MIRROR_BASENAMES",
    "RAG_INSTRUCTIONS_APPEND",
    "ALLOW_PRIVATE_URLS",
)
"""Every variable of the product. Others of the environment may be secrets, and are never written down."""

_MOST_DIGITS = 18  # so that every accepted number fits SQLite's 64-bit integers
_MOST_SHOWN = 200  # of a value in an error
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What was given on the command line; None or empty means not given."""

    base_dirs: tuple[str, ...] = ()
    db_path: str | None = None
    cache_dir: str | None = None
    model_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a user can configure, resolved. Paths are absolute; roots may not exist yet.

    `roots_setting` is the flag or variable that named the roots, or CURRENT_DIRECTORY.
    """

    roots: tuple[Path, ...]
    db_path: Path
    cache_dir: Path
    roots_setting: str = "BASE_DIR"
    model_name: str = DEFAULT_MODEL
    max_file_size: int = DEFAULT_MAX_FILE_SIZE
    chunk_token_budget: int = DEFAULT_TOKEN_BUDGET
    allow_private_urls: bool = False
    snapshot_dedupe: bool = True
    handoff_mirror_dir: str = LabelRules().mirror_dir
    handoff_mirror_basenames: tuple[str, ...] = LabelRules().mirror_basenames
    instructions_append: str = ""
    search: SearchOptions = field(default_factory=SearchOptions)

    @property
    def indexing(self) -> IndexOptions:
        """What of this concerns indexing."""
        labels = LabelRules(mirror_dir=self.handoff_mirror_dir, mirror_basenames=self.handoff_mirror_basenames)
        return IndexOptions(
            budget=self.chunk_token_budget,
            max_file_size=self.max_file_size,
            writing=WritingOptions(labels=labels, fold_series=self.snapshot_dedupe),
        )


def load_settings(flags: Flags, environment: Mapping[str, str], *, cwd: Path, user_cache_dir: Path) -> Settings:
    """Settle every setting: a flag wins over its variable, a variable over the default.

    An empty variable counts as unset. Raises ConfigError naming variable, value and what is allowed.
    """
    env = {name: value.strip() for name, value in environment.items() if value.strip()}
    _refuse_empty(flags)
    named, given = _roots(flags, env, cwd)
    roots = tuple(dict.fromkeys(_absolute(named, root, cwd) for root in given))
    db_path = flags.db_path or env.get("DB_PATH")
    cache_dir = flags.cache_dir or env.get("CACHE_DIR")
    return Settings(
        roots=roots,
        roots_setting=named,
        db_path=_absolute("DB_PATH", db_path, cwd) if db_path else roots[0] / ".minirag" / "index",
        cache_dir=_absolute("CACHE_DIR", cache_dir, cwd) if cache_dir else user_cache_dir,
        model_name=flags.model_name or env.get("MODEL_NAME") or DEFAULT_MODEL,
        max_file_size=_read(env, "MAX_FILE_SIZE", _whole(1, None), DEFAULT_MAX_FILE_SIZE),
        chunk_token_budget=_read(
            env, "CHUNK_TOKEN_BUDGET", _whole(MIN_TOKEN_BUDGET, MAX_TOKEN_BUDGET), DEFAULT_TOKEN_BUDGET
        ),
        allow_private_urls=_read(env, "ALLOW_PRIVATE_URLS", _switch, False),
        snapshot_dedupe=_read(env, "RAG_SNAPSHOT_DEDUPE", _switch, True),
        handoff_mirror_dir=_read(env, "RAG_HANDOFF_MIRROR_DIR", _name, LabelRules().mirror_dir),
        handoff_mirror_basenames=_read(env, "RAG_HANDOFF_MIRROR_BASENAMES", _more_names, LabelRules().mirror_basenames),
        instructions_append=_read(env, "RAG_INSTRUCTIONS_APPEND", _short_text, ""),
        search=SearchOptions(
            hybrid_weight=_read(env, "RAG_HYBRID_WEIGHT", _number(0.0, 1.0), SearchOptions().hybrid_weight),
            grouping=_read(env, "RAG_GROUPING", _grouping, None),
            max_distance=_read(env, "RAG_MAX_DISTANCE", _number(0.0, None), None),
            max_files=_read(env, "RAG_MAX_FILES", _whole(1, None), None),
        ),
    )


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """The variables that look like settings of the product and are none, as after a slip of the finger."""
    ours = [name for name in environment if name.startswith("RAG_") and not name.startswith("RAG_MCP_")]
    return sorted(set(ours) - set(VARIABLES))


def _refuse_empty(flags: Flags) -> None:
    """An empty flag is an unset shell variable: falling back to a default would use another index in silence."""
    given: list[tuple[str, str | None]] = [("--base-dir", root) for root in flags.base_dirs]
    given += [("--db-path", flags.db_path), ("--cache-dir", flags.cache_dir), ("--model-name", flags.model_name)]
    for name, value in given:
        if value is not None and not value.strip():
            raise ConfigError(f"{name} is empty; it must have a value, or be left out.")


def _roots(flags: Flags, env: Mapping[str, str], cwd: Path) -> tuple[str, tuple[str, ...]]:
    """The setting that decides the roots, and its paths as given."""
    if flags.base_dirs:
        return "--base-dir", flags.base_dirs
    if "BASE_DIRS" in env:
        return "BASE_DIRS", _json_paths(env["BASE_DIRS"])
    if "BASE_DIR" in env:
        return "BASE_DIR", (env["BASE_DIR"],)
    return CURRENT_DIRECTORY, (str(cwd),)


def _json_paths(value: str) -> tuple[str, ...]:
    problem = ConfigError(
        f"BASE_DIRS must be a JSON array of one or more path strings, not {value!r}.",
        remedy="""Write it like BASE_DIRS='["/docs/a", "/docs/b"]'.""",
    )
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        raise problem from None
    if not isinstance(parsed, list) or not parsed:
        raise problem
    if not all(isinstance(item, str) and item.strip() for item in parsed):
        raise problem
    return tuple(parsed)


def _absolute(setting: str, path: str, cwd: Path) -> Path:
    try:
        os.fsencode(path)
        if "\0" not in path:
            return Path(cwd, Path(path).expanduser())
    except UnicodeEncodeError:
        pass
    except RuntimeError:
        raise ConfigError(f"{setting} is {path!r}; the home folder it names is not known.") from None
    raise ConfigError(f"{setting} is {path!r}; it holds a character that no path can have.")


def _read(env: Mapping[str, str], name: str, parse: Callable[[str], _Value], default: _Value) -> _Value:
    if name not in env:
        return default
    try:
        return parse(env[name])
    except ValueError as error:
        raise ConfigError(f"{name} is {_shown(env[name])}; it must be {error}.") from None


def _shown(value: str) -> str:
    return repr(value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}…")


def _whole(low: int, high: int | None) -> Callable[[str], int]:
    allowed = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"

    def parse(value: str) -> int:
        if not value.isascii() or not value.isdigit() or len(value) > _MOST_DIGITS:
            raise ValueError(allowed)
        number = int(value)
        if number < low or (high is not None and number > high):
            raise ValueError(allowed)
        return number

    return parse


def _number(low: float, high: float | None) -> Callable[[str], float]:
    allowed = f"a number from {low} to {high}" if high is not None else f"a number of at least {low}"

    def parse(value: str) -> float:
        if "_" in value or not value.isascii():
            raise ValueError(allowed)
        try:
            number = float(value)
        except ValueError:
            raise ValueError(allowed) from None
        if not isfinite(number) or number < low or (high is not None and number > high):
            raise ValueError(allowed)
        return number

    return parse


def _short_text(value: str) -> str:
    if len(value) > MAX_INSTRUCTIONS_APPEND:
        raise ValueError(f"a text of at most {MAX_INSTRUCTIONS_APPEND} characters, not {len(value)}")
    return value


def _name(value: str) -> str:
    if value in {".", ".."} or any(sign in value for sign in "/\\\0"):
        raise ValueError("the name of one folder, without any separator")
    return value


def _more_names(value: str) -> tuple[str, ...]:
    allowed = 'a JSON array of file names, such as ["today.md"]; they come beside the names that count anyway'
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        raise ValueError(allowed) from None
    names = parsed if isinstance(parsed, list) else [None]
    if not all(isinstance(name, str) and name.strip() and not set("/\\\0") & set(name) for name in names):
        raise ValueError(allowed)
    return tuple(dict.fromkeys((*LabelRules().mirror_basenames, *names)))


def _switch(value: str) -> bool:
    word = value.lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError("one of " + ", ".join(sorted(_TRUE)) + " or " + ", ".join(sorted(_FALSE)))


def _grouping(value: str) -> Grouping | None:
    try:
        return Grouping(value.lower())
    except ValueError:
        raise ValueError("'similar' or 'related', or unset") from None
