"""Tab completes commands, options, values and indexed names, in the shells themselves, and never does anything else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.flows.launch import open_library
from tests.flows.surfaces import REPOSITORY
from tests.shell.client import environment, run

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.shell import cli
from minirag_mcp.shell.completion import next_names

BASH = shutil.which("bash")
ZSH = shutil.which("zsh")
FISH = shutil.which("fish")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the shells of Unix")

LINE_OF_BASH = """
source script
COMP_LINE="$1" COMP_POINT=${#1} COMP_TYPE=9
_python_argcomplete minirag-mcp
for one in "${COMPREPLY[@]}"; do printf '%s\\n' "$one"; done
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents and their index, and a `minirag-mcp` to be found in `bin`."""
    root = tmp_path / "docs"
    for name in ("manuals/pump.md", "manuals/valve.md", "man dir/two words.md", "a.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"# {name}\n\nThe seal leaks.\n", "utf-8")
    (root / "late.md").write_text("Not indexed.", "utf-8")
    flags = [f"--base-dir={root}", f"--db-path={root / '.minirag' / 'index'}"]
    paths = [str(root / "manuals"), str(root / "man dir"), str(root / "a.md")]
    assert cli.run(["ingest", *paths, *flags], opening=open_library) == 0
    with open_library_of(root) as library:
        library.ingest_data("The seal.", "https://example.com/a:b", format="text")
    program = tmp_path / "bin" / "minirag-mcp"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m minirag_mcp "$@"\n', "utf-8")
    program.chmod(0o755)
    return root


def open_library_of(root: Path) -> Library:
    return open_library(Settings(roots=(root,), db_path=root / ".minirag" / "index", cache_dir=root / ".minirag"))


def env(root: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join([str(root.parent / "bin"), os.environ["PATH"]])
    return environment(PATH=path, PYTHONPATH=str(REPOSITORY / "src"), **more)


def asked(shell: list[str], *arguments: str, root: Path, **more: str) -> list[str]:
    done = subprocess.run(
        [*shell, *arguments], cwd=root, env=env(root, **more), capture_output=True, text=True, timeout=60, check=False
    )
    # bash itself warns that a function completes outside of a completion
    assert [line for line in done.stderr.splitlines() if "compopt" not in line] == []
    return done.stdout.splitlines()


def in_bash(line: str, root: Path, **more: str) -> list[str]:
    assert BASH is not None
    script = run(["completion", "bash"], env=env(root), cwd=root).stdout.decode()
    path = root.parent / "completes.bash"
    path.write_text(script, "utf-8")
    return asked([BASH, "--norc", "-c", LINE_OF_BASH.replace("script", str(path)), "bash"], line, root=root, **more)


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("minirag-mcp que", ["query "]),
        ("minirag-mcp read", ["read-neighbors", "read"]),
        ("minirag-mcp query --sc", ["--scope "]),
        ("minirag-mcp --", ["--help", "--version"]),
        ("minirag-mcp ingest - --format m", ["markdown "]),
        ("minirag-mcp completion ", ["bash", "zsh", "fish", "powershell"]),
        ("minirag-mcp help del", ["delete "]),
        ("minirag-mcp query seal --scope ma", ["manuals/", "man\\ dir/"]),
        ("minirag-mcp list --scope=manuals/p", ["manuals/pump.md "]),
        ("minirag-mcp delete --source man", ["man\\ dir/", "manuals/"]),
        ("minirag-mcp read 'man dir/", ["man dir/two words.md"]),
        ("minirag-mcp read --source https:", ["//example.com/a:b "]),
        ("minirag-mcp sync --base-dir ma", ["manuals/", "man\\ dir/"]),
        ("minirag-mcp ingest la", ["late.md "]),
        ("minirag-mcp query seal", []),
    ],
)
def test_bash_completes(line: str, expected: list[str], folder: Path) -> None:
    assert sorted(in_bash(line, folder)) == sorted(expected)


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
def test_the_index_that_the_line_names_is_asked(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    line = f"minirag-mcp read --base-dir {folder} --source manuals/"
    done = asked(
        [str(BASH), "--norc", "-c", LINE_OF_BASH.replace("script", "<(minirag-mcp completion bash)"), "bash"],
        line,
        root=folder,
    )
    assert sorted(done) == ["manuals/pump.md", "manuals/valve.md"]
    assert not list(elsewhere.iterdir())


def completed(line: str, root: Path, **settings: str) -> "subprocess.CompletedProcess[bytes]":
    out = root.parent / "completed"
    asking = {
        "_ARGCOMPLETE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_STDOUT_FILENAME": str(out),
    }
    return run([], env=env(root, **asking, **settings), cwd=root)


@pytest.mark.parametrize(
    "settings",
    [{"BASE_DIRS": "not json"}, {"BASE_DIR": "/nowhere"}, {"DB_PATH": "a.md"}, {"MODEL_NAME": "no/such"}, {}],
)
def test_completing_is_silent_and_changes_nothing(settings: dict[str, str], folder: Path) -> None:
    def everything() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    before = everything()
    done = completed("minirag-mcp read --source m", folder, **settings)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert everything() == before


def test_completing_makes_no_index(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    root.mkdir()
    done = completed("minirag-mcp read --source m", root)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(root.iterdir()) == []


@pytest.mark.skipif(FISH is None, reason="fish is not installed")
def test_fish_completes(folder: Path) -> None:
    def in_fish(line: str) -> list[str]:
        ask = f'minirag-mcp completion fish | source; complete -C "{line}"'
        return asked([str(FISH), "--no-config", "-c", ask], root=folder, HOME=str(folder.parent))

    assert in_fish("minirag-mcp que") == ["query\tSearch by meaning and by words"]
    assert sorted(in_fish("minirag-mcp read --source man")) == ["man dir/", "manuals/"]


@pytest.mark.skipif(ZSH is None, reason="zsh is not installed")
def test_zsh_takes_the_script(folder: Path) -> None:
    ask = 'autoload -Uz compinit; compinit -u; eval "$(minirag-mcp completion zsh)"; echo $_comps[minirag-mcp]'
    assert asked([str(ZSH), "-f", "-c", ask], root=folder, HOME=str(folder.parent)) == ["_python_argcomplete"]


def test_names_come_level_by_level() -> None:
    names = ["a/b/c.md", "a/b/d.md", "a/e.md", "note", "https://x.com/y/z", "odd\nname", "esc\x1b"]
    assert next_names(names, "", folders=True) == ["a/", "note", "https://x.com/y/z"]
    assert next_names(names, "a/", folders=True) == ["a/b/", "a/e.md"]
    assert next_names(names, "a/b", folders=False) == ["a/b/c.md", "a/b/d.md"]
    assert next_names(names, "https:", folders=False) == ["https://x.com/y/z"]
    assert next_names([f"n{number}" for number in range(10_000)], "n", folders=False)[499:] == ["n499"]
