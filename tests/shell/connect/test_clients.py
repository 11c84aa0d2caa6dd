"""Where each client's file is, on each platform."""

from pathlib import Path

import pytest

from minirag_mcp.errors import RequestError
from minirag_mcp.shell.connect.clients import World, candidates, client
from minirag_mcp.shell.product import CLIENTS

HOME = Path("/home/me").absolute()
CWD = Path("/projects/here").absolute()
SUPPORT = "/home/me/Library/Application Support"
PACKAGE = "/home/me/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json"

OF_USER = {
    ("claude-code", "linux"): ["/home/me/.claude/.config.json", "/home/me/.claude.json"],
    ("claude-code", "darwin"): ["/home/me/.claude/.config.json", "/home/me/.claude.json"],
    ("claude-code", "win32"): ["/home/me/.claude/.config.json", "/home/me/.claude.json"],
    ("claude-desktop", "linux"): ["/home/me/.config/Claude/claude_desktop_config.json"],
    ("claude-desktop", "darwin"): [f"{SUPPORT}/Claude/claude_desktop_config.json"],
    ("claude-desktop", "win32"): [PACKAGE, "/home/me/AppData/Roaming/Claude/claude_desktop_config.json"],
    ("cursor", "linux"): ["/home/me/.cursor/mcp.json"],
    ("cursor", "darwin"): ["/home/me/.cursor/mcp.json"],
    ("cursor", "win32"): ["/home/me/.cursor/mcp.json"],
    ("codex", "linux"): ["/home/me/.codex/config.toml"],
    ("codex", "darwin"): ["/home/me/.codex/config.toml"],
    ("codex", "win32"): ["/home/me/.codex/config.toml"],
    ("vscode", "linux"): ["/home/me/.config/Code/User/mcp.json"],
    ("vscode", "darwin"): [f"{SUPPORT}/Code/User/mcp.json"],
    ("vscode", "win32"): ["/home/me/AppData/Roaming/Code/User/mcp.json"],
    ("gemini", "linux"): ["/home/me/.gemini/settings.json"],
    ("gemini", "darwin"): ["/home/me/.gemini/settings.json"],
    ("gemini", "win32"): ["/home/me/.gemini/settings.json"],
}
BY_VARIABLE = [
    ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/else"}, "/else/.claude.json"),
    ("claude-desktop", "linux", {"XDG_CONFIG_HOME": "/else"}, "/else/Claude/claude_desktop_config.json"),
    ("claude-desktop", "darwin", {"XDG_CONFIG_HOME": "/else"}, f"{SUPPORT}/Claude/claude_desktop_config.json"),
    ("claude-desktop", "win32", {"APPDATA": "/else"}, "/else/Claude/claude_desktop_config.json"),
    ("codex", "linux", {"CODEX_HOME": "/else"}, "/else/config.toml"),
    ("codex", "linux", {"CODEX_HOME": "else"}, "/projects/here/else/config.toml"),
    ("codex", "linux", {"CODEX_HOME": ""}, "/home/me/.codex/config.toml"),
    ("vscode", "linux", {"XDG_CONFIG_HOME": "/else"}, "/else/Code/User/mcp.json"),
    ("vscode", "win32", {"APPDATA": "/else"}, "/else/Code/User/mcp.json"),
    ("vscode", "darwin", {"VSCODE_APPDATA": "/else"}, "/else/Code/User/mcp.json"),
    ("vscode", "linux", {"VSCODE_PORTABLE": "/else"}, "/else/user-data/User/mcp.json"),
    ("gemini", "darwin", {"GEMINI_CLI_HOME": "/else"}, "/else/.gemini/settings.json"),
]
OF_PROJECT = {
    "claude-code": ".mcp.json",
    "cursor": ".cursor/mcp.json",
    "codex": ".codex/config.toml",
    "vscode": ".vscode/mcp.json",
    "gemini": ".gemini/settings.json",
}


def files(name: str, platform: str, environment: dict[str, str], *, project: bool = False) -> list[Path]:
    world = World(platform=platform, home=HOME, environment=environment, cwd=CWD, project=project)
    return [candidate.file for candidate in candidates(name, world)]


@pytest.mark.parametrize(("name", "platform"), OF_USER)
def test_the_users_file_is_where_the_client_looks(name: str, platform: str) -> None:
    found = files(name, platform, {})
    expected = [Path(text).absolute() for text in OF_USER[name, platform]]
    if name == "vscode":
        assert found[0] == found[-1]
        found = found[-1:]
    assert found == expected


@pytest.mark.parametrize(("name", "platform", "environment", "expected"), BY_VARIABLE)
def test_variables_move_the_file_as_they_do_for_the_client(
    name: str, platform: str, environment: dict[str, str], expected: str
) -> None:
    assert files(name, platform, environment)[-1] == Path(expected).absolute()


@pytest.mark.parametrize("name", CLIENTS)
def test_a_project_has_its_file_or_the_error_says_that_it_has_none(name: str) -> None:
    if name in OF_PROJECT:
        assert files(name, "linux", {"CODEX_HOME": "/else"}, project=True) == [CWD / OF_PROJECT[name]]
    else:
        with pytest.raises(RequestError, match="Claude Desktop has no configuration per project"):
            files(name, "linux", {}, project=True)


def test_every_client_is_described_under_its_own_name() -> None:
    assert [client(name).name for name in CLIENTS] == list(CLIENTS)
    assert all(client(name).next_step.endswith(".") for name in CLIENTS)
