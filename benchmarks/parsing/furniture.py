"""What is left out of web pages as furniture, and how much of their main element survives it.

    python -m benchmarks.parsing.furniture FOLDER [FOLDER …] [--most PAGES] [--list]

All `.html` and `.htm` files under each FOLDER, or a sample of `--most` of them, are read with and without their
furniture. Kept is the share of characters of text, prose the share of those outside links that are left out. Where a
page has a `<main>` element or one of that role, it is taken for the truth: recall is the share of its words in the
text, precision the share of the text's words that are in it. `--list` prints what is left out, the largest first.
"""

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from minirag_mcp.errors import ParseError
from minirag_mcp.parse.encoding import decode_written
from minirag_mcp.parse.html_furniture import left_out
from minirag_mcp.parse.html_nesting import flattened
from minirag_mcp.parse.html_page import declared_charset, markdown_of
from minirag_mcp.parse.html_tree import Element, read_tree

_SEED = 7
_WORD = re.compile(r"\w+")
_TAG = re.compile(r"<[^<>]*>")
_NAMES = frozenset((".html", ".htm"))
_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What was measured of one page; `recalls` and `precisions` are (with furniture, without), None without a main."""

    text: int
    prose: int
    text_cut: int
    prose_cut: int
    seconds: float
    seconds_whole: float
    recalls: tuple[float, float] | None
    precisions: tuple[float, float] | None


def main() -> None:
    """Measure every folder and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", type=Path, nargs="+")
    options.add_argument("--most", type=int, default=60)
    options.add_argument("--list", action="store_true")
    chosen = options.parse_args()
    print(
        f"{'folder':24}{'pages':>6}{'kept':>7}{'prose':>7}{'mains':>6}{'recall':>16}{'precision':>16}{'cost of it':>12}"
    )
    for folder in chosen.folders:
        cut: defaultdict[str, list[str]] = defaultdict(list)
        pages = list(_measured(folder, chosen.most, cut))
        if pages:
            print(_line(folder, pages))
        if chosen.list:
            _print_cut(cut)


def _measured(folder: Path, most: int, cut: defaultdict[str, list[str]]) -> Iterator[Page]:
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _NAMES)
    for file in random.Random(_SEED).sample(files, min(most, len(files))):  # noqa: S311 - a sample, not a secret
        data = file.read_bytes()
        try:
            source = flattened(decode_written(data, declared=declared_charset(data)))
            yield _page(source, cut)
        except ParseError:
            continue


def _page(source: str, cut: defaultdict[str, list[str]]) -> Page:
    root, elements = read_tree(source)
    parts = left_out(source)
    for element in parts:
        cut[_label(element)].append(_shown(source[element.start : element.end]))
    started = time.perf_counter()
    whole = markdown_of(source, without=str)
    between = time.perf_counter()
    text = markdown_of(source)
    ended = time.perf_counter()
    mains = [each for each in elements if each.name == "main" or each.attributes.get("role") == "main"]
    scores = None
    if mains and mains[0].text_length:
        truth = _words(markdown_of(source[mains[0].start : mains[0].end], without=str))
        scores = _scores(truth, _words(whole)), _scores(truth, _words(text))
    return Page(
        text=root.text_length,
        prose=root.prose_length,
        text_cut=sum(element.text_length for element in parts),
        prose_cut=sum(element.prose_length for element in parts),
        seconds=ended - between,
        seconds_whole=between - started,
        recalls=(scores[0][0], scores[1][0]) if scores else None,
        precisions=(scores[0][1], scores[1][1]) if scores else None,
    )


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text))


def _scores(truth: Counter[str], found: Counter[str]) -> tuple[float, float]:
    both = (truth & found).total()
    return both / max(1, truth.total()), both / max(1, found.total())


def _label(element: Element) -> str:
    names = element.attributes.get("class") or element.attributes.get("id") or element.attributes.get("role") or ""
    return f"<{element.name} {names}>"


def _shown(source: str) -> str:
    return " ".join(_TAG.sub(" ", source).split())


def _line(folder: Path, pages: list[Page]) -> str:
    text, prose = sum(page.text for page in pages), sum(page.prose for page in pages)
    recalls = [page.recalls for page in pages if page.recalls]
    precisions = [page.precisions for page in pages if page.precisions]
    cost = sum(page.seconds for page in pages) / sum(page.seconds_whole for page in pages)
    kept = 1 - sum(page.text_cut for page in pages) / max(1, text)
    return (
        f"{folder.name[-23:]:24}{len(pages):6}{kept:7.1%}{sum(page.prose_cut for page in pages) / max(1, prose):7.1%}"
        f"{len(recalls):6}{_both(recalls):>16}{_both(precisions):>16}{f'x {cost:.1f}':>12}"
    )


def _both(scores: list[tuple[float, float]]) -> str:
    if not scores:
        return "-"
    return f"{mean(score[0] for score in scores):.3f} > {mean(score[1] for score in scores):.3f}"


def _print_cut(cut: defaultdict[str, list[str]]) -> None:
    for label, texts in sorted(cut.items(), key=lambda item: -sum(len(text) for text in item[1])):
        longest = max(texts, key=len)
        print(f"    {len(texts):5} x {label[:60]:60} {len(longest):6}  {longest[:_SHOWN]}")


if __name__ == "__main__":
    main()
