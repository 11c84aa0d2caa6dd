"""Which titles in the properties of documents are believed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.office_files import core_title, docx, pptx, shape, with_parts, word_paragraph
from tests.parse.pdf_files import paragraph, pdf
from tests.parse.text_files import book, page, read

from minirag_mcp.parse import registry
from minirag_mcp.parse.properties import sane_title, written_title


@pytest.mark.parametrize(
    "title",
    [
        "Supply Agreement", "COVID-19", "LaTeX2e-Kurzbeschreibung", "2023年度报告", "เอกสารประกอบการสอน",
        "Microsoft Azure guide", "Templates for One Author", "Excel", "Être et avoir", "Çà et là", "Договор № 5",
        "Side notes",
        "Презентация проекта", "PowerPoint for teachers",
    ],
)  # fmt: skip
def test_what_a_person_wrote_is_believed(title: str) -> None:
    assert sane_title(title) == title


@pytest.mark.parametrize(
    "title",
    [
        "Microsoft Word - Document1.docx", "Microsoft PowerPoint - lecture.ppt", "PowerPoint Presentation",
        "Презентация PowerPoint", "PowerPoint-Präsentation", "Présentation PowerPoint", "PowerPoint 演示文稿",
        "PowerPoint プレゼンテーション", "PowerPoint 프레젠테이션", "عرض تقديمي في PowerPoint",
        "Prezentacja programu PowerPoint", "Untitled spreadsheet", "untitled", "Slide 1", "Diapositive 1", "Слайд 1",
        "Folie 1",
        "Book1", "Книга1", "文档1", "Dokument1", "Без имени", "undefined", "(Unknown)", "(anonymous)",
        "No Title Given", "Titel der Arbeit",
        "C:\\work\\letter.doc", "file:///home/a/b.html", "https://example.org/", "about:blank", "figure1.eps",
        "logo.FH11", "thesis.dvi", "S25C-0i25080113320", "0000320193-22-000070", "HFUT_badge", "12", "<D6D8C7>",
        "XeTeX output 2006.08.24:1913", "***", "x" * 501,
    ],
)  # fmt: skip
def test_what_a_program_or_a_template_wrote_is_not(title: str) -> None:
    assert sane_title(title) is None


@pytest.mark.parametrize("author", ["Ada Lovelace", " ada  LOVELACE\n"])
def test_the_name_of_the_author_is_no_title(author: str) -> None:
    assert sane_title("Ada Lovelace", author=author) is None
    assert sane_title("Notes on Ada Lovelace", author=author) == "Notes on Ada Lovelace"


@pytest.mark.parametrize(
    ("title", "charset"),
    [
        ("Руководство по эксплуатации", "cp1251"),
        ("Отчёт о работе", "cp1251"),
        ("Εισαγωγή στην πληροφορική", "cp1253"),
        ("中国人民银行年报", "gb18030"),
        ("중국어 문서 제목", "cp949"),
        ("Humboldt-Universität zu Berlin", "utf-8"),
        ("Привет, мир", "utf-8"),
    ],
)
def test_a_title_taken_for_latin_is_read_in_its_own_encoding(title: str, charset: str) -> None:
    assert sane_title(title.encode(charset).decode("latin-1")) == title


@pytest.mark.parametrize("title", ["1984", "2666", "C", "os/exec", "about_Foreach", "1Q84"])
def test_books_and_pages_may_be_called_by_a_number_or_a_code(title: str) -> None:
    assert written_title(title) == title
    assert read(book({"a.xhtml": page("<p>text</p>")}, head=f"<dc:title>{title}</dc:title>"), "x.epub").title == title
    assert read(page("<p>text</p>", title), "x.html").title == title


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_any_value_gives_a_title_on_one_line_or_none(value: str) -> None:
    title = sane_title(value)
    assert title is None or (title == " ".join(title.split()) and title)


def test_the_main_title_of_a_book_comes_before_the_others() -> None:
    head = (
        '<dc:title id="s">A series</dc:title><dc:title id="m">The whale</dc:title>'
        '<meta refines="#s" property="title-type">collection</meta><meta refines="#m" property="title-type">main</meta>'
    )
    assert read(book({"a.xhtml": page("<p>text</p>")}, head=head), "x.epub").title == "The whale"


def test_a_book_without_a_name_takes_its_first_heading() -> None:
    chapters = {"a.xhtml": page("<h1>The whale</h1><p>text</p>")}
    assert read(book(chapters, head="<dc:title>Unknown</dc:title>"), "x.epub").title == "The whale"


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>Duck - Wikipedia</title>", "Duck - Wikipedia"),
        ("<title>a &lt; b & c < d</title>", "a < b & c < d"),
        ("<title>use <b> for bold</title>", "use <b> for bold"),
        ("<!-- <title>old</title> --><title>new one</title>", "new one"),
        ("<svg><title>Logo</title></svg><title>Pumps</title>", "Pumps"),
        ("<title></title><title>Second try</title>", "Second try"),
    ],
)
def test_a_page_is_called_what_its_head_says(head: str, title: str) -> None:
    assert read(f"<html><head>{head}</head><body><p>text</p></body></html>", "x.html").title == title


@pytest.mark.parametrize(
    "title", ["Untitled Document", "New Page 1", "Title", "React App", "{{ page.title }}", "{% block title %}"]
)
def test_a_page_that_nobody_named_takes_its_heading(title: str) -> None:
    assert read(page("<h1>Pump manual</h1><p>text</p>", title), "x.html").title == "Pump manual"


@pytest.mark.parametrize(
    ("first", "title"), [("Pump manual", "Pump manual"), ("Agenda", "Show of pumps"), ("Slide 1", "Show of pumps")]
)
def test_a_presentation_is_called_what_its_first_slide_says_unless_that_is_only_a_part(first: str, title: str) -> None:
    data = pptx(shape(first, kind="title") + shape("text"))
    assert registry.parse(data, name="a.pptx", stem="Show_of_pumps").title == title


def test_a_paragraph_in_the_style_of_titles_that_names_a_part_is_not_the_title() -> None:
    styles = '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    styles += '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>'
    data = docx(word_paragraph("Содержание", style="T") + word_paragraph("text"), styles=styles)
    named = with_parts(data, {"docProps/core.xml": core_title("Положение о закупках")})
    assert registry.parse(named, name="a.docx", stem="x").title == "Положение о закупках"


def test_the_author_of_a_pdf_or_word_document_is_not_its_title() -> None:
    creator = core_title("Ada Lovelace").replace("</dc:title>", "</dc:title><dc:creator>Ada Lovelace</dc:creator>")
    data = with_parts(docx(word_paragraph("text")), {"docProps/core.xml": creator})
    assert registry.parse(data, name="a.docx", stem="Pump manual").title == "Pump manual"
    signed = pdf(paragraph("text", y=700), title="Ada Lovelace").replace(
        b"/Title (Ada Lovelace)", b"/Title (Ada Lovelace) /Author (Ada Lovelace)"
    )
    assert registry.parse(signed, name="a.pdf", stem="Pump manual").title == "Pump manual"
