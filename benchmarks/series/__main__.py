"""What folding a dated series saves, and what it does to the first ten hits.

    python -m benchmarks.series FOLDER [--words-only] [--work DIR]

FOLDER holds snapshots of one document. Names that begin with the date (`2026-07-23-report.md`) make no series: the
folder is measured as it is, to show that nothing is folded there, and as a copy in which the date stands at the end.

Crowding: each of the most repeated paragraphs is asked for by its first words; counted is how many of the first ten
hits are texts that a better hit has shown already. With `--words-only` chunks are counted, and nothing is embedded or
asked.
"""

import argparse
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import CancelledError
from minirag_mcp.model import Progress, Stage

_DATE_IN_FRONT = re.compile(r"(\d{4}-\d{2}-\d{2})-(.+)")
_QUESTIONS = 30
_WORDS_OF_A_QUESTION = 12
_TOP = 10


def main() -> None:
    """Measure the folder as it is, and with the dates at the end of the names, folded and not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, help="where copies and indexes are made (default: a temporary folder)")
    parser.add_argument("--words-only", action="store_true", help="count chunks, and embed nothing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.work) as work:
        copy = renamed(given.folder, Path(work) / "renamed")
        print(f"{'':<22}  files  chunks  repeats   share  wall s   CPU s     MB  crowded")
        questions: list[str] = []
        for name, fold in (("renamed, not folded", False), ("renamed, folded", True)):
            with opened(copy, Path(work) / name, fold=fold) as library:
                if given.words_only:
                    report(name, library, files=words_only(library), rest=" " * 16, crowded="")
                    continue
                library.warm_up()
                wall, processor = time.perf_counter(), time.process_time()
                files = library.sync().counts.scanned
                wall, processor = time.perf_counter() - wall, time.process_time() - processor
                questions = questions or most_repeated(library)
                crowded = sum(repeated_hits(library, question) for question in questions) / len(questions)
                report(name, library, files=files, rest=f"{wall:>8.1f}{processor:>8.1f}", crowded=f"{crowded:>9.2f}")
        with opened(given.folder, Path(work) / "as it is", fold=True) as library:
            files = words_only(library)
            report("as it is, words only", library, files=files, rest=" " * 16, crowded="")
        if questions:
            print(f"crowded: of the first {_TOP} hits of {len(questions)} questions, copies of a better hit; mean")


def opened(folder: Path, index: Path, *, fold: bool) -> Library:
    """The Library over a folder, with an index of its own."""
    return Library(Settings(roots=(folder,), db_path=index, cache_dir=index.parent / "cache", snapshot_dedupe=fold))


def report(name: str, library: Library, *, files: int, rest: str, crowded: str) -> None:
    """One line of the table."""
    counts = library.status().counts
    size = sum(file.stat().st_size for file in library.settings.db_path.rglob("*") if file.is_file()) / 1e6
    share = counts.repeated_chunks / counts.chunks
    print(
        f"{name:<22}{files:>7}{counts.chunks:>8}{counts.repeated_chunks:>9}{share:>8.1%}{rest}{size:>7.1f}{crowded}",
        flush=True,
    )


def words_only(library: Library) -> int:
    """Sync, but for the vectors; returns how many files there are."""
    at = [Progress(done=0, total=0)]
    with suppress(CancelledError):
        library.sync(progress=at.append, cancelled=lambda: at[-1].stage is Stage.VECTORS)
    return max(step.total for step in at if step.stage is Stage.FILES)


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
