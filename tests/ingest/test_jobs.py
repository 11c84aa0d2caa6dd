import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from minirag_mcp.errors import CancelledError, JobNotFoundError, ModelError, SyncBusyError
from minirag_mcp.ingest.jobs import KEPT_JOBS, Jobs
from minirag_mcp.model import JobId, Progress, Stage, SyncCounts, SyncReport, SyncState

DONE = SyncReport(counts=SyncCounts(scanned=1, ingested=1))
PART = SyncReport(counts=SyncCounts(scanned=3, failed=1))
Show = Callable[[Progress], None]
Stop = Callable[[], bool]


class Gate:
    """A sync that goes on when it is let."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def __call__(self, progress: Show, cancelled: Stop) -> SyncReport:
        progress(Progress(done=1, total=3, current="a.md", report=PART))
        while not self.go.wait(0.001):
            if cancelled():
                raise CancelledError("stopped")
        progress(Progress(done=3, total=3, current="c.md"))
        return DONE


def test_a_job_is_seen_running_and_then_done() -> None:
    jobs, gate = Jobs(), Gate()
    job = jobs.start(gate)
    assert (job.state, job.progress.total, job.finished_at) == (SyncState.RUNNING, 3, None)
    assert jobs.status(job.job_id).progress.current == "a.md"
    assert jobs.status(job.job_id).report == PART
    gate.go.set()
    done = jobs.wait(job.job_id)
    assert (done.state, done.report, done.error) == (SyncState.SUCCEEDED, DONE, None)
    assert done.progress.done == 3
    assert done.finished_at is not None
    assert jobs.status(job.job_id) == done


def test_each_stage_of_a_job_has_its_own_beginning() -> None:
    jobs, go = Jobs(), threading.Event()

    def staged(progress: Show, _cancelled: Stop) -> SyncReport:
        progress(Progress(done=0, total=1))
        assert go.wait(10)
        progress(Progress(done=0, total=9, stage=Stage.VECTORS))
        progress(Progress(done=9, total=9, stage=Stage.VECTORS))
        return DONE

    job = jobs.start(staged)
    assert job.stage_started_at >= job.started_at
    while datetime.now(UTC).isoformat(timespec="milliseconds") <= job.stage_started_at:
        pass
    go.set()
    done = jobs.wait(job.job_id)
    assert done.stage_started_at > job.stage_started_at
    assert (done.progress.stage, done.progress.done) == (Stage.VECTORS, 9)


def test_a_second_job_is_refused_while_one_runs_and_named() -> None:
    jobs, gate = Jobs(), Gate()
    job = jobs.start(gate)
    with pytest.raises(SyncBusyError, match=job.job_id):
        jobs.start(Gate())
    gate.go.set()
    jobs.wait(job.job_id)
    second = Gate()
    second.go.set()
    assert jobs.wait(jobs.start(second).job_id).state is SyncState.SUCCEEDED


def test_a_lock_held_by_another_process_is_refused_at_the_start() -> None:
    def refused(_progress: Show, _cancelled: Stop) -> SyncReport:
        raise SyncBusyError("process 7 has it")

    jobs = Jobs()
    with pytest.raises(SyncBusyError, match="process 7"):
        jobs.start(refused)
    later = Gate()
    later.go.set()
    assert jobs.wait(jobs.start(later).job_id).state is SyncState.SUCCEEDED


def test_a_failed_job_carries_the_error_and_its_remedy() -> None:
    def failing(_progress: Show, _cancelled: Stop) -> SyncReport:
        raise ModelError("no weights", remedy="Get some.")

    jobs = Jobs()
    done = jobs.wait(jobs.start(failing).job_id)
    assert (done.state, done.error) == (SyncState.FAILED, "no weights Get some.")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_job_that_breaks_is_not_left_running() -> None:
    def broken(_progress: Show, _cancelled: Stop) -> SyncReport:
        raise ZeroDivisionError

    jobs = Jobs()
    done = jobs.wait(jobs.start(broken).job_id)
    jobs.close()
    assert done.state is SyncState.FAILED
    assert done.error is not None


def test_an_unknown_job_is_an_error() -> None:
    for ask in (Jobs().status, Jobs().wait):
        with pytest.raises(JobNotFoundError):
            ask(JobId("nope"))


def test_waiting_has_an_end() -> None:
    jobs, gate = Jobs(), Gate()
    job = jobs.start(gate)
    assert jobs.wait(job.job_id, seconds=0).state is SyncState.RUNNING
    jobs.close()


def test_closing_stops_what_runs() -> None:
    jobs = Jobs()
    job = jobs.start(Gate())
    jobs.close()
    done = jobs.status(job.job_id)
    assert (done.state, done.error, done.report) == (SyncState.CANCELLED, None, PART)


def test_only_the_last_jobs_are_kept() -> None:
    jobs = Jobs()
    started = []
    for _ in range(KEPT_JOBS + 5):
        gate = Gate()
        gate.go.set()
        started.append(jobs.start(gate).job_id)
        jobs.wait(started[-1])
    assert [jobs.status(job_id).job_id for job_id in started[5:]] == started[5:]
    for forgotten in started[:5]:
        with pytest.raises(JobNotFoundError):
            jobs.status(forgotten)
