"""How a long call is followed by the client that waits for it, and how it learns that nobody does any more."""

import threading
from collections.abc import Callable, Coroutine

from minirag_mcp.model import Progress, Stage
from minirag_mcp.shell.calls import Caller
from minirag_mcp.shell.printable import one_line

Report = Callable[[float, float | None, str | None], Coroutine[object, object, None]]
"""How far, of how much, in words; the SDK's `report_progress`."""

_READING_SHARE = 0.1
"""Of the work on a document; the rest is embedding, by far the longer part of a long one."""


class Following:
    """One call that a client waits for; made in the event loop, used from the thread that works."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._unwanted = threading.Event()
        self._told = -1.0

    @property
    def caller(self) -> Caller:
        """What the call is given."""
        return Caller(progress=self._tell, cancelled=self._unwanted.is_set)

    async def complete(self) -> None:
        """Tell whoever heard of the work that it is done."""
        if 0 <= self._told < 1:
            self._told = 1.0
            await self._report(1.0, 1.0, "done")

    def end(self) -> None:
        """Nobody waits any more: a call that is still at work stops and leaves the index as it was."""
        self._unwanted.set()

    def _tell(self, at: Progress) -> None:
        """Send what is new; the protocol asks that it always grows."""
        import anyio.from_thread  # noqa: PLC0415 - part of the SDK, which is loaded after stdout is safe

        done = share(at)
        if done > self._told and not self._unwanted.is_set():
            self._told = done
            anyio.from_thread.run(self._report, done, 1.0, words(at))


def share(at: Progress) -> float:
    """How much of the work on one source is done, 0 to 1."""
    part = at.done / at.total if at.total else 0.0
    if at.stage is Stage.FILES:
        return _READING_SHARE * part
    return _READING_SHARE + (1 - _READING_SHARE) * part


def words(at: Progress) -> str:
    """What is being done, on one line."""
    if at.stage is Stage.FILES:
        return one_line(f"reading {at.current}")
    return one_line(f"{at.done} of {at.total} passages embedded: {at.current}")
