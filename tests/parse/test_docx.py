"""What is read of a Word document, and how it stands in the text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.docx_files import NUMBERING, STYLES, numbered, text_of
from tests.parse.office_files import (
    core_title,
    docx,
    part,
    pptx,
    row,
    shape,
    with_parts,
    word_cell,
    word_paragraph,
    word_table,
    xlsx,
    zip_of,
)

from minirag_mcp.errors import (
    CorruptFileError,
    EmptyFileError,
    EncryptedFileError,
    NoTextError,
    ParseError,
    WrongFormatError,
)
from minirag_mcp.model import MarkKind
from minirag_mcp.parse.docx import parse


def test_headings_are_found_by_style_name_inheritance_and_outline_level() -> None:
    text = text_of(
        word_paragraph("One", style="berschrift1")
        + word_paragraph("Two", style="Own")
        + word_paragraph("Three", properties='<w:outlineLvl w:val="2"/>')
        + word_paragraph("Body", style="berschrift1", properties='<w:outlineLvl w:val="9"/>')
        + word_paragraph("Four", style="Heading4")
        + word_paragraph("Plain", style="Plain")
        + word_paragraph("Clause " * 60, style="berschrift1")
    )
    assert text.startswith("# One\n\n## Two\n\n### Three\n\nBody\n\n#### Four\n\nPlain\n\nClause")


def test_the_title_is_the_title_paragraph_before_the_core_property() -> None:
    body = word_paragraph("Annual report", style="T") + word_paragraph("Text")
    with_title = with_parts(docx(body, styles=STYLES), {"docProps/core.xml": core_title("Old name")})
    assert parse(with_title).title == "Annual report"
    assert parse(with_title).text == "# Annual report\n\nText"
    plain = with_parts(docx(word_paragraph("Text")), {"docProps/core.xml": core_title("Old name")})
    assert parse(plain).title == "Old name"
    assert parse(docx(word_paragraph("Text"))).title is None


def test_headings_stand_below_the_title_that_opens_the_document() -> None:
    title, first, second = word_paragraph("Deal", style="T"), word_paragraph("1", style="berschrift1"), word_paragraph
    opened = word_paragraph("Draft") + title + first + second("1.1", style="Own") + second("x", style="Heading9")
    assert text_of(opened) == "Draft\n\n# Deal\n\n## 1\n\n### 1.1\n\n###### x"
    assert text_of(first + title + first) == "# 1\n\n# Deal\n\n# 1"


@pytest.mark.parametrize(
    "title",
    [
        "Microsoft Word - contract.doc",
        "Document1",
        "untitled",
        "report_v2.docx",
        " ",
        "12-34",
        "x" * 501,
        "bad \ufffd title",
    ],
)
def test_a_title_that_nobody_gave_is_no_title(title: str) -> None:
    data = with_parts(docx(word_paragraph("Text")), {"docProps/core.xml": core_title(title)})
    assert parse(data).title is None


def test_a_table_keeps_header_merged_cells_and_line_ends() -> None:
    table = word_table(
        ["Code", "Name|x", "Note"],
        [word_cell("A", '<w:vMerge w:val="restart"/>'), "one", word_cell(word_paragraph("l1") + word_paragraph("l2"))],
        [word_cell("", "<w:vMerge/>"), word_cell("wide", '<w:gridSpan w:val="2"/>')],
        ["", "", ""],
    )
    assert text_of(word_paragraph("Prices") + table) == (
        "Prices\n\n| Code | Name\\|x | Note |\n| --- | --- | --- |\n| A | one | l1<br>l2 |\n| A | wide |  |"
    )


def test_cells_of_late_rows_stand_in_their_columns() -> None:
    late = "<w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>" + word_cell("late") + "</w:tr>"
    table = word_table(["a", "b"]).replace("</w:tbl>", late + "</w:tbl>")
    assert "|  | late |" in text_of(table)


def test_frames_and_single_columns_are_text_and_nested_tables_stay_in_their_cell() -> None:
    frame = word_table([word_cell(word_paragraph("Inside", style="berschrift1") + word_paragraph("Framed"))])
    column = word_table(["first"], ["second"])
    nested = word_table(["Key", word_cell(word_table(["n1", "n2"], ["n3", "n4"]) + word_paragraph(""))])
    text = text_of(frame + column + nested)
    assert text == "# Inside\n\nFramed\n\nfirst\n\nsecond\n\n| Key | n1 ; n2<br>n3 ; n4 |\n| --- | --- |"


def test_notes_and_comments_stand_below_their_paragraph() -> None:
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    end = '<w:r><w:endnoteReference w:id="5"/></w:r>'
    comment = '<w:r><w:commentReference w:id="0"/></w:r><w:r><w:commentReference w:id="1"/></w:r>'
    lost = '<w:r><w:footnoteReference w:id="77"/></w:r><w:r><w:commentReference w:id="77"/></w:r>'
    body = f"<w:p><w:r><w:t>Claim</w:t></w:r>{reference}{end}{comment}{lost}</w:p>" + word_paragraph("Next")
    text = text_of(
        body + word_table(["h", "i"], [word_cell(f"<w:p><w:r><w:t>cell</w:t></w:r>{reference}</w:p>"), "j"]),
        footnotes=part(
            "w:footnotes",
            f'<w:footnote w:id="0" w:type="separator">{word_paragraph("sep")}</w:footnote>'
            f'<w:footnote w:id="2">{word_paragraph("See page 4.")}</w:footnote>',
        ),
        endnotes=part("w:endnotes", f'<w:endnote w:id="5">{word_paragraph("The end.")}</w:endnote>'),
        comments=part(
            "w:comments",
            f'<w:comment w:id="0" w:author="Ann">{word_paragraph("Really?")}</w:comment>'
            f'<w:comment w:id="1">{word_paragraph("Who?")}</w:comment>',
        ),
    )
    assert text.startswith(
        "Claim[^1][^e1][^2]\n\n[^1]: See page 4.\n[^e1]: The end.\n> Ann: Really?\n> Comment: Who?\n\nNext"
    )
    assert text.endswith("| cell[^1] | j |\n\n[^1]: See page 4.")


def test_insertions_count_and_deletions_hidden_text_and_field_codes_do_not() -> None:
    body = (
        "<w:p><w:r><w:t>We </w:t></w:r><w:ins><w:r><w:t>new </w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>old </w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved </w:t></w:r></w:moveFrom>"
        '<w:hyperlink r:id="x"><w:r><w:t>link</w:t></w:r></w:hyperlink>'
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t> shown</w:t></w:r>'
        "<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:noBreakHyphen/><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/>"
        '<w:t>c</w:t><w:cr/><w:br w:type="page"/><w:t>d</w:t></w:r>'
        '<w:r><w:sym w:font="Wingdings" w:char="F0B7"/><w:sym w:char="F041"/><w:sym w:char="03B1"/>'
        '<w:sym w:char="zz"/><w:sym w:char="FFFFFFFF"/></w:r>'
        "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath><w:ruby><w:rt><w:r><w:t>reading</w:t></w:r></w:rt>"
        "<w:rubyBase><w:r><w:t>字</w:t></w:r></w:rubyBase></w:ruby></w:p>"
    )
    assert text_of(body) == "We new link shown-a b\nc\nd•αx=1字"


def test_content_controls_are_read_and_contents_entries_are_not() -> None:
    text = text_of(
        f"<w:sdt><w:sdtPr><w:alias w:val='x'/></w:sdtPr><w:sdtContent>{word_paragraph('Kept')}</w:sdtContent></w:sdt>"
        + word_paragraph("Chapter 1 ........ 3", style="V1")
        + "<w:p/>"
        + word_table([word_cell(word_paragraph("toc", style="V1") + word_paragraph("x")), "y"])
    )
    assert text == "Kept\n\n| x | y |\n| --- | --- |"


def test_text_boxes_and_pictures_leave_their_words() -> None:
    box = f"<w:txbxContent>{word_paragraph('Boxed')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>Around</w:t><mc:AlternateContent>"
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
        "<mc:AlternateContent><mc:Choice/><mc:Fallback/></mc:AlternateContent>"
        '<w:drawing><wp:docPr descr="A [red] car"/></w:drawing><w:drawing><wp:docPr descr="image1.png"/></w:drawing>'
        r'<w:drawing><wp:docPr descr="I:\Clip art\th (11).jpg"/></w:drawing>'
        "<w:drawing><wp:docPr/></w:drawing></w:r></w:p>"
    )
    assert text_of(body) == "Around![A (red) car]()\n\nBoxed"


def test_code_is_fenced_and_letters_in_a_typewriter_face_are_not() -> None:
    mono = '<w:rFonts w:ascii="Consolas"/>'
    text = text_of(
        word_paragraph("Letter set in Courier", run=mono)
        + word_paragraph("def f():", style="Code")
        + word_paragraph("    return 1", style="Code")
        + word_paragraph("After")
        + word_paragraph("x = 1", run=mono)
        + word_paragraph("done", run=mono)
        + word_paragraph("", run=mono)
        + word_paragraph("End")
        + word_paragraph("y = 2", style="Typed")
        + word_paragraph("z = 3", run='<w:rStyle w:val="Mono"/>')
        + word_paragraph(" ", style="Code")
    )
    assert text == (
        "Letter set in Courier\n\n```\ndef f():\n    return 1\n```\n\nAfter\n\n```\nx = 1\ndone\n```\n\n"
        "End\n\n```\ny = 2\nz = 3\n \n```"
    )


def test_text_that_looks_like_markup_stays_text() -> None:
    assert text_of(word_paragraph("# 5 bolts") + word_paragraph("```") + word_paragraph("=====")) == (
        "\\# 5 bolts\n\n\\```\n\n\\====="
    )


def pages(count: int) -> str:
    return f"<Properties xmlns='x'><Pages>{count}</Pages></Properties>"


def test_page_marks_stand_where_word_began_a_page_if_its_count_agrees() -> None:
    broken = "<w:p><w:r><w:t>one</w:t></w:r><w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>"
    heading = (
        "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:lastRenderedPageBreak/><w:t>Three</w:t></w:r></w:p>"
    )
    table = word_table(["a", "b"], [word_cell("<w:p><w:r><w:t>c</w:t><w:lastRenderedPageBreak/></w:r></w:p>"), "d"])
    blank = "<w:p><w:r><w:lastRenderedPageBreak/></w:r></w:p>"
    body = broken + heading + table + blank + word_paragraph("last")
    parsed = parse(with_parts(docx(body), {"docProps/app.xml": pages(5)}))
    assert [(mark.number, parsed.text[mark.start :][:5]) for mark in parsed.marks] == [
        (1, "onetw"),
        (2, "two\n\n"),
        (3, "# Thr"),
        (4, "| c |"),
        (5, "last"),
    ]
    assert all(mark.kind is MarkKind.PAGE for mark in parsed.marks)
    assert parse(with_parts(docx(body), {"docProps/app.xml": pages(9)})).marks == ()
    assert parse(docx(word_paragraph("x"))).marks == ()


def test_a_strict_document_reads_like_any_other() -> None:
    data = docx(word_paragraph("Strict", style="Heading1"))
    strict = {
        "word/document.xml": part(
            "w:document", f"<w:body>{word_paragraph('Strict', style='Heading1')}</w:body>"
        ).replace(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
        )
    }
    assert parse(with_parts(data, {**strict})).text == "# Strict"


def test_the_main_part_is_found_without_relationships() -> None:
    body = part("w:document", f"<w:body>{word_paragraph('Found')}</w:body>")
    assert parse(zip_of({"word/document.xml": body})).text == "Found"


def test_external_entities_are_not_resolved() -> None:
    body = '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/hostname"><!ENTITY b "boom">]>' + part(
        "w:document", "<w:body><w:p><w:r><w:t>a&e;b&b;c</w:t></w:r></w:p></w:body>"
    ).removeprefix('<?xml version="1.0" encoding="UTF-8"?>')
    assert parse(zip_of({"word/document.xml": body})).text == "abc"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyFileError),
        (b"Just text, no archive", WrongFormatError),
        (docx(word_paragraph("x"))[:200], CorruptFileError),
        (docx(""), NoTextError),
        (xlsx({"S": row(1, "a")}), WrongFormatError),
        (pptx(shape("a")), WrongFormatError),
        (zip_of({"readme.txt": "hello"}), WrongFormatError),
        (zip_of({"word/document.xml": "not xml"}), CorruptFileError),
        (zip_of({"word/document.xml": part("s:workbook", "")}), WrongFormatError),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), EncryptedFileError),
    ],
)
def test_each_failure_has_its_own_error(data: bytes, error: type[ParseError]) -> None:
    with pytest.raises(error):
        parse(data)


WHOLE = with_parts(
    docx(
        word_paragraph("Head", style="berschrift1") + numbered("x", 1) + word_table(["a", "b"], ["c", "d"]),
        styles=STYLES,
        numbering=NUMBERING,
    ),
    {"docProps/app.xml": pages(1)},
)


@settings(max_examples=80)
@given(place=st.integers(0, len(WHOLE)), noise=st.binary(min_size=1, max_size=8), cut=st.integers(0, len(WHOLE)))
def test_any_damage_gives_a_document_or_a_parse_error(place: int, noise: bytes, cut: int) -> None:
    for data in (noise, WHOLE[:place] + noise + WHOLE[place + len(noise) :], WHOLE[:cut]):
        assert survives(data)


@settings(max_examples=60)
@given(st.text(max_size=300))
def test_any_xml_in_the_main_part_gives_a_document_or_a_parse_error(xml: str) -> None:
    assert survives(zip_of({"word/document.xml": part("w:document", f"<w:body>{xml}</w:body>")}))


def survives(data: bytes) -> bool:
    try:
        parsed = parse(data)
    except ParseError as error:
        return bool(error.message)
    return bool(parsed.text) and "\0" not in parsed.text and all(mark.start < len(parsed.text) for mark in parsed.marks)
