import io
import json

import pytest

from minirag_mcp.model import Progress
from minirag_mcp.shell import console
from minirag_mcp.shell.cli_terminal import Terminal, bar


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def file(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")


def written(stream: io.TextIOWrapper) -> bytes:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()


@pytest.mark.parametrize("encoding", ["cp1252", "cp866", "ascii", "utf-8", "cp932"])
def test_no_character_can_crash_the_output(encoding: str) -> None:
    out, err = file(encoding), file(encoding)
    terminal = Terminal(out, err)
    terminal.result("Предел 🙂 \udcff ≤ 日本")
    terminal.warn("Предел 🙂 \udcff ≤ 日本")
    assert written(out).endswith(b"\n")
    assert rb"\udcff" in written(out)
    assert written(err).startswith(b"warn: ")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_json_reads_back_equal_from_any_encoding(encoding: str) -> None:
    out = file(encoding)
    Terminal(out, file(encoding)).result_json({"text": "Предел 🙂"})
    assert json.loads(written(out).decode(encoding)) == {"text": "Предел 🙂"}


def test_json_on_a_unicode_stream_is_readable() -> None:
    out = file("utf-8")
    Terminal(out, file("utf-8")).result_json({"text": "Предел"})
    assert "Предел" in written(out).decode()


def test_result_ends_with_one_line_end() -> None:
    out = io.StringIO()
    terminal = Terminal(out, io.StringIO())
    terminal.result("a")
    terminal.result("b\n")
    assert out.getvalue() == "a\nb\n"


def test_warnings_and_errors_are_one_line_each_on_stderr() -> None:
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(out, err)
    terminal.warn("two\nlines")
    terminal.error("It failed.", "Do this.")
    assert out.getvalue() == ""
    assert err.getvalue() == "warn: two lines\nerror: It failed. (Do this.)\n"


def test_progress_is_drawn_on_a_terminal_and_wiped_before_anything_else() -> None:
    out, err = Screen(), Screen()
    terminal = Terminal(out, err, environment={})
    terminal.progress(Progress(done=1, total=2, current="a.md"))
    terminal.result("done")
    assert "1/2 a.md" in err.getvalue()
    assert err.getvalue().endswith("\r\x1b[2K")
    assert out.getvalue() == "done\n"


def test_progress_does_not_flood_the_terminal() -> None:
    err = Screen()
    terminal = Terminal(io.StringIO(), err, environment={})
    for number in range(1_000):
        terminal.progress(Progress(done=number, total=1_000))
    terminal.progress(Progress(done=1_000, total=1_000))
    assert err.getvalue().count("\r") < 100
    assert "1000/1000" in err.getvalue()


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {}])
def test_there_is_no_progress_in_a_log(environment: dict[str, str]) -> None:
    err: io.StringIO = Screen() if environment else io.StringIO()
    Terminal(io.StringIO(), err, environment=environment).progress(Progress(done=1, total=2))
    assert err.getvalue() == ""


@pytest.mark.parametrize(
    ("environment", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_emphasis_is_for_terminals_that_want_it(environment: dict[str, str], *, colored: bool) -> None:
    terminal = Terminal(Screen(), Screen(), environment=environment)
    assert (terminal.bold("x") != "x") is colored
    assert (terminal.dim("x") != "x") is colored
    assert Terminal(io.StringIO(), Screen(), environment=environment).bold("x") == "x"


@pytest.mark.parametrize("columns", [1, 10, 80])
def test_the_bar_never_wraps(columns: int) -> None:
    line = bar(Progress(done=3, total=7, current="a very long name " * 20), columns=columns)
    assert len(line) < max(columns, 2)
    assert "\n" not in bar(Progress(done=0, total=0, current="a\nb"), columns=200)


@pytest.mark.parametrize(
    ("environment", "on_terminal", "in_file"),
    [
        ({}, True, False),
        ({"NO_COLOR": ""}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"CLICOLOR_FORCE": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"CLICOLOR": "0"}, False, False),
    ],
)
def test_colours_follow_the_customary_variables(
    environment: dict[str, str], *, on_terminal: bool, in_file: bool
) -> None:
    assert console.shows_colors(Screen(), environment) is on_terminal
    assert console.shows_colors(io.StringIO(), environment) is in_file


def test_the_bar_tells_the_rate_and_the_time_left() -> None:
    at = Progress(done=30, total=120, current="/docs/a.md")
    assert bar(at, columns=80, rate=1.5).endswith(" 30/120 1.5/s 1:00 left a.md")
    assert "1:15:00 left" in bar(at, columns=80, rate=0.02)
    assert "left" not in bar(at, columns=80)
    assert "left" not in bar(Progress(done=2, total=2), columns=80, rate=1.0)


def test_a_terminal_that_goes_away_stops_no_work() -> None:
    class Gone(Screen):
        def write(self, _text: str) -> int:
            raise OSError

    terminal = Terminal(io.StringIO(), Gone(), environment={})
    for done in range(3):
        terminal.progress(Progress(done=done, total=2))
    terminal.warn("unheard")
