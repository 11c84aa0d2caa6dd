"""Resources, prompts and completions in the protocol's words; a tool reaches the same."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from minirag_mcp.errors import MiniragError, OutsideRootsError, RequestError
from minirag_mcp.shell import completions, prompts, resources, wire
from minirag_mcp.shell.brief import shortened
from minirag_mcp.shell.desk import Desk, explained, require_first_page
from minirag_mcp.shell.remedies import answer_for_models
from minirag_mcp.shell.spelling import spelled

if TYPE_CHECKING:  # the SDK is imported once stdout is safe
    import mcp_types as types
    from mcp.server.context import ServerRequestContext

    from minirag_mcp.engine import Library

_Done = TypeVar("_Done")

_RESOURCE_NOT_FOUND = -32002
"""Of revisions before 2026-07-28, which says -32602."""


class Extras:
    """Takes the requests of one connection that are no tool calls; `desk` lends it the Library and its threads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list_resources(
        self, context: "ServerRequestContext[Any]", params: "types.PaginatedRequestParams | None"
    ) -> "types.ListResourcesResult":
        """The indexed documents, a page at a time."""
        import mcp_types as types  # noqa: PLC0415

        cursor = params.cursor if params else None
        found, following = await self._asked(context, lambda library: resources.listed(library, cursor))
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri,
                    name=spelled(one.name),
                    title=spelled(one.title),
                    description=one.description,
                    mime_type=resources.MARKDOWN,
                )
                for one in found
            ],
            next_cursor=following,
        )

    async def list_templates(
        self, _context: "ServerRequestContext[Any]", params: "types.PaginatedRequestParams | None"
    ) -> "types.ListResourceTemplatesResult":
        """How documents and sections are addressed."""
        import mcp_types as types  # noqa: PLC0415

        require_first_page(params)
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=template.uri,
                    name=template.name,
                    title=template.title,
                    description=template.description,
                    mime_type=resources.MARKDOWN,
                )
                for template in resources.TEMPLATES
            ]
        )

    async def read_resource(
        self, context: "ServerRequestContext[Any]", params: "types.ReadResourceRequestParams"
    ) -> "types.ReadResourceResult":
        """A document or a section as text."""
        import mcp_types as types  # noqa: PLC0415

        uri = str(params.uri)
        contents = await self._asked(context, lambda library: resources.read(library, uri), sought=uri)
        return types.ReadResourceResult(
            contents=[
                types.TextResourceContents(
                    uri=content.uri,
                    mime_type=content.mime_type,
                    text=spelled(content.text),
                    _meta=_about(content.about) or None,
                )
                for content in contents
            ]
        )

    async def list_prompts(
        self, _context: "ServerRequestContext[Any]", params: "types.PaginatedRequestParams | None"
    ) -> "types.ListPromptsResult":
        """The prompts and what they ask for."""
        import mcp_types as types  # noqa: PLC0415

        require_first_page(params)
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    title=prompt.title,
                    description=prompt.description,
                    arguments=[
                        types.PromptArgument(
                            name=argument.name,
                            title=argument.title,
                            description=argument.description,
                            required=argument.required,
                        )
                        for argument in prompt.arguments
                    ],
                )
                for prompt in prompts.PROMPTS
            ]
        )

    async def get_prompt(
        self, context: "ServerRequestContext[Any]", params: "types.GetPromptRequestParams"
    ) -> "types.GetPromptResult":
        """The message of one prompt."""
        import mcp_types as types  # noqa: PLC0415

        try:
            prompt, text = prompts.message(params.name, params.arguments or {})
        except RequestError as error:
            raise _refused(error, context) from None
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(
            description=prompt.description, messages=[types.PromptMessage(role="user", content=content)]
        )

    async def complete(
        self, context: "ServerRequestContext[Any]", params: "types.CompleteRequestParams"
    ) -> "types.CompleteResult":
        """Documents for `source`, documents and folders for `scope`; nothing for what only the person knows."""
        import mcp_types as types  # noqa: PLC0415

        name, typed = params.argument.name, params.argument.value
        _require_known(params.ref, name)
        offered = {"source": completions.sources, "scope": completions.scopes}.get(name)
        found = [] if offered is None else await self._asked(context, lambda library: offered(_names(library), typed))
        return types.CompleteResult(
            completion=types.Completion(
                values=found[: completions.MOST], total=len(found), has_more=len(found) > completions.MOST
            )
        )

    async def _asked(
        self, context: "ServerRequestContext[Any]", ask: Callable[["Library"], _Done], *, sought: str | None = None
    ) -> _Done:
        """What `ask` gives; `sought` is the resource that is not there when it fails. Raises MCPError."""
        try:
            return await self._desk.in_thread(lambda: ask(self._desk.opener.library()))
        except MiniragError as error:
            raise _refused(error, context, sought=sought) from None


def _refused(error: MiniragError, context: "ServerRequestContext[Any]", *, sought: str | None = None) -> Exception:
    """The protocol's error for one of ours; it names the resource that was `sought`."""
    import mcp_types as types  # noqa: PLC0415
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS  # noqa: PLC0415

    code = types.INTERNAL_ERROR
    if isinstance(error, (RequestError, OutsideRootsError)):
        old = sought is not None and context.protocol_version not in MODERN_PROTOCOL_VERSIONS
        code = _RESOURCE_NOT_FOUND if old else types.INVALID_PARAMS
    return MCPError(code, spelled(explained(error)), None if sought is None else {"uri": shortened(sought)})


def _require_known(ref: "types.ResourceTemplateReference | types.PromptReference", argument: str) -> None:
    """Raises MCPError when nothing of ours takes such an argument."""
    import mcp_types as types  # noqa: PLC0415
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415

    if isinstance(ref, types.PromptReference):
        taken = prompts.taken_by(ref.name)
    else:
        taken = next((template.takes for template in resources.TEMPLATES if template.uri == ref.uri), frozenset())
    if argument not in taken:
        what = ref.name if isinstance(ref, types.PromptReference) else ref.uri
        raise MCPError(
            types.INVALID_PARAMS,
            f"{shortened(what)!r} has no argument {shortened(argument)!r} that could be completed.",
        )


def _names(library: "Library") -> list[str]:
    return [spelled(library.display_path(record.key)) for record in library.indexed()]


def _about(fields: wire.Json) -> wire.Json:
    return wire.sendable(wire.with_names_spelled(answer_for_models(fields)))
