"""How a command ends: with its exit code, or with a failure that is told, whatever went wrong."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from minirag_mcp.shell.exit_codes import DONE, FAILED, INTERRUPTED

if TYPE_CHECKING:  # right usage does without
    from minirag_mcp.errors import MiniragError
    from minirag_mcp.shell.cli_terminal import Terminal

    Tell = Callable[[MiniragError, Terminal], int]

_Understood = TypeVar("_Understood")


def understood(parse: Callable[[], _Understood]) -> _Understood:
    """What `parse` makes of the arguments; what needs no more than them ends the process here.

    Help that cannot be written is a failure, unless nobody reads it any more.
    """
    try:
        try:
            return parse()
        finally:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(DONE)
        sys.stderr.write(f"error: stdout cannot be written: {error.strerror}\n")
        sys.exit(FAILED)


def run(parse: Callable[[], _Understood], work: "Callable[[_Understood, Terminal], int]", tell: "Tell") -> int:
    """The exit code of `work` on what `parse` makes of the arguments, or of `tell` when it fails or is interrupted.

    Help, version and wrong usage end the process by themselves; whoever reads no more has what was wanted.
    """
    shown: Terminal | None = None
    try:
        given = understood(parse)
        shown = terminal = open_terminal()
        return told(lambda: work(given, terminal), lambda error: tell(error, terminal))
    except KeyboardInterrupt as interruption:
        return interrupted(interruption, tell, terminal=shown)
    except BrokenPipeError:
        if shown is not None:
            shown.abandon()
        return DONE


def interrupted(interruption: KeyboardInterrupt, tell: "Tell", *, terminal: "Terminal | None" = None) -> int:
    """Say that the work was interrupted, and return the exit code that the interruption carries."""
    from minirag_mcp.errors import CancelledError  # noqa: PLC0415

    remedy = "What was done is kept; run the same command again to go on."
    tell(CancelledError("Interrupted.", remedy=remedy), terminal or open_terminal())
    return interruption.args[0] if interruption.args else INTERRUPTED


def open_terminal() -> "Terminal":
    """The streams of this process."""
    from minirag_mcp.shell.cli_terminal import Terminal  # noqa: PLC0415 - help and usage errors are done by now
    from minirag_mcp.shell.stdio import result_stdout  # noqa: PLC0415

    return Terminal(result_stdout(), sys.stderr)


def told(work: Callable[[], int], tell: "Callable[[MiniragError], int]") -> int:
    """The exit code of `work`, or of `tell` when it fails; what was not foreseen is told as a defect.

    Raises KeyboardInterrupt and BrokenPipeError, also where native code turned the interruption into an error.
    """
    from minirag_mcp.errors import MiniragError  # noqa: PLC0415

    try:
        return work()
    except MiniragError as error:
        return tell(error)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        _raise_interruption_behind(error)
        if os.environ.get("MINIRAG_DEBUG"):
            raise
        remedy = "This is a defect; run again with MINIRAG_DEBUG=1 and report what it prints."
        return tell(MiniragError(f"Unexpected {type(error).__name__}: {error}", remedy=remedy))


def _raise_interruption_behind(error: BaseException | None) -> None:
    """An interruption while native code starts comes out as an error of that code."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            raise error
        error = error.__cause__ or error.__context__
