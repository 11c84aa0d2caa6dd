"""Saying hello to a server, whatever it is."""

import sys
from pathlib import Path

import pytest
from tests.flows.surfaces import settings

from minirag_mcp import version
from minirag_mcp.errors import HandshakeError
from minirag_mcp.shell.connect.entry import Launch
from minirag_mcp.shell.connect.handshake import greet

ANYWHERE = Path(Path.cwd().anchor)
ENDS = "import sys; sys.stderr.write('early ' * 1000 + 'no such module'); sys.exit(3)"
SILENT = "import sys; sys.stdin.read()"
CHATTY = "import sys\nprint('Welcome!', flush=True)\nsys.stdin.read()"
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def python(*arguments: str) -> Launch:
    return Launch(command=sys.executable, arguments=arguments, environment={})


FAILURES = {
    "no such program": (Launch(command="/no/such", arguments=(), environment={}), "does not start"),
    "ends at once": (python("-c", ENDS), "ended before it answered. It wrote: "),
    "says nothing": (python("-c", SILENT), "did not answer within 1.5 seconds"),
    "speaks another protocol": (python("-c", CHATTY), "did not answer within 1.5 seconds"),
    "echoes": (python("-c", ECHO), "does not answer as it should"),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_server_that_does_not_answer_is_told_with_what_it_wrote(case: str, capfd: pytest.CaptureFixture[str]) -> None:
    launch, why = FAILURES[case]
    with pytest.raises(HandshakeError) as caught:
        greet(launch, cwd=ANYWHERE, deadline=1.5)
    assert why in caught.value.message
    assert ("no such module" in caught.value.message) == (case == "ends at once")
    assert len(caught.value.message) < 1_500
    assert capfd.readouterr() == ("", "")


def test_the_server_is_known_by_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BASE_DIRS", "not what the entry says")
    env = settings(tmp_path, tmp_path / "index")
    names = ("BASE_DIR", "DB_PATH", "CACHE_DIR", "PYTHONPATH")
    launch = Launch(
        command=sys.executable,
        arguments=("-m", "tests.flows.launch"),
        environment={name: env[name] for name in names},
    )
    said = greet(launch, cwd=ANYWHERE)
    assert (said.version, said.tools >= 11, said.sources) == (version(), True, 0)


def test_a_server_that_names_a_wrong_setting_has_failed() -> None:
    launch = Launch(command=sys.executable, arguments=("-m", "minirag_mcp"), environment={"RAG_MAX_FILES": "0"})
    with pytest.raises(HandshakeError, match="cannot work: RAG_MAX_FILES is '0'"):
        greet(launch, cwd=ANYWHERE)
