"""Answers lines that are no JSON-RPC message, or whose parameters are misshapen, with what is wrong.

The SDK leaves out the former in silence, and their sender waiting; of the latter it says only that they are invalid.
"""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the SDK is imported once stdout is safe
    import mcp_types as types

_NO_JSON = "The line is not JSON; send one message per line."
_NO_MESSAGE = (
    "The line is no JSON-RPC 2.0 message with an id that is a string or a whole number; batches are not taken."
)
_PARAMS = "`params` must be an object; leave it out when there are none."

_KINDS: dict[type, str] = {str: "a string", dict: "an object"}
_PAGE: dict[str, type] = {"cursor": str}
_FIELDS: dict[str, dict[str, type]] = {
    "initialize": {"protocolVersion": str, "capabilities": dict, "clientInfo": dict},
    "tools/list": _PAGE,
    "tools/call": {"name": str, "arguments": dict},
    "resources/list": _PAGE,
    "resources/templates/list": _PAGE,
    "resources/read": {"uri": str},
    "prompts/list": _PAGE,
    "prompts/get": {"name": str, "arguments": dict},
    "completion/complete": {"ref": dict, "argument": dict, "context": dict},
}
"""The parameters of each method, and their JSON types."""

_OPTIONAL = {"arguments", "cursor", "context", "_meta"}


def refusal(line: str) -> "types.JSONRPCError | None":
    """The answer to a line that cannot be served, under its id if it has one; None if the SDK may have it."""
    import mcp_types as types  # noqa: PLC0415

    message = _message(line)
    if isinstance(message, types.JSONRPCRequest):
        wrong = _misshapen(message)
        return _error(message.id, types.INVALID_PARAMS, wrong) if wrong else None
    if message is not None:
        return None
    try:
        sent: object = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, types.PARSE_ERROR, _NO_JSON)
    if not isinstance(sent, dict):
        return _error(None, types.INVALID_REQUEST, _NO_MESSAGE)
    number = sent.get("id")
    known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    if known is not None and _message(json.dumps({**sent, "params": {}})) is not None:
        return _error(known, types.INVALID_PARAMS, _PARAMS)
    return _error(known, types.INVALID_REQUEST, _NO_MESSAGE)


def _error(number: int | str | None, code: int, message: str) -> "types.JSONRPCError":
    import mcp_types as types  # noqa: PLC0415

    return types.JSONRPCError(jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=message))


def _message(line: str) -> "types.JSONRPCMessage | None":
    """The message in a line, or None."""
    import mcp_types as types  # noqa: PLC0415
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return None
    # A request whose id is of no allowed type passes for a notification.
    if isinstance(message, types.JSONRPCNotification) and '"id"' in line and "id" in json.loads(line):
        return None
    return message


def _misshapen(request: "types.JSONRPCRequest") -> str | None:
    """What is wrong with the parameters of a request, by name; None when their types are right."""
    params = request.params or {}
    for name, kind in {"_meta": dict, **_FIELDS.get(request.method, {})}.items():
        value = params.get(name)
        if value is None and name not in _OPTIONAL:
            return f"{request.method} needs `{name}`, {_KINDS[kind]}."
        if value is not None and not isinstance(value, kind):
            return f"`{name}` of {request.method} must be {_KINDS[kind]}."
    return _misshapen_value(request.method, params)


def _misshapen_value(method: str, params: dict[str, object]) -> str | None:
    """The same for what lies in the parameters."""
    given = params.get("arguments")
    if method == "prompts/get" and isinstance(given, dict) and not all(isinstance(one, str) for one in given.values()):
        return "Each of the `arguments` of prompts/get must be a string."
    argument = params.get("argument")
    if method == "completion/complete" and isinstance(argument, dict):
        if not all(isinstance(argument.get(name), str) for name in ("name", "value")):
            return "`argument` of completion/complete needs `name` and `value`, two strings."
        return _misshapen_reference(params["ref"])
    return None


def _misshapen_reference(reference: object) -> str | None:
    named = {"ref/prompt": "name", "ref/resource": "uri"}
    kind = reference.get("type") if isinstance(reference, dict) else None
    if isinstance(reference, dict) and kind in named and isinstance(reference.get(named[kind]), str):
        return None
    return "`ref` of completion/complete is {type: ref/prompt, name} or {type: ref/resource, uri}."
