"""What a client needs to start this program as it is set up here, and how that goes into an entry it has. Pure."""

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from minirag_mcp.config import VARIABLES, Flags, Settings
from minirag_mcp.errors import ConfigError, MissingPathError
from minirag_mcp.shell.connect.clients import Client
from minirag_mcp.shell.product import NAME
from minirag_mcp.shell.wire import Json

_BY_FLAGS = ("BASE_DIR", "BASE_DIRS", "DB_PATH", "CACHE_DIR", "MODEL_NAME")
_AS_THEY_ARE = tuple(name for name in VARIABLES if name not in _BY_FLAGS)
_OWN = ("type", "command", "args")
_TEMPORARY = re.compile(r"/(archive|builds|environments)-v\d+/|/pipx/\.cache/|/(\.cache|[cC]aches)/pipx/")
"""On the way to an environment that its tool deletes when it likes (uvx, pipx run)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A command that starts the server, and the variables it needs; `command` is absolute."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]

    def entry(self, client: Client) -> Json:
        """As this client writes it."""
        entry: Json = {"type": "stdio"} if client.typed else {}
        entry["command"] = self.command
        if self.arguments:
            entry["args"] = list(self.arguments)
        return entry | {"env": dict(self.environment)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A value for a place in an entry, the empty path being all of it; None takes out what is there."""

    path: tuple[str, ...]
    value: object


def program(started_as: str, *, executable: str) -> tuple[str, ...]:
    """The command that runs this program again: its console script if that was started, else Python with the package.

    Links are not followed: they are what stays when a tool puts a new version behind them.
    """
    script = Path(os.path.abspath(started_as))  # noqa: PTH100 - follows no links
    for file in (script, script.with_name(f"{script.name}.exe")):
        if file.stem == NAME and file.is_file():
            return (str(file),)
    return (executable, "-m", "minirag_mcp")


def variables(flags: Flags, environment: Mapping[str, str], settings: Settings) -> dict[str, str]:
    """The variables under which another process has these settings, wherever it runs.

    Raises ConfigError for a path that text cannot hold, MissingPathError for a root that is no folder.
    """
    given = {name: environment[name].strip() for name in VARIABLES if environment.get(name, "").strip()}
    roots = [_text(settings.roots_setting, _plain(root)) for root in settings.roots]
    for root in roots:
        if not Path(root).is_dir():
            raise MissingPathError(
                f"The root {root} is not a folder.", remedy="Name a folder of documents with --base-dir."
            )
    # BASE_DIRS would win over BASE_DIR in a client that is started where it is set, and keeps blanks at the end.
    several = len(roots) > 1 or "BASE_DIRS" in given or roots[0] != roots[0].strip()
    chosen = {"BASE_DIRS": json.dumps(roots, ensure_ascii=False)} if several else {"BASE_DIR": roots[0]}
    if flags.db_path or "DB_PATH" in given:
        chosen["DB_PATH"] = _value("DB_PATH", settings.db_path)
    if flags.cache_dir or "CACHE_DIR" in given:
        chosen["CACHE_DIR"] = _value("CACHE_DIR", settings.cache_dir)
    if flags.model_name or "MODEL_NAME" in given:
        chosen["MODEL_NAME"] = settings.model_name
    return chosen | {name: given[name] for name in _AS_THEY_ARE if name in given}


def require_literal(client: Client, launch: Launch) -> None:
    """Raise ConfigError when the client would put something else in place of a value."""
    told = {"the path of the program": " ".join((launch.command, *launch.arguments)), **launch.environment}
    for name, value in told.items():
        found = client.replaced and client.replaced.search(value)
        if found:
            raise ConfigError(
                f"{name} is {value!r}; {client.title} takes {found[0]!r} in it for a variable.",
                remedy="Choose a value without it; for a folder, rename it or name a link to it.",
            )


def warnings(launch: Launch, settings: Settings, *, home: Path, prefix: Path) -> list[str]:
    """What is probably not meant."""
    told = [
        f"the root is {root}: everything in it would be indexed; name a folder with --base-dir"
        for root in settings.roots
        if root in (home, Path(root.anchor))
    ]
    if is_temporary(prefix):
        told.append(
            f"{launch.command} lies in an environment that may vanish; install the program to stay "
            f"(uv tool install, pipx install), and run that one's `{NAME} connect`"
        )
    return told


def is_temporary(prefix: Path) -> bool:
    """Whether an environment is one that tools make for a single run."""
    return _TEMPORARY.search(f"{prefix.as_posix()}/") is not None


def edits(old: object, new: Json) -> tuple[Edit, ...]:
    """What makes `old` start what `new` starts. Whatever else the user has in it stays, also other variables.

    An entry that starts no program, as that of a remote server, is replaced.
    """
    if not isinstance(old, dict) or "command" not in old:
        return () if old == new else (Edit(path=(), value=new),)
    changed = [
        Edit(path=(name,), value=new.get(name))
        for name in _OWN
        if old.get(name) != new.get(name) and _set(old, new, name)
    ]
    before, after = old.get("env"), new.get("env")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return (*changed, Edit(path=("env",), value=after))
    names = [name for name in VARIABLES if before.get(name) != after.get(name)]
    return (*changed, *(Edit(path=("env", name), value=after.get(name)) for name in names))


def _set(old: Json, new: Json, name: str) -> bool:
    """Whether a difference matters: `type` may be said where the client does not ask for it, `args` may be empty."""
    return name in new or (old[name] != "stdio" if name == "type" else old[name] != [])


def applied(old: object, changes: Sequence[Edit]) -> object:
    """The entry after these edits."""
    entry = old
    for change in changes:
        entry = placed(entry, change.path, change.value)
    return entry


def placed(value: object, path: tuple[str, ...], new: object) -> object:
    """`value` with `new` at `path`, tables made on the way; None takes out what is there."""
    if not path:
        return new
    members = dict(value) if isinstance(value, dict) else {}
    inner = placed(members.get(path[0]), path[1:], new)
    if inner is None:
        members.pop(path[0], None)
    else:
        members[path[0]] = inner
    return members


def shown(entry: object) -> object:
    """An entry without what may be a secret of another's: its values that are none of ours."""
    if not isinstance(entry, dict):
        return entry if entry is None else _HIDDEN
    ours = "minirag" in str(entry.get("command", "")) + str(entry.get("args", ""))
    return {name: _shown(name, value, ours=ours) for name, value in entry.items()}


_HIDDEN = "…"


def _shown(name: str, value: object, *, ours: bool) -> object:
    if name == "env" and isinstance(value, dict):
        return {variable: text if variable in VARIABLES else _HIDDEN for variable, text in value.items()}
    if name in ("type", "command") or (name == "args" and ours) or isinstance(value, bool):
        return value
    return _HIDDEN


def _plain(path: Path) -> Path:
    return path.resolve() if ".." in path.parts else path


def _value(setting: str, path: Path) -> str:
    text = _text(setting, _plain(path))
    if text != text.strip():
        raise ConfigError(f"{setting} is {text!r}; a variable cannot hold a blank at the end.", remedy="Rename it.")
    return text


def _text(setting: str, path: Path) -> str:
    text = str(path)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ConfigError(
            f"{setting} is {text!r}; a client's configuration cannot hold that name.", remedy="Rename the folder."
        ) from None
    return text


def python() -> str:
    """The interpreter that runs this, by the path of its environment."""
    return os.path.abspath(sys.executable)  # noqa: PTH100 - a link to another interpreter is what makes an environment
