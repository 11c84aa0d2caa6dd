"""What FTS5 keeps of a contentless index by `detail`, whether it can still rank, and what a term costs.

    python benchmarks/store/bench_fulltext.py FOLDER

The Markdown files of FOLDER are cut every 450 characters and indexed by lower-case words.
"""

import argparse
import re
import tempfile
import time
from pathlib import Path

import apsw

CHUNK_CHARACTERS = 450


def chunks_of(folder: Path) -> tuple[int, list[str]]:
    """Bytes of text, and the words of each chunk joined by spaces."""
    size, chunks = 0, []
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        size += len(text.encode())
        pieces = (text[start : start + CHUNK_CHARACTERS] for start in range(0, len(text), CHUNK_CHARACTERS))
        chunks += [" ".join(re.findall(r"\w+", piece.lower())) for piece in pieces]
    return size, chunks


def indexed(file: Path, chunks: list[str], detail: str) -> apsw.Connection:
    """A full-text index of the chunks."""
    connection = apsw.Connection(str(file))
    connection.execute(
        f"CREATE VIRTUAL TABLE t USING fts5(title, body, content='', contentless_delete=1, detail={detail});"
        "CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, t, row)"
    )
    with connection:
        rows = ((n, "some title", words) for n, words in enumerate(chunks, 1))
        connection.executemany("INSERT INTO t(rowid, title, body) VALUES (?, ?, ?)", rows)
    return connection


def microseconds(connection: apsw.Connection, statement: str, word: str) -> float:
    """The best of five runs."""
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        connection.execute(statement, (word,)).fetchall()
        taken.append((time.perf_counter() - start) * 1e6)
    return min(taken)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    size, chunks = chunks_of(parser.parse_args().folder)
    print(
        "| detail | index / text | best score of `the` | count, µs a place | score, µs a place |\n|---|---|---|---|---|"
    )
    count = "SELECT doc FROM temp.v WHERE term = ?"
    score = "SELECT bm25(t, 2, 1) AS s, rowid FROM t WHERE t MATCH ? ORDER BY s, rowid LIMIT 50"
    with tempfile.TemporaryDirectory() as folder:
        for detail in ("full", "column", "none"):
            file = Path(folder) / f"{detail}.db"
            connection = indexed(file, chunks, detail)
            places = connection.execute(count, ("the",)).get
            best = connection.execute(score, ("the",)).fetchall()[0][0]
            each = [microseconds(connection, statement, "the") / places for statement in (count, score)]
            print(f"| {detail} | {file.stat().st_size / size:.2f} | {best:.2g} | {each[0]:.3f} | {each[1]:.3f} |")
            connection.close()


if __name__ == "__main__":
    main()
