"""A document is found by a word of its title alone, in every format, and only its first chunk carries the title."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.fakes.embedder import HashedEmbedder
from tests.parse.office_files import core_title, docx, pptx, row, shape, with_parts, word_paragraph, xlsx
from tests.parse.pdf_files import paragraph, pdf
from tests.parse.text_files import book, page

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.model import Passage
from minirag_mcp.parse.registry import SUFFIXES
from minirag_mcp.retrieve.options import SearchOptions

SENTENCES = [f"The inlet valve number {number} opens slowly before the motor starts to turn." for number in range(24)]
PROSE = "\n\n".join(SENTENCES)
BODY = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
CELLS = [{"cell_type": "markdown", "metadata": {}, "source": sentence} for sentence in SENTENCES]
ROWS = "".join(row(number, f"valve {number}", "opens slowly", number) for number in range(1, 60))
CORE = "docProps/core.xml"


def notebook(**metadata: str) -> bytes:
    return json.dumps({"cells": CELLS, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def pages(title: str = "") -> bytes:
    return pdf(paragraph(*SENTENCES[:12], y=700), paragraph(*SENTENCES[12:], y=700), title=title)


def office(data: bytes, title: str = "") -> bytes:
    return with_parts(data, {CORE: core_title(title)}) if title else data


def document(title: str = "") -> bytes:
    return office(docx("".join(map(word_paragraph, SENTENCES))), title)


def show(title: str = "") -> bytes:
    slides = (shape(*SENTENCES[first : first + 4]) for first in range(0, 24, 4))
    data = pptx(*slides)
    linked = office(data, title)
    if not title:
        return linked
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="d" Target="ppt/presentation.xml" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
    )
    return with_parts(linked, {"_rels/.rels": relations})


def captions(separator: str) -> str:
    return "\n\n".join(
        f"00:{number:02}:00{separator}000 --> 00:{number:02}:09{separator}000\n{sentence}"
        for number, sentence in enumerate(SENTENCES)
    )


WITHOUT_TITLE: dict[str, bytes] = {
    ".md": PROSE.encode(),
    ".markdown": f"# Introduction\n\n{PROSE}".encode(),
    ".txt": PROSE.encode(),
    ".csv": b"part,remark\n" + "".join(f"valve {n},opens slowly\n" for n in range(60)).encode(),
    ".ipynb": notebook(),
    ".vtt": f"WEBVTT\n\n{captions('.')}\n".encode(),
    ".srt": f"{captions(',')}\n".encode(),
    ".html": page(BODY).encode(),
    ".htm": page(BODY, "Untitled Document").encode(),
    ".epub": book({"a.xhtml": page(BODY)}),
    ".pdf": pages(),
    ".docx": document("Document1"),
    ".pptx": show("PowerPoint Presentation"),
    ".xlsx": xlsx({"Sheet1": ROWS}),
}
TRANSCRIPTS = (".vtt", ".srt")


def with_title(suffix: str, title: str) -> bytes:
    """A document whose own metadata gives this title."""
    made: dict[str, bytes] = {
        ".md": f"---\ntitle: {title}\n---\n{PROSE}".encode(),
        ".markdown": f"Title: {title}\nDate: 2024-05-01\n\n{PROSE}".encode(),
        ".ipynb": notebook(title=title),
        ".html": page(BODY, title).encode(),
        ".htm": page(BODY, title).encode(),
        ".epub": book({"a.xhtml": page(BODY)}, head=f"<dc:title>{title}</dc:title>"),
        ".pdf": pages(title),
        ".docx": document(title),
        ".pptx": show(title),
        ".xlsx": office(xlsx({"Sheet1": ROWS}), title),
    }
    return made[suffix]


HAVE_METADATA = (".docx", ".epub", ".htm", ".html", ".ipynb", ".markdown", ".md", ".pdf", ".pptx", ".xlsx")


class Shelf:
    """A folder in an index that answers by words alone, and what was embedded for it."""

    def __init__(self, root: Path, library: Library, embedder: HashedEmbedder) -> None:
        self.root, self.library, self.embedder = root, library, embedder

    def put(self, name: str, data: bytes | str) -> Path:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def hits(self, words: str) -> tuple[Passage, ...]:
        return self.library.query(words, top_k=20).passages

    def found(self, words: str) -> set[str]:
        return {hit.display_path for hit in self.hits(words)}

    def carrying(self, word: str) -> list[str]:
        return [text for text in self.embedder.embedded if word in text]


@contextmanager
def shelf_in(folder: Path) -> Iterator[Shelf]:
    root = folder / "documents"
    root.mkdir()
    settings = Settings(
        roots=(root,),
        db_path=folder / "index",
        cache_dir=folder,
        chunk_token_budget=64,
        search=SearchOptions(hybrid_weight=1.0),
    )
    embedder = HashedEmbedder()
    with Library(settings, embedder=embedder) as library:
        yield Shelf(root, library, embedder)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with shelf_in(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """A file of every format whose name alone says what it is."""
    with shelf_in(tmp_path_factory.mktemp("named")) as made:
        for suffix, data in WITHOUT_TITLE.items():
            made.put(f"И-112_zephyr{suffix[1:]}_plan{suffix}", data)
        assert made.library.sync().failures == ()
        yield made


@pytest.fixture(scope="module")
def titled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """A file of every format that has metadata, with a title there and another name."""
    with shelf_in(tmp_path_factory.mktemp("titled")) as made:
        for suffix in HAVE_METADATA:
            made.put(f"file-of-{suffix[1:]}{suffix}", with_title(suffix, f"The quokka{suffix[1:]} plan"))
        assert made.library.sync().failures == ()
        yield made


def test_every_format_is_tried() -> None:
    assert set(WITHOUT_TITLE) == SUFFIXES


@pytest.mark.parametrize("suffix", sorted(WITHOUT_TITLE))
def test_a_word_that_stands_only_in_the_file_name_finds_the_document(named: Shelf, suffix: str) -> None:
    hits = named.hits(f"zephyr{suffix[1:]}")
    assert {hit.display_path for hit in hits} == {f"И-112_zephyr{suffix[1:]}_plan{suffix}"}
    assert {hit.title for hit in hits} == {f"И-112 zephyr{suffix[1:]} plan"}


@pytest.mark.parametrize("suffix", sorted(set(WITHOUT_TITLE) - {*TRANSCRIPTS}))
def test_only_the_first_chunk_carries_a_name_in_what_is_embedded(named: Shelf, suffix: str) -> None:
    (first,) = named.carrying(f"zephyr{suffix[1:]} plan")
    assert first.startswith(f"# И-112 zephyr{suffix[1:]} plan\n")
    assert len(named.hits(f"zephyr{suffix[1:]}")) > 1


@pytest.mark.parametrize("suffix", TRANSCRIPTS)
def test_every_window_of_a_transcript_names_the_meeting(named: Shelf, suffix: str) -> None:
    texts = named.carrying(f"zephyr{suffix[1:]} plan")
    assert len(texts) == len(named.hits(f"zephyr{suffix[1:]}")) > 1


@pytest.mark.parametrize("suffix", HAVE_METADATA)
def test_a_word_that_stands_only_in_the_metadata_finds_the_document(titled: Shelf, suffix: str) -> None:
    hits = titled.hits(f"quokka{suffix[1:]}")
    assert {hit.display_path for hit in hits} == {f"file-of-{suffix[1:]}{suffix}"}
    assert {hit.title for hit in hits} == {f"The quokka{suffix[1:]} plan"}


@pytest.mark.parametrize("suffix", HAVE_METADATA)
def test_only_the_first_chunk_carries_a_title_in_what_is_embedded(titled: Shelf, suffix: str) -> None:
    (first,) = titled.carrying(f"quokka{suffix[1:]} plan")
    says_it_itself = suffix == ".markdown"
    assert first.startswith(f"Title: The quokka{suffix[1:]}" if says_it_itself else f"# The quokka{suffix[1:]} plan\n")


def test_a_word_in_the_style_of_titles_is_the_title_of_a_word_document(shelf: Shelf) -> None:
    styles = '<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    styles += '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>'
    text = word_paragraph("Quokka rules", style="T") + word_paragraph(PROSE)
    shelf.put("a1.docx", office(docx(text, styles=styles), "Last year's letter"))
    shelf.library.sync()
    assert {hit.title for hit in shelf.hits("quokka")} == {"Quokka rules"}


def test_a_title_is_not_shown_twice(shelf: Shelf) -> None:
    path = shelf.put("Pump manual.md", f"Pump Manual\n\n{PROSE}")
    shelf.library.sync()
    assert shelf.carrying("# Pump manual") == []
    assert shelf.library.read(file_path=path).text == f"Pump Manual\n\n{PROSE}"


def test_the_text_read_back_does_not_hold_the_title_that_was_put_before_it(named: Shelf) -> None:
    for suffix in (".txt", ".docx", ".pdf"):
        read = named.library.read(file_path=named.root / f"И-112_zephyr{suffix[1:]}_plan{suffix}")
        assert "zephyr" not in read.text
        assert all("zephyr" not in hit.text for hit in named.hits(f"zephyr{suffix[1:]}"))


def test_a_renamed_file_is_found_by_its_new_name_and_no_more_by_the_old(shelf: Shelf) -> None:
    path = shelf.put("zephyr plan.txt", PROSE)
    shelf.library.sync()
    path.rename(shelf.root / "quokka plan.txt")
    shelf.library.sync()
    assert shelf.found("zephyr") == set()
    assert {hit.title for hit in shelf.hits("quokka")} == {"quokka plan"}


@pytest.mark.parametrize("name", ["quokka.markdown", "Zephyr.md", "zephyr.txt"])
def test_a_new_suffix_or_case_gives_the_title_of_the_new_name(shelf: Shelf, name: str) -> None:
    path = shelf.put("zephyr.md", PROSE)
    shelf.library.sync()
    path.rename(shelf.root / name)
    shelf.library.sync()
    assert {(hit.display_path, hit.title) for hit in shelf.hits("valve")} == {(name, name.partition(".")[0])}


def test_a_file_moved_to_another_folder_keeps_its_title_and_is_found_by_it(shelf: Shelf) -> None:
    path = shelf.put("zephyr plan.txt", PROSE)
    shelf.library.sync()
    (shelf.root / "archive").mkdir()
    path.rename(shelf.root / "archive" / path.name)
    assert shelf.library.sync().counts.moved == 1
    assert shelf.found("zephyr") == {"archive/zephyr plan.txt"}


def test_names_that_are_swapped_are_titles_of_the_other_text(shelf: Shelf) -> None:
    first, second = shelf.put("zephyr.txt", f"alpha\n\n{PROSE}"), shelf.put("quokka.txt", f"beta\n\n{PROSE}")
    shelf.library.sync()
    first.rename(shelf.root / "x")
    second.rename(first)
    (shelf.root / "x").rename(second)
    shelf.library.sync()
    assert {hit.title for hit in shelf.hits("beta")} == {"zephyr"}
    assert {hit.title for hit in shelf.hits("alpha")} == {"quokka"}


def test_indexing_again_changes_and_embeds_nothing(shelf: Shelf) -> None:
    path = shelf.put("zephyr plan.docx", document())
    first = shelf.library.ingest_file(path)
    before = [(hit.title, hit.chunk_index, hit.text) for hit in shelf.hits("zephyr")]
    shelf.embedder.embedded.clear()
    assert shelf.library.ingest_file(path) == first
    assert [(hit.title, hit.chunk_index, hit.text) for hit in shelf.hits("zephyr")] == before
    assert shelf.embedder.embedded == []


def test_an_item_is_titled_only_by_what_was_given_or_found(shelf: Shelf) -> None:
    shelf.library.ingest_data(PROSE, "zephyr-2024", format="text")
    shelf.library.ingest_data(PROSE + "\n\nmore", "b", format="markdown", title="Quokka plan")
    shelf.library.ingest_data(page(f"<h1>Wombat plan</h1>{BODY}"), "c", format="html")
    assert shelf.found("zephyr") == set()
    assert shelf.carrying("zephyr") == []
    assert {hit.title for hit in shelf.hits("quokka")} == {"Quokka plan"}
    assert [text.partition("\n")[0] for text in shelf.carrying("Quokka")] == ["# Quokka plan"]
    assert {hit.title for hit in shelf.hits("wombat")} == {"Wombat plan"}


def test_documents_that_begin_alike_are_told_apart_by_their_names(shelf: Shelf) -> None:
    for name in ("И-112_ЗПС_Хранение ТМЗ", "И-113_ЗПС_Списание ТМЗ"):
        text = "".join(map(word_paragraph, SENTENCES))
        heading = word_paragraph("1. Общие положения", properties='<w:outlineLvl w:val="0"/>')
        shelf.put(f"{name}.docx", docx(heading + text))
    shelf.library.sync()
    assert {hit.title for hit in shelf.hits("списание")} == {"И-113 ЗПС Списание ТМЗ"}
    assert {hit.title for hit in shelf.hits("И-112")} == {"И-112 ЗПС Хранение ТМЗ"}
