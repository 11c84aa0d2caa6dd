"""What `make demo` prints at its end can be done as printed."""

import json
import runpy
import shlex
from pathlib import Path

import pytest

from minirag_mcp.shell import cli_parser

REPOSITORY = Path(__file__).resolve().parent.parent
DOCUMENTS, INDEX = REPOSITORY / "examples" / "documents", REPOSITORY / ".demo" / "index"


def test_the_client_is_shown_the_index_that_the_demonstration_made(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(REPOSITORY / "examples" / "demo.py"))["show_clients"]()
    shown = capsys.readouterr().out
    line = next(line for line in shown.splitlines() if " connect cursor " in line)
    given = cli_parser.build().parse_args(shlex.split(line)[1:])
    assert [REPOSITORY / root for root in given.base_dir] == [DOCUMENTS]
    assert REPOSITORY / given.db_path == INDEX
    entry = json.loads(shown[shown.index("{") :])["mcpServers"]["minirag"]
    assert {name: Path(path) for name, path in entry["env"].items()} == {
        "BASE_DIR": DOCUMENTS,
        "DB_PATH": INDEX,
    }
