"""Wrong usage says what is wrong and what was probably meant, to people and to programs."""

import json
from pathlib import Path

import pytest
from tests.shell.client import environment, run

from minirag_mcp.shell import cli

MEANT = [
    (["qurey", "x"], "unknown command 'qurey'; did you mean 'query'?"),
    (["search", "x"], "unknown command 'search'; did you mean 'query'?"),
    (["serach"], "did you mean 'query'?"),
    (["ls"], "did you mean 'list'?"),
    (["xyzzy"], "unknown command 'xyzzy' ("),
    ([""], "unknown command ''"),
    (["query", "x", "--topk", "3"], "unknown option '--topk'; did you mean '--top-k'?"),
    (["query", "x", "--top=3"], "unknown option '--top'; did you mean '--top-k'?"),
    (["list", "--scop", "x"], "did you mean '--scope'?"),
    (["list", "--zzz"], "unknown option '--zzz' ("),
    (["--base-dir", "x", "list"], "--base-dir must come after the command"),
    (["--base-dir=x", "list"], "--base-dir must come after the command"),
    (["--versoin"], "did you mean '--version'?"),
    (["status", "extra"], "unexpected argument 'extra'"),
    (["query"], "the following arguments are required: TEXT"),
    (["query", "x", "--top-k", "many"], "'many' is not a whole number"),
    (["query", "x", "--top-k"], "expected one argument"),
    (["query", "x", "--top-k", "0"], "--top-k: '0' is not allowed; it must be at least 1"),
    (["read", "x", "--offset", "-1"], "--offset: '-1' is not allowed; it must be at least 0"),
    (["read", "x", "--limit", "0"], "--limit: '0' is not allowed; it must be at least 1"),
    (["ingest", "-", "--source", "x", "--format", "markdwon"], "did you mean 'markdown'?"),
    (["ingest", "-"], "standard input needs --source ID"),
    (["ingest", "-", "a.md", "--source", "x"], "- stands alone"),
    (["ingest", "a.md", "--title", "x"], "are for standard input"),
    (["completion", "tcsh"], "is not one of bash, zsh, fish, powershell"),
    (["help", "qury"], "did you mean 'query'?"),
    (["read", "a.md", "--source", "x"], "not allowed with argument"),
]


@pytest.mark.parametrize(("arguments", "said"), MEANT)
def test_an_error_says_what_was_meant(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.run(arguments)
    assert caught.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("usage: minirag-mcp")
    last = shown.err.splitlines()[-1]
    assert last.startswith("error: ")
    assert said in last
    assert "--help`.)" in last


@pytest.mark.parametrize(("arguments", "said"), MEANT)
def test_a_program_gets_the_same_as_json(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.run([*arguments, "--json"])
    assert caught.value.code == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "usage"
    assert said.removesuffix(" (") in error["message"] or arguments[0] == "query"
    assert error["remedy"].startswith("See `minirag-mcp")


def test_json_after_a_double_dash_is_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.run(["list", "--", "--json"])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "odd", ["\x1b[2J\nwarn: forged", "\udcff", "x" * 100_000, "-" * 100_000, "--" + "y" * 100_000, "\u202egpj", "%s%d"]
)
def test_an_odd_argument_neither_steers_the_terminal_nor_floods_it(
    odd: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([odd], ["list", odd], ["list", "--" + odd], ["query", "x", "--top-k", odd], ["help", odd]):
        with pytest.raises(SystemExit) as caught:
            cli.run([*arguments, "--json"])
        assert caught.value.code == 2
        shown = capsys.readouterr()
        json.loads(shown.out)
        assert len(shown.err) < 2_000
        assert not {"\x1b", "\u202e"} & set(shown.err)
        assert not [line for line in shown.err.splitlines() if line.startswith("warn: forged")]


def test_a_question_may_begin_with_a_dash_after_two(tmp_path: Path) -> None:
    done = run(["query", "--json", "--", "--top-k"], env=environment(), cwd=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout)["results"] == []
