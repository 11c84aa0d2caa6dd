"""The worker process: parses one file after another until its pipe ends.

Started by `parse.sandbox` as `python -m minirag_mcp.parse.worker <seconds> <memory>`; speaks `parse.frames` on what
were its standard input and output. Libraries that print reach nothing but standard error.
"""

import faulthandler
import os
import select
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from minirag_mcp.errors import CorruptFileError, ParseError
from minirag_mcp.model import Document
from minirag_mcp.parse import registry
from minirag_mcp.parse.frames import BrokenAnswerError, Memory, Request, receive_request, send_answer
from minirag_mcp.parse.limits import out_of_memory

_STATUS = Path("/proc/self/status")
_SIZES = Path("/proc/self/statm")
_USUAL_ADDRESS_SPACE = 256 * 1024**2
_GRACE = 5.0
"""Seconds after which a worker past its deadline ends itself, should nobody be left to do it."""


def main(arguments: list[str]) -> None:
    """Serve the pipes given as standard input and output; `arguments` are the deadline and the memory limit."""
    seconds, memory = float(arguments[0]), int(arguments[1])
    requests, answers = _take_pipes()
    _end_with(requests)
    _limit_memory(memory)
    serve(requests, answers, seconds=seconds)


def serve(requests: BinaryIO, answers: BinaryIO, *, seconds: float) -> None:
    """Answer each request; returns when either pipe ends."""
    with Path(os.devnull).open("w") as nowhere, suppress(OSError, BrokenAnswerError):
        while request := receive_request(requests):
            faulthandler.dump_traceback_later(seconds + _GRACE, exit=True, file=nowhere)
            outcome, request_name = answer(request), request.name
            del request
            faulthandler.cancel_dump_traceback_later()
            _send(answers, outcome, request_name)


def _send(answers: BinaryIO, outcome: Document | ParseError, name: str) -> None:
    try:
        send_answer(answers, outcome, memory_held())
    except MemoryError:
        # Nothing was written: an answer is made whole before it is sent.
        send_answer(answers, out_of_memory(name), memory_held())


def answer(request: Request) -> Document | ParseError:
    """Parse one file. Whatever goes wrong is an answer: a parser that stumbles has met a file it cannot read."""
    try:
        return registry.parse(request.data, name=request.name, title=request.title, stem=request.stem)
    except ParseError as error:
        return error
    except Exception as error:  # noqa: BLE001 - the top of this process: one damaged file must not end it
        # Its words are about code, and mean nothing to who reads them here.
        return CorruptFileError(f"{request.name}: The file could not be read ({type(error).__name__}).")


def memory_held() -> Memory:
    """Resident memory of this process, zeros where the platform does not tell it cheaply."""
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return Memory()
    kilobytes = {name: value.split()[0] for name, _, value in (line.partition(":") for line in lines) if value.strip()}
    return Memory(peak=int(kilobytes["VmHWM"]) * 1024, resident=int(kilobytes["VmRSS"]) * 1024)


def _end_with(requests: BinaryIO) -> None:
    """End this process at once when the pipe's other side is gone, even in the middle of a file."""
    if not hasattr(select, "poll"):
        return
    hang_up = select.poll()
    hang_up.register(requests, 0)

    def wait() -> None:
        hang_up.poll()
        os._exit(0)

    Thread(target=wait, name="hang-up", daemon=True).start()


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def _limit_memory(memory: int) -> None:
    try:
        import resource  # noqa: PLC0415 - POSIX only
    except ImportError:
        return
    memory += _resting_address_space()
    # macOS knows the limit but refuses most values; there the deadline and the archive caps remain.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _resting_address_space() -> int:
    """Bytes of address space that this process has before any file, little of which is memory."""
    try:
        pages = int(_SIZES.read_text().split()[0])
    except OSError:
        return _USUAL_ADDRESS_SPACE
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main(sys.argv[1:])
