"""Check the numbers of tools and tests that Markdown documents state; with `--write`, correct them.

A statement is a number directly before the word `tools`, `MCP tools` or `tests`, in any case, also across a line end:
`Eleven tools:`, `one of the 12 MCP tools`, `4,802 tests`. The number is a whole one, in digits, with commas or without,
or a word from `six` to `twenty`; it may be emphasized. Everything else counts something else and is left alone:

- fewer than six tools or a hundred tests: a handful is never all of them;
- another word between number and noun (`seven more tools`, `200 slow tests`);
- a word before the number that picks some: other, first, last, next, these, those, to (`the other ten tools`);
- a word behind the noun that narrows it: of, for, that, which (`seven tools that write`).

Not looked at: CHANGELOG.md, which tells of what was, and what tests and examples read, but for its README.md files.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from minirag_mcp.shell.tools import TOOLS

ROOT = Path(__file__).resolve().parent.parent

_HISTORY = "CHANGELOG.md"
_DATA = ("tests/", "examples/")
_FEWEST = {"tools": 6, "tests": 100}
_SMALL = ("six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen")
_WORDS = {word: number for number, word in enumerate((*_SMALL, "seventeen", "eighteen", "nineteen", "twenty"), start=6)}
_STATEMENT = re.compile(
    rf"(?<![\w.,/–-])(?P<number>[0-9]+(?:,[0-9]{{3}})*|{'|'.join(_WORDS)})"
    r"[*_]*\s+(?:MCP\s+)?(?P<what>tools|tests)\b(?!-|\s+(?:of|for|that|which)\b)",
    re.IGNORECASE,
)
_PICKED = re.compile(r"\b(?:other|first|last|next|these|those|to)\s+[*_]*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One number in a document; `start` and `end` are where its digits or word stand, `what` is `tools` or `tests`."""

    start: int
    end: int
    stated: str
    what: str

    @property
    def number(self) -> int:
        """What is stated."""
        word = self.stated.lower()
        return _WORDS.get(word) or int(word.replace(",", ""))

    def written(self, number: int) -> str:
        """`number` as this statement writes numbers, in digits where it knows no word."""
        word = next((word for word, known in _WORDS.items() if known == number), None)
        if word is None or self.stated.lower() not in _WORDS:
            return f"{number:,}"
        return word.capitalize() if self.stated[0].isupper() else word


def statements(text: str) -> Iterator[Statement]:
    """What a document states, in its order."""
    for found in _STATEMENT.finditer(text):
        what = found["what"].lower()
        one = Statement(start=found.start("number"), end=found.end("number"), stated=found["number"], what=what)
        if one.number >= _FEWEST[what] and not _PICKED.search(text, 0, one.start):
            yield one


def wrong(text: str, true: Mapping[str, Callable[[], int]]) -> list[tuple[Statement, int]]:
    """The statements that do not hold, each with the true number; what nobody states is not counted."""
    found = ((one, true[one.what]()) for one in statements(text))
    return [(one, number) for one, number in found if one.number != number]


def corrected(text: str, true: Mapping[str, Callable[[], int]]) -> str:
    """The document with true numbers, in the form in which they were stated."""
    for one, number in reversed(wrong(text, true)):
        text = text[: one.start] + one.written(number) + text[one.end :]
    return text


@cache
def collected() -> int:
    """How many tests pytest collects here. Raises SystemExit with its output when it cannot."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--assert=plain", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    told = re.search(r"^([0-9]+) tests collected", done.stdout, re.MULTILINE)
    if done.returncode or told is None:
        raise SystemExit(f"The tests cannot be counted:\n{done.stdout[-2_000:]}{done.stderr[-2_000:]}")
    return int(told[1])


def documents() -> list[Path]:
    """The Markdown files of the repository that are looked at."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()
    paths = (ROOT / name for name in sorted(set(names)) if name != _HISTORY and not _is_data(name))
    return [path for path in paths if path.is_file()]


def _is_data(name: str) -> bool:
    return name.startswith(_DATA) and not name.endswith("/README.md")


def main(arguments: list[str]) -> int:
    """Print each statement that does not hold; return 1 if there is any, or with `--write` correct them all."""
    true: dict[str, Callable[[], int]] = {"tools": lambda: len(TOOLS), "tests": collected}
    write, problems = "--write" in arguments, 0
    for path in documents():
        text = path.read_text(encoding="utf-8")
        for one, number in wrong(text, true):
            problems += 1
            line = text.count("\n", 0, one.start) + 1
            print(f"{path.relative_to(ROOT)}:{line}: {one.stated} {one.what} stated, but there are {number:,}")
        if write and (right := corrected(text, true)) != text:
            path.write_text(right, encoding="utf-8")
    if problems:
        print("Corrected." if write else "`make counts` corrects them.")
        return 0 if write else 1
    print("every number of tools and tests in the documents holds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
