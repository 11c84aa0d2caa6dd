"""The command line as a process; nothing here needs an index."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.measuring import unmeasured
from tests.shell.client import environment, run

BROKEN = {"BASE_DIRS": "not json"}
COMMANDS = [
    ["ingest", "a.md"],
    ["ingest-url", "https://example.com"],
    ["sync"],
    ["query", "x"],
    ["read-neighbors", "--source", "x", "--chunk-index", "0"],
    ["read", "a.md"],
    ["list"],
    ["delete", "a.md"],
]


def test_the_version_is_the_installed_one(tmp_path: Path) -> None:
    done = run(["--version"], env=environment(), cwd=tmp_path)
    assert (done.returncode, done.stdout.decode().split()) == (0, ["minirag-mcp", version("minirag-mcp")])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--version"], 0),
        (["--help"], 0),
        (["help", "sync"], 0),
        (["query", "--help"], 0),
        (["bogus"], 2),
        (["query"], 2),
    ],
)
def test_help_version_and_usage_errors_import_nothing_of_weight(
    arguments: list[str], code: int, tmp_path: Path
) -> None:
    program = (
        "import sys\nfrom minirag_mcp.__main__ import main\n"
        f"sys.argv = ['minirag-mcp', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as leaving:\n    print('code', leaving.code or 0, file=sys.stderr)\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=unmeasured(environment()),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    *_, left, modules = done.stderr.strip().splitlines()
    assert left == f"code {code}"
    own = {name for name in modules.split() if name.startswith("minirag_mcp")}
    assert own <= {
        "minirag_mcp",
        "minirag_mcp.__main__",
        "minirag_mcp.shell",
        "minirag_mcp.shell.brief",
        "minirag_mcp.shell.cli",
        "minirag_mcp.shell.cli_help",
        "minirag_mcp.shell.cli_parser",
        "minirag_mcp.shell.cli_usage",
        "minirag_mcp.shell.ending",
        "minirag_mcp.shell.exit_codes",
        "minirag_mcp.shell.printable",
        "minirag_mcp.shell.process",
        "minirag_mcp.shell.product",
    }
    heavy = {
        "argcomplete",
        "mcp",
        "numpy",
        "onnxruntime",
        "tokenizers",
        "apsw",
        "sqlite3",
        "lxml",
        "pydantic",
        "asyncio",
        "platformdirs",
    }
    assert not heavy & {name.partition(".")[0] for name in modules.split()}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_wrong_setting_fails_every_command_but_status(command: list[str], tmp_path: Path) -> None:
    done = run(command, env=environment(**BROKEN), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"error: BASE_DIRS must be a JSON array")
    assert done.stderr.count(b"\n") == 1
    as_json = run([*command, "--json"], env=environment(**BROKEN), cwd=tmp_path)
    assert (as_json.returncode, as_json.stderr) == (1, b"")
    error = json.loads(as_json.stdout)["error"]
    assert error["code"] == "config_error"
    assert "BASE_DIRS must be a JSON array" in error["message"]
    assert "BASE_DIRS='" in error["remedy"]


def test_status_answers_with_a_wrong_setting(tmp_path: Path) -> None:
    done = run(["status", "--json"], env=environment(**BROKEN), cwd=tmp_path)
    assert done.returncode == 0
    fields = json.loads(done.stdout)
    assert set(fields) == {"version", "configError"}
    shown = run(["status"], env=environment(**BROKEN), cwd=tmp_path)
    assert shown.returncode == 0
    assert b"warn: BASE_DIRS must be a JSON array" in shown.stderr
    assert version("minirag-mcp").encode() in shown.stdout


def test_a_current_directory_that_is_gone_is_a_plain_error(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    program = (
        f"import os, sys; os.rmdir({str(gone)!r}); sys.argv = ['minirag-mcp', 'list']\n"
        "from minirag_mcp.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), cwd=gone, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: The current directory no longer exists.")
