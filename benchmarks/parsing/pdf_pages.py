"""How long a page of a PDF takes, beside what the library alone needs to hand out the same page's text.

    python -m benchmarks.parsing.pdf_pages FOLDER [--rounds 3]

Prints CPU milliseconds a page (the least of the rounds), ours and the library's, and their ratio. Files that are
refused, or that the library cannot open as they are, are left out.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2 as pdfium

from minirag_mcp.errors import ParseError
from minirag_mcp.parse.pdf import parse


def main() -> None:
    """Measure every PDF of a folder and print one line each, then the sum."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    results = list(_measured(sorted(given.folder.rglob("*.pdf")), given.rounds))
    for name, pages, own, library in results:
        print(f"{name[:48]:48} {pages:4} pages  {own / pages * 1000:6.1f} ms  {library / pages * 1000:6.1f} ms")
    pages = sum(result[1] for result in results)
    own, library = sum(result[2] for result in results), sum(result[3] for result in results)
    ours, theirs = own / pages * 1000, library / pages * 1000
    print(f"{pages} pages: {ours:.1f} ms a page, text alone {theirs:.1f} ms, {own / library:.1f} x")


def _measured(files: list[Path], rounds: int) -> Iterator[tuple[str, int, float, float]]:
    for file in files:
        data = file.read_bytes()
        try:
            parse(data)
            pages = _read_text(data)
        except (ParseError, pdfium.PdfiumError):
            continue
        yield file.name, pages, _least(parse, data, rounds=rounds), _least(_read_text, data, rounds=rounds)


def _least(work: Callable[[bytes], object], data: bytes, *, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        started = time.process_time()
        work(data)
        times.append(time.process_time() - started)
    return min(times)


def _read_text(data: bytes) -> int:
    """The number of pages, after handing out the text of each."""
    document = pdfium.PdfDocument(data)
    for page in document:
        text_page = page.get_textpage()
        text_page.get_text_range()
        text_page.close()
        page.close()
    pages = len(document)
    document.close()
    return pages


if __name__ == "__main__":
    main()
