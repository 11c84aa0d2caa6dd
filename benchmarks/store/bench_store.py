"""What the store costs: size, replace, queries, growth; on text it makes itself, or on a folder of Markdown.

    python benchmarks/store/bench_store.py [--chunks 50000] [--folder FOLDER]

Text is made from a seeded Zipf vocabulary; vectors are random unit rows, which do not change speed or size.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from minirag_mcp.model import (
    Chunk,
    ChunkId,
    Cut,
    Document,
    FileStat,
    Fingerprint,
    ModelIdentity,
    Section,
    SectionKind,
    SourceEntry,
    SourceKey,
    SourceRecord,
    SourceType,
    Span,
    Terms,
)
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store

IDENTITY = ModelIdentity(name="bench", dimension=384, window=512)
FINGERPRINT = Fingerprint(model="bench", scheme="1")
CHUNK_CHARACTERS, SECTION_CHUNKS, CHUNKS_PER_SOURCE, BATCH = 450, 4, 16, 64
REPLACES, QUERIES = 1000, 60

Numbers = np.random.Generator


def words_of(numbers: Numbers, count: int) -> list[str]:
    """Pronounceable words of 2 to 12 letters, the first ones short."""
    letters = np.array(list("etaoinshrdlcumwfgypbvk"))
    lengths = np.clip(numbers.normal(2 + np.log2(np.arange(count) + 2) / 2, 1.2), 2, 12).astype(int)
    return ["".join(numbers.choice(letters, size)) for size in lengths]


def made_texts(numbers: Numbers, chunks: int) -> Iterator[str]:
    """Documents of `CHUNKS_PER_SOURCE` chunks of Zipf-distributed words."""
    vocabulary = words_of(numbers, 30_000)
    for _ in range(chunks // CHUNKS_PER_SOURCE):
        ranks = numbers.zipf(1.25, CHUNKS_PER_SOURCE * CHUNK_CHARACTERS // 4) % len(vocabulary)
        yield " ".join(vocabulary[rank] for rank in ranks)[: CHUNKS_PER_SOURCE * CHUNK_CHARACTERS]


def folder_texts(folder: Path) -> Iterator[str]:
    """The Markdown files of a folder."""
    for path in sorted(folder.rglob("*.md")):
        yield path.read_text(encoding="utf-8", errors="replace")


def entry(key: str, text: str, numbers: Numbers) -> SourceEntry:
    """A source cut at fixed lengths; what the real cutter makes is as many and as long."""
    title = key.rpartition("/")[2]
    starts = range(0, len(text), CHUNK_CHARACTERS)
    chunks = tuple(
        Chunk(
            ordinal=n,
            section=n // SECTION_CHUNKS,
            span=Span(start=s, end=min(s + CHUNK_CHARACTERS, len(text))),
            context=f"{title}\nPart {n // SECTION_CHUNKS}",
        )
        for n, s in enumerate(starts)
    )
    sections = tuple(
        Section(
            ordinal=n,
            span=Span(
                start=n * SECTION_CHUNKS * CHUNK_CHARACTERS,
                end=min((n + 1) * SECTION_CHUNKS * CHUNK_CHARACTERS, len(text)),
            ),
            kind=SectionKind.HEADING,
            headings=(f"Part {n}",),
        )
        for n in range(-(-len(chunks) // SECTION_CHUNKS))
    )
    hashes = tuple(sha256(chunk.embedded(text).encode()).digest() for chunk in chunks)
    vectors = numbers.standard_normal((len(chunks), IDENTITY.dimension), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return SourceEntry(
        record=SourceRecord(
            key=SourceKey(key),
            source_type=SourceType.FILE,
            title=title,
            content_hash=sha256(text.encode()).hexdigest(),
            fingerprint=FINGERPRINT,
            chunk_count=len(chunks),
            stat=FileStat(size=len(text), mtime_ns=1_700_000_000_000_000_000),
        ),
        cut=Cut(
            document=Document(text=text, title=title, own_title=True, format="markdown"),
            sections=sections,
            chunks=chunks,
        ),
        terms=tuple(
            Terms(title=("title", "words", title), context=("part",), body=tuple(c.span.of(text).lower().split()))
            for c in chunks
        ),
        hashes=hashes,
        vectors=dict(zip(hashes, vectors, strict=True)),
    )


def disk_bytes(folder: Path) -> int:
    """Bytes of all files of the index."""
    return sum(path.stat().st_size for path in folder.iterdir())


def milliseconds(action: Callable[[], object], times: int) -> tuple[float, float]:
    """Median and 95th percentile of `times` runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        taken.append((time.perf_counter() - start) * 1000)
    return median(taken), quantiles(taken, n=20)[-1]


def row(name: str, value: str) -> None:
    """One line of the table."""
    print(f"| {name} | {value} |")


def build(store: Store, texts: Iterator[str], numbers: Numbers) -> tuple[int, int, list[str]]:
    """Write all texts in batches; gives bytes of text, chunks, and some of the words."""
    size, chunks, batch, vocabulary = 0, 0, [], []
    for n, text in enumerate(texts):
        made = entry(f"/home/someone/documents/folder-{n % 40}/document-{n}.md", text, numbers)
        size += len(text.encode())
        chunks += len(made.cut.chunks)
        vocabulary.append(made.terms[0].body[:6] if made.terms else ())
        batch.append(made)
        if len(batch) == BATCH:
            store.replace_many(batch)
            batch = []
    store.replace_many(batch)
    return size, chunks, [word for words in vocabulary for word in words]


def measure_queries(store: Store, vocabulary: list[str], numbers: Numbers) -> None:
    """Each side of a search, and both with what an answer reads."""

    def question() -> tuple[list[str], np.ndarray]:
        vector = numbers.standard_normal(IDENTITY.dimension).astype(np.float32)
        return list(numbers.choice(vocabulary, 6)), vector / np.linalg.norm(vector)

    def hybrid() -> None:
        terms, vector = question()
        lexical, dense = store.search_terms(terms, limit=50), store.search_vector(vector, limit=50)
        ids: list[ChunkId] = [hit.chunk for hit in (*lexical, *dense)]
        store.distances(vector, ids)
        found = store.read(ids[:8])
        store.sections({chunk.section_id for chunk in found})

    start = time.perf_counter()
    store.search_vector(question()[1], limit=50)
    row("first vector search (loads the rows)", f"{(time.perf_counter() - start) * 1000:.0f} ms")
    scope = (SourceKey("/home/someone/documents/folder-7"),)
    for name, action in (
        ("six words", lambda: store.search_terms(question()[0], limit=50)),
        ("six words, in one folder of 40", lambda: store.search_terms(question()[0], limit=50, scope=scope)),
        ("vector", lambda: store.search_vector(question()[1], limit=50)),
        ("vector, in one folder of 40", lambda: store.search_vector(question()[1], limit=50, scope=scope)),
        ("both sides, distances, 8 passages with sections", hybrid),
    ):
        middle, high = milliseconds(action, QUERIES)
        row(f"{name}, p50 / p95", f"{middle:.1f} / {high:.1f} ms")


def closed_bytes(folder: Path) -> int:
    """Bytes of the index with its log written back, as the last process leaves it."""
    store = open_store(folder, identity=IDENTITY)
    store.counts(FINGERPRINT)
    store.close()
    return disk_bytes(folder)


def measure_replaces(folder: Path, numbers: Numbers) -> None:
    """One source replaced over and over, its text new each time."""
    before = closed_bytes(folder)
    store = open_store(folder, identity=IDENTITY)
    texts = list(made_texts(numbers, CHUNKS_PER_SOURCE * 50))
    key = "/home/someone/documents/changing.md"
    entries = [entry(key, texts[n % 50] + f" {n}", numbers) for n in range(50)]
    count = iter(range(REPLACES))
    middle, high = milliseconds(lambda: store.replace(entries[next(count) % 50]), REPLACES)
    row("replace one source of 16 chunks, p50 / p95", f"{middle:.1f} / {high:.1f} ms")
    vector = numbers.standard_normal(IDENTITY.dimension).astype(np.float32)

    def replaced_then_searched() -> None:
        store.replace(entries[0])
        store.search_vector(vector, limit=50)

    store.search_vector(vector, limit=50)
    row("replace, then vector search, p50", f"{milliseconds(replaced_then_searched, 20)[0]:.1f} ms")
    store.close()
    row(f"growth over {REPLACES} replaces", f"{(closed_bytes(folder) / before - 1) * 100:+.1f} %")


def measure_reads(store: Store) -> None:
    """What status, list and a rename ask."""
    row("counts", f"{milliseconds(lambda: store.counts(FINGERPRINT), 5)[0]:.1f} ms")
    row("all sources", f"{milliseconds(store.sources, 5)[0]:.1f} ms")
    records = store.sources()
    stat = FileStat(size=1, mtime_ns=1)
    names = iter(range(100))

    def rename() -> None:
        n = next(names)
        store.rename(records[n].key, SourceKey(f"/moved/{n}"), stat=stat, labels=records[n].labels)

    row("rename, p50", f"{milliseconds(rename, 50)[0]:.1f} ms")


def main() -> None:
    """Make an index, measure it, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    numbers = np.random.default_rng(20)
    folder = Path(tempfile.mkdtemp(prefix="store-bench-"))
    store = open_store(folder / "index", identity=IDENTITY)
    texts = folder_texts(options.folder) if options.folder else made_texts(numbers, options.chunks)
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, {sys.platform}\n\n| what | measured |\n|---|---|"
    )
    start = time.perf_counter()
    size, chunks, vocabulary = build(store, texts, numbers)
    row("chunks, text", f"{chunks:,}, {size / 1e6:.1f} MB")
    row("written (cutting and hashing included)", f"{chunks / (time.perf_counter() - start):,.0f} chunks/s")
    measure_queries(store, vocabulary, numbers)
    measure_reads(store)
    store.close()
    row("index on disk / text", f"{closed_bytes(folder / 'index') / size:.2f}")
    measure_replaces(folder / "index", numbers)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
