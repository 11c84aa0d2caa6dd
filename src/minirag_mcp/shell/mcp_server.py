"""The MCP server on stdio, in both protocol revisions, by the official SDK.

Nothing here imports the engine: it loads with the first call that needs it, or in the background after the handshake.
"""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minirag_mcp import version
from minirag_mcp.shell import opening, product, stdio
from minirag_mcp.shell.desk import Desk
from minirag_mcp.shell.exit_codes import DONE, FAILED, INTERRUPTED
from minirag_mcp.shell.extras import Extras
from minirag_mcp.shell.refusal import refusal

if TYPE_CHECKING:  # the SDK is imported once stdout is safe
    from mcp.server.caching import CacheableMethod
    from mcp.server.lowlevel import Server

log = logging.getLogger(__name__)

_UNCHANGING_LISTS: tuple["CacheableMethod", ...] = ("tools/list", "prompts/list", "resources/templates/list")
_LIST_TTL_MS = 3_600_000
"""What one process has of them never changes."""


Build = Callable[[Desk], "Server[Any]"]
"""Makes the SDK's server around a desk."""


def serve(opener: opening.Opener | None = None) -> int:
    """Serve everything on stdin and stdout; see `serve_desk`."""
    return serve_desk(Desk(opener or opening.Opener()), build)


def serve_desk(desk: Desk, build_server: Build) -> int:
    """Serve on stdin and stdout until stdin ends, SIGINT comes or the parent dies; then the process ends soon after."""
    stdio.leave_when_interrupted(desk.opener.close, INTERRUPTED)
    stdio.leave_when_orphaned(desk.opener.close, FAILED)
    out, lines = stdio.private_stdout(), stdio.private_stdin()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    import anyio  # noqa: PLC0415 - a library that prints while loading must not reach the protocol
    from mcp.server.stdio import stdio_server  # noqa: PLC0415
    from mcp.shared.message import SessionMessage  # noqa: PLC0415

    async def run() -> None:
        server = build_server(desk)

        async def refused(line: str) -> bool:
            said = refusal(line)
            if said is not None:
                log.warning("refused: %s", said.error.message)
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


def instructions(appended: str = "") -> str:
    """What the server tells a model about itself, and after it what the user adds."""
    own = Path(__file__).with_name("instructions.md").read_text(encoding="utf-8").strip()
    return f"{own}\n\n{appended}" if appended else own


def build(desk: Desk) -> "Server[Any]":
    """The SDK's server with our handlers."""
    from mcp.server.caching import CacheHint  # noqa: PLC0415
    from mcp.server.lowlevel import Server  # noqa: PLC0415

    extras = Extras(desk)
    return Server(
        product.NAME,
        version=version(),
        title=product.TITLE,
        description=product.DESCRIPTION,
        instructions=instructions(desk.opener.instructions_append()),
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_resources=extras.list_resources,
        on_list_resource_templates=extras.list_templates,
        on_read_resource=extras.read_resource,
        on_list_prompts=extras.list_prompts,
        on_get_prompt=extras.get_prompt,
        on_completion=extras.complete,
        cache_hints=dict.fromkeys(_UNCHANGING_LISTS, CacheHint(ttl_ms=_LIST_TTL_MS, scope="public")),
    )
