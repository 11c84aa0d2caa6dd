"""Starts a server as a client does, says hello, and asks it how it is."""

import logging
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from minirag_mcp.errors import HandshakeError
from minirag_mcp.shell.connect.entry import Launch
from minirag_mcp.shell.product import NAME
from minirag_mcp.shell.wire import Json

DEADLINE_SECONDS = 30.0
"""As long as clients wait that wait long; a first start on a slow disk takes a few seconds."""

_MOST_STDERR = 1_000
"""Bytes: the end of a traceback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What the server said of itself."""

    version: str
    protocol_version: str
    tools: int
    sources: int


def greet(launch: Launch, *, cwd: Path, deadline: float = DEADLINE_SECONDS) -> Greeting:
    """Start the server with no more of our environment than clients pass on, and ask for its tools and its status.

    Raises HandshakeError, with the end of what the server wrote to stderr.
    """
    # What the server prints where messages belong would be logged with a traceback; the error says it better.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        try:
            status, greeting = _asked(launch, cwd=cwd, deadline=deadline, log=log)
        except HandshakeError as error:
            raise HandshakeError(error.message + _end_of(log)) from None
    for name in ("configError", "indexError"):
        if name in status:
            raise HandshakeError(f"The server answers, but cannot work: {status[name]}")
    return greeting


def _asked(launch: Launch, *, cwd: Path, deadline: float, log: TextIO) -> tuple[Json, Greeting]:
    import anyio  # noqa: PLC0415 - the SDK costs half a second
    import mcp_types as types  # noqa: PLC0415
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415

    try:
        return anyio.run(_talk, launch, cwd, deadline, log)
    except* OSError as failures:
        first = _first(failures)
        if isinstance(first, TimeoutError):
            raise HandshakeError(f"The server did not answer within {deadline:g} seconds.") from None
        raise HandshakeError(f"The server does not start: {first}.") from None
    except* (MCPError, ValueError) as failures:
        first = _first(failures)
        if isinstance(first, MCPError) and first.code == types.CONNECTION_CLOSED:
            raise HandshakeError("The server ended before it answered.") from None
        raise HandshakeError(f"The server does not answer as it should: {first}.") from None


async def _talk(launch: Launch, cwd: Path, deadline: float, log: TextIO) -> tuple[Json, Greeting]:
    import anyio  # noqa: PLC0415
    from mcp.client.client import Client  # noqa: PLC0415
    from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415

    server = StdioServerParameters(
        command=launch.command, args=list(launch.arguments), env=dict(launch.environment), cwd=cwd
    )
    with anyio.fail_after(deadline):
        async with Client(stdio_client(server, errlog=log)) as client:
            tools = (await client.list_tools()).tools
            status = (await client.call_tool("status", {})).structured_content or {}
            info = client.server_info
            sources = status.get("sourceCount", 0)
            return status, Greeting(
                version=info.version if info else "",
                protocol_version=client.protocol_version,
                tools=len(tools),
                sources=sources if isinstance(sources, int) else 0,
            )


def _first(failure: BaseException) -> BaseException:
    return _first(failure.exceptions[0]) if isinstance(failure, BaseExceptionGroup) else failure


def _end_of(log: TextIO) -> str:
    size = os.fstat(log.fileno()).st_size
    log.buffer.seek(max(size - _MOST_STDERR, 0))
    said = log.buffer.read(_MOST_STDERR).decode(errors="replace").strip()
    return f" It wrote: {said}" if said else f" It wrote nothing to stderr; `{NAME} status` may tell more."
