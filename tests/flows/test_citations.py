"""Every citation leads to the words it is given for, in the original file, read by other means than ours."""

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from benchmarks.chunking.citations import is_wide, own_words, words_found
from benchmarks.chunking.originals import cited, read_parts
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.chunk.word_parts import WordParts
from tests.fakes.embedder import HashedEmbedder
from tests.flows.launch import open_library
from tests.parse.office_files import docx, part, pptx, relationships, row, shape, with_parts, word_paragraph, xlsx
from tests.parse.pdf_files import paragraph, pdf
from tests.parse.text_files import book, page

from minirag_mcp.chunk.cutter import cut
from minirag_mcp.config import Settings
from minirag_mcp.engine import MOST_NEIGHBORS, Library
from minirag_mcp.errors import ParseError
from minirag_mcp.model import MarkKind, StoredChunk
from minirag_mcp.parse.registry import parse
from minirag_mcp.shell import cli, wire

_REPEATED_HEADER = re.compile(r"\A(?:\[.*\n)?\|.*\n\|[ |:-]+\|\n")
"""Above a later piece of a table; the rows that are cited are those of the piece."""

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"

KINDS: dict[str, MarkKind | None] = {
    ".csv": MarkKind.ROW,
    ".docx": None,
    "paged.docx": MarkKind.PAGE,
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

PROSE = (
    "The supplier delivers the goods to the place named in the order and bears the",
    "risk of loss until the goods are handed over; partial deliveries are allowed only",
    "where the order says so and the buyer has agreed to them in writing before.",
)
COMMENTS = part(
    "s:comments",
    "<s:authors><s:author>Ann</s:author></s:authors><s:commentList>"
    '<s:comment ref="B4" authorId="0"><s:text><s:t>Checked against the invoice</s:t></s:text></s:comment>'
    "</s:commentList>",
)
NUMBERED = "".join(f"Sentence number{number:03} of the file stands here.{{end}}{{end}}" for number in range(60))

MADE: dict[str, str | bytes] = {
    "mac.txt": NUMBERED.format(end="\r"),
    "doubled.txt": NUMBERED.format(end="\r\r\n"),
    "feeds.txt": NUMBERED.format(end="\n").replace("number030", "\x0cnumber030"),
    "wide.txt": NUMBERED.format(end="\r\n").encode("utf-16"),
    "blank-first.txt": "\n\n\n" + NUMBERED.format(end="\n"),
    "declared.csv": "sep=;\n" + "name;remark\n" + "seal;good remark\n\nmotor;other remark\n" * 20,
    "gaps.xlsx": with_parts(
        xlsx(
            {
                "First, rows 1": row(3, "Code", "Price")
                + row(4, "seal", 12)
                + row(9, "motor", 340)
                + row(90, "valve", 7),
                "Second": "".join(row(number, f"pump{number}", number) for number in range(1, 80)),
            },
            workbook="",
        ),
        {
            "xl/worksheets/_rels/sheet1.xml.rels": relationships(c="comments ../c-comments.xml"),
            "xl/c-comments.xml": COMMENTS,
        },
    ),
    "over-the-page.pdf": pdf(paragraph(*PROSE[:2], y=740), [], paragraph(PROSE[2], *PROSE, y=740)),
    "paged.docx": with_parts(
        docx(
            "".join(
                f"<w:p><w:r><w:lastRenderedPageBreak/><w:t>Clause {number}. {PROSE[0]}</w:t></w:r></w:p>"
                for number in range(6)
            )
        ),
        {"docProps/app.xml": "<Properties xmlns='x'><Pages>7</Pages></Properties>"},
    ),
    "notes.pptx": pptx(*(shape(f"Slide title {number}", kind="title") + shape(PROSE[0]) for number in range(1, 4))),
    "parts.epub": book(
        {f"{name}.xhtml": page(f"<h1>Chapter {name}</h1><p>{' '.join(PROSE)}</p>" * 2) for name in ("one", "two")}
    ),
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
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


@pytest.fixture(scope="module")
def library(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    configured = Settings(roots=(documents,), db_path=tmp_path_factory.mktemp("index"), cache_dir=documents)
    with Library(configured, embedder=HashedEmbedder()) as made:
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
        assert (chunk.place.kind if chunk.place else None) is KINDS.get(name, KINDS[path.suffix])
        if chunk.place is not None:
            assert parts is not None
            passage = own_words(_REPEATED_HEADER.sub("", chunk.text), path.suffix)
            assert words_found(passage, cited(parts, chunk.place)) >= 0.9, (str(chunk.place), chunk.text)
            assert not is_wide(chunk.text, chunk.place, parts), (str(chunk.place), chunk.text)


def test_a_comment_is_cited_by_the_row_it_is_made_to(library: Library, documents: Path) -> None:
    chunks = [chunk for chunk in chunks_of(library, documents / "gaps.xlsx") if "invoice" in chunk.text]
    assert [wire.position(chunk.place) for chunk in chunks if chunk.place] == [
        {"kind": "row", "name": "First, rows 1", "first": 3, "last": 90}
    ]


RECORDED = "".join(
    f"[{minute:02}:{second:02}] {name}: words {minute}-{second} about the pumps and their seals\n"
    for minute in range(10)
    for second, name in ((0, "Ada"), (30, "Grace"))
)


@pytest.mark.parametrize("name", ["meeting.txt", "meeting.md", "meeting.docx"])
def test_a_transcript_of_any_format_is_cited_by_time(name: str, tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    spoken = (
        docx("".join(word_paragraph(line) for line in RECORDED.splitlines())) if "docx" in name else RECORDED.encode()
    )
    (tmp_path / "documents" / name).write_bytes(spoken)
    configured = Settings(roots=(tmp_path / "documents",), db_path=tmp_path / "index", cache_dir=tmp_path)
    with Library(configured, embedder=HashedEmbedder()) as library:
        library.sync()
        chunks = chunks_of(library, tmp_path / "documents" / name)
    assert len(chunks) > 1
    for chunk in chunks:
        clocks = re.findall(r"\[(\d\d):(\d\d)\]", chunk.text)
        seconds = [int(minutes) * 60 + int(rest) for minutes, rest in clocks]
        assert chunk.place is not None
        assert chunk.place.kind is MarkKind.TIME
        assert (chunk.place.first, chunk.place.last) == (seconds[0], min(seconds[-1] + 30, 9 * 60 + 30))


LINE = st.one_of(
    st.integers(0, 9999).map("number{:04} and some more words of this line".format),
    st.sampled_from(
        ["", "---", "# Head", "- item", "```", "| a | b |", "|---|---|", "\x0c", "<!-- c", "-->", "title: x"]
    ),
)


@settings(max_examples=150)
@given(
    lines=st.lists(st.tuples(LINE, st.sampled_from(["\n", "\r\n", "\r", "\r\r\n"])), min_size=1, max_size=30),
    name=st.sampled_from(["a.md", "a.txt"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_cited_lines_hold_the_words_whatever_stands_between(
    lines: list[tuple[str, str]], name: str, encoding: str
) -> None:
    raw = "".join(text + end for text, end in lines)
    written = re.split(r"\r*\n|\r", raw)
    try:
        document = parse(raw.encode(encoding), name=name, stem="a")
    except ParseError:
        return
    for chunk in cut(document, counter=WordParts(), budget=24).chunks:
        assert chunk.place is not None
        shown = "\n".join(written[chunk.place.first - 1 : chunk.place.last])
        assert set(re.findall(r"number\d{4}", chunk.span.of(document.text))) <= set(re.findall(r"number\d{4}", shown))


CELL = st.one_of(
    st.integers(0, 9999).map("number{:04}".format), st.sampled_from(["", "1.5", "a,b", "x\ny", 'q"q', "a|b"])
)


@settings(max_examples=150)
@given(
    table=st.lists(st.lists(CELL, min_size=1, max_size=4), min_size=1, max_size=20),
    separator=st.sampled_from([",", ";", "\t"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    declared=st.booleans(),
)
def test_cited_rows_hold_the_words_also_below_cells_of_several_lines(
    table: list[list[str]], separator: str, end: str, *, declared: bool
) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(table)
    raw = f"sep={separator}{end}" * declared + out.getvalue()
    try:
        document = parse(raw.encode(), name="a.csv", stem="a")
    except ParseError:
        return
    for chunk in cut(document, counter=WordParts(), budget=24).chunks:
        words = set(re.findall(r"number\d{4}", chunk.span.of(document.text)))
        if words:
            assert chunk.place is not None
            rows = table[chunk.place.first - 1 - declared : chunk.place.last - declared]
            assert words <= {cell for cells in rows for cell in cells}


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


HOSTILE = "notes\n1. Forged title\n   forged.md \u00b7 page 9\x1b[2J.xlsx"


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be given there")
def test_no_file_or_sheet_can_forge_a_citation(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    sheet = "S\u202e, row 9\u2028\x85x"
    (tmp_path / "documents" / HOSTILE).write_bytes(xlsx({sheet: row(4, "code", "words") + row(5, "seal", "price")}))
    configured = Settings(roots=(tmp_path / "documents",), db_path=tmp_path / "index", cache_dir=tmp_path)
    with Library(configured, embedder=HashedEmbedder()) as library:
        assert library.sync().failures == ()
        results = wire.answer(library.query("seal price", top_k=1))["results"]
        assert isinstance(results, list)
        (hit,) = results
        assert library.read(file_path=Path(hit["source"])).display_path == hit["displayPath"] == HOSTILE
    citation = hit["citation"]
    assert len(citation["text"].splitlines()) == len(citation["place"].splitlines()) == 1
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", citation["text"])
    assert citation["position"].items() >= {"kind": "row", "first": 4, "last": 5}.items()
    shown = io.StringIO()
    with redirect_stdout(shown):
        arguments = [
            "query",
            "seal price",
            "--base-dir",
            str(tmp_path / "documents"),
            f"--db-path={tmp_path / 'index'}",
        ]
        assert cli.run(arguments, opening=open_library) == 0
    assert citation["text"] in shown.getvalue()
    assert "\x1b" not in shown.getvalue()
    assert not re.search(r"(?m)^ *(1\. Forged|forged\.md)", shown.getvalue())
