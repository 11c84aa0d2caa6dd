"""What texts of the largest allowed size cost in the sandbox: seconds, and the memory of its workers at their peak.

python -m benchmarks.parsing.giants [--megabytes N]
"""

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from minirag_mcp.errors import ParseError
from minirag_mcp.parse.sandbox import Sandbox

MEGABYTE = 1024 * 1024
FOX = b"The quick brown fox jumps over the lazy dog.\r\n"
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n"
CUE = b"00:00:01.000 --> 00:00:02.000\n<v Bob>Hello there my friend</v>\n\n"
PAGE = b"<p>Hello <b>world</b> and more text here</p>\n"
PICTURE = b"![p](data:image/png;base64," + b"A" * 100_000 + b")\n\ntext\n\n"

SELF_DRAWING = b"""%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>
endobj
4 0 obj << /Length 5 >> stream
/X Do
endstream endobj
5 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 11 >> stream
/X Do /X Do
endstream endobj
trailer << /Root 1 0 R >>
"""

# Each makes a file of about so many bytes.
GIANTS: dict[str, Callable[[int], bytes]] = {
    "ascii.txt": lambda size: FOX * (size // len(FOX)),
    "ascii-and-an-emoji.txt": lambda size: FOX * (size // len(FOX)) + "😀".encode(),
    "utf-8-russian.txt": lambda size: RUSSIAN.encode() * (size // len(RUSSIAN.encode())),
    "cp1251.txt": lambda size: RUSSIAN.encode("cp1251") * (size // len(RUSSIAN)),
    "gb18030.txt": lambda size: "我们在中国学习语言\n".encode("gb18030") * (size // 19),
    "utf-16.txt": lambda size: RUSSIAN.encode("utf-16-le") * (size // len(RUSSIAN) // 2),
    "one-line.txt": lambda size: b"words " * (size // 6),
    "pictures.md": lambda size: b"# T\n\n" + PICTURE * (size // len(PICTURE)),
    "rows.csv": lambda size: b"a,b,c,d,e\n" + b'1,2,3,hello world,"x, y"\n' * (size // 25),
    "cues.vtt": lambda size: b"WEBVTT\n\n" + CUE * (size // len(CUE)),
    "page.html": lambda size: PAGE * (min(size, 8 * MEGABYTE) // len(PAGE)),
    "page-too-long.html": lambda size: PAGE * (min(size, 30 * MEGABYTE) // len(PAGE)),
    "tags.html": lambda _: b"<p>x<br>" * 390_000,
    "draws-itself.pdf": lambda _: SELF_DRAWING,
}


def main() -> None:
    """Parse each giant in a worker of its own and print what it cost."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--megabytes", type=int, default=100)
    size = options.parse_args().megabytes * MEGABYTE
    for name, make in GIANTS.items():
        data = make(size)
        with Sandbox() as sandbox:
            started = time.perf_counter()
            with ThreadPoolExecutor(1) as thread:
                parse = thread.submit(_outcome, sandbox, data, name)
                peak = _peak_of_children(parse)
            outcome, seconds = parse.result(), time.perf_counter() - started
            cost = f"{seconds:6.1f} s {peak / 1e6:6.0f} MB"
            print(f"{name:24}{len(data) / MEGABYTE:5.0f} MiB {cost}  {outcome}")


def _peak_of_children(running: Future[str]) -> int:
    """The most resident bytes of all our child processes at once, looked at every few milliseconds (Linux)."""
    peak = 0
    while not running.done():
        peak = max(peak, sum(_resident(int(child)) for child in _children()))
        wait([running], timeout=0.005)
    return peak


def _children() -> list[str]:
    return [child for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()]


def _resident(process: int) -> int:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _outcome(sandbox: Sandbox, data: bytes, name: str) -> str:
    try:
        return f"{len(sandbox.parse(data, name=name, stem=name).text) / 1e6:.0f} million characters"
    except ParseError as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main()
