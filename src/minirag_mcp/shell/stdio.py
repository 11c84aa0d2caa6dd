"""Keeps the protocol's stdout to itself, and ends the process soon after its stdin has ended."""

import io
import os
import re
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn, Protocol, TextIO

_LINGER_SECONDS = 1.0
"""After the last line, requests at work may still be answered for this long: piped sessions get their answers."""

_CLOSE_SECONDS = 0.7
"""How long closing the index may hold up the end of the process; every write is a transaction, so none is lost."""

_PARENT_SECONDS = 0.5
"""Between two looks at whether the parent lives; the process is to end within two seconds of it."""

_BYTE_ORDER_MARK = "\ufeff"
_HALF_CHARACTER = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
"""An escaped backslash, a whole pair, or (captured) half of one."""


class Lines(Protocol):
    """What the SDK reads from its standard input."""

    def __aiter__(self) -> AsyncIterator[str]:
        """Lines until the end."""
        ...


def private_stdout(encoding: str = "utf-8") -> io.TextIOWrapper:
    """A stream to the real stdout, while everything else that writes there goes to stderr from now on.

    File descriptor 1 itself is moved, so C libraries and child processes are covered too.
    """
    sys.stdout.flush()
    wire = os.dup(1)
    os.set_inheritable(wire, False)
    os.dup2(2, 1)
    return io.TextIOWrapper(os.fdopen(wire, "wb"), encoding=encoding, newline="\n")


def result_stdout() -> TextIO:
    """Where a command prints its result: private like the server's when it is a file or a pipe.

    A terminal, and a stdout that a caller has replaced, are used as they are.
    """
    try:
        piped = sys.stdout.fileno() == 1 and not sys.stdout.isatty()
    except (OSError, ValueError):
        return sys.stdout
    return private_stdout(sys.stdout.encoding) if piped else sys.stdout


def private_stdin() -> io.TextIOWrapper:
    """A stream from the real stdin, while child processes and libraries read an empty one from now on."""
    wire = os.dup(0)
    os.set_inheritable(wire, False)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return io.TextIOWrapper(os.fdopen(wire, "rb"), encoding="utf-8", errors="replace")


def whole_characters(line: str) -> str:
    r"""JSON `line` with U+FFFD for halves of characters (`\ud83d` alone), which the SDK would leave unanswered.

    Clients written in JavaScript send them when a text was cut in the middle of an emoji.
    """
    return _HALF_CHARACTER.sub(lambda found: r"\ufffd" if found[1] else found[0], line)


class LingeringLines:
    """Passes lines on, repaired; holds back their end until nothing is at work, at most _LINGER_SECONDS.

    Blank lines, and those that `refused` answers by itself, are left out.
    """

    def __init__(
        self, lines: Lines, *, busy: Callable[[], bool], refused: Callable[[str], Awaitable[bool]] | None = None
    ) -> None:
        self._lines = lines
        self._busy = busy
        self._refused = refused

    async def __aiter__(self) -> AsyncIterator[str]:
        import anyio  # noqa: PLC0415 - part of the SDK, which is loaded after stdout is safe

        async for line in self._lines:
            message = whole_characters(line).removeprefix(_BYTE_ORDER_MARK)
            if message.strip() and not (self._refused and await self._refused(message)):
                yield message
        await anyio.sleep(0.05)  # the last line may not have reached its handler
        with anyio.move_on_after(_LINGER_SECONDS):
            while self._busy():  # noqa: ASYNC110 - a poll at the end of life, simpler than an event per call
                await anyio.sleep(0.02)


def leave(close: Callable[[], Any], code: int) -> NoReturn:
    """End the process now: worker threads cannot be stopped, and must not hold it up."""
    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    closing.join(_CLOSE_SECONDS)
    sys.stderr.flush()
    os._exit(code)


def leave_when_orphaned(close: Callable[[], Any], code: int) -> None:
    """From now on the death of the parent ends the process as `leave` does.

    The end of stdin does not always tell it: a launcher in between, or a sibling, may hold the pipe open. Windows
    never says who became the parent, and a process without one (`1`) cannot lose it.
    """
    parent = os.getppid() if os.name == "posix" else 1
    if parent == 1:
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_SECONDS)
        leave(close, code)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def leave_when_interrupted(close: Callable[[], Any], code: int) -> None:
    """From now on SIGINT ends the process as `leave` does: a thread that waits for stdin could not be woken.

    A SIGINT that this process was started to ignore stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler and (
        threading.current_thread() is threading.main_thread()
    ):
        signal.signal(signal.SIGINT, lambda _number, _frame: leave(close, code))
