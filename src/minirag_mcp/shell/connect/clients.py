"""Where each client keeps its servers, and what an entry looks like there. Pure: callers pass the world in."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from minirag_mcp.errors import RequestError

_DESKTOP_PACKAGE = "Claude_pzs8sxrjxfjjc"
"""The family name of Claude Desktop's Windows package, whose AppData is a folder of its own."""

_BRACED = re.compile(r"\$\{")
_ANY_VARIABLE = re.compile(r"\$\w|\$\{|%\w+%")


class Format(Enum):
    """How a client writes its configuration."""

    JSON = "JSON"
    JSON_WITH_COMMENTS = "JSON with comments"
    TOML = "TOML"


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What decides where files lie. `platform` is that of `sys.platform`; `cwd` and `home` are absolute."""

    platform: str
    home: Path
    environment: Mapping[str, str]
    cwd: Path
    project: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file that the client reads where `sign` exists."""

    file: Path
    sign: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One client: its names, the key that holds its servers, and what to do after a change.

    `replaced` matches what the client puts a value in place of, wherever it stands in an entry.
    """

    name: str
    title: str
    format: Format
    key: str
    typed: bool
    next_step: str
    project_step: str = ""
    replaced: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    client: Client
    of_user: Callable[[World], tuple[Candidate, ...]]
    of_project: Path | None


def client(name: str) -> Client:
    """The client of this name, one of `product.CLIENTS`."""
    return _KNOWN[name].client


def candidates(name: str, world: World) -> tuple[Candidate, ...]:
    """The files that may hold the servers of client `name`, most telling first; the last is where to begin anew.

    Raises RequestError when a project file is asked for of a client that has none.
    """
    known = _KNOWN[name]
    if not world.project:
        return known.of_user(world)
    if known.of_project is None:
        raise RequestError(
            f"{known.client.title} has no configuration per project.",
            remedy="Leave --project out, to write the configuration of this user.",
        )
    file = world.cwd / known.of_project
    return (_plain(file),)


def _plain(file: Path) -> Candidate:
    return Candidate(file=file, sign=file.parent)


def _folder(world: World, variable: str, default: Path) -> Path:
    """The folder a variable names, as clients read it: empty counts as unset, relative is from where they start."""
    value = world.environment.get(variable, "")
    return world.cwd / value if value else default


def _application_data(world: World) -> Path:
    if world.platform == "win32":
        return _folder(world, "APPDATA", world.home / "AppData" / "Roaming")
    if world.platform == "darwin":
        return world.home / "Library" / "Application Support"
    return _folder(world, "XDG_CONFIG_HOME", world.home / ".config")


def _claude_code(world: World) -> tuple[Candidate, ...]:
    old = _folder(world, "CLAUDE_CONFIG_DIR", world.home / ".claude") / ".config.json"
    new = _folder(world, "CLAUDE_CONFIG_DIR", world.home) / ".claude.json"
    return Candidate(file=old, sign=old), _plain(new)


def _claude_desktop(world: World) -> tuple[Candidate, ...]:
    usual = _plain(_application_data(world) / "Claude" / "claude_desktop_config.json")
    if world.platform != "win32":
        return (usual,)
    local = _folder(world, "LOCALAPPDATA", world.home / "AppData" / "Local")
    package = local / "Packages" / _DESKTOP_PACKAGE
    file = package / "LocalCache" / "Roaming" / "Claude" / "claude_desktop_config.json"
    return Candidate(file=file, sign=package), usual


def _cursor(world: World) -> tuple[Candidate, ...]:
    return (_plain(world.home / ".cursor" / "mcp.json"),)


def _codex(world: World) -> tuple[Candidate, ...]:
    return (_plain(_folder(world, "CODEX_HOME", world.home / ".codex") / "config.toml"),)


def _vscode(world: World) -> tuple[Candidate, ...]:
    if world.environment.get("VSCODE_PORTABLE"):
        return (_plain(world.cwd / world.environment["VSCODE_PORTABLE"] / "user-data" / "User" / "mcp.json"),)
    data = _folder(world, "VSCODE_APPDATA", _application_data(world))
    files = [data / product / "User" / "mcp.json" for product in ("Code", "Code - Insiders", "VSCodium", "Code")]
    return tuple(map(_plain, files))


def _gemini(world: World) -> tuple[Candidate, ...]:
    return (_plain(_folder(world, "GEMINI_CLI_HOME", world.home) / ".gemini" / "settings.json"),)


_KNOWN = {
    "claude-code": _Known(
        client=Client(
            name="claude-code",
            title="Claude Code",
            format=Format.JSON,
            key="mcpServers",
            typed=True,
            replaced=_BRACED,
            next_step="Start Claude Code anew; /mcp lists the server.",
            project_step="Start Claude Code in this folder and allow the server when it asks.",
        ),
        of_user=_claude_code,
        of_project=Path(".mcp.json"),
    ),
    "claude-desktop": _Known(
        client=Client(
            name="claude-desktop",
            title="Claude Desktop",
            format=Format.JSON,
            key="mcpServers",
            typed=False,
            next_step="Quit Claude Desktop, not only its window, and open it again.",
        ),
        of_user=_claude_desktop,
        of_project=None,
    ),
    "cursor": _Known(
        client=Client(
            name="cursor",
            title="Cursor",
            format=Format.JSON_WITH_COMMENTS,
            key="mcpServers",
            typed=True,
            replaced=_BRACED,
            next_step="Restart Cursor; its settings list the server among the MCP tools, where it can be switched on.",
        ),
        of_user=_cursor,
        of_project=Path(".cursor") / "mcp.json",
    ),
    "codex": _Known(
        client=Client(
            name="codex",
            title="Codex",
            format=Format.TOML,
            key="mcp_servers",
            typed=False,
            next_step="Start Codex anew; /mcp lists the server.",
            project_step="Start Codex in this folder; it reads the file once the folder is trusted.",
        ),
        of_user=_codex,
        of_project=Path(".codex") / "config.toml",
    ),
    "vscode": _Known(
        client=Client(
            name="vscode",
            title="VS Code",
            format=Format.JSON_WITH_COMMENTS,
            key="servers",
            typed=True,
            replaced=_BRACED,
            next_step="Run `MCP: List Servers` in VS Code, and start the server there.",
        ),
        of_user=_vscode,
        of_project=Path(".vscode") / "mcp.json",
    ),
    "gemini": _Known(
        client=Client(
            name="gemini",
            title="Gemini CLI",
            format=Format.JSON_WITH_COMMENTS,
            key="mcpServers",
            typed=False,
            replaced=_ANY_VARIABLE,
            next_step="Start Gemini CLI anew; /mcp lists the server.",
        ),
        of_user=_gemini,
        of_project=Path(".gemini") / "settings.json",
    ),
}
