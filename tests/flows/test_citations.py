"""Every citation leads to the words it is given for, in the original file, read by other means than ours."""

import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from benchmarks.chunking.citations import own_words, words_found
from benchmarks.chunking.originals import cited, read_parts
from tests.fakes.embedder import HashedEmbedder
from tests.flows.launch import open_library

from minirag_mcp.config import Settings
from minirag_mcp.engine import MOST_NEIGHBORS, Library
from minirag_mcp.model import MarkKind, StoredChunk
from minirag_mcp.shell import cli, wire

_REPEATED_HEADER = re.compile(r"\A(?:\[.*\n)?\|.*\n\|[ |:-]+\|\n")
"""Above a later piece of a table; the rows that are cited are those of the piece."""

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"

KINDS: dict[str, MarkKind | None] = {
    ".csv": MarkKind.ROW,
    ".docx": None,
    ".epub": MarkKind.CHAPTER,
    ".htm": None,
    ".html": None,
    ".ipynb": MarkKind.CELL,
    ".markdown": MarkKind.LINE,
    ".md": MarkKind.LINE,
    ".pdf": MarkKind.PAGE,
    ".pptx": MarkKind.SLIDE,
    ".srt": MarkKind.TIME,
    ".txt": MarkKind.LINE,
    ".vtt": MarkKind.TIME,
    ".xlsx": MarkKind.ROW,
}

MADE = {
    "windows.txt": "First line.\r\n\r\nThird line, after an empty one.\r\n\r\n" + "More words follow here.\r\n" * 40,
    "front.md": "---\ntitle: Front\ntags: [a, b]\n---\n\n# Heading\n\n"
    + "Text under the heading, line by line.\n\n" * 30,
    "quoted.csv": 'name,remark\nseal,"two\nlines, quoted"\n\nmotor,plain remark\n' + "valve,another remark\n" * 30,
    "hour.srt": "1\n00:00:05,000 --> 00:00:09,500\nWelcome everybody.\n\n"
    "2\n01:02:03,000 --> 01:02:09,000\nGoodbye then.\n",
    "talk.vtt": "WEBVTT\n\n"
    + "".join(
        f"00:{minute:02}:{second:02}.000 --> 00:{minute:02}:{second + 9:02}.500\n"
        f"<v Ada>sentence {minute}-{second} about pumps</v>\n\n"
        for minute in range(6)
        for second in (0, 20, 40)
    ),
    "notes.ipynb": json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "metadata": {}, "source": [f"Cell number {number} explains.\n"] * 20}
                for number in range(5)
            ],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    ),
}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cited") / "documents"
    folder.mkdir()
    for path in EXAMPLES.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    for name, text in MADE.items():
        (folder / name).write_bytes(text.encode())
    return folder


@pytest.fixture(scope="module")
def library(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    settings = Settings(roots=(documents,), db_path=tmp_path_factory.mktemp("index"), cache_dir=documents)
    with Library(settings, embedder=HashedEmbedder()) as made:
        assert made.sync().failures == ()
        yield made


def chunks_of(library: Library, path: Path) -> list[StoredChunk]:
    found: list[StoredChunk] = []
    while True:
        read = library.read_neighbors(len(found), file_path=path, before=0, after=MOST_NEIGHBORS)
        found.extend(read.chunks)
        if read.at_end:
            return found


@pytest.mark.parametrize("name", sorted([*(path.name for path in EXAMPLES.iterdir()), *MADE]))
def test_the_cited_place_holds_the_passage(library: Library, documents: Path, name: str) -> None:
    path = documents / name
    parts = read_parts(path)
    for chunk in chunks_of(library, path):
        assert (chunk.place.kind if chunk.place else None) is KINDS[path.suffix]
        if chunk.place is not None:
            assert parts is not None
            passage = own_words(_REPEATED_HEADER.sub("", chunk.text))
            assert words_found(passage, cited(parts, chunk.place)) >= 0.9, (str(chunk.place), chunk.text)


@pytest.mark.parametrize(
    "name", ["contract-ru.docx", "faq-ru.html", "controller-specification.md", "owners-manual.pdf"]
)
def test_the_cited_headings_stand_above_the_passage_or_in_it(library: Library, documents: Path, name: str) -> None:
    text = library.read(file_path=documents / name).text
    for chunk in chunks_of(library, documents / name):
        last_line = chunk.text.rsplit("\n", 1)[-1]
        for heading in chunk.headings:
            assert heading in text[: text.index(last_line) + len(last_line)]


def test_every_way_in_shows_the_same_citation(library: Library, documents: Path) -> None:
    answer = wire.answer(library.query("flow test", top_k=5))
    hits = answer["results"]
    assert isinstance(hits, list)
    assert hits
    shown = io.StringIO()
    with redirect_stdout(shown):
        arguments = ["query", "flow test", "--base-dir", str(documents), "--db-path", str(library.settings.db_path)]
        assert cli.run(arguments, opening=open_library) == 0
    for hit in hits:
        assert isinstance(hit, dict)
        citation = hit["citation"]
        assert isinstance(citation, dict)
        assert citation["displayPath"] == hit["displayPath"]
        assert citation["text"].startswith(citation["displayPath"])
        assert citation["place"] in citation["text"]
        assert citation["text"] in shown.getvalue()
