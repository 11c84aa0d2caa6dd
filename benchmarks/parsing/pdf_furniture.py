"""What of a PDF's page furniture is left in its text, what was taken out, and which words stayed broken.

    python -m benchmarks.parsing.pdf_furniture FOLDER [--pages 80] [--removed] [--broken]

For every PDF of at least four and at most `--pages` pages: the lines, as the library hands them out, that recur at one
height on half of its pages or more (numbers in them aside) and are still in our text ("left"); the lines that are not
in our text ("removed", listed for judging with `--removed`); hyphens that still stand before white space, and soft
hyphens ("broken", listed with `--broken`); and milliseconds a page. Lines are compared by letters and digits.
"""

import argparse
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2 as pdfium

from minirag_mcp.errors import ParseError
from minirag_mcp.model import MarkKind
from minirag_mcp.parse.parsed import Parsed
from minirag_mcp.parse.pdf import parse

_MIN_PAGES = 4
# Points of height taken for one; with fewer letters a line must stand alone to count as kept.
_SAME_HEIGHT = 4.0
_A_WORD = 4
_RECURRING = 0.5
_SUSPENDED = r"(?:and|or|und|oder|bzw|als|ou|et|to|и|или|och|sowie|respektive)\b"
_BROKEN = re.compile(rf"[^\W\d_]{{2,}}(?:[-‐]\s+(?!{_SUSPENDED})(?=[^\W\d_A-Z])|\xad)\S*")
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b")
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Raw:
    """A line as the library hands it out, and its height on the page in steps."""

    text: str
    height: int


@dataclass(slots=True)
class Measured:
    """One document: its name, pages, milliseconds a page, and lines by what became of them."""

    name: str
    pages: int
    milliseconds: float
    left: list[str] = field(default_factory=list)
    removed: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)


def main() -> None:
    """Measure every PDF of a folder and print one line each, then the sums."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--pages", type=int, default=80)
    options.add_argument("--removed", action="store_true")
    options.add_argument("--broken", action="store_true")
    given = options.parse_args()
    results = []
    for file in sorted(given.folder.rglob("*.pdf")):
        result = _measured(file, longest=given.pages)
        if result is not None:
            results.append(result)
            _print(result, removed=given.removed, broken=given.broken)
    pages = sum(result.pages for result in results)
    print(
        f"{len(results)} documents, {pages} pages: {sum(bool(result.left) for result in results)} with furniture left "
        f"({sum(len(result.left) for result in results)} lines), {sum(r.removed.total() for r in results)} lines "
        f"removed, {sum(len(result.broken) for result in results)} broken words, "
        f"{sum(result.milliseconds * result.pages for result in results) / max(1, pages):.1f} ms a page"
    )


def _print(result: Measured, *, removed: bool, broken: bool) -> None:
    print(
        f"{result.name[:44]:44} {result.pages:3} pages {result.milliseconds:6.1f} ms  left {len(result.left):2}  "
        f"removed {result.removed.total():4}  broken {len(result.broken):3}"
    )
    for line in result.left[:_SHOWN]:
        print(f"    left     {line[:100]}")
    for line, count in result.removed.most_common() if removed else ():
        print(f"    removed  {count:3} x {line[:100]}")
    for word in result.broken[:_SHOWN] if broken else ():
        print(f"    broken   {word!r}")


def _measured(file: Path, *, longest: int) -> Measured | None:
    data = file.read_bytes()
    try:
        raw = _raw_lines(data)
        if not _MIN_PAGES <= len(raw) <= longest:
            return None
        started = time.process_time()
        parsed = parse(data)
    except (ParseError, pdfium.PdfiumError):
        return None
    result = Measured(file.name, len(raw), (time.process_time() - started) / len(raw) * 1000)
    shown = _pages(parsed, len(raw))
    _compare(raw, shown, result)
    result.broken = [match[0] for match in _BROKEN.finditer(parsed.text)]
    return result


def _raw_lines(data: bytes) -> list[list[Raw]]:
    document = pdfium.PdfDocument(data)
    pages = []
    for page in document:
        text_page = page.get_textpage()
        pages.append(list(_placed(text_page)))
        text_page.close()
        page.close()
    document.close()
    return pages


def _placed(text_page: pdfium.PdfTextPage) -> Iterator[Raw]:
    start = 0
    for line in text_page.get_text_range().splitlines(keepends=True):
        if line.strip():
            first = min(start + len(line) - len(line.lstrip()), text_page.count_chars() - 1)
            yield Raw(line.strip(), round(text_page.get_charbox(first)[1] / _SAME_HEIGHT))
        start += len(line)


def _pages(parsed: Parsed, count: int) -> list[str]:
    """Our text of each page, by its marks."""
    starts = [(mark.start, mark.number) for mark in parsed.marks if mark.kind is MarkKind.PAGE]
    pages = [""] * count
    for (start, number), (end, _) in zip(starts, [*starts[1:], (len(parsed.text), 0)], strict=True):
        pages[number - 1] += parsed.text[start:end]
    return pages


def _compare(raw: list[list[Raw]], shown: list[str], result: Measured) -> None:
    recurring = _recurring(raw)
    left: dict[tuple[str, int], list[str]] = defaultdict(list)
    for number, lines in enumerate(raw):
        near = _key("".join(shown[max(0, number - 1) : number + 2]))
        own, alone = _key(shown[number]), set(map(str.strip, shown[number].splitlines()))
        for line in lines:
            key = _key(line.text)
            if key and not (line.text in alone or (key in near if len(key) >= _A_WORD else not line.text.isdigit())):
                result.removed[line.text] += 1
            elif _pattern(line) in recurring and (key in own if len(key) >= _A_WORD else line.text in alone):
                left[_pattern(line)].append(f"page {number + 1}: {line.text}")
    result.left = [lines[0] for lines in left.values() if len(lines) >= _RECURRING * len(raw)]


def _recurring(raw: list[list[Raw]]) -> set[tuple[str, int]]:
    pages: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, lines in enumerate(raw):
        for line in lines:
            pages[_pattern(line)].add(number)
    return {pattern for pattern, where in pages.items() if pattern[0] and len(where) >= _RECURRING * len(raw)}


def _pattern(line: Raw) -> tuple[str, int]:
    return _NUMBER.sub("#", line.text.casefold()), line.height


def _key(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


if __name__ == "__main__":
    main()
