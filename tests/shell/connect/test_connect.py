"""`minirag-mcp connect` as a process, on real files in a home of its own, with the real server behind it."""

import json
import os
import re
import stat
import subprocess
import sys

import pytest
from tests.shell.client import environment
from tests.shell.connect.place import Place, entry_of

PYTHON = os.path.abspath(sys.executable)  # noqa: PTH100 - the path of the environment, not of what it links to
COMMENTED = """\
{
\t// my servers
\t"servers": {
\t\t"other": { "command": "npx", "env": { "TOKEN": "s3cret" } }, // keep
\t},
}
"""


NEW = {
    "claude-code": (".claude.json", "mcpServers", True),
    "cursor": (".cursor/mcp.json", "mcpServers", True),
    "codex": (".codex/config.toml", "mcp_servers", False),
    "gemini": (".gemini/settings.json", "mcpServers", False),
}


@pytest.mark.parametrize("client", NEW)
@pytest.mark.skipif(sys.platform == "win32", reason="homes are set otherwise there")
def test_a_client_without_configuration_gets_one_and_the_server_answers(place: Place, client: str) -> None:
    name, key, typed = NEW[client]
    done = place.connect(client, "--yes")
    assert done.returncode == 0, done.stderr
    entry = entry_of(place.home / name, key)
    assert entry == ({"type": "stdio"} if typed else {}) | {
        "command": PYTHON,
        "args": ["-m", "minirag_mcp"],
        "env": {"BASE_DIR": str(place.docs), "CACHE_DIR": str(place.home / "cache")},
    }
    shown = done.stdout.decode()
    assert str(place.home / name) in shown
    assert re.search(r"The server answers: minirag-mcp \S+, \d+ tools, 0 documents indexed\.", shown)
    assert f"minirag-mcp sync --base-dir {place.docs}" in shown
    assert place.files() == {name}


@pytest.mark.parametrize(
    ("client", "name", "key"),
    [
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("codex", ".codex/config.toml", "mcp_servers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("gemini", ".gemini/settings.json", "mcpServers"),
    ],
)
def test_a_project_file_lies_in_the_current_directory(place: Place, client: str, name: str, key: str) -> None:
    shown = json.loads(place.connect(client, "--project", "--dry-run", "--json").stdout)
    assert (shown["file"], shown["change"], shown["written"]) == (str(place.home / name), "added", False)
    assert place.files() == set()
    place.connect(client, "--project", "--yes")
    assert entry_of(place.home / name, key)["env"] == shown["entry"]["env"]


def test_settings_of_the_terminal_go_along_and_secrets_do_not(place: Place) -> None:
    (place.home / "more").mkdir()
    options = ["--base-dir", "docs", "--base-dir", "more/../more", "--db-path", "index", "--model-name", "a/b"]
    done = place.connect(
        *["cursor", "--dry-run", "--json", *options],
        CHUNK_TOKEN_BUDGET="200",
        RAG_GROUPING="similar",
        RAG_API_KEY="s3cret",
        OPENAI_API_KEY="s3cret",
        MAX_FILE_SIZE=" ",
    )
    assert json.loads(done.stdout)["entry"]["env"] == {
        "BASE_DIRS": json.dumps([str(place.docs), str(place.home / "more")]),
        "DB_PATH": str(place.home / "index"),
        "CACHE_DIR": str(place.home / "cache"),
        "MODEL_NAME": "a/b",
        "CHUNK_TOKEN_BUDGET": "200",
        "RAG_GROUPING": "similar",
    }
    assert b"s3cret" not in done.stdout + done.stderr


def test_a_root_given_by_option_is_not_lost_to_a_variable_that_would_win(place: Place) -> None:
    done = place.connect("cursor", "--dry-run", "--json", "--base-dir", "docs", BASE_DIRS='["/else"]')
    env = json.loads(done.stdout)["entry"]["env"]
    assert (env["BASE_DIRS"], "BASE_DIR" in env) == (json.dumps([str(place.docs)]), False)


def test_comments_and_all_other_bytes_stay_and_a_copy_is_kept(place: Place) -> None:
    before = b"\xef\xbb\xbf" + COMMENTED.replace("\n", "\r\n").encode()
    path = place.file(".vscode/mcp.json", before)
    path.chmod(0o640)
    done = place.connect("vscode", "--project", "--yes")
    assert done.returncode == 0, done.stderr
    after = path.read_bytes()
    entry = after[after.index(b'\r\n\t\t"minirag"') : after.index(b"\r\n\t},")]
    assert after.replace(entry, b"") == before
    assert b"\n" not in entry.replace(b"\r\n", b"")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    backup = path.with_name("mcp.json.minirag-backup")
    assert (backup.read_bytes(), stat.S_IMODE(backup.stat().st_mode)) == (before, 0o640)
    assert place.files() == {".vscode/mcp.json", ".vscode/mcp.json.minirag-backup"}
    assert b"s3cret" not in done.stdout + done.stderr


def test_the_second_time_nothing_is_written_and_the_server_is_asked_again(place: Place) -> None:
    place.connect("cursor", "--yes")
    path = place.home / ".cursor/mcp.json"
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    done = place.connect("cursor")
    assert done.returncode == 0
    assert b"Nothing is to be changed" in done.stdout
    assert b"The server answers" in done.stdout
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert place.files() == {".cursor/mcp.json"}


def test_an_entry_of_before_keeps_what_the_user_added_to_it(place: Place) -> None:
    old = {
        "command": "/old/minirag-mcp",
        "args": ["--x"],
        "env": {"BASE_DIRS": '["/gone"]', "HTTPS_PROXY": "http://u:s3cret@p"},
        "timeout": 5,
        "disabled": True,
    }
    path = place.file(".gemini/settings.json", json.dumps({"mcpServers": {"minirag": old}, "theme": "x"}))
    done = place.connect("gemini", "--yes", "--json")
    shown = json.loads(done.stdout)
    assert shown["change"] == "updated"
    assert b"the entry is switched off" in done.stderr
    assert b"s3cret" not in done.stdout + done.stderr
    assert json.loads(path.read_text(encoding="utf-8"))["theme"] == "x"
    assert entry_of(path) == {
        "command": PYTHON,
        "args": ["-m", "minirag_mcp"],
        "env": {
            "HTTPS_PROXY": "http://u:s3cret@p",
            "BASE_DIR": str(place.docs),
            "CACHE_DIR": str(place.home / "cache"),
        },
        "timeout": 5,
        "disabled": True,
    }


def test_an_entry_of_codex_is_changed_in_its_place(place: Place) -> None:
    text = (
        '# mine\nmodel = "o"\n\n[mcp_servers.minirag]\ncommand = "/old" # why\nstartup_timeout_sec = 20.5\n'
        'url_like = "x"\n\n[mcp_servers.minirag.env]\nBASE_DIR = "/gone"\nOTHER = "s3cret"\n\n# end\n[tui]\n'
    )
    path = place.file(".codex/config.toml", text)
    done = place.connect("codex", "--yes")
    assert done.returncode == 0, done.stderr
    after = path.read_text(encoding="utf-8")
    assert f'command = "{PYTHON}" # why\n' in after
    assert f'BASE_DIR = "{place.docs}"\n' in after
    for kept in ("# mine\n", "startup_timeout_sec = 20.5\n", 'OTHER = "s3cret"\n\n# end\n[tui]\n'):
        assert kept in after
    assert b"s3cret" not in done.stdout + done.stderr


def test_an_entry_of_a_remote_server_is_replaced_whole(place: Place) -> None:
    path = place.file(".codex/config.toml", '[mcp_servers.minirag]\nurl = "https://x"\n\n[other]\n')
    assert place.connect("codex", "--yes").returncode == 0
    assert "url" not in entry_of(path, "mcp_servers")
    assert path.read_text(encoding="utf-8").startswith("\n[other]\n")


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { a = { command = "x", n = [1, 2.50, true] }, minirag = { command = "y", n = 1e3 } }\n',
        '[mcp_servers]\na = { command = "x", n = [1, 2.50, true] }\nminirag = { command = "y", n = 1e3 }\n',
        '[mcp_servers]\na = { command = "x", n = [1, 2.50, true] }\nminirag.command = "y"\nminirag.n = 1e3\n',
    ],
)
def test_an_entry_of_codex_without_a_header_is_changed_too(place: Place, text: str) -> None:
    path = place.file(".codex/config.toml", text)
    done = place.connect("codex", "--yes")
    assert done.returncode == 0, done.stderr
    assert entry_of(path, "mcp_servers")["n"] == 1000.0
    assert 'a = { command = "x", n = [1, 2.50, true] }' in path.read_text(encoding="utf-8")


def test_nobody_to_ask_means_nothing_is_written(place: Place) -> None:
    done = place.connect("cursor", answer=b"y\n")
    assert done.returncode == 1
    assert b'+  "minirag"' in done.stdout
    assert b"was left as it is. (Add --yes" in done.stderr
    assert place.files() == set()
    failure = json.loads(place.connect("cursor", "--json").stdout)
    assert failure["error"]["code"] == "request_error" or failure["error"]["remedy"].startswith("Add --yes")
    assert place.files() == set()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals there")
@pytest.mark.parametrize(("answer", "code", "written"), [(b"y\n", 0, True), (b"\n", 1, False), (b"\xff\n", 1, False)])
def test_on_a_terminal_it_asks_and_only_yes_is_yes(place: Place, answer: bytes, code: int, *, written: bool) -> None:
    import pty

    controller, terminal = pty.openpty()
    os.write(controller, answer)
    process = subprocess.run(
        [sys.executable, "-m", "minirag_mcp", "connect", "cursor", "--base-dir", str(place.docs)],
        env=environment(HOME=str(place.home), CACHE_DIR=str(place.home / "cache")),
        stdin=terminal,
        capture_output=True,
        timeout=60,
        check=False,
    )
    os.close(controller)
    os.close(terminal)
    assert b"/.cursor/mcp.json? [y/N] " in process.stderr
    assert (process.returncode, (place.home / ".cursor/mcp.json").exists()) == (code, written)


def test_an_entry_is_taken_out_again_and_the_rest_stays(place: Place) -> None:
    before = '{\n  "theme": "x", // mine\n  "mcpServers": {\n    "b": {}\n  }\n}\n'
    path = place.file(".gemini/settings.json", before)
    place.connect("gemini", "--yes")
    done = place.connect("gemini", "--remove", "--yes", BASE_DIRS="broken", BASE_DIR="/nowhere")
    assert done.returncode == 0, done.stderr
    assert path.read_text(encoding="utf-8") == before
    again = json.loads(place.connect("gemini", "--remove", "--json").stdout)
    assert (again["change"], again["server"]) == ("none", None)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_linked_configuration_is_written_where_the_link_leads(place: Place) -> None:
    real = place.file("dotfiles/claude.json", "{}")
    link = place.home / ".claude.json"
    link.symlink_to(real)
    done = place.connect("claude-code", "--yes")
    assert done.returncode == 0, done.stderr
    assert link.is_symlink()
    assert entry_of(real)["type"] == "stdio"
    assert str(real) in done.stdout.decode()


def test_the_home_folder_as_a_root_is_warned_of(place: Place) -> None:
    done = place.connect("cursor", "--dry-run", BASE_DIR="")
    assert (done.returncode, b"everything in it would be indexed" in done.stderr) == (0, True)


def test_comments_in_a_file_of_a_client_that_reads_none_are_warned_of(place: Place) -> None:
    place.file(".claude.json", "{\n  // mine\n}\n")
    assert b"which Claude Code may not read" in place.connect("claude-code", "--dry-run").stderr


def test_a_server_that_cannot_work_is_a_failure_and_the_entry_stays(place: Place) -> None:
    (place.home / "index").write_text("not a folder", encoding="utf-8")
    done = place.connect("cursor", "--yes", "--json", "--db-path", "index")
    assert done.returncode == 1
    failure = json.loads(done.stdout)["error"]
    assert failure["code"] == "handshake_failed"
    assert f"The entry stays in {place.home / '.cursor/mcp.json'}." in failure["message"]
    assert entry_of(place.home / ".cursor/mcp.json")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes there do not report a reader that has left")
def test_a_reader_that_leaves_early_does_not_stop_what_was_asked_for(place: Place) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "minirag_mcp", "connect", "cursor", "--yes", "--base-dir", str(place.docs)],
        env=environment(HOME=str(place.home), CACHE_DIR=str(place.home / "cache")),
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert entry_of(place.home / ".cursor/mcp.json")
