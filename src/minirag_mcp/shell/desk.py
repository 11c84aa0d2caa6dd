"""Where tool calls are taken: each is checked, done in a thread, and answered in the protocol's words."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from minirag_mcp.errors import MiniragError
from minirag_mcp.shell import brief, calls, knowledge_tool, opening, wire
from minirag_mcp.shell.arguments import check
from minirag_mcp.shell.declaration import Tool
from minirag_mcp.shell.following import Following
from minirag_mcp.shell.remedies import answer_for_models, for_models
from minirag_mcp.shell.spelling import spelled
from minirag_mcp.shell.tools import TOOLS

if TYPE_CHECKING:  # the SDK is imported once stdout is safe
    import anyio
    import mcp_types as types
    from mcp.server.context import ServerRequestContext

log = logging.getLogger(__name__)

_WARM_UP_DELAY_SECONDS = 0.2
"""Lets the list of tools leave before the model's imports take the interpreter."""

_FETCHES_AT_ONCE = 4
"""A page may keep its thread waiting for half a minute."""

_WRITES_AT_ONCE = 8
"""Writes take turns at the model and the index; together with the fetches they leave most of the SDK's 40 threads."""

_Done = TypeVar("_Done")


class Desk:
    """Takes the calls of one connection, and keeps count of those at work.

    `words` says what an answer tells of its own accord in words that fit these tools.
    """

    def __init__(
        self,
        opener: opening.Opener,
        *,
        tools: Sequence[Tool] = TOOLS,
        words: Callable[[wire.Json], wire.Json] = answer_for_models,
    ) -> None:
        self.opener = opener
        self._tools = {tool.name: tool for tool in tools}
        self._words = words
        self.at_work = 0
        self._warming: threading.Timer | None = None
        self._fetching: anyio.CapacityLimiter | None = None
        self._writing: anyio.CapacityLimiter | None = None

    async def list_tools(
        self, _context: "ServerRequestContext[Any]", params: "types.PaginatedRequestParams | None"
    ) -> "types.ListToolsResult":
        """Answer `tools/list`; the client is ready to work after it, so the model starts to load."""
        import mcp_types as types  # noqa: PLC0415

        require_first_page(params)
        if self._warming is None:
            self._warming = threading.Timer(_WARM_UP_DELAY_SECONDS, self._warm_up)
            self._warming.daemon = True
            self._warming.start()
        return types.ListToolsResult(tools=[declared(tool) for tool in self._tools.values()])

    async def call_tool(
        self, context: "ServerRequestContext[Any]", params: "types.CallToolRequestParams"
    ) -> "types.CallToolResult":
        """Answer `tools/call`; one that is cancelled stops at the next step and changes nothing."""
        import mcp_types as types  # noqa: PLC0415
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415

        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS, f"Unknown tool {brief.shortened(params.name)!r}; tools/list names all there are."
            )
        following = Following(context.session.report_progress)
        try:
            work = partial(self._answer, tool, params.arguments, following.caller)
            answer = await self.in_thread(work, limiter=self._limiter(tool))
            await following.complete()
        except MiniragError as error:
            return _failed(explained(error))
        except Exception as error:
            log.exception("%s failed", tool.name)
            return _failed(
                f"{tool.name} failed inside the server ({type(error).__name__}). Try again; if it fails the same way, "
                "call status, and tell the user that the server's log has the details."
            )
        finally:
            following.end()
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=wire.compact(answer))],
            structured_content=answer,
            is_error=answer.get("ok") is False,
        )

    async def in_thread(self, work: Callable[[], _Done], *, limiter: "anyio.CapacityLimiter | None" = None) -> _Done:
        """What `work` gives, done in a thread; one that is cancelled meanwhile is left to end unheard."""
        import anyio.to_thread  # noqa: PLC0415

        self.at_work += 1
        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)
        finally:
            self.at_work -= 1

    def _limiter(self, tool: Tool) -> "anyio.CapacityLimiter | None":
        """How many calls such as this run at once, so that reading never waits for a thread; the rest queue."""
        import anyio  # noqa: PLC0415

        if tool.open_world:
            self._fetching = self._fetching or anyio.CapacityLimiter(_FETCHES_AT_ONCE)
            return self._fetching
        if not tool.read_only:
            self._writing = self._writing or anyio.CapacityLimiter(_WRITES_AT_ONCE)
            return self._writing
        return None

    def _answer(self, tool: Tool, raw: Mapping[str, object] | None, caller: calls.Caller) -> wire.Json:
        if tool is knowledge_tool.TOOL:
            return wire.sendable(self._words(knowledge_tool.answer(self.opener.library, raw)))
        given = check(tool, raw)
        call = calls.CALLS.get(tool.name)
        answer = call(self.opener.library(), given, caller) if call else opening.status(self.opener)
        return wire.sendable(wire.with_names_spelled(self._words(answer)))

    def _warm_up(self) -> None:
        try:
            self.opener.library().warm_up()
        except MiniragError as error:
            log.warning("not warmed up: %s", error)


def declared(tool: Tool) -> "types.Tool":
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


def explained(error: MiniragError) -> str:
    """Message and remedy in a model's words."""
    return for_models(f"{brief.message(error.message)} {error.remedy}")


def require_first_page(params: "types.PaginatedRequestParams | None") -> None:
    """For lists of one page. Raises MCPError: a cursor can be none of ours."""
    import mcp_types as types  # noqa: PLC0415
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415

    if params is not None and params.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "The cursor is none of this server's: this list has one page.")


def _failed(text: str) -> "types.CallToolResult":
    import mcp_types as types  # noqa: PLC0415

    return types.CallToolResult(content=[types.TextContent(type="text", text=spelled(text))], is_error=True)
