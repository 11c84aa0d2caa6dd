"""The server's own behaviour, seen by the official client in this process."""

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from tests.fakes.embedder import HashedEmbedder

from minirag_mcp.config import Flags, Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import ModelError
from minirag_mcp.model import Vector, Vectors
from minirag_mcp.shell import mcp_server, opening, tools
from minirag_mcp.shell.desk import Desk

MODES = ("legacy", "auto")


def desk(root: Path, embedder: HashedEmbedder | None = None, **environment: str) -> Desk:
    def open_library(settings: Settings) -> Library:
        return Library(settings, embedder=embedder or HashedEmbedder())

    flags = Flags(base_dirs=(str(root / "documents"),), db_path=str(root / "index"), cache_dir=str(root))
    return Desk(opening.Opener(flags, environment=environment, opening=open_library))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "pump.md").write_text("# Pump\n\nThe seal leaks.\n", encoding="utf-8")
    return tmp_path


def talk(served: Desk, mode: str, work: Callable[[Client], Any]) -> Any:
    async def session() -> Any:
        async with Client(mcp_server.build(served), mode=mode) as client:
            return await work(client)

    try:
        return anyio.run(session)
    finally:
        served.opener.close()


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_answers_in_text_and_structure_alike(mode: str, root: Path) -> None:
    pump = str(root / "documents" / "pump.md")

    async def work(client: Client) -> set[str]:
        calls: list[tuple[str, dict[str, object]]] = [
            ("status", {}),
            ("ingest_file", {"filePath": pump}),
            ("ingest_data", {"data": "Minutes.", "source": "m/1", "format": "text", "title": "Minutes"}),
            ("query_documents", {"query": "seal", "topK": "3", "scope": ["pump.md", "m"]}),
            ("search_knowledge", {"query": "seal", "k": 3}),
            ("read_chunk_neighbors", {"chunkIndex": 0, "source": "m/1"}),
            ("read_file", {"filePath": pump, "limit": 4}),
            ("list_files", {"limit": 1}),
            ("delete_file", {"source": "m/1"}),
            ("sync_start", {"path": str(root / "documents")}),
        ]
        await client.list_tools()
        last: dict[str, object] = {}
        for name, arguments in calls:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer
            assert json.loads(answer.content[0].text) == answer.structured_content  # type: ignore[union-attr]
            last = dict(answer.structured_content)
        await client.call_tool("sync_status", {"jobId": last["jobId"]})
        refused = await client.call_tool("ingest_url", {"url": "http://127.0.0.1:9/"})
        assert refused.is_error
        return {name for name, _ in calls} | {"sync_status", "ingest_url"}

    assert talk(desk(root), mode, work) == set(tools.BY_NAME)


class Slow(HashedEmbedder):
    """Embeds passages only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.started = threading.Event()
        self.let = threading.Event()
        self.ended = threading.Event()

    def embed_passages(self, texts: Any) -> Vectors:
        self.started.set()
        assert self.let.wait(30)
        self.ended.set()
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        return super().embed_query(text)


@pytest.mark.parametrize("mode", MODES)
def test_a_long_call_holds_up_no_other_and_can_be_cancelled(mode: str, root: Path) -> None:
    slow = Slow()

    async def work(client: Client) -> None:
        path = str(root / "documents" / "pump.md")
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "ingest_file", {"filePath": path})
            await anyio.to_thread.run_sync(slow.started.wait)
            answer = await client.call_tool("query_documents", {"query": "seal"})
            assert answer.structured_content["results"] == []
            group.cancel_scope.cancel()
        status = await client.call_tool("status", {})
        assert status.structured_content["sourceCount"] == 0
        slow.let.set()

    served = desk(root, slow)
    try:
        talk(served, mode, work)
    finally:
        slow.let.set()


def test_the_model_is_loaded_after_the_tools_were_listed_and_a_failure_to_load_waits_for_a_query(root: Path) -> None:
    class Failing(HashedEmbedder):
        loading = threading.Event()

        def load(self) -> None:
            self.loading.set()
            raise ModelError("The weights are damaged.")

    failing = Failing()

    async def work(client: Client) -> None:
        await client.call_tool("list_files", {})
        assert not failing.loading.is_set()
        await client.list_tools()
        await client.list_tools()
        await anyio.to_thread.run_sync(failing.loading.wait, 10)
        path = str(root / "documents" / "pump.md")
        answer = await client.call_tool("ingest_file", {"filePath": path})
        assert answer.is_error
        assert "The weights are damaged." in answer.content[0].text  # type: ignore[union-attr]

    talk(desk(root, failing), "legacy", work)
    assert failing.loading.is_set()


def test_a_defect_is_told_without_its_details(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_settings: Settings) -> Library:
        raise RuntimeError("secret detail")

    flags = Flags(base_dirs=(str(root),))
    served = Desk(opening.Opener(flags, environment={}, opening=broken))

    async def work(client: Client) -> str:
        answer = await client.call_tool("list_files", {})
        assert answer.is_error
        return str(answer.content[0].text)  # type: ignore[union-attr]

    text = talk(served, "legacy", work)
    assert "RuntimeError" in text
    assert "secret" not in text
    assert "secret detail" in caplog.text


LONG = "/x" * 500_000
TOO_LONG: list[tuple[str, dict[str, object]]] = [
    ("ingest_data", {"data": "x", "source": "x", "format": LONG}),
    ("ingest_data", {"data": "x", "source": LONG, "format": "text"}),
    ("ingest_data", {"data": "x", "source": "x", "format": "text", "title": LONG}),
    ("sync_status", {"jobId": LONG}),
    ("read_file", {"filePath": LONG}),
    ("read_file", {"filePath": LONG[1:]}),
    ("read_file", {"source": LONG}),
    ("read_file", {"source": "x", "offset": 10**400}),
    ("read_chunk_neighbors", {"chunkIndex": 10**400, "source": "x"}),
    ("ingest_url", {"url": LONG}),
    ("ingest_url", {"url": "http://" + LONG}),
    ("ingest_url", {"url": "http://a.invalid/", "source": LONG}),
    ("list_files", {"scope": LONG}),
    ("list_files", {"scope": json.dumps(["x"] * 100_000)}),
    ("list_files", {"scope": ["x"] * 100_000}),
    ("query_documents", {"query": LONG}),
    ("status", {LONG: 1}),
    ("status", {f"x{number}": 1 for number in range(10_000)}),
    ("query_documents", {"query": ["x"] * 100_000}),
]


@pytest.mark.parametrize("number", range(len(TOO_LONG)))
def test_an_argument_however_long_is_refused_in_few_words(number: int, root: Path) -> None:
    name, arguments = TOO_LONG[number]

    async def work(client: Client) -> str:
        answer = await client.call_tool(name, arguments)
        assert answer.is_error, answer
        return str(answer.content[0].text)  # type: ignore[union-attr]

    assert 20 < len(talk(desk(root), "auto", work)) < 2_000


def test_an_argument_of_the_longest_that_is_taken_is_named_in_few_words(root: Path) -> None:
    arguments: list[tuple[str, dict[str, object]]] = [
        ("read_file", {"source": "x" * 4_000}),
        ("read_file", {"filePath": "/" + "x/" * 2_000}),
        ("read_file", {"filePath": str(root / "documents" / ("x/" * 1_500))}),
        ("ingest_url", {"url": "ftp://" + "x" * 3_000}),
    ]

    async def work(client: Client) -> None:
        for name, given in arguments:
            answer = await client.call_tool(name, given)
            text = answer.content[0].text  # type: ignore[union-attr]
            assert answer.is_error
            assert 20 < len(text) < 2_000
            assert "…" in text

    talk(desk(root), "auto", work)


def test_pages_that_never_come_hold_up_no_other_tool(root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"

        async def work(client: Client) -> None:
            async with anyio.create_task_group() as group:
                for number in range(45):
                    group.start_soon(client.call_tool, "ingest_url", {"url": f"{url}{number}"})
                await anyio.sleep(0.5)
                with anyio.fail_after(5):
                    for tool in ("status", "list_files", "sync_start"):
                        assert not (await client.call_tool(tool, {})).is_error
                    await client.call_tool("ingest_data", {"data": "x", "source": "x", "format": "text"})
                group.cancel_scope.cancel()

        talk(desk(root, ALLOW_PRIVATE_URLS="1"), "auto", work)


def test_documents_that_take_long_hold_up_no_search(root: Path) -> None:
    slow = Slow()

    async def work(client: Client) -> None:
        async with anyio.create_task_group() as group:
            for number in range(45):
                given = {"data": "x", "source": str(number), "format": "text"}
                group.start_soon(client.call_tool, "ingest_data", given)
            await anyio.to_thread.run_sync(slow.started.wait)
            await anyio.sleep(0.2)
            with anyio.fail_after(5):
                for tool, arguments in (("status", {}), ("list_files", {}), ("query_documents", {"query": "seal"})):
                    assert not (await client.call_tool(tool, arguments)).is_error
            slow.let.set()
            group.cancel_scope.cancel()

    try:
        talk(desk(root, slow), "auto", work)
    finally:
        slow.let.set()
