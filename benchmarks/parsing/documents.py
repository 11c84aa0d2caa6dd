"""How well, how fast and in how much memory a folder of real files is parsed.

    python -m benchmarks.parsing.documents FOLDER [--only SUFFIX] [--memory] [--verbose]

FOLDER holds `manifest.tsv` with at least the columns `file`, `expect` (text, no-text, error, password, bomb,
no-crash) and `phrase`. Every file goes through the sandbox. A phrase counts as found when it is in the text with all
white space, bidirectional marks and Markdown's own signs left out on both sides.
"""

import argparse
import csv
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from minirag_mcp.errors import EmptyFileError, EncryptedFileError, NoTextError, ParseError, ParseLimitError
from minirag_mcp.model import Document
from minirag_mcp.parse.sandbox import Sandbox

# What each expectation allows. A bomb may be refused, or read without harm: its text is small once not expanded.
_REFUSALS: dict[str, tuple[type[ParseError], ...]] = {
    "text": (),
    "no-text": (NoTextError, EmptyFileError),
    "error": (ParseError,),
    "password": (EncryptedFileError,),
    "bomb": (ParseError,),
    "no-crash": (ParseError,),
}
_MAY_BE_READ = frozenset({"text", "no-crash", "bomb"})
_RULE = re.compile(r"^\|(?: ?-+ ?\|)+$", re.MULTILINE)
_NOISE = re.compile("[\\s|*_`#\\\\\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u061c]+|<br>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One line of the manifest."""

    file: str
    expect: str
    phrase: str

    @property
    def suffix(self) -> str:
        """The kind of file, by its name."""
        return Path(self.file).suffix.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of one file; `peak` bytes is 0 unless memory was measured."""

    case: Case
    outcome: Document | ParseError
    seconds: float
    peak: int

    @property
    def as_expected(self) -> bool:
        """Whether the outcome is one that the manifest allows."""
        if isinstance(self.outcome, Document):
            return self.case.expect in _MAY_BE_READ
        limit = isinstance(self.outcome, ParseLimitError) and self.case.expect == "no-crash"
        return isinstance(self.outcome, _REFUSALS[self.case.expect]) and not limit

    @property
    def phrase_found(self) -> bool:
        """Whether the text holds the phrase of the manifest."""
        return isinstance(self.outcome, Document) and _bare(self.case.phrase) in _bare(self.outcome.text)


def main() -> None:
    """Run the files of a folder and print the table, then what was missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--only", default="", help="one suffix, such as .csv")
    options.add_argument("--memory", action="store_true", help="a fresh worker for each file, to see its own peak")
    options.add_argument("--verbose", action="store_true", help="one line a file")
    chosen = options.parse_args()
    cases = [case for case in _cases(chosen.folder) if case.suffix.startswith(chosen.only)]
    results = list(_run(chosen.folder, cases, memory=chosen.memory))
    if chosen.verbose:
        for result in results:
            print(_line(result))
    _print_table(results)
    _print_misses(results)
    sys.exit(0 if all(result.as_expected for result in results) else 1)


def _cases(folder: Path) -> Iterator[Case]:
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as manifest:
        for row in csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Case(file=row["file"], expect=row["expect"], phrase=row["phrase"] or "")


def _run(folder: Path, cases: list[Case], *, memory: bool) -> Iterator[Result]:
    if memory:
        for case in cases:
            with Sandbox() as sandbox:
                yield _parsed(folder, case, sandbox)
        return
    with Sandbox() as sandbox:
        for suffix in sorted({case.suffix for case in cases}):
            _parsed(folder, next(case for case in cases if case.suffix == suffix), sandbox)  # imports its libraries
        for case in cases:
            yield _parsed(folder, case, sandbox)


def _parsed(folder: Path, case: Case, sandbox: Sandbox) -> Result:
    data = (folder / case.file).read_bytes()
    started = time.perf_counter()
    outcome: Document | ParseError
    try:
        outcome = sandbox.parse(data, name=Path(case.file).name, stem=Path(case.file).stem)
    except ParseError as error:
        outcome = error
    return Result(case=case, outcome=outcome, seconds=time.perf_counter() - started, peak=sandbox.peak_bytes)


def _bare(text: str) -> str:
    return _NOISE.sub("", _RULE.sub("", text))


def _line(result: Result) -> str:
    kind = "text" if isinstance(result.outcome, Document) else type(result.outcome).__name__
    verdict = "ok " if result.as_expected else "BAD"
    return (
        f"{verdict} {result.case.expect:9} {kind:20} {result.seconds * 1000:9.1f} ms {result.peak / 1e6:7.1f} MB  "
        f"{result.case.file}"
    )


def _print_table(results: list[Result]) -> None:
    groups: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[result.case.suffix].append(result)
        groups["all"].append(result)
    print(f"{'format':8}{'files':>6}{'expected':>10}{'phrases':>10}{'median ms':>11}{'max ms':>9}{'peak MB':>9}")
    for suffix, group in sorted(groups.items(), key=lambda item: (item[0] == "all", item[0])):
        texts = [result for result in group if result.case.expect == "text" and result.case.phrase]
        milliseconds = [result.seconds * 1000 for result in group]
        print(
            f"{suffix:8}{len(group):6}{sum(result.as_expected for result in group):10}"
            f"{f'{sum(result.phrase_found for result in texts)}/{len(texts)}':>10}{median(milliseconds):11.1f}"
            f"{max(milliseconds):9.0f}{max(result.peak for result in group) / 1e6:9.0f}"
        )


def _print_misses(results: list[Result]) -> None:
    for result in results:
        what = (
            result.outcome if isinstance(result.outcome, ParseError) else f"read, {len(result.outcome.text)} characters"
        )
        if not result.as_expected:
            print(f"not as expected ({result.case.expect}): {result.case.file}: {what}")
        elif result.case.expect == "text" and result.case.phrase and not result.phrase_found:
            print(f"phrase missed: {result.case.file}: {result.case.phrase!r}: {what}")


if __name__ == "__main__":
    main()
