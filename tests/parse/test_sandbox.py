import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from tests.parse.pdf_files import pdf_of

from minirag_mcp.errors import (
    CancelledError,
    CorruptFileError,
    EmptyFileError,
    ParseError,
    ParseLimitError,
    UnsupportedFormatError,
)
from minirag_mcp.parse.limits import NEEDS_LESS, Limits
from minirag_mcp.parse.sandbox import Sandbox

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX processes")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and RLIMIT_AS")


@pytest.fixture
def bad_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers in which the notebook parser obeys orders, as a library with a bug would."""
    orders = """
import os, sys
from minirag_mcp.parse import notebook, registry
from minirag_mcp.parse.parsed import Parsed
def parse(data):
    word = data.decode().strip()
    if word == "segfault":
        import ctypes; ctypes.string_at(0)
    if word == "exit":
        os._exit(0)
    if word == "print":
        print("noise on stdout"); os.write(1, b"more"); sys.stderr.write("noise"); sys.stdout.flush()
        return Parsed(text="stdin says " + repr(sys.stdin.read(10)) + repr(os.read(0, 10)))
    if word == "hoard":
        return Parsed(text=str(len(bytearray(1 << 40))))
    if word == "grow":
        sys.modules["kept"] = bytearray(300 * 1024 * 1024)
        return Parsed(text=str(os.getpid()))
    if word == "bug":
        raise ZeroDivisionError("oops")
    if word == "spin":
        while True: pass
    return Parsed(text=str(os.getpid()))
notebook.parse = parse
"""
    (tmp_path / "sitecustomize.py").write_text(orders)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)


def pid_of(sandbox: Sandbox, order: str = "pid") -> int:
    return int(sandbox.parse(order.encode(), name="a.ipynb").text)


def gone(pid: int) -> bool:
    """Whether the process is gone, waiting a little for it to go."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        threading.Event().wait(0.01)
    return False


def test_a_document_comes_back_whole() -> None:
    text = "---\ntitle: Тест\ntags: [a]\n---\n# 中文 😀\n\nbody\n"
    with Sandbox() as sandbox:
        document = sandbox.parse(text.encode(), name="a.md", stem="a")
        again = sandbox.parse(text.encode(), name="a.md", title="Given", stem="a")
    assert (document.title, document.own_title, document.format) == ("Тест", True, "markdown")
    assert document.text == "# 中文 😀\n\nbody\n"
    assert document.metadata == (("title", "Тест"), ("tags", "a"))
    assert document.marks[0].number == 5
    assert again.title == "Given"


def test_errors_come_back_as_themselves() -> None:
    with Sandbox() as sandbox:
        with pytest.raises(EmptyFileError, match=r"a\.md") as caught:
            sandbox.parse(b"", name="a.md")
        with pytest.raises(CorruptFileError):
            sandbox.parse(b"{", name="a.ipynb")
        with pytest.raises(UnsupportedFormatError):
            sandbox.parse(b"x", name="a.exe")
    assert caught.value.remedy == EmptyFileError.default_remedy


@pytest.mark.usefixtures("bad_formats")
def test_a_worker_stays_warm() -> None:
    with Sandbox() as sandbox:
        assert pid_of(sandbox) == pid_of(sandbox)


@posix
@pytest.mark.usefixtures("bad_formats")
@pytest.mark.parametrize(
    ("order", "message"), [("segfault", "crashed on this file .SIGSEGV"), ("exit", "ended"), ("hoard", "memory")]
)
def test_a_parser_that_dies_costs_its_file_and_nothing_else(order: str, message: str) -> None:
    with Sandbox() as sandbox:
        before = pid_of(sandbox)
        with pytest.raises(ParseLimitError, match=f"killer.ipynb: .*{message}"):
            sandbox.parse(order.encode(), name="killer.ipynb")
        assert pid_of(sandbox) != before
        assert gone(before)


@pytest.mark.usefixtures("bad_formats")
def test_a_parser_that_stumbles_is_a_damaged_file() -> None:
    with Sandbox() as sandbox:
        before = pid_of(sandbox)
        with pytest.raises(CorruptFileError, match=r"a\.ipynb: .*ZeroDivisionError") as caught:
            sandbox.parse(b"bug", name="a.ipynb")
        assert "oops" not in caught.value.explanation
        assert pid_of(sandbox) == before


@pytest.mark.usefixtures("bad_formats")
def test_libraries_that_print_disturb_nothing_and_find_no_input() -> None:
    with Sandbox() as sandbox:
        assert sandbox.parse(b"print", name="a.ipynb").text == "stdin says ''b''"
        assert pid_of(sandbox)


@pytest.mark.usefixtures("bad_formats")
def test_a_file_that_takes_too_long_is_stopped_and_the_next_one_read() -> None:
    with Sandbox(limits=Limits(seconds=0.5)) as sandbox:
        started = time.monotonic()
        with pytest.raises(ParseLimitError, match=r"slow\.ipynb: .*longer than 0.5 seconds"):
            sandbox.parse(b"spin", name="slow.ipynb")
        assert time.monotonic() - started < 10
        assert pid_of(sandbox)


@linux
def test_a_file_that_takes_too_much_memory_is_refused_and_the_next_one_read() -> None:
    limits = Limits(memory=100_000_000, memory_alone=200_000_000)
    with Sandbox(limits=limits) as sandbox:
        with pytest.raises(ParseLimitError, match=r"big\.txt: .*needs more than 200 MB of memory") as caught:
            sandbox.parse("я".encode() * 40_000_000, name="big.txt")
        assert sandbox.parse(b"small", name="a.txt").text == "small"
    assert type(caught.value) is ParseLimitError
    assert caught.value.remedy == NEEDS_LESS


@linux
def test_a_small_pdf_that_draws_itself_without_end_is_refused_under_a_gigabyte() -> None:
    with Sandbox() as sandbox:
        with pytest.raises(ParseLimitError, match=r"a\.pdf: .*needs more than \d{3} MB of memory") as caught:
            sandbox.parse(self_drawing_pdf(), name="a.pdf")
        assert sandbox.parse(b"small", name="a.txt").text == "small"
    assert caught.value.remedy == NEEDS_LESS


@linux
@pytest.mark.usefixtures("bad_formats")
def test_a_file_that_needs_more_than_its_share_is_read_while_no_other_is() -> None:
    limits = Limits(memory=100_000_000, memory_alone=400_000_000)
    with Sandbox(workers=2, limits=limits) as sandbox, ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda order: pid_of(sandbox, order), ["pid", "grow", "pid", "grow", "pid"]))
    assert len(set(answers)) >= 3
    assert all(gone(pid) for pid in answers)


def self_drawing_pdf() -> bytes:
    """A page that shows a form, which shows itself twice."""
    return pdf_of(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>",
        "<< /Length 5 >>\nstream\n/X Do\nendstream",
        "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 11 >>\n"
        "stream\n/X Do /X Do\nendstream",
    )


@linux
@pytest.mark.usefixtures("bad_formats")
def test_a_worker_that_grew_is_replaced() -> None:
    with Sandbox() as sandbox:
        grown = pid_of(sandbox, "grow")
        assert pid_of(sandbox) != grown
        assert gone(grown)
        assert sandbox.peak_bytes > 300_000_000


@posix
@pytest.mark.usefixtures("bad_formats")
def test_a_worker_killed_while_idle_is_replaced_without_blaming_a_file() -> None:
    with Sandbox() as sandbox:
        pid = pid_of(sandbox)
        os.kill(pid, signal.SIGKILL)
        assert gone(pid)
        assert pid_of(sandbox) != pid


@pytest.mark.usefixtures("bad_formats")
def test_many_threads_share_few_workers() -> None:
    with Sandbox(workers=2) as sandbox, ThreadPoolExecutor(8) as threads:
        pids = set(threads.map(lambda _: pid_of(sandbox), range(60)))
    assert 1 <= len(pids) <= 2
    assert all(gone(pid) for pid in pids)


@pytest.mark.usefixtures("bad_formats")
def test_threads_get_their_own_answers_whatever_happens_beside_them() -> None:
    def ask(number: int) -> str:
        order = ("exit", "bug", "")[number % 3]
        try:
            if order:
                return sandbox.parse(order.encode(), name=f"{number}.ipynb").text
            return sandbox.parse(f"text {number}".encode(), name=f"{number}.txt").text
        except ParseError as error:
            return error.message.partition(":")[0]

    with Sandbox(workers=3) as sandbox, ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(ask, range(30)))
    assert answers == [f"text {number}" if number % 3 == 2 else f"{number}.ipynb" for number in range(30)]


@pytest.mark.usefixtures("bad_formats")
def test_closing_ends_the_workers_and_a_running_parse_is_cancelled() -> None:
    sandbox = Sandbox(workers=2)
    idle = pid_of(sandbox)
    caught: list[BaseException] = []

    def parse() -> None:
        started.set()
        try:
            sandbox.parse(b"spin", name="a.ipynb")
        except CancelledError as error:
            caught.append(error)

    started = threading.Event()
    thread = threading.Thread(target=parse)
    thread.start()
    started.wait()
    threading.Event().wait(0.2)
    sandbox.close()
    thread.join(20)
    assert len(caught) == 1
    assert gone(idle)
    sandbox.close()
    with pytest.raises(CancelledError):
        sandbox.parse(b"x", name="a.txt")


@pytest.mark.usefixtures("bad_formats")
def test_a_sandbox_that_is_forgotten_leaves_no_process() -> None:
    sandbox = Sandbox()
    pid = pid_of(sandbox)
    del sandbox
    gc.collect()
    assert gone(pid)


PROGRAM = """
import sys, threading
from minirag_mcp.parse.sandbox import Sandbox
sandbox = Sandbox()
print(sandbox.parse(b"pid", name="a.ipynb").text, flush=True)
if sys.argv[1] == "busy":
    threading.Thread(target=lambda: sandbox.parse(b"spin", name="a.ipynb"), daemon=True).start()
print(sys.stdin.readline())
"""


@posix
@pytest.mark.usefixtures("bad_formats")
@pytest.mark.parametrize("state", ["idle", "busy"])
@pytest.mark.parametrize("end", [lambda process: process.kill(), lambda process: process.stdin.close()])
def test_workers_die_with_the_program_however_it_ends(state: str, end: Callable[[object], None]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, state], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        threading.Event().wait(0.3)
        end(process)
        assert gone(pid)


def test_modules_in_the_current_folder_are_never_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json.py", "minirag_mcp.py", "csv.py"):
        (tmp_path / name).write_text("raise SystemExit('a document was run as a program')")
    monkeypatch.chdir(tmp_path)
    with Sandbox() as sandbox:
        assert sandbox.parse(b"a,b\n1,2\n", name="a.csv").text
