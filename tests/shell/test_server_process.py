"""The server as a process with a client at its pipes, in both protocol revisions; nothing here needs an index."""

import json
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from tests.measuring import unmeasured
from tests.shell.client import HANDSHAKE, MODERN, REVISIONS, environment, served

from minirag_mcp.shell import tools

both = pytest.mark.parametrize("revision", REVISIONS)
BROKEN = {"BASE_DIRS": "not json"}


@both
def test_the_server_introduces_itself(revision: str, tmp_path: Path) -> None:
    with served(revision, env=environment(), cwd=tmp_path) as session:
        hello = session.open()
    assert "query_documents" in str(hello["instructions"])
    assert "tools" in hello["capabilities"]  # type: ignore[operator]
    if revision == HANDSHAKE:
        assert hello["protocolVersion"] == HANDSHAKE
        assert hello["serverInfo"]["name"] == "minirag-mcp"  # type: ignore[index]
    else:
        assert MODERN in hello["supportedVersions"]  # type: ignore[operator]


@both
def test_all_tools_are_listed_as_declared(revision: str, tmp_path: Path) -> None:
    with served(revision, env=environment(), cwd=tmp_path) as session:
        session.open()
        listed = session.request("tools/list")["tools"]
    assert isinstance(listed, list)
    assert [tool["name"] for tool in listed] == [tool.name for tool in tools.TOOLS]
    for shown, tool in zip(listed, tools.TOOLS, strict=True):
        assert shown["inputSchema"] == tool.input_schema()
        assert shown["outputSchema"] == tool.output
        assert shown["title"] == tool.title
        assert shown["annotations"]["readOnlyHint"] is tool.read_only
        assert shown["annotations"]["openWorldHint"] is tool.open_world


@both
def test_with_a_wrong_setting_status_answers_and_every_other_tool_names_it(revision: str, tmp_path: Path) -> None:
    arguments: dict[str, dict[str, object]] = {
        "query_documents": {"query": "x"},
        "read_chunk_neighbors": {"chunkIndex": 0, "source": "x"},
        "read_file": {"source": "x"},
        "list_files": {},
        "sync_start": {},
        "sync_status": {"jobId": "x"},
        "ingest_file": {"filePath": str(tmp_path / "a.md")},
        "ingest_data": {"data": "x", "source": "x", "format": "text"},
        "ingest_url": {"url": "https://example.com"},
        "delete_file": {"source": "x"},
    }
    assert set(arguments) | {"status", "search_knowledge"} == set(tools.BY_NAME)
    with served(revision, env=environment(**BROKEN), cwd=tmp_path) as session:
        session.open()
        session.request("tools/list")
        status = session.call("status")
        for name, given in arguments.items():
            assert "BASE_DIRS must be a JSON array" in session.refusal(name, **given), name
        assert "BASE_DIRS must be a JSON array" in str(session.ask("search_knowledge", query="x"))
    assert set(status) == {"version", "configError"}
    assert "BASE_DIRS must be a JSON array" in str(status["configError"])


@both
def test_a_wrong_call_is_answered_with_what_to_do(revision: str, tmp_path: Path) -> None:
    with served(revision, env=environment(), cwd=tmp_path) as session:
        session.open()
        assert "Did you mean `topK`?" in session.refusal("query_documents", query="x", top_k=3)
        assert "filePath must be an absolute path" in session.refusal("ingest_file", filePath="a.md")
        assert "needs `query`" in session.refusal("query_documents")
        assert "needs `query`" in session.refusal("query_documents", scope="half a character: \ud83d")
        unknown = session.request("tools/call", name="search", arguments={})
        assert "Unknown tool 'search'" in unknown["error"]["message"]  # type: ignore[index]
        assert session.call("status")["roots"] == [str(tmp_path)]


@both
def test_a_line_that_is_no_message_does_not_end_the_session(revision: str, tmp_path: Path) -> None:
    with served(revision, env=environment(**BROKEN), cwd=tmp_path) as session:
        session.open()
        assert session.process.stdin is not None
        for line in ("", "not json", "[]", '{"jsonrpc": "2.0"}', "{" * 10_000, "\ufffd\x00"):
            session.process.stdin.write(line + "\n")
        session.process.stdin.flush()
        session.send({"jsonrpc": "2.0", "id": "last", "method": "ping"})
        answers = [session.answer()]
        while answers[-1].get("id") != "last":
            answers.append(session.answer())
    assert len(answers) >= 1


NO_MESSAGES: list[tuple[str, int, object]] = [
    ("not json", -32700, None),
    ('{"jsonrpc":', -32700, None),
    ("[" * 100_000, -32700, None),
    ("\0\0", -32700, None),
    ('{"jsonrpc": "2.0", "method": "x", "params": {"id": %s}}' % ("9" * 5_000), -32700, None),
    ("[]", -32600, None),
    ('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600, None),
    ('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
    ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
    ('{"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}', -32600, None),
    ('{"jsonrpc": "1.0", "id": "old", "method": "ping"}', -32600, "old"),
    ('{"jsonrpc": "2.0", "id": 7}', -32600, 7),
]


@both
def test_a_line_that_is_no_message_is_answered_so_that_nobody_waits(revision: str, tmp_path: Path) -> None:
    with served(revision, env=environment(**BROKEN), cwd=tmp_path) as session:
        session.open()
        assert session.process.stdin is not None
        for line, code, number in NO_MESSAGES:
            session.process.stdin.write(f"\n \n{line}\n")
            session.process.stdin.flush()
            answer = session.answer(10)
            assert (line[:60], answer["id"], answer["error"]["code"]) == (line[:60], number, code)  # type: ignore[index]
            assert 10 < len(str(answer["error"]["message"])) < 300  # type: ignore[index]
        session.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}})
        assert "configError" in session.call("status")


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    with served(HANDSHAKE, env=environment(**BROKEN), cwd=tmp_path) as session:
        assert session.process.stdin is not None
        session.process.stdin.write("\ufeff")
        session.open()
        assert "configError" in session.call("status")


@both
def test_closing_stdin_ends_the_process(revision: str, tmp_path: Path) -> None:
    with served(revision, env=environment(**BROKEN), cwd=tmp_path) as session:
        session.open()
        session.request("tools/list")
        assert session.close() < 2
        assert session.process.returncode == 0


def test_a_client_that_says_nothing_and_leaves_is_no_error(tmp_path: Path) -> None:
    with served(MODERN, env=environment(), cwd=tmp_path) as session:
        session.close()
        assert session.process.returncode == 0


def test_requests_piped_in_at_once_are_all_answered(tmp_path: Path) -> None:
    hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}
    lines: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(
            {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
            for number in range(1, 21)
        ),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "minirag_mcp"],
        input="".join(json.dumps(line) + "\n" for line in lines).encode(),
        env=environment(**BROKEN),
        cwd=tmp_path,
        capture_output=True,
        timeout=30,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["id"] for answer in answers) == list(range(21))
    assert all("result" in answer for answer in answers)


NOISY = """
import os, subprocess, sys
from minirag_mcp.config import Settings
from minirag_mcp.shell import mcp_server, opening

def noisy(settings: Settings):
    print("print")
    sys.stdout.write("write"); sys.stdout.flush()
    os.write(1, b"file descriptor")
    subprocess.run([sys.executable, "-c", "import sys; print('child', repr(sys.stdin.read()))"])
    raise RuntimeError("a library's secret")

mcp_server.serve(opening.Opener(opening=noisy))
"""


@both
def test_nothing_a_library_prints_or_raises_reaches_the_client(revision: str, tmp_path: Path) -> None:
    command = (sys.executable, "-c", NOISY)
    with served(revision, env=environment(), cwd=tmp_path, command=command) as session:
        session.open()
        text = session.refusal("query_documents", query="x")
        assert "failed inside the server (RuntimeError)" in text
        assert "secret" not in text
        assert "Traceback" not in text
        session.request("tools/list")


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN])
def test_the_official_client_connects_and_validates_what_it_gets(mode: str, tmp_path: Path) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "minirag_mcp"], env=environment(**BROKEN), cwd=tmp_path
    )

    async def talk() -> tuple[int, object, bool]:
        async with Client(parameters, mode=mode) as client:
            listed = await client.list_tools()
            status = await client.call_tool("status", {})
            failed = await client.call_tool("query_documents", {"query": "x"})
            return len(listed.tools), status.structured_content, failed.is_error

    count, status, failed = anyio.run(talk)
    assert count == 12
    assert isinstance(status, dict)
    assert "configError" in status
    assert failed


def test_nothing_heavy_is_imported_before_the_tools_are_listed(tmp_path: Path) -> None:
    code = (
        "import sys; from minirag_mcp.shell import desk, mcp_server, opening\n"
        "mcp_server.build(desk.Desk(opening.Opener()))\n"
        "[desk.declared(tool) for tool in desk.TOOLS]\n"
        "print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=unmeasured(environment()),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "mcp" in loaded
    assert not loaded & {"numpy", "onnxruntime", "tokenizers", "apsw", "sqlite3", "lxml", "pypdfium2", "regex"}
    assert "minirag_mcp.engine" not in done.stdout.split()
