"""What a client is given, to start the program that runs here."""

from pathlib import Path

import pytest
from tests.test_public_surface import VARIABLES

from minirag_mcp import config
from minirag_mcp.config import Flags, load_settings
from minirag_mcp.errors import ConfigError
from minirag_mcp.shell.connect import entry
from minirag_mcp.shell.connect.entry import Edit

OURS: dict[str, object] = {"command": "/bin/m", "env": {"BASE_DIR": "/d"}}


def variables(flags: Flags, tmp_path: Path, **environment: str) -> dict[str, str]:
    settings = load_settings(flags, environment, cwd=tmp_path, user_cache_dir=tmp_path)
    return entry.variables(flags, environment, settings)


def test_every_variable_of_the_product_goes_along() -> None:
    assert set(VARIABLES) == set(config.VARIABLES)


def test_a_console_script_is_named_as_it_was_started_links_unfollowed(tmp_path: Path) -> None:
    script, link = tmp_path / "venv" / "minirag-mcp", tmp_path / "bin" / "minirag-mcp"
    for folder in (script.parent, link.parent):
        folder.mkdir()
    script.touch()
    link.symlink_to(script)
    assert entry.program(str(link), executable="/py") == (str(link),)
    assert entry.program(str(tmp_path / "bin" / ".." / "venv" / "minirag-mcp"), executable="/py") == (str(script),)


@pytest.mark.parametrize("name", ["__main__.py", "minirag-mcp", "pytest"])
def test_anything_else_is_python_with_the_package(tmp_path: Path, name: str) -> None:
    assert entry.program(str(tmp_path / name), executable="/py") == ("/py", "-m", "minirag_mcp")


def test_a_script_of_windows_is_found_by_its_name_without_extension(tmp_path: Path) -> None:
    (tmp_path / "minirag-mcp.exe").touch()
    for started_as in ("minirag-mcp", "minirag-mcp.exe"):
        found = entry.program(str(tmp_path / started_as), executable="/py")
        assert found == (str(tmp_path / "minirag-mcp.exe"),)


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("/home/me/.cache/uv/archive-v0/Ab3", True),
        ("/var/uvcache/environments-v2/minirag-1", True),
        ("/home/me/.local/pipx/.cache/0a1b", True),
        ("/home/me/.cache/pipx/0a1b", True),
        ("/home/me/.local/share/uv/tools/minirag-mcp", False),
        ("/home/me/.local/share/pipx/venvs/minirag-mcp", False),
        ("/home/me/code/.venv", False),
    ],
)
def test_environments_for_one_run_are_known(prefix: str, *, expected: bool) -> None:
    assert entry.is_temporary(Path(prefix)) == expected


def test_a_folder_whose_name_ends_in_a_blank_is_kept_or_refused(tmp_path: Path) -> None:
    (tmp_path / "docs ").mkdir()
    env = variables(Flags(base_dirs=("docs ",)), tmp_path)
    again = load_settings(Flags(), env, cwd=Path("/"), user_cache_dir=tmp_path)
    assert again.roots == (tmp_path / "docs ",)
    with pytest.raises(ConfigError, match="blank at the end"):
        variables(Flags(base_dirs=("docs ",), db_path="index "), tmp_path)


@pytest.mark.skipif("sys.platform in ('win32', 'darwin')", reason="names are text there")
def test_a_folder_whose_name_is_no_text_is_refused(tmp_path: Path) -> None:
    name = "docs\udcff"
    (tmp_path / name).mkdir()
    with pytest.raises(ConfigError, match="cannot hold that name"):
        variables(Flags(base_dirs=(name,)), tmp_path)


EDITS: dict[str, tuple[object, set[tuple[str, ...]]]] = {
    "no entry": (None, {()}),
    "a remote one": ({"url": "https://x"}, {()}),
    "no object": ("x", {()}),
    "the same": (OURS, set()),
    "the same, with what clients may add": (
        {"type": "stdio", "args": [], **OURS, "env": {"BASE_DIR": "/d", "X": "1"}, "timeout": 1},
        set(),
    ),
    "other arguments": (OURS | {"args": ["x"]}, {("args",)}),
    "another transport": (OURS | {"type": "sse"}, {("type",)}),
    "no variables": ({"command": "/bin/m"}, {("env",)}),
    "a setting that is no longer set": (
        OURS | {"env": {"BASE_DIRS": "[]", "RAG_MAX_FILES": "1"}},
        {("env", "BASE_DIR"), ("env", "BASE_DIRS"), ("env", "RAG_MAX_FILES")},
    ),
}


@pytest.mark.parametrize("case", EDITS)
def test_only_what_differs_is_edited(case: str) -> None:
    old, places = EDITS[case]
    edits = entry.edits(old, OURS)
    assert {edit.path for edit in edits} == places
    assert entry.edits(entry.applied(old, edits), OURS) == ()


def test_values_of_others_are_not_shown() -> None:
    env = {"BASE_DIR": "/d", "TOKEN": "t"}
    shown = entry.shown({"command": "npx", "args": ["--key", "k"], "env": env, "headers": {"A": "h"}, "on": True})
    assert shown == {
        "command": "npx",
        "args": "…",
        "env": {"BASE_DIR": "/d", "TOKEN": "…"},
        "headers": "…",
        "on": True,
    }
    assert entry.shown("secret") == "…"


def test_an_edit_of_nothing_takes_out() -> None:
    assert entry.applied({"a": {"b": 1}}, [Edit(path=("a", "b"), value=None)]) == {"a": {}}
