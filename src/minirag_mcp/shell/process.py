"""One process of the product: its standard streams, its signals, and its end. Imports nothing heavy."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

_INTERRUPTED, _TERMINATED = 130, 143
"""As shells count an end by SIGINT and by SIGTERM."""


def main(
    *,
    serve: Callable[[], int] | None,
    run: Callable[[Sequence[str]], int],
    interrupted: Callable[[KeyboardInterrupt, Sequence[str]], int],
) -> int:
    """Serve if there is a server to run, else run the arguments as a command; returns the exit code.

    `interrupted` tells of an interruption that came before `run` could hear of it.
    """
    if "stdout" in _opened():
        sys.stderr.write("error: stdout is closed (Send it to a file, a pipe or /dev/null.)\n")
        return 1
    if serve is not None:
        return serve()
    _heed_signals()
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt as interruption:  # before there was anyone to hear of it
        code = interrupted(interruption, sys.argv[1:])
    if code in (_INTERRUPTED, _TERMINATED):
        _leave(code)
    return code


def _heed_signals() -> None:
    """From now on SIGINT and SIGTERM interrupt what is being done, once; a second one ends the process as it stands.

    What this process was started to ignore stays ignored.
    """
    codes = {signal.SIGINT: _INTERRUPTED, signal.SIGTERM: _TERMINATED}

    def interrupt(number: int, _frame: object) -> NoReturn:
        for each in codes:
            signal.signal(each, signal.SIG_DFL)
        raise KeyboardInterrupt(codes[signal.Signals(number)])

    for each in codes:
        if signal.getsignal(each) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(each, interrupt)


def _opened() -> list[str]:
    """The standard streams that were closed, each an empty file now, lest the next file opened take its place."""
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        nowhere = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: that of the stream
        setattr(sys, name, open(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    return closed


def _leave(code: int) -> NoReturn:
    """End now: a thread in the middle of a document cannot be stopped, and its work is not wanted any more."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
