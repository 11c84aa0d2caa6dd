"""Names that are no text, on their way to a client and back."""

import os
import sys
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.client.client import Client
from tests.shell.client import HANDSHAKE, environment, served
from tests.shell.test_desk import MODES, desk, talk

from minirag_mcp.shell.spelling import spelled, unspelled

NAMES = st.lists(st.sampled_from(["a", "\\", "u", "\\udcff", "\udcff", "\ud83d", "\\u005c", "d", "c", "5"])).map(
    "".join
)


@given(NAMES | st.text(st.characters()))
def test_every_name_is_sent_as_utf_8_and_read_back(name: str) -> None:
    spelled(name).encode("utf-8")
    assert unspelled(spelled(name)) == name


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are always text there")
@pytest.mark.parametrize("mode", MODES)
def test_a_file_whose_name_is_no_text_can_be_read_searched_and_removed(mode: str, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    names = ["b\\udcffy.md", os.fsdecode(b"b\xffy.md")]
    for name in names:
        (documents / name).write_text(f"# Pump\n\nThe seal leaks {name!r}.\n", "utf-8")

    async def work(client: Client) -> None:
        job = await client.call_tool("sync_start", {})
        await anyio.to_thread.run_sync(server.opener.library().wait, job.structured_content["jobId"])
        files = (await client.call_tool("list_files", {})).structured_content["files"]
        assert len({file["source"] for file in files}) == 2
        for file in files:
            assert [file["state"], file["error"]] == ["ingested", None]
            source, shown = file["source"], file["displayPath"]
            for scope in (source, shown, [shown]):
                found = (
                    await client.call_tool("query_documents", {"query": "seal", "scope": scope})
                ).structured_content
                assert [hit["source"] for hit in found["results"]] == [source]
            for target in ({"source": source}, {"filePath": source}, {"source": shown}):
                read = await client.call_tool("read_file", target)
                assert read.structured_content["source"] == source
                around = await client.call_tool("read_chunk_neighbors", {"chunkIndex": 0, **target})
                assert around.structured_content["chunks"]
            assert not (await client.call_tool("ingest_file", {"filePath": source})).is_error
            assert (await client.call_tool("delete_file", {"source": source})).structured_content["deletedChunks"] == 1
            gone = await client.call_tool("read_file", {"source": source})
            assert gone.is_error
            assert source in gone.content[0].text  # type: ignore[union-attr]

    server = desk(tmp_path)
    talk(server, mode, work)


def test_an_error_about_a_name_that_is_no_text_is_answered(tmp_path: Path) -> None:
    with served(HANDSHAKE, env=environment(), cwd=tmp_path) as session:
        session.open()
        assert "udcff" in session.refusal("read_file", source="b\\udcffy.md")
        assert "udcff" in session.refusal("ingest_file", filePath=str(tmp_path / "b\\udcffy.md"))
        assert session.call("list_files", scope="b\\udcffy.md")["files"] == []
