"""Do cited places hold what is cited from them: `python -m benchmarks.chunking.citations FOLDER [--budget N]`.

Every file under FOLDER is parsed and cut; each chunk's place is looked up in the file by other means than the product's
parsers, and the share of the chunk's words found there is taken. A range is too wide when its first or last page, row
or line holds none of them. One line per format, then the worst chunks.
"""

import argparse
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.chunking.measure import WordParts
from benchmarks.chunking.originals import Parts, cited, read_parts
from minirag_mcp.chunk.cutter import cut
from minirag_mcp.config import DEFAULT_TOKEN_BUDGET
from minirag_mcp.errors import ParseError
from minirag_mcp.model import MarkKind, Place
from minirag_mcp.parse.registry import SUFFIXES, parse

ENOUGH = 0.9
_WORD = re.compile(r"[^\W\d_]{4,}")
_ANY_WORD = re.compile(r"\w+")
_ADDED = {".epub": ("#", "```"), ".xlsx": ("#",), ".ipynb": ("```",)}
"""What begins lines that a parser adds: headings from a contents page or a sheet's name, and the marks of code."""
_CLOCK = re.compile(r"(?m)^\[[\d:]+\]")
_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One chunk: the share of its words that stand at its place, or None when it cites none that can be looked up.

    wide  whether the place begins or ends where none of its words stand
    """

    name: str
    share: float | None
    wide: bool
    place: str
    text: str


def words_found(text: str, original: str) -> float:
    """Share of the words of `text` (four letters and more) that stand in `original`, marks and spaces aside."""
    words = _WORD.findall(_folded(text))
    squeezed = "".join(character for character in _folded(original) if character.isalnum())
    return sum(word in squeezed for word in words) / len(words) if words else 1.0


def check(path: Path, *, budget: int) -> Iterator[Checked]:
    """Every chunk of a file. Raises ParseError."""
    document = parse(path.read_bytes(), name=path.name, stem=path.stem)
    parts = read_parts(path)
    for chunk in cut(document, counter=WordParts(), budget=budget).chunks:
        place, text = chunk.place, chunk.span.of(document.text)
        own = own_words(text, path.suffix.lower())
        share, wide = None, False
        if parts is not None and place is not None and place.kind is not MarkKind.SHEET:
            share, wide = words_found(own, cited(parts, place)), is_wide(text, place, parts)
        yield Checked(name=path.name, share=share, wide=wide, place=str(place or ""), text=text)


def is_wide(text: str, place: Place, parts: Parts) -> bool:
    """Whether `place` is a range whose first or last part holds no word of `text`, nor is a line of marks in it."""
    if place.kind is MarkKind.TIME or place.last <= place.first:
        return False
    folded = _folded(text)
    words = set(_ANY_WORD.findall(folded))
    ends = (cited(parts, replace(place, first=number, last=number)) for number in (place.first, place.last))
    apart = (end for end in map(_folded, ends) if words.isdisjoint(_ANY_WORD.findall(end)))
    return any(not end.strip() or end.strip() not in folded for end in apart)


def own_words(text: str, suffix: str) -> str:
    """`text` without what the parser of the format adds to it."""
    added = _ADDED.get(suffix, ())
    return _CLOCK.sub("", "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(added)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("\u00ad", "")


def main() -> None:
    """Read the command line and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--budget", type=int, default=DEFAULT_TOKEN_BUDGET)
    given = parser.parse_args()
    by_format: dict[str, list[Checked]] = defaultdict(list)
    for path in sorted(given.folder.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.is_file():
            try:
                by_format[path.suffix.lower()].extend(check(path, budget=given.budget))
            except ParseError:
                continue
    print("| format | chunks | no place | place holds the words | less than 90 % of them | too wide |")
    print("|---|---|---|---|---|---|")
    for suffix, found in by_format.items():
        placed = [one for one in found if one.share is not None]
        poor = sum(one.share < ENOUGH for one in placed if one.share is not None)
        wide = sum(one.wide for one in placed)
        print(f"| {suffix} | {len(found)} | {len(found) - len(placed)} | {len(placed) - poor} | {poor} | {wide} |")
    worst = sorted((one for found in by_format.values() for one in found if one.share is not None), key=_by_share)
    for one in worst[:_SHOWN]:
        if one.share is not None and one.share < ENOUGH:
            print(f"{one.share:.0%} {_line(one)}")
    for one in [one for one in worst if one.wide][:_SHOWN]:
        print(f"wide {_line(one)}")


def _line(one: Checked) -> str:
    return f"{one.name} · {one.place} · {' '.join(one.text.split())[:90]}"


def _by_share(one: Checked) -> tuple[float, str]:
    return one.share or 0.0, one.name


if __name__ == "__main__":
    main()
