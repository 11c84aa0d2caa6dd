import re

import pytest
from tests.parse.text_files import book, mark_at, page, read, zipped

from minirag_mcp.errors import CorruptFileError, EmptyFileError, EncryptedFileError, NoTextError, WrongFormatError
from minirag_mcp.model import MarkKind

ONE, TWO = page("<h1>The Sea</h1><p>Call me.</p>"), page("<p>Second words.</p>", "Two")
HEAD = "<dc:title>Moby\n Dick</dc:title><dc:creator>Melville</dc:creator><dc:language>en</dc:language><dc:date/>"
NAV = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
    '<nav epub:type="page-list"><a href="b%20two.xhtml">99</a></nav>'
    '<nav epub:type="toc"><a href="b%20two.xhtml#top">The <b>Land</b></a>'
    '<a href="b%20two.xhtml#x">Later</a></nav></body></html>'
)
NCX = (
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>The Land</text></navLabel>'
    '<content src="b%20two.xhtml"/></navPoint><navPoint/></navMap></ncx>'
)
NAV_ITEM = '<item id="n" href="nav.xhtml" properties="nav"/>'


def locked(algorithm: str) -> str:
    method = f'<EncryptionMethod Algorithm="{algorithm}"/>'
    return f'<encryption xmlns="urn:x"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">{method}</EncryptedData></encryption>'


def test_chapters_come_in_reading_order_with_their_names() -> None:
    document = read(book({"z.xhtml": ONE, "a.xhtml": TWO}, head=HEAD), "a.epub")
    assert document.text == "# The Sea\n\nCall me.\n\nSecond words."
    sea, two = (mark_at(document, MarkKind.CHAPTER, words) for words in ("Call", "Second"))
    assert [(mark.number, mark.name) for mark in (sea, two)] == [(1, "The Sea"), (2, "Two")]
    assert (document.title, document.own_title) == ("Moby Dick", True)
    assert document.metadata == (("creator", "Melville"), ("language", "en"))


@pytest.mark.parametrize(
    ("items", "parts"),
    [
        (NAV_ITEM, {"book__nav.xhtml": NAV}),
        ('<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>', {"book__toc.ncx": NCX}),
    ],
)
def test_the_contents_page_names_chapters_and_heads_those_without_a_heading(items: str, parts: dict[str, str]) -> None:
    document = read(
        book({"a.xhtml": ONE, "b%20two.xhtml": ""}, items=items, **parts, **{"book__b two.xhtml": TWO}), "a.epub"
    )
    assert document.text.endswith("## The Land\n\nSecond words.")
    assert mark_at(document, MarkKind.CHAPTER, "Second").name == "The Land"


def nav(*entries: str) -> str:
    return NAV.split("<nav", maxsplit=1)[0] + f'<nav epub:type="toc"><ol>{"".join(entries)}</ol></nav></body></html>'


def entry(target: str, label: str, *inner: str) -> str:
    return f'<li><a href="{target}">{label}</a>' + (f"<ol>{''.join(inner)}</ol>" if inner else "") + "</li>"


def chapters_of(body: str, *entries: str, first: str = "") -> dict[str, str]:
    """Chapter by the paragraph that stands in it."""
    parts = {"first.xhtml": page(first)} if first else {}
    data = book({**parts, "a.xhtml": page(body)}, items=NAV_ITEM, **{"book__nav.xhtml": nav(*entries)})
    document = read(data, "a.epub")
    assert not re.search("[\ufdd0-\ufdef]|\n\n\n", document.text)
    words = re.findall(r"^\w+\.$", document.text, re.MULTILINE)
    return {word: mark_at(document, MarkKind.CHAPTER, word).name for word in words}


@pytest.mark.parametrize(
    "body",
    [
        "<div id='c1'><h2>I. Dead</h2><p>April.</p></div><div id='c2'><h2>II. Chess</h2><p>Chair.</p></div>",
        "<h2 id='c1'>I. Dead</h2><p>April.</p><h2>II. <a id='c2'/>Chess</h2><p>Chair.</p>",
        "<a name='c1'></a><p>I. Dead</p><p>April.</p><div id='c2'><b>II.</b></div><p>Chair.</p>",
    ],
)
def test_several_chapters_in_one_part_are_told_apart_where_the_contents_page_points(body: str) -> None:
    whole = f"<h1>Poem</h1><p>Dedicated.</p>{body}"
    assert chapters_of(whole, entry("a.xhtml#c1", "I. Dead"), entry("a.xhtml#c2", "II. Chess")) == {
        "Dedicated.": "Poem",
        "April.": "I. Dead",
        "Chair.": "II. Chess",
    }


def test_a_chapter_mark_stands_before_the_heading_of_its_chapter() -> None:
    assert chapters_of(
        "<p>Dedicated.</p><h2>II. <a id='c2'/>Chess.</h2><p>Chair.</p>", entry("a.xhtml#c2", "Chess")
    ) == {
        "Dedicated.": "",
        "Chair.": "Chess",
    }


def test_a_part_that_goes_on_with_a_chapter_keeps_its_name_until_the_next_begins() -> None:
    found = chapters_of(
        "<p>Still.</p><h1 id='c2'>II</h1><p>Chair.</p>",
        entry("first.xhtml", "I. Dead"),
        entry("a.xhtml#c2", "II. Chess"),
        first="<h1>I</h1><p>April.</p>",
    )
    assert found == {"April.": "I. Dead", "Still.": "I. Dead", "Chair.": "II. Chess"}


def test_sections_inside_a_chapter_are_no_chapters() -> None:
    body = "<h1>One</h1><p>April.</p><h2 id='s'>Section</h2><p>Chair.</p>"
    assert chapters_of(body, entry("a.xhtml", "One", entry("a.xhtml#s", "Section"))) == {
        "April.": "One",
        "Chair.": "One",
    }


def test_headings_tell_chapters_apart_where_the_contents_page_does_not() -> None:
    body = "<h1>One</h1><p>April.</p><h2>Section</h2><p>May.</p><h1>Two</h1><p>Chair.</p>"
    named = {"April.": "One", "May.": "One", "Chair.": "Two"}
    assert chapters_of(body) == named
    assert chapters_of(body, entry("a.xhtml", "Start")) == {**named, "April.": "Start", "May.": "Start"}


def test_the_contents_page_itself_is_no_chapter() -> None:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="n" href="nav.xhtml" properties="nav"/>'
        '<item id="a" href="a.xhtml"/></manifest><spine><itemref idref="n"/>'
        '<itemref idref="a"/><itemref idref="?"/></spine></package>'
    )
    document = read(zipped({"p.opf": package, "nav.xhtml": NAV, "a.xhtml": ONE}), "a.epub")
    assert document.text == "# The Sea\n\nCall me."


def test_pictures_inside_the_book_leave_their_alt_text() -> None:
    document = read(book({"a.xhtml": page("<p>See <img src='i/p.png' alt='the whale'/> there</p>")}), "a.epub")
    assert document.text == "See the whale there"


def test_elements_closed_the_xml_way_swallow_nothing() -> None:
    chapter = page("<p><a id='x'/>Words <br/><i class='y'/>go on</p><div/>").replace(
        "<title></title>", "<title/><script/>"
    )
    assert read(book({"a.xhtml": chapter}), "a.epub").text.split() == ["Words", "go", "on"]


def test_a_book_without_an_outline_is_read_page_by_page() -> None:
    for broken in (
        {},
        {"META-INF/container.xml": "<container/>"},
        {"p.opf": "<package><spine/></package>"},
        {"p.opf": b"\xff"},
    ):
        document = read(zipped({"b.html": TWO, "a.xhtml": ONE, **broken}), "a.epub")
        assert document.text == "# The Sea\n\nCall me.\n\nSecond words."


def test_a_missing_or_damaged_chapter_does_not_cost_the_others() -> None:
    data = book({"a.xhtml": ONE, "gone.xhtml": "", "noise.xhtml": bytes(range(256)) * 9, "b.xhtml": TWO})
    assert read(data, "a.epub").text.endswith("Call me.\n\nSecond words.")


def test_a_chapter_in_a_legacy_encoding_is_read() -> None:
    chapter = '<?xml version="1.0" encoding="windows-1251"?>' + page("<p>Глава первая</p>")
    assert read(book({"a.xhtml": chapter.encode("cp1251")}), "a.epub").text == "Глава первая"


def test_a_locked_book_is_called_encrypted_but_locked_fonts_do_not_matter() -> None:
    aes = locked("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    with pytest.raises(EncryptedFileError, match="DRM") as caught:
        read(book({"a.xhtml": ONE}, **{"META-INF__encryption.xml": aes}), "a.epub")
    assert "seller" in caught.value.remedy
    fonts = locked("http://www.idpf.org/2008/embedding")
    assert read(book({"a.xhtml": ONE}, **{"META-INF__encryption.xml": fonts}), "a.epub").text


def test_books_that_are_none_are_told_apart() -> None:
    with pytest.raises(EmptyFileError):
        read(b"", "a.epub")
    with pytest.raises(WrongFormatError):
        read("plain text, no book", "a.epub")
    with pytest.raises(CorruptFileError):
        read(book({"a.xhtml": ONE})[:200], "a.epub")
    with pytest.raises(CorruptFileError, match="No chapter"):
        read(zipped({"readme": "x"}), "a.epub")
    with pytest.raises(CorruptFileError, match="No chapter"):
        read(book({"a.xhtml": bytes(range(256)) * 9}), "a.epub")
    with pytest.raises(NoTextError):
        read(book({"a.xhtml": page("<img src='cover.jpg'/>")}), "a.epub")
