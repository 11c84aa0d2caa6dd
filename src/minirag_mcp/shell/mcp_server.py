"""The MCP server: the eleven tools on stdio, in both protocol revisions, by the official SDK.

Nothing here imports the engine: it loads with the first call that needs it, or in the background after the handshake.
"""

import logging
import sys
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minirag_mcp import version
from minirag_mcp.errors import MiniragError
from minirag_mcp.shell import brief, calls, opening, product, stdio, tools, wire
from minirag_mcp.shell.arguments import check
from minirag_mcp.shell.exit_codes import DONE, FAILED, INTERRUPTED
from minirag_mcp.shell.refusal import refusal
from minirag_mcp.shell.remedies import answer_for_models, for_models
from minirag_mcp.shell.spelling import spelled

if TYPE_CHECKING:  # the SDK is imported once stdout is safe
    import anyio
    import mcp_types as types
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

log = logging.getLogger(__name__)

_WARM_UP_DELAY_SECONDS = 0.2
"""Lets the list of tools leave before the model's imports take the interpreter."""

_FETCHES_AT_ONCE = 4
"""A page may keep its thread waiting for half a minute."""

_WRITES_AT_ONCE = 8
"""Writes take turns at the model and the index; together with the fetches they leave most of the SDK's 40 threads."""

_LIST_TTL_MS = 3_600_000
"""The tools of one process never change."""


def serve(opener: opening.Opener | None = None) -> int:
    """Serve on stdin and stdout until stdin ends or SIGINT comes; then the process ends, within two seconds."""
    desk = Desk(opener or opening.Opener())
    stdio.leave_when_interrupted(desk.opener.close, INTERRUPTED)
    out, lines = stdio.private_stdout(), stdio.private_stdin()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    import anyio  # noqa: PLC0415 - a library that prints while loading must not reach the protocol
    from mcp.server.stdio import stdio_server  # noqa: PLC0415
    from mcp.shared.message import SessionMessage  # noqa: PLC0415

    async def run() -> None:
        server = build(desk)

        async def refused(line: str) -> bool:
            said = refusal(line)
            if said is not None:
                log.warning("a line that is no message was refused: %s", said.error.message)
                await write.send(SessionMessage(said))
            return said is not None

        wrapped = anyio.wrap_file(lines)
        lingering: Any = stdio.LingeringLines(wrapped, busy=lambda: desk.at_work > 0, refused=refused)
        async with stdio_server(stdin=lingering, stdout=anyio.wrap_file(out)) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    code = DONE
    try:
        anyio.run(run)
    except* BrokenPipeError:
        log.warning("the client closed its end")
    except* OSError as failures:
        code = FAILED
        log.error("the connection to the client failed: %s", _first(failures))  # noqa: TRY400 - not a defect of ours
    stdio.leave(desk.opener.close, code)


def _first(failure: BaseException) -> BaseException:
    return _first(failure.exceptions[0]) if isinstance(failure, BaseExceptionGroup) else failure


def instructions() -> str:
    """What the server tells a model about itself."""
    return Path(__file__).with_name("instructions.md").read_text(encoding="utf-8").strip()


def build(desk: "Desk") -> "Server[Any]":
    """The SDK's server with our two handlers."""
    from mcp.server.caching import CacheHint  # noqa: PLC0415
    from mcp.server.lowlevel import Server  # noqa: PLC0415

    return Server(
        product.NAME,
        version=version(),
        title=product.TITLE,
        instructions=instructions(),
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        cache_hints={"tools/list": CacheHint(ttl_ms=_LIST_TTL_MS, scope="public")},
    )


def declared(tool: tools.Tool) -> "types.Tool":
    """A tool in the SDK's words."""
    import mcp_types as types  # noqa: PLC0415

    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=tool.open_world,
        ),
    )


class Desk:
    """Takes the requests of one connection, and keeps count of those at work."""

    def __init__(self, opener: opening.Opener) -> None:
        self.opener = opener
        self.at_work = 0
        self._warming: threading.Timer | None = None
        self._fetching: anyio.CapacityLimiter | None = None
        self._writing: anyio.CapacityLimiter | None = None

    async def list_tools(self, _context: "ServerRequestContext[Any]", _params: object) -> "types.ListToolsResult":
        """Answer `tools/list`; the client is ready to work after it, so the model starts to load."""
        import mcp_types as types  # noqa: PLC0415

        if self._warming is None:
            self._warming = threading.Timer(_WARM_UP_DELAY_SECONDS, self._warm_up)
            self._warming.daemon = True
            self._warming.start()
        return types.ListToolsResult(tools=[declared(tool) for tool in tools.TOOLS])

    async def call_tool(
        self, _context: "ServerRequestContext[Any]", params: "types.CallToolRequestParams"
    ) -> "types.CallToolResult":
        """Answer `tools/call` from a worker thread; a cancelled call is left to end unheard."""
        import anyio.to_thread  # noqa: PLC0415
        import mcp_types as types  # noqa: PLC0415
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415

        tool = tools.BY_NAME.get(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS, f"Unknown tool {brief.shortened(params.name)!r}; tools/list names all there are."
            )
        self.at_work += 1
        try:
            work = partial(self._answer, tool, params.arguments)
            answer = await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter(tool))
        except MiniragError as error:
            return _failed(for_models(f"{brief.message(error.message)} {error.remedy}"))
        except Exception as error:
            log.exception("%s failed", tool.name)
            return _failed(
                f"{tool.name} failed inside the server ({type(error).__name__}). Try again; if it fails the same way, "
                "call status, and tell the user that the server's log has the details."
            )
        finally:
            self.at_work -= 1
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=wire.compact(answer))], structured_content=answer
        )

    def _limiter(self, tool: tools.Tool) -> "anyio.CapacityLimiter | None":
        """How many calls such as this run at once, so that reading never waits for a thread; the rest queue."""
        import anyio  # noqa: PLC0415

        if tool.open_world:
            self._fetching = self._fetching or anyio.CapacityLimiter(_FETCHES_AT_ONCE)
            return self._fetching
        if not tool.read_only:
            self._writing = self._writing or anyio.CapacityLimiter(_WRITES_AT_ONCE)
            return self._writing
        return None

    def _answer(self, tool: tools.Tool, raw: Mapping[str, object] | None) -> wire.Json:
        given = check(tool, raw)
        call = calls.CALLS.get(tool.name)
        answer = call(self.opener.library(), given) if call else opening.status(self.opener)
        return wire.sendable(wire.with_names_spelled(answer_for_models(answer)))

    def _warm_up(self) -> None:
        try:
            self.opener.library().warm_up()
        except MiniragError as error:
            log.warning("not warmed up: %s", error)


def _failed(text: str) -> "types.CallToolResult":
    import mcp_types as types  # noqa: PLC0415

    return types.CallToolResult(content=[types.TextContent(type="text", text=spelled(text))], is_error=True)
