"""Answers lines that are no JSON-RPC message: the SDK leaves them out in silence, and their sender waiting."""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the SDK is imported once stdout is safe
    import mcp_types as types

_NO_JSON = "The line is not JSON; send one message per line."
_NO_MESSAGE = (
    "The line is no JSON-RPC 2.0 message with an id that is a string or a whole number; batches are not taken."
)


def refusal(line: str) -> "types.JSONRPCError | None":
    """The answer to a line that is no message, under its id if it has one; None if it is a message."""
    import mcp_types as types  # noqa: PLC0415

    try:
        if _is_message(line):
            return None
        sent: object = json.loads(line)
    except (ValueError, RecursionError):
        error = types.ErrorData(code=types.PARSE_ERROR, message=_NO_JSON)
        return types.JSONRPCError(jsonrpc="2.0", id=None, error=error)
    number = sent.get("id") if isinstance(sent, dict) else None
    known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    error = types.ErrorData(code=types.INVALID_REQUEST, message=_NO_MESSAGE)
    return types.JSONRPCError(jsonrpc="2.0", id=known, error=error)


def _is_message(line: str) -> bool:
    import mcp_types as types  # noqa: PLC0415
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return False
    # A request whose id is of no allowed type passes for a notification.
    return not (isinstance(message, types.JSONRPCNotification) and '"id"' in line and "id" in json.loads(line))
