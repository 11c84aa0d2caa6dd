"""Changing one server's table of a TOML text, and nothing else."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.shell.connect import toml_text
from minirag_mcp.shell.connect.toml_text import TomlProblem

PATH = ("mcp_servers", "minirag")
ENTRY: dict[str, object] = {"command": '/b "in/\x7f\\ö', "args": ["-m"], "env": {"BASE_DIR": "/d"}}
LINES = r"""[mcp_servers.minirag]
command = "/b \"in/\u007f\\ö"
args = ["-m"]

[mcp_servers.minirag.env]
BASE_DIR = "/d"
"""

PIECES = [
    "",
    "# a comment\n",
    'model = "x" # [not a table]\n',
    'text = """\n[mcp_servers.minirag]\ncommand = 1 \\""" """\n',
    "raw = '''\n[mcp_servers.minirag]\n# '' '''''\n",
    'list = [ # one\n  "a", "]", [1, 2], # two\n  { x = "}" },\n]\n',
    "date = 1979-05-27 07:32:00\n",
    "number = +1_000.5e3\n",
    "odd.\"quoted key\".'x' = nan\n",
]
TABLES = [
    "",
    "[profiles]\n\n  [profiles.a]\n  x = 1\n",
    '[mcp_servers.other]\ncommand = "x"\nenv = { A = "1" }\n\n# last words\n',
    '[mcp_servers.other]\ncommand = "x"\n[mcp_servers.other.env]\nA = "1"',
    "[[plugins]]\nname = 'a'\n[[plugins]]\n",
    '[ mcp_servers . "third one" ] # spaced\r\ncommand = "y"\r\n',
    "[mcp_servers]\n",
]
DOCUMENTS = st.tuples(
    st.lists(st.sampled_from(PIECES), unique=True, max_size=4).map("".join),
    st.lists(st.sampled_from(TABLES), unique=True, max_size=4).map("\n".join),
).map("".join)


def data(text: str) -> dict[str, object]:
    return tomllib.loads(text, parse_float=str)


def valid(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@given(DOCUMENTS.filter(valid))
def test_an_entry_goes_to_the_end_of_any_document_and_out_again(text: str) -> None:
    before = data(text)
    added = toml_text.put(text, PATH, ENTRY)
    assert added.startswith(text)
    after = data(added)
    servers = after["mcp_servers"]
    assert isinstance(servers, dict)
    assert servers.pop("minirag") == ENTRY
    assert after == before | {"mcp_servers": servers}
    removed = toml_text.take(added, PATH)
    assert data(removed) == before
    assert removed.rstrip("\r\n") == text.rstrip("\r\n")


@given(DOCUMENTS.filter(valid), st.sampled_from(["\n", "\r\n"]))
def test_the_entry_is_found_and_changed_between_others(text: str, newline: str) -> None:
    around = "[zzz]\ny = '[mcp_servers.minirag]'\n"
    whole = f"{text}\n{LINES}\n# of z\n{around}".replace("\r\n", "\n").replace("\n", newline)
    before = data(whole)
    changed = toml_text.put(whole, (*PATH, "command"), "new")
    changed = toml_text.put(changed, (*PATH, "env", "DB_PATH"), "/i")
    changed = toml_text.take(changed, (*PATH, "env", "BASE_DIR"))
    changed = toml_text.take(changed, (*PATH, "args"))
    servers = before["mcp_servers"]
    assert isinstance(servers, dict)
    servers["minirag"] = {"command": "new", "env": {"DB_PATH": "/i"}}
    assert data(changed) == before
    gone = toml_text.take(changed, PATH)
    assert "# of z" in gone
    assert gone.endswith(around.replace("\n", newline))
    del servers["minirag"]
    assert {"mcp_servers": {}} | data(gone) == before


def test_a_file_that_is_new_holds_the_entry_alone() -> None:
    assert toml_text.put("", PATH, ENTRY) == LINES


CHANGES = {
    "an inline table of variables": (
        '[mcp_servers.minirag]\ncommand = "a" # mine\nenv = { BASE_DIR = "/d", HTTP_PROXY = "p" }\n',
        '[mcp_servers.minirag]\ncommand = "a" # mine\nenv = { BASE_DIR = "/e", HTTP_PROXY = "p" }\n',
    ),
    "dotted keys": (
        '[mcp_servers.minirag]\nenv.BASE_DIR = "/d" # here\nenabled = false\n',
        '[mcp_servers.minirag]\nenv.BASE_DIR = "/e" # here\nenabled = false\n',
    ),
    "no variables yet, and no line end": (
        "[mcp_servers.minirag]",
        '[mcp_servers.minirag]\nenv.BASE_DIR = "/e"\n',
    ),
    "a quoted header": (
        '["mcp_servers"."minirag".env]\nBASE_DIR = """/d"""\n',
        '["mcp_servers"."minirag".env]\nBASE_DIR = "/e"\n',
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_one_variable_changes_however_it_is_written(case: str) -> None:
    before, after = CHANGES[case]
    assert toml_text.put(before, (*PATH, "env", "BASE_DIR"), "/e") == after


REMOVALS = {
    "between others": (
        '[a]\nx = 1\n\n[mcp_servers.minirag]\n# inner\nx = 0\n\n[mcp_servers.minirag.env]\nB = "c"\n\n# of b\n[b]\n',
        "[a]\nx = 1\n\n# of b\n[b]\n",
    ),
    "tables of it that stand apart": (
        '[mcp_servers.minirag]\ncommand = "a"\n[b]\n[mcp_servers.minirag.env]\nB = "c"\n[c]\n',
        "[b]\n[c]\n",
    ),
    "on one line": ('[mcp_servers]\nminirag = { command = "a" }\nb = {}\n', "[mcp_servers]\nb = {}\n"),
    "dotted": ('[mcp_servers]\nminirag.command = "a"\nb = {}\n', "[mcp_servers]\nb = {}\n"),
    "all servers on one line": (
        'mcp_servers = { minirag = { command = "a" }, b = { command = "c" } }\n',
        'mcp_servers = { b = { command = "c" } }\n',
    ),
    "not there": ("[mcp_servers.minirag2]\n", "[mcp_servers.minirag2]\n"),
}


@pytest.mark.parametrize("case", REMOVALS)
def test_an_entry_goes_however_it_is_written(case: str) -> None:
    before, after = REMOVALS[case]
    assert toml_text.take(before, PATH) == after


def test_others_on_the_same_line_are_not_written_anew() -> None:
    text = 'mcp_servers = { b = {command="a",args=["x" , "y"]} }\n'
    with pytest.raises(TomlProblem, match="all servers are written on one line"):
        toml_text.put(text, PATH, ENTRY)
    with pytest.raises(TomlProblem, match="all servers are written on one line"):
        toml_text.take(text.replace("{ b", "{ minirag = {}, b"), PATH)


@pytest.mark.parametrize("text", ["a = ", "[a\n", "a = 1\na = 2\n", "[[mcp_servers]]\n[mcp_servers]\n", "x = [" * 5000])
def test_what_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(TomlProblem):
        toml_text.parse(text)
