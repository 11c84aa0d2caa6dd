"""What folding a dated series saves, and what it does to the first ten hits.

    python -m benchmarks.series FOLDER [--work DIR]

FOLDER holds snapshots of one document. Names that begin with the date (`2026-07-23-report.md`) make no series: the
folder is measured as it is, to show that nothing is folded there, and as a copy in which the date stands at the end.

Crowding: each of the most repeated paragraphs is asked for by its first words; counted is how many of the first ten
hits are texts that a better hit has shown already.
"""

import argparse
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library

_DATE_IN_FRONT = re.compile(r"(\d{4}-\d{2}-\d{2})-(.+)")
_QUESTIONS = 30
_WORDS_OF_A_QUESTION = 12
_TOP = 10


def main() -> None:
    """Measure the folder as it is, and with the dates at the end of the names, folded and not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, help="where copies and indexes are made (default: a temporary folder)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.work) as work:
        copy = renamed(given.folder, Path(work) / "renamed")
        print(f"{'':<28}{'files':>7}{'chunks':>8}{'repeats':>9}{'share':>8}{'seconds':>9}{'MB':>7}{'crowded':>9}")
        questions: list[str] = []
        runs = [("renamed, not folded", copy, False), ("renamed, folded", copy, True)]
        for name, folder, fold in [*runs, ("as it is, folded", given.folder, True)]:
            index = Path(work) / name.replace(" ", "-")
            settings = Settings(roots=(folder,), db_path=index, cache_dir=Path(work) / "cache", snapshot_dedupe=fold)
            with Library(settings) as library:
                library.warm_up()
                start = time.perf_counter()
                files = library.sync().counts.scanned
                seconds = time.perf_counter() - start
                counts = library.status().counts
                questions = questions or most_repeated(library)
                crowded = sum(repeated_hits(library, question) for question in questions) / len(questions)
            size = sum(file.stat().st_size for file in index.rglob("*") if file.is_file()) / 1e6
            share = counts.repeated_chunks / counts.chunks
            print(
                f"{name:<28}{files:>7}{counts.chunks:>8}{counts.repeated_chunks:>9}{share:>8.1%}{seconds:>9.1f}"
                f"{size:>7.1f}{crowded:>9.2f}",
                flush=True,
            )
        print(f"crowded: of the first {_TOP} hits of {len(questions)} questions, copies of a better hit; mean")


def renamed(folder: Path, target: Path) -> Path:
    """A copy of the folder in which each date in front of a name stands at its end."""
    shutil.copytree(folder, target)
    for path in [path for path in target.rglob("*") if path.is_file()]:
        found = _DATE_IN_FRONT.fullmatch(path.stem)
        if found:
            path.rename(path.with_name(f"{found[2]}-{found[1]}{path.suffix}"))
    return target


def most_repeated(library: Library) -> list[str]:
    """The beginnings of the paragraphs that most chunks repeat, the most repeated first; each beginning once."""
    texts = Counter(text for text in every_text(library) if len(text.split()) >= _WORDS_OF_A_QUESTION)
    beginnings = (" ".join(text.split()[:_WORDS_OF_A_QUESTION]) for text, _ in texts.most_common())
    return list(dict.fromkeys(beginnings))[:_QUESTIONS]


def every_text(library: Library) -> Iterator[str]:
    """The text of each chunk of the index."""
    for record in library.indexed():
        for first in range(0, record.chunk_count, 101):
            middle = min(first + 50, record.chunk_count - 1)
            around = library.read_neighbors(
                middle, source=record.key, before=middle - first, after=min(50, record.chunk_count - 1 - middle)
            )
            yield from (chunk.text for chunk in around.chunks)


def repeated_hits(library: Library, question: str) -> int:
    """How many of the first hits show a text that a better one has shown."""
    shown = [passage.text for passage in library.query(question, top_k=_TOP).passages]
    return len(shown) - len(set(shown))


if __name__ == "__main__":
    main()
