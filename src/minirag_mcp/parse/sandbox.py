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
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from types import TracebackType
from typing import BinaryIO, Self, cast
from weakref import finalize

from minirag_mcp.errors import CancelledError, ParseError, ParseLimitError
from minirag_mcp.model import Document
from minirag_mcp.parse import registry
from minirag_mcp.parse.frames import Answer, BrokenAnswerError, Request, receive_answer, send_request
from minirag_mcp.parse.limits import NEEDS_LESS, Limits, MemoryLimitError

_RECYCLE_BYTES = 128 * 1024**2
_RECYCLE_FILES = 2000
"""A worker that holds more after a file, or has served so many, is replaced: what parsers leave behind adds up."""

_GAVE_UP = ("SIGABRT", "SIGILL", "SIGTRAP")
"""How native code ends itself, above all when it is given no more memory."""

_IF_IT_CRASHES = "Save the file again from its program, or exclude it."

_SETTLE_SECONDS = 2.0
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


class Sandbox:
    """Up to `workers` parse processes, shared by any number of threads."""

    def __init__(self, *, workers: int = 1, limits: Limits = Limits()) -> None:  # noqa: B008 - Limits is frozen
        self._limits = limits
        self._places = _Places(workers)
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
        outcome = self._outcome(request)
        if isinstance(outcome, ParseError):
            raise outcome
        return outcome

    def close(self) -> None:
        """End all workers at once; a parse that is running raises CancelledError."""
        self._finalizer()

    def _outcome(self, request: Request) -> Document | ParseError:
        """A file that stops its worker is tried once more, by a fresh worker that is the only one and may take more."""
        if len(request.data) < self._limits.large:
            with self._places.one():
                worker = self._pool.take(self._limits)
                outcome = self._ask(worker, request)
            if not worker.stopped or worker.late:
                return outcome
        with self._places.all():
            self._pool.rest()
            return self._ask(self._pool.take(self._limits, alone=True), request)

    def _ask(self, worker: "_Worker", request: Request) -> Document | ParseError:
        with ExitStack() as failed:
            failed.callback(self._pool.drop, worker)
            try:
                answer = worker.ask(request)
            except (BrokenAnswerError, OSError):
                worker.settle()
                failed.close()
                if self._pool.closed:
                    raise CancelledError(f"{request.name}: parsing was stopped.") from None
                return worker.end(request.name)
            failed.pop_all()
        self._peak = max(self._peak, answer.memory.peak)
        if isinstance(answer.outcome, MemoryLimitError):
            self._pool.drop(worker)
            return worker.ran_short(request.name)
        if isinstance(answer.outcome, ParseLimitError):
            self._pool.drop(worker)
        else:
            self._pool.give_back(worker)
        return answer.outcome


class _Places:
    """Who may parse now: as many as there are places, or one alone."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._free = threading.Semaphore(count)
        self._door = threading.Lock()

    def one(self) -> AbstractContextManager[None]:
        """Wait for a place."""
        return self._taken(1)

    def all(self) -> AbstractContextManager[None]:
        """Wait until nobody parses; nobody begins meanwhile."""
        return self._taken(self._count)

    @contextmanager
    def _taken(self, count: int) -> Iterator[None]:
        with self._door:
            for _ in range(count):
                self._free.acquire()
        try:
            yield
        finally:
            self._free.release(count)


class _Pool:
    """The workers that live, and the thread that ends the late ones; safe to use from many threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._next_look = math.inf
        self._watching = False
        self.closed = False

    def take(self, limits: Limits, *, alone: bool = False) -> "_Worker":
        """An idle worker that still lives, or a new one, as always for a file alone; its deadline runs from now."""
        with self._changed:
            if self.closed:
                raise CancelledError("The parser was closed.")
            worker = None if alone else self._awake()
            if worker is None:
                worker = _Worker(limits.seconds, limits.memory_alone if alone else limits.memory, once=alone)
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

    def rest(self) -> None:
        """End the idle workers, to have the memory that they hold."""
        with self._changed:
            idle, self._idle = self._idle, []
        for worker in idle:
            self.drop(worker)

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

    def __init__(self, seconds: float, memory: int, *, once: bool) -> None:
        self._seconds = seconds
        self._memory = memory
        self._most_files = 1 if once else _RECYCLE_FILES
        # -P: the folder we happen to stand in, perhaps full of documents, must not offer modules to import.
        command = [sys.executable, "-P", "-m", "minirag_mcp.parse.worker", str(seconds), str(memory)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # An interrupt from the keyboard is ours to handle, not the workers'.
            start_new_session=os.name == "posix",
            creationflags=_NEW_GROUP,
        )
        self._served = 0
        self.stopped = False
        self.late = False
        self.worn = False
        self.deadline = math.inf

    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: Request) -> Answer:
        """Send the request and wait for the answer. Raises BrokenAnswerError or OSError when the process ends."""
        self._served += 1
        send_request(cast("BinaryIO", self._process.stdin), request)
        answer = receive_answer(cast("BinaryIO", self._process.stdout))
        self.worn = answer.memory.resident > _RECYCLE_BYTES or self._served >= self._most_files
        return answer

    def end(self, name: str) -> ParseLimitError:
        """Why the file stopped this process."""
        self.stopped = True
        if self.late:
            return ParseLimitError(f"{name}: Parsing took longer than {self._seconds:g} seconds and was stopped.")
        code = self._process.returncode
        end = signal.Signals(-code).name if code is not None and code < 0 and code != -signal.SIGKILL else ""
        if end in _GAVE_UP:
            message = f"{name}: The parser gave up ({end}), as it does when a file {self._needs}."
            return ParseLimitError(message, remedy=NEEDS_LESS)
        if end:
            return ParseLimitError(f"{name}: The parser crashed on this file ({end}).", remedy=_IF_IT_CRASHES)
        return ParseLimitError(f"{name}: The parser was ended by this file or by the system (exit code {code}).")

    def ran_short(self, name: str) -> ParseLimitError:
        """The file took all the memory of this process, which lives."""
        self.stopped = True
        return ParseLimitError(f"{name}: The file {self._needs}.", remedy=NEEDS_LESS)

    @property
    def _needs(self) -> str:
        return f"needs more than {self._memory / 1e6:.0f} MB of memory"

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
