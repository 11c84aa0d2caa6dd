"""The official SDK's client as a program of its own: `python -m tests.flows.official_client MODE FOLDER`.

It starts the real server command with this process's environment, drives one scenario over the documents in FOLDER, and
prints as JSON what it saw. It lists the tools first, so the SDK validates every answer against the output schema.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

MANY = 600
NOTE = (
    "# Note {0}\n\n"
    + "The impeller of pump {0} turns clockwise and wants a new bearing after a while of running.\n\n" * 6
)


class Seen:
    """Calls tools and keeps every answer under the tool's name."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.answers: dict[str, dict[str, Any]] = {}

    async def call(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        self.answers[tool] = {
            "isError": result.is_error,
            "text": "".join(part.text for part in result.content if part.type == "text"),
            "parts": len(result.content),
            "structured": result.structured_content,
        }
        return dict(result.structured_content or {})

    async def synced(self) -> dict[str, Any]:
        job = await self.call("sync_start")
        while job["state"] == "running":
            job = await self.call("sync_status", jobId=job["jobId"])
        return await self.call("sync_status", jobId=job["jobId"])


async def scenario(seen: Seen, folder: Path) -> dict[str, Any]:
    """Every tool once and more, on a small folder."""
    first = await seen.synced()
    found = await seen.call("query_documents", query="which seal for E-4013", topK=3)
    best = found["results"][0]
    await seen.call("read_chunk_neighbors", chunkIndex=best["chunkIndex"], source=best["source"])
    await seen.call("read_file", filePath=str(folder / "pump.md"))
    await seen.call("list_files")
    await seen.call("ingest_file", filePath=str(folder / "pump.md"))
    await seen.call("ingest_data", data="The meeting moved to Friday.", source="notes/1", format="text")
    await seen.call("search_knowledge", query="which seal for E-4013", k=3)
    noted = await seen.call("query_documents", query="when is the meeting", scope="notes")
    deleted = await seen.call("delete_file", source="notes/1")
    await seen.call("status")
    failed = await seen.client.call_tool("ingest_url", {"url": "http://127.0.0.1:9/"})
    return {
        "first": first,
        "best": best,
        "noted": noted,
        "deleted": deleted,
        "refused": [failed.is_error, *(part.text for part in failed.content if part.type == "text")],
    }


async def during_a_sync(seen: Seen, folder: Path) -> dict[str, Any]:
    """Two calls at once while a sync runs; how it stands before and after them."""
    for number in range(MANY):
        (folder / f"note-{number}.md").write_text(NOTE.format(number), encoding="utf-8")
    job = await seen.call("sync_start")
    answered: list[str] = []

    async def ask(tool: str, **arguments: object) -> None:
        answer = await seen.client.call_tool(tool, arguments)
        answered.append(f"{tool} {answer.is_error}")

    async with anyio.create_task_group() as both:
        both.start_soon(lambda: ask("query_documents", query="which seal for E-4013"))
        both.start_soon(lambda: ask("list_files", limit=3))
    after = await seen.call("sync_status", jobId=job["jobId"])
    return {"before": job["state"], "answered": sorted(answered), "after": after["state"]}


async def validates(client: Client) -> bool:
    """Whether the client refuses an answer that is not as the tool declares."""
    try:
        await client.session.validate_tool_result("status", CallToolResult(content=[], structured_content={"roots": 1}))
    except RuntimeError:
        return True
    return False


async def main(mode: str, folder: Path) -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "minirag_mcp"], env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        seen = Seen(client)
        listed = await client.list_tools()
        report: dict[str, Any] = {
            "protocol": client.protocol_version,
            "server": client.server_info.name if client.server_info else None,
            "instructions": client.instructions,
            "tools": [tool.name for tool in listed.tools],
            "validates": await validates(client),
            "scenario": await scenario(seen, folder),
            "answers": seen.answers,
        }
        report["busy"] = await during_a_sync(seen, folder)
        left = time.monotonic()
    report["secondsToLeave"] = time.monotonic() - left
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], Path(sys.argv[2]))
