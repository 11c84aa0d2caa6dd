"""How the product and its parse workers talk: length-prefixed frames; JSON heads beside raw bodies.

request  head {"name", "title", "stem"}, body = the bytes of the file
answer   head {"document": …} or {"error": [kind, message, remedy]}, and {"peak", "resident"}; body = the text in UTF-8

Nothing in an answer is executed or trusted: a malformed one raises BrokenAnswerError.
"""

import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

from minirag_mcp.errors import (
    CorruptFileError,
    EmptyFileError,
    EncryptedFileError,
    NoTextError,
    ParseError,
    ParseLimitError,
    UnsupportedFormatError,
    WrongFormatError,
)
from minirag_mcp.model import Document, Mark, MarkKind
from minirag_mcp.parse.limits import MemoryLimitError

_LENGTHS = struct.Struct(">QQ")
_MOST_BYTES = 2**31
"""Of one head or body; far over what a worker's address space lets it make."""

_ERRORS: dict[str, type[ParseError]] = {
    kind.__name__: kind
    for kind in (
        ParseError,
        CorruptFileError,
        EmptyFileError,
        EncryptedFileError,
        NoTextError,
        ParseLimitError,
        MemoryLimitError,
        UnsupportedFormatError,
        WrongFormatError,
    )
}


class BrokenAnswerError(Exception):
    """What came over the pipe is not a frame, or not an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One file to parse."""

    name: str
    title: str | None
    stem: str | None
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Resident bytes of a worker: the most it ever had, and now; 0 where the platform does not say."""

    peak: int = 0
    resident: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a worker made of a request, and what it holds in memory after it."""

    outcome: Document | ParseError
    memory: Memory


def send_request(pipe: BinaryIO, request: Request) -> None:
    """Write one request. Raises OSError when the worker is gone."""
    _send(pipe, {"name": request.name, "title": request.title, "stem": request.stem}, request.data)


def receive_request(pipe: BinaryIO) -> Request | None:
    """Read one request; None at the end of the pipe."""
    frame = _receive(pipe)
    if frame is None:
        return None
    head, body = frame
    return Request(name=head["name"], title=head["title"], stem=head["stem"], data=body)


def send_answer(pipe: BinaryIO, outcome: Document | ParseError, memory: Memory) -> None:
    """Write one answer. Raises OSError when the other side is gone."""
    head: dict[str, object] = {"peak": memory.peak, "resident": memory.resident}
    body = b""
    if isinstance(outcome, Document):
        head["document"] = {
            "title": outcome.title,
            "own_title": outcome.own_title,
            "format": outcome.format,
            "marks": [(mark.kind.value, mark.start, mark.number, mark.name) for mark in outcome.marks],
            "metadata": outcome.metadata,
        }
        body = outcome.text.encode()
    else:
        head["error"] = (type(outcome).__name__, outcome.message, outcome.remedy)
    _send(pipe, head, body)


def receive_answer(pipe: BinaryIO) -> Answer:
    """Read one answer. Raises BrokenAnswerError when the pipe ends or holds something else."""
    frame = _receive(pipe)
    if frame is None:
        raise BrokenAnswerError
    head, body = frame
    try:
        memory = Memory(peak=int(head["peak"]), resident=int(head["resident"]))
        if "error" in head:
            kind, message, remedy = (str(part) for part in head["error"])
            return Answer(outcome=_ERRORS[kind](message, remedy=remedy), memory=memory)
        return Answer(outcome=_document(head["document"], body.decode()), memory=memory)
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenAnswerError from error


def _document(head: dict[str, Any], text: str) -> Document:
    marks = tuple(
        Mark(kind=MarkKind(kind), start=int(start), number=int(number), name=str(name))
        for kind, start, number, name in head["marks"]
    )
    return Document(
        text=text,
        title=str(head["title"]),
        own_title=bool(head["own_title"]),
        format=str(head["format"]),
        marks=marks,
        metadata=tuple((str(name), str(value)) for name, value in head["metadata"]),
    )


def _send(pipe: BinaryIO, head: dict[str, object], body: bytes) -> None:
    encoded = json.dumps(head).encode()
    pipe.write(_LENGTHS.pack(len(encoded), len(body)))
    pipe.write(encoded)
    pipe.write(body)
    pipe.flush()


def _receive(pipe: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    lengths = pipe.read(_LENGTHS.size)
    if not lengths:
        return None
    if len(lengths) < _LENGTHS.size:
        raise BrokenAnswerError
    head_length, body_length = _LENGTHS.unpack(lengths)
    if max(head_length, body_length) > _MOST_BYTES:
        raise BrokenAnswerError
    head, body = pipe.read(head_length), pipe.read(body_length)
    if len(head) < head_length or len(body) < body_length:
        raise BrokenAnswerError
    try:
        decoded = json.loads(head)
    except (ValueError, RecursionError) as error:
        raise BrokenAnswerError from error
    if not isinstance(decoded, dict):
        raise BrokenAnswerError
    return decoded, body
