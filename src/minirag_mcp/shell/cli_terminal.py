"""What a command writes: its result to stdout, warnings, errors and progress to stderr."""

import io
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from minirag_mcp.errors import MiniragError
from minirag_mcp.model import Progress, Stage
from minirag_mcp.shell import console
from minirag_mcp.shell.layout import Page, clipped
from minirag_mcp.shell.printable import escaped, escaped_json, one_line
from minirag_mcp.shell.wire import Json

_BAR_CELLS = 24
_SECONDS_BETWEEN_FRAMES = 0.1
_COLUMNS = 80
_MOST_SECONDS = 99 * 3600
_CLEAR_LINE = "\r\x1b[2K"


class Terminal:
    """The two streams of one command; neither can fail on a character its encoding does not know."""

    def __init__(self, out: TextIO, err: TextIO, *, environment: Mapping[str, str] = os.environ) -> None:
        for stream in (out, err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self.writable = True
        self._out = out
        self._err = err
        self._live = console.moves_cursor(err, environment)
        self._colored = console.shows_colors(out, environment)
        self._drawn_at = 0.0
        self._stage: Stage | None = None
        self._stage_began = 0.0
        self._done_before = 0

    @property
    def page(self) -> Page:
        """How text is set where the result goes: as it stands, unless to a terminal."""
        return Page(columns=console.columns(self._out), bold=self.bold, dim=self.dim, mark=self.mark)

    def result(self, text: str) -> None:
        """Print the result of the command. Raises BrokenPipeError when nobody reads it.

        Raises MiniragError when it cannot be written for another reason; the stream is not `writable` then.
        """
        self._write(text if text.endswith("\n") else f"{text}\n")

    def abandon(self) -> None:
        """Let what is still buffered of the result go nowhere."""
        _abandon(self._out)

    def document(self, text: str) -> None:
        """Print a document or a part of one: exactly, or so that it cannot steer a terminal and ends its line."""
        if self._out.isatty():
            self.result(escaped(text))
        else:
            self._write(text)

    def result_json(self, value: Json) -> None:
        """Print the result as JSON; on a stream that is not Unicode, in ASCII."""
        import json  # noqa: PLC0415 - most commands print text

        ascii_only = not (self._out.encoding or "").lower().startswith("utf")
        self.result(escaped_json(json.dumps(value, ensure_ascii=ascii_only, indent=2, allow_nan=False)))

    def warn(self, text: str) -> None:
        """One `warn:` line."""
        self._line(f"warn: {_one_line(text)}")

    def note(self, text: str) -> None:
        """One line about what is going on."""
        self._line(_one_line(text))

    def error(self, message: str, remedy: str) -> None:
        """One `error:` line, with what to do."""
        self._line(f"error: {_one_line(message)} ({_one_line(remedy)})")

    def progress(self, at: Progress) -> None:
        """Draw how far a long work is, on a terminal only."""
        if not self._live:
            return
        now = time.monotonic()
        if at.stage is not self._stage:
            self._stage, self._stage_began, self._done_before = at.stage, now, at.done
        if now - self._drawn_at < _SECONDS_BETWEEN_FRAMES and at.done < at.total:
            return
        self._drawn_at = now
        rate = (at.done - self._done_before) / max(now - self._stage_began, _SECONDS_BETWEEN_FRAMES)
        try:
            self._err.write(_CLEAR_LINE + bar(at, columns=console.columns(self._err) or _COLUMNS, rate=rate))
            self._err.flush()
        except OSError:  # the terminal is gone; the work is not
            self._live = False

    def ask(self, question: str) -> bool:
        """Whether whoever sits at the terminal says yes; anything else is no, and so is an end of input."""
        self._clear()
        self._err.write(f"{_one_line(question)} [y/N] ")
        self._err.flush()
        return sys.stdin.buffer.readline().strip().lower() in (b"y", b"yes")

    def bold(self, text: str) -> str:
        """Emphasised, where the terminal can."""
        return f"\x1b[1m{text}\x1b[0m" if self._colored else text

    def dim(self, text: str) -> str:
        """Put back, where the terminal can."""
        return f"\x1b[2m{text}\x1b[0m" if self._colored else text

    def mark(self, text: str) -> str:
        """Set apart as what was asked for, where the terminal can."""
        return f"\x1b[1;31m{text}\x1b[0m" if self._colored else text

    def _write(self, text: str) -> None:
        self._clear()
        self.writable = False  # one result is all that a reader can make sense of
        try:
            self._out.write(text)
            self._out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.abandon()
            remedy = "Send it elsewhere, or free some space there."
            raise MiniragError(f"The result cannot be written: {error.strerror}.", remedy=remedy) from None

    def _line(self, text: str) -> None:
        try:
            self._clear()
            self._err.write(f"{text}\n")
            self._err.flush()
        except OSError:  # there is no other place to say it
            _abandon(self._err)

    def _clear(self) -> None:
        if self._live and self._drawn_at:
            self._drawn_at = 0.0
            with suppress(OSError):
                self._err.write(_CLEAR_LINE)
                self._err.flush()


def bar(at: Progress, *, columns: int, rate: float = 0.0) -> str:
    """One line that shows `at`, its items a second and the time left, never wider than the terminal."""
    share = at.done / at.total if at.total else 0.0
    filled = round(share * _BAR_CELLS)
    pace = ""
    if rate > 0 and at.done < at.total:
        pace = f" {rate:.3g}/s {_clock((at.total - at.done) / rate)} left"
    name = os.path.basename(at.current.rstrip("/")) or at.current or at.stage.value  # noqa: PTH119 - it may be a URL
    line = f"[{'#' * filled}{'-' * (_BAR_CELLS - filled)}] {at.done}/{at.total}{pace} {_one_line(name)}"
    return clipped(line, max(columns - 1, 1))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(min(round(seconds), _MOST_SECONDS), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _one_line(text: str) -> str:
    return one_line(" ".join(text.split()))


def _abandon(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: Python would complain about it, and fail, when the process ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
