"""Syncs that run in the background, one at a time, and what became of the last ones."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from minirag_mcp.errors import CancelledError, JobNotFoundError, MiniragError, SyncBusyError
from minirag_mcp.model import Job, JobId, Progress, SyncCounts, SyncReport, SyncState

KEPT_JOBS = 50
"""Finished jobs that can still be asked about; each holds at most the failures of one sync."""

_Work = Callable[[Callable[[Progress], None], Callable[[], bool]], SyncReport]
"""A sync as a function of `progress` and `cancelled`; it calls `progress` once as soon as it holds its lock."""


class Jobs:
    """Starts, shows and stops background syncs. Safe to use from several threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._jobs: OrderedDict[JobId, _Running] = OrderedDict()

    def start(self, work: _Work) -> Job:
        """Run `work` in a thread; returns when it has begun, or ended.

        Raises SyncBusyError if a job is running here, or if `work` is refused its lock.
        """
        with self._changed:
            busy = next((running.job for running in self._jobs.values() if not running.ended), None)
            if busy is not None:
                raise SyncBusyError(
                    f"The sync job {busy.job_id}, started at {busy.started_at}, is still running.",
                    remedy=f"Poll `sync_status` for {busy.job_id} until it has ended; searching works meanwhile.",
                )
            running = _Running(_new_job())
            self._jobs[running.job.job_id] = running
        running.thread = threading.Thread(target=self._run, args=(running, work), name="sync", daemon=True)
        running.thread.start()
        with self._changed:
            self._changed.wait_for(lambda: running.begun or running.ended)
            if running.refusal is not None:
                del self._jobs[running.job.job_id]
                raise running.refusal
            self._drop_old()
            return running.job

    def status(self, job_id: JobId) -> Job:
        """The job as it stands. Raises JobNotFoundError."""
        return self._running(job_id).job

    def wait(self, job_id: JobId, *, seconds: float | None = None) -> Job:
        """The job when it has ended, or as it stands after `seconds`. Raises JobNotFoundError."""
        running = self._running(job_id)
        with self._changed:
            self._changed.wait_for(lambda: running.ended, timeout=seconds)
            return running.job

    def close(self) -> None:
        """Stop whatever runs and wait for it."""
        with self._changed:
            found = list(self._jobs.values())
        for running in found:
            running.stop.set()
            if running.thread is not None:
                running.thread.join()

    def _run(self, running: "_Running", work: _Work) -> None:
        """Always leaves an ended job behind: an error that is none of ours still reaches the thread's excepthook."""
        ended = replace(running.job, state=SyncState.FAILED, error="The sync ended in an unexpected error.")
        try:
            report = work(lambda step: self._show(running, step), running.stop.is_set)
            ended = replace(running.job, state=SyncState.SUCCEEDED, report=report)
        except CancelledError:
            ended = replace(running.job, state=SyncState.CANCELLED)
        except MiniragError as error:
            running.refusal = error if isinstance(error, SyncBusyError) else None
            ended = replace(running.job, state=SyncState.FAILED, error=error.explanation)
        finally:
            with self._changed:
                running.job = replace(ended, finished_at=_now())
                running.ended = True
                self._changed.notify_all()

    def _show(self, running: "_Running", step: Progress) -> None:
        with self._changed:
            job = running.job
            same = running.begun and step.stage is job.progress.stage
            running.job = replace(
                job,
                progress=step,
                report=step.report or job.report,
                stage_started_at=job.stage_started_at if same else _now(),
            )
            if not running.begun:
                running.begun = True
                self._changed.notify_all()

    def _running(self, job_id: JobId) -> "_Running":
        with self._changed:
            if job_id not in self._jobs:
                raise JobNotFoundError(f"No sync job {job_id!r} is known; jobs end with the process that ran them.")
            return self._jobs[job_id]

    def _drop_old(self) -> None:
        while len(self._jobs) > KEPT_JOBS:
            self._jobs.popitem(last=False)


class _Running:
    """A job and its thread; changed only under the lock of its `Jobs`."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.stop = threading.Event()
        self.begun = False
        self.ended = False
        self.refusal: SyncBusyError | None = None
        self.thread: threading.Thread | None = None


def _new_job() -> Job:
    now = _now()
    return Job(
        job_id=JobId(secrets.token_hex(6)),
        state=SyncState.RUNNING,
        started_at=now,
        stage_started_at=now,
        finished_at=None,
        progress=Progress(done=0, total=0),
        report=SyncReport(counts=SyncCounts()),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
