from dataclasses import replace

import pytest
from tests.ingest.conftest import World

from minirag_mcp.errors import EmptyFileError, FileTooLargeError, NoTextError, RequestError, UnsupportedFormatError
from minirag_mcp.ingest.items import data_item, page_item
from minirag_mcp.model import SourceKey, SourceType

PAGE = "<html><head><meta charset='windows-1251'></head><body><h1>Заметки</h1><p>Текст</p></body></html>"


def test_text_and_markdown_are_indexed_under_the_chosen_id(world: World) -> None:
    done = world.indexer().index_item(data_item("# Heading\n\ntext", "notes/2", format="markdown"))
    assert (done.source, done.title, done.chunk_count) == ("notes/2", "Heading", 1)
    record = world.store.source(SourceKey("notes/2"))
    assert record is not None
    assert (record.source_type, record.stat) == (SourceType.DATA, None)


def test_a_given_title_wins(world: World) -> None:
    done = world.indexer().index_item(data_item("# Heading\n\ntext", "n", format="markdown", title="Chosen"))
    assert done.title == "Chosen"


def test_text_without_a_title_has_none(world: World) -> None:
    assert world.indexer().index_item(data_item("just text", "some-id", format="text")).title == ""


def test_unchanged_data_costs_nothing_and_changed_data_is_replaced(world: World) -> None:
    indexer = world.indexer()
    first = indexer.index_item(data_item("one", "n", format="text"))
    world.parser.parsed.clear()
    assert indexer.index_item(data_item("one", "n", format="text")) == first
    assert world.parser.parsed == []
    indexer.index_item(data_item("two", "n", format="text"))
    assert world.store.document(SourceKey("n")).text.strip() == "two"  # type: ignore[union-attr]


def test_the_same_text_under_another_title_or_format_is_indexed_again(world: World) -> None:
    indexer = world.indexer()
    indexer.index_item(data_item("# one", "n", format="text"))
    assert indexer.index_item(data_item("# one", "n", format="text", title="T")).title == "T"
    assert indexer.index_item(data_item("# one", "n", format="markdown")).title == "one"


@pytest.mark.parametrize("data", ["", "  \n\t "])
def test_empty_data_is_refused(data: str) -> None:
    with pytest.raises(RequestError, match="empty"):
        data_item(data, "n", format="text")


@pytest.mark.parametrize("source", ["", "   ", "a\0b", "a\nb", "\ud800"])
def test_an_id_that_is_blank_or_unprintable_is_refused(source: str) -> None:
    with pytest.raises(RequestError, match="source id"):
        data_item("text", source, format="text")


def test_an_id_too_long_to_stand_in_an_answer_is_refused() -> None:
    with pytest.raises(RequestError, match="1,000"):
        data_item("text", "n" * 1001, format="text")


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RequestError, match="text, markdown, html"):
        data_item("text", "n", format="pdf")


def test_data_may_not_pose_as_a_file(world: World) -> None:
    path = world.write("a.md", "the file")
    indexer = world.indexer()
    with pytest.raises(RequestError, match="inside a document root"):
        indexer.index_item(data_item("forged", "a.md", format="text"))
    for source in (str(path), str(world.root / "new.md")):
        with pytest.raises(RequestError, match="place on disk"):
            data_item("forged", source, format="text")
    world.sync()
    world.others, world.root = (), world.root.parent / "elsewhere"
    forged = replace(data_item("forged", "n", format="text"), key=SourceKey(str(path)))
    with pytest.raises(RequestError, match="indexed file"):
        world.indexer().index_item(forged)
    assert world.store.document(SourceKey(str(path))).text.strip() == "the file"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "source",
    [
        "/",
        "/etc/passwd",
        " /etc/passwd",
        "file:///etc/passwd",
        "FILE:x",
        "C:\\x.txt",
        "\\\\host\\share",
        "~/x",
        ".",
        "..",
        "a/../b",
        "./a",
        "a\\..\\b",
        "https://e.com/../x",
    ],
)
def test_an_id_that_reads_as_a_place_on_disk_is_refused(source: str) -> None:
    with pytest.raises(RequestError, match="source id"):
        data_item("text", source, format="text")
    with pytest.raises(RequestError, match="source id"):
        page_item(b"x", "https://e.com/", content_type="text/plain", charset=None, source=source)


@pytest.mark.parametrize("source", ["notes/2", "m:1", "https://e.com/a", "a..b/...", "10.1/x", ".hidden", "R&D: plan"])
def test_an_id_may_be_any_other_name_or_the_url_of_the_content(world: World, source: str) -> None:
    world.indexer().index_item(data_item("text", source, format="text"))
    assert world.store.source(SourceKey(source)) is not None


def test_the_dots_of_a_url_that_was_fetched_do_no_harm() -> None:
    assert (
        page_item(b"x", "https://e.com/a/../b", content_type="text/plain", charset=None).key == "https://e.com/a/../b"
    )


def test_content_over_the_size_limit_is_refused_with_its_size_and_the_variable(world: World) -> None:
    indexer = world.indexer(limit=1_000)
    indexer.index_item(data_item("x" * 1_000, "n", format="text"))
    items = [data_item("é" * 501, "m", format="text")]
    items.append(page_item(b"x" * 1_002, "https://e.com/", content_type="text/plain", charset="utf-8"))
    for item in items:
        with pytest.raises(FileTooLargeError, match="1,002 bytes; MAX_FILE_SIZE is 1,000"):
            indexer.index_item(item)
    assert [record.key for record in world.store.sources()] == ["n"]


def test_data_that_cannot_be_parsed_leaves_the_index_as_it_was(world: World) -> None:
    indexer = world.indexer()
    indexer.index_item(data_item("text", "n", format="text"))
    with pytest.raises((EmptyFileError, NoTextError)):
        indexer.index_item(data_item("<html><body> </body></html>", "n", format="html"))
    record = world.store.source(SourceKey("n"))
    assert record is not None
    assert record.failure is None


def test_lone_surrogates_in_data_do_no_harm(world: World) -> None:
    assert world.indexer().index_item(data_item("a \ud800 b", "n", format="text")).chunk_count == 1


def test_html_handed_over_as_text_is_not_decoded_by_its_own_charset() -> None:
    item = data_item(PAGE, "n", format="html")
    assert item.name.endswith(".html")
    assert item.data.decode("utf-8-sig") == PAGE


def test_a_page_is_known_by_its_url_or_a_chosen_id() -> None:
    page = page_item(b"<p>x</p>", "https://example.com/a", content_type="text/html", charset=None)
    assert (page.key, page.source_type) == ("https://example.com/a", SourceType.URL)
    named = page_item(b"<p>x</p>", "https://example.com/a", content_type="text/html", charset=None, source="n")
    assert named.key == "n"


@pytest.mark.parametrize(
    ("content_type", "url", "suffix"),
    [
        ("text/html; charset=utf-8", "https://e.com/", ".html"),
        ("application/pdf", "https://e.com/file", ".pdf"),
        ("application/octet-stream", "https://e.com/Report%201.PDF?x=1", ".pdf"),
        ("text/plain", "https://e.com/README.md", ".md"),
        ("text/plain", "https://e.com/robots", ".txt"),
        ("application/rss+xml", "https://e.com/feed", ".txt"),
        ("application/json", "https://e.com/api", ".txt"),
        ("text/markdown", "https://e.com/x", ".md"),
    ],
)
def test_the_declared_type_picks_the_parser_and_the_name_only_where_it_is_vague(
    content_type: str, url: str, suffix: str
) -> None:
    assert page_item(b"x", url, content_type=content_type, charset=None).name == f"page{suffix}"


def test_after_a_redirect_the_name_that_was_reached_picks_the_parser() -> None:
    for url, reached in (
        ("https://e.com/latest", "https://e.com/r.pdf"),
        ("https://e.com/r.docx", "https://e.com/r.pdf"),
    ):
        page = page_item(b"x", url, content_type="application/octet-stream", charset=None, final_url=reached)
        assert (page.name, page.key) == ("page.pdf", url)


@pytest.mark.parametrize("content_type", ["image/png", "application/octet-stream", "video/mp4"])
def test_a_page_that_no_parser_takes_is_refused(content_type: str) -> None:
    with pytest.raises(UnsupportedFormatError, match="no parser"):
        page_item(b"x", "https://e.com/x", content_type=content_type, charset=None)


def test_the_charset_of_the_server_outranks_the_one_in_the_page() -> None:
    text = "<meta charset=utf-8><p>Текст</p>"
    page = page_item(text.encode("koi8-r"), "https://e.com/", content_type="text/html", charset="koi8-r")
    assert page.data.decode("utf-8-sig") == text


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "rot13", "utf-7", "cp037", "undefined"]
)
def test_a_charset_that_is_no_encoding_of_text_is_ignored(charset: str) -> None:
    data = b"plain \\u0041 text-ab " * 40_000  # quadratic decoders take minutes over it
    assert page_item(data, "https://e.com/", content_type="text/plain", charset=charset).data == data


@pytest.mark.parametrize("charset", ["no-such-charset", "ascii", "х" * 9, "x" * 100_000, "a\0b", None])
def test_a_charset_that_cannot_be_right_is_ignored(charset: str | None) -> None:
    data = "Текст".encode()
    assert page_item(data, "https://e.com/", content_type="text/html", charset=charset).data == data


def test_a_byte_order_mark_outranks_the_server() -> None:
    data = "Текст".encode("utf-16")
    assert page_item(data, "https://e.com/", content_type="text/plain", charset="latin-1").data == data
