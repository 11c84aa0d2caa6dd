"""What a user is told about a file that cannot be read, and what to do about it."""

import pytest
from tests.parse.office_files import docx, pptx, row, shape, with_parts, word_paragraph, xlsx
from tests.parse.pdf_files import paragraph, pdf
from tests.parse.text_files import book, page, read, zipped

from minirag_mcp.errors import NoTextError, ParseLimitError, WrongFormatError


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.vtt", "WEBVTT"),
        ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n<i> </i>\n"),
        ("a.ipynb", '{"cells": [], "nbformat": 4}'),
        ("a.csv", ",,\n,,"),
        ("a.xlsx", xlsx({})),
    ],
)
def test_a_file_in_which_nothing_is_written_is_not_sent_to_text_recognition(name: str, content: str | bytes) -> None:
    with pytest.raises(NoTextError) as caught:
        read(content, name)
    assert "OCR" not in caught.value.remedy
    assert "Nothing to index" in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "content"), [("a.docx", docx("")), ("a.pptx", pptx("")), ("a.md", "---\ntitle: x\n---\n")]
)
def test_where_pictures_may_hold_the_text_the_remedy_says_if(name: str, content: str | bytes) -> None:
    with pytest.raises(NoTextError) as caught:
        read(content, name)
    assert caught.value.remedy.startswith("If its text is in pictures")


def test_a_page_that_scripts_write_is_to_be_saved_by_a_browser() -> None:
    with pytest.raises(NoTextError) as caught:
        read(page("<script>x</script>"), "a.html")
    assert "browser" in caught.value.remedy
    assert "OCR" not in caught.value.remedy


@pytest.mark.parametrize(("count", "words"), [(1, "has 1 page but"), (2, "has 2 pages but")])
def test_pages_without_a_text_layer_are_counted_in_grammar(count: int, words: str) -> None:
    with pytest.raises(NoTextError, match=words) as caught:
        read(pdf(*[[]] * count), "a.pdf")
    assert "OCR" in caught.value.remedy


def test_kinds_of_files_have_the_right_article() -> None:
    with pytest.raises(WrongFormatError, match="not a Word document but an Excel workbook"):
        read(xlsx({}), "a.docx")
    with pytest.raises(WrongFormatError, match="not an Excel workbook but another zip"):
        read(zipped({"x": "y"}), "a.xlsx")
    with pytest.raises(WrongFormatError, match="not an EPUB book: it is not a zip archive"):
        read("plain", "a.epub")
    with pytest.raises(WrongFormatError, match="not an Excel workbook but a file of an older Office format"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "a.xlsx")


def test_a_book_without_words_may_be_one_of_pictures() -> None:
    with pytest.raises(NoTextError, match="perhaps only pictures") as caught:
        read(book({"a.xhtml": page("<img src='cover.jpg'/>")}), "a.epub")
    assert "If its text is in pictures" in caught.value.remedy


HALF_A_PAIR = "\xfe\xff\xd8\x00\xd8\x00\x00A"


def test_a_title_that_is_no_text_costs_a_pdf_its_title_and_nothing_else() -> None:
    outline = [(HALF_A_PAIR, 0), ("Part two", 1)]
    data = pdf(
        paragraph("first words", y=700), paragraph("Part two", "last words", y=700), title=HALF_A_PAIR, outline=outline
    )
    document = read(data, "a.pdf")
    assert "first words" in document.text
    assert "# Part two" in document.text
    assert document.title in ("a", "Part two")


@pytest.mark.parametrize("name", ["docProps/core.xml", "docProps/app.xml"])
@pytest.mark.parametrize("content", ["<", "<a>" * 300, "a" * 11_000_000], ids=["damaged", "nested", "bomb"])
def test_properties_that_cannot_be_read_cost_a_document_nothing_else(name: str, content: str) -> None:
    page_break = "<w:p><w:r><w:lastRenderedPageBreak/></w:r></w:p>"
    data = docx(word_paragraph("first words") + page_break + word_paragraph("last words"))
    assert "last words" in read(with_parts(data, {name: content}), "a.docx").text


NESTED = "<w:tbl><w:tr><w:tc>" * 100 + word_paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 100 + word_paragraph("after")
SHEET = "<s:row r='1'>" + "<s:c r='A1'>" * 300 + "<s:v>1</s:v>" + "</s:c>" * 300 + "</s:row>"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.docx", docx(NESTED)),
        ("a.docx", docx(NESTED.replace("w:tr", "w:sdt"))),
        ("a.pptx", pptx("<p:grpSp>" * 300 + shape("deep") + "</p:grpSp>" * 300)),
        ("a.xlsx", xlsx({"S": SHEET})),
        ("a.xlsx", xlsx({"S": row(1, "x")}, strings=["<s:si>" * 300 + "<s:t>deep</s:t>" + "</s:si>" * 300])),
    ],
)
def test_an_office_file_too_deep_to_read_is_refused_rather_than_cut(name: str, content: bytes) -> None:
    with pytest.raises(ParseLimitError, match=r"nests|nested") as caught:
        read(content, name)
    assert "OCR" not in caught.value.remedy


@pytest.mark.parametrize("content", ["<a>" * 300, "a" * 11_000_000], ids=["nested", "bomb"])
def test_a_contents_page_that_cannot_be_read_costs_a_book_nothing_else(content: str) -> None:
    items = '<item id="n" href="nav.xhtml" properties="nav"/>'
    data = book({"a.xhtml": page("<p>first words</p>")}, items=items)
    assert "first words" in read(with_parts(data, {"book/nav.xhtml": content}), "a.epub").text
