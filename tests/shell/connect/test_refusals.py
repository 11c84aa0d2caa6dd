"""What `minirag-mcp connect` will not touch."""

import sys

import pytest
from tests.shell.connect.place import Place

HOSTILE = {
    "no JSON": (b'{"mcpServers": {', "line 1, column 17"),
    "an array": (b"[]", "no JSON object"),
    "servers that are none": (b'{"mcpServers": []}', "mcpServers is not a table of servers"),
    "twice": (b'{"mcpServers": {}, "mcpServers": {}}', "there 2 times"),
    "the entry twice": (b'{"mcpServers": {"minirag": {"command": "a"}, "minirag": {"command": "b"}}}', "there 2 times"),
    "another encoding": ("{}".encode("utf-16"), "is not UTF-8"),
    "nested without end": (b'{"a":' * 100_000, "more than 100 levels"),
    "NUL": (b"{\0}", "line 1, column 2"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_cannot_be_changed_safely_is_left_alone(place: Place, case: str) -> None:
    content, why = HOSTILE[case]
    path = place.file(".cursor/mcp.json", content)
    done = place.connect("cursor", "--yes")
    assert done.returncode == 1
    told = done.stderr.decode()
    assert why in told
    assert str(path) in told
    assert "Traceback" not in told
    assert path.read_bytes() == content
    assert place.files() == {".cursor/mcp.json"}


HOSTILE_TOML = {
    "no TOML": ("[mcp_servers.minirag\n", "at line 1"),
    "a date in the one line of all servers": (
        'mcp_servers = { a = { command = "x", since = 1979-05-27 } }\n',
        "cannot be changed without touching more",
    ),
    "an array of servers": ("[[mcp_servers]]\n", "is not a table of servers"),
}


@pytest.mark.parametrize("case", HOSTILE_TOML)
def test_a_codex_file_that_cannot_be_changed_safely_is_left_alone(place: Place, case: str) -> None:
    content, why = HOSTILE_TOML[case]
    path = place.file(".codex/config.toml", content)
    done = place.connect("codex", "--yes")
    assert (done.returncode, why in done.stderr.decode()) == (1, True), done.stderr
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_to_nowhere_folders_and_read_only_files_are_told(place: Place) -> None:
    path = place.home / ".claude.json"
    path.symlink_to(path)
    assert b"leads to itself" in place.connect("claude-code", "--yes").stderr
    path.unlink()
    path.mkdir()
    assert b"is not a file" in place.connect("claude-code", "--yes").stderr
    path.rmdir()
    path.write_text("{}", encoding="utf-8")
    path.chmod(0o444)
    assert b"is read-only; nothing was written" in place.connect("claude-code", "--yes").stderr
    assert path.read_text(encoding="utf-8") == "{}"
    assert place.files() == {".claude.json"}
    place.file(".cursor", "a file where the folder should be")
    assert b"cannot be" in place.connect("cursor", "--yes").stderr


REFUSED = {
    "a bad setting": (["cursor"], {"RAG_HYBRID_WEIGHT": "7"}, "RAG_HYBRID_WEIGHT is '7'"),
    "a root that is not there": (["cursor", "--base-dir", "gone"], {}, "gone is not a folder"),
    "a root that is a file": (["cursor", "--base-dir", "docs/pump.md"], {}, "pump.md is not a folder"),
    "no project file": (["claude-desktop", "--project"], {}, "no configuration per project"),
    "a name the client would replace": (["cursor", "--base-dir", "${HOME}"], {}, "takes '${' in it for a variable"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_not_work_is_refused_before_anything_is_written(place: Place, case: str) -> None:
    (place.home / "${HOME}").mkdir()
    arguments, variables, why = REFUSED[case]
    done = place.connect(*arguments, "--yes", answer=None, **variables)
    assert (done.returncode, why in done.stderr.decode()) == (1, True), done.stderr
    assert place.files() == set()
