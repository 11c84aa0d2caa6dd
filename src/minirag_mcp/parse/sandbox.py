"""Parsing in processes that may die: a deadline, a memory limit, and no harm to the product.

Workers are started when the first file comes and kept warm. Each speaks `parse.frames` over its own pipes; it
inherits neither standard input nor output, so a parser can never touch the protocol of the product.
"""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO, Self, cast
from weakref import finalize

from minirag_mcp.errors import CancelledError, ParseError, ParseLimitError
from minirag_mcp.model import Document
from minirag_mcp.parse import registry
from minirag_mcp.parse.frames import Answer, BrokenAnswerError, Request, receive_answer, send_request
from minirag_mcp.parse.limits import Limits

_RECYCLE_BYTES = 256 * 1024**2
_RECYCLE_FILES = 2000
"""A worker that holds more after a file, or has served so many, is replaced: what parsers leave behind adds up."""

_SETTLE_SECONDS = 2.0
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


class Sandbox:
    """Up to `workers` parse processes, shared by any number of threads."""

    def __init__(self, *, workers: int = 1, limits: Limits = Limits()) -> None:  # noqa: B008 - Limits is frozen
        self._limits = limits
        self._slots = threading.BoundedSemaphore(workers)
        self._pool = _Pool()
        self._peak = 0
        self._finalizer = finalize(self, self._pool.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def peak_bytes(self) -> int:
        """The most memory any worker was seen to hold, in bytes; 0 where the platform does not say."""
        return self._peak

    def parse(self, data: bytes, *, name: str, title: str | None = None, stem: str | None = None) -> Document:
        """As `registry.parse`, in a worker.

        Raises the same errors, ParseLimitError when the file takes too long, too much memory or the worker's life,
        and CancelledError when the sandbox is closed.
        """
        registry.format_of(name)
        request = Request(name=name, title=title, stem=stem, data=data)
        with self._slots:
            outcome = self._outcome(request)
        if isinstance(outcome, ParseError):
            raise outcome
        return outcome

    def close(self) -> None:
        """End all workers at once; a parse that is running raises CancelledError."""
        self._finalizer()

    def _outcome(self, request: Request) -> Document | ParseError:
        """A worker that has served before may fail for what it still holds, so the verdict is a fresh worker's."""
        worker = self._pool.take(self._limits)
        used = worker.served > 0
        outcome = self._ask(worker, request)
        if used and isinstance(outcome, ParseLimitError) and not worker.late:
            outcome = self._ask(self._pool.take(self._limits, fresh=True), request)
        return outcome

    def _ask(self, worker: "_Worker", request: Request) -> Document | ParseError:
        try:
            answer = worker.ask(request)
        except (BrokenAnswerError, OSError):
            worker.settle()
            self._pool.drop(worker)
            if self._pool.closed:
                raise CancelledError(f"{request.name}: parsing was stopped.") from None
            return ParseLimitError(f"{request.name}: {worker.end()}.")
        except BaseException:
            self._pool.drop(worker)
            raise
        self._peak = max(self._peak, answer.memory.peak)
        if isinstance(answer.outcome, ParseLimitError):
            self._pool.drop(worker)
        else:
            self._pool.give_back(worker)
        return answer.outcome


class _Pool:
    """The workers that live, and the thread that ends the late ones; safe to use from many threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._next_look = math.inf
        self._watching = False
        self.closed = False

    def take(self, limits: Limits, *, fresh: bool = False) -> "_Worker":
        """An idle worker that still lives, or a new one; its deadline runs from now."""
        with self._changed:
            if self.closed:
                raise CancelledError("The parser was closed.")
            worker = None if fresh else self._awake()
            if worker is None:
                worker = _Worker(limits)
                self._all.add(worker)
            worker.deadline = time.monotonic() + limits.seconds
            self._watch(worker.deadline)
            return worker

    def give_back(self, worker: "_Worker") -> None:
        """Keep the worker for the next file, unless it is late, worn out, or no longer wanted."""
        with self._changed:
            worker.deadline = math.inf
            if not (self.closed or worker.late or worker.worn):
                self._idle.append(worker)
                return
        self.drop(worker)

    def drop(self, worker: "_Worker") -> None:
        """End the worker."""
        with self._changed:
            self._all.discard(worker)
        worker.stop()

    def close(self) -> None:
        """End all workers; none is started any more."""
        with self._changed:
            self.closed = True
            workers = list(self._all)
            self._all.clear()
            self._idle.clear()
            self._changed.notify_all()
        for worker in workers:
            worker.stop()

    def _awake(self) -> "_Worker | None":
        while self._idle:
            worker = self._idle.pop()
            if worker.alive():
                return worker
            self.drop(worker)
        return None

    def _watch(self, deadline: float) -> None:
        """See to it that somebody looks at the clock by then: one thread, not one timer a file (0.6 ms each)."""
        if not self._watching:
            self._watching = True
            threading.Thread(target=self._end_late_workers, name="parse-deadlines", daemon=True).start()
        elif deadline < self._next_look:
            self._changed.notify_all()

    def _end_late_workers(self) -> None:
        with self._changed:
            while not self.closed:
                now = time.monotonic()
                for worker in list(self._all):
                    if worker.deadline <= now:
                        worker.expire()
                self._next_look = min((worker.deadline for worker in self._all), default=math.inf)
                self._changed.wait(None if self._next_look == math.inf else self._next_look - now)


class _Worker:
    """One worker process and its pipes; asked by one thread at a time."""

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.seconds
        # -P: the folder we happen to stand in, perhaps full of documents, must not offer modules to import.
        command = [sys.executable, "-P", "-m", "minirag_mcp.parse.worker", str(limits.seconds), str(limits.memory)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # An interrupt from the keyboard is ours to handle, not the workers'.
            start_new_session=os.name == "posix",
            creationflags=_NEW_GROUP,
        )
        self.served = 0
        self.late = False
        self.worn = False
        self.deadline = math.inf

    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: Request) -> Answer:
        """Send the request and wait for the answer. Raises BrokenAnswerError or OSError when the process ends."""
        self.served += 1
        send_request(cast("BinaryIO", self._process.stdin), request)
        answer = receive_answer(cast("BinaryIO", self._process.stdout))
        self.worn = answer.memory.resident > _RECYCLE_BYTES or self.served >= _RECYCLE_FILES
        return answer

    def end(self) -> str:
        """Why the process ended, as the predicate of a sentence about the file."""
        if self.late:
            return f"parsing took longer than {self._seconds:g} seconds and was stopped"
        code = self._process.returncode
        if code is not None and code < 0 and code != -signal.SIGKILL:
            return f"the parser crashed on this file ({signal.Signals(-code).name})"
        return f"the parser was ended by this file or by the system (exit code {code})"

    def settle(self) -> None:
        """Let a process whose pipe ended say why: a crash dump may take a moment."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SETTLE_SECONDS)

    def stop(self) -> None:
        """Kill the process and wait for it; nothing of it remains."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("BinaryIO", pipe).close()

    def expire(self) -> None:
        """Kill the process for being late; the thread that waits for its answer sees the pipe end."""
        self.late = True
        self.deadline = math.inf
        self._process.kill()
