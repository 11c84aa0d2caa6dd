import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.office_files import (
    core_title,
    docx,
    part,
    pptx,
    shape,
    slide_paragraph,
    with_parts,
    word_paragraph,
)

from minirag_mcp.errors import NoTextError, ParseError, WrongFormatError
from minirag_mcp.model import MarkKind
from minirag_mcp.parse.pptx import parse


def listed(text: str, mark: str = "", depth: int = 0) -> str:
    return slide_paragraph(text, f'<a:pPr lvl="{depth}">{mark}</a:pPr>')


def table(*rows: list[str]) -> str:
    cells = "".join(
        "<a:tr>" + "".join(cell if cell.startswith("<") else cell_of(cell) for cell in cells) + "</a:tr>"
        for cells in rows
    )
    return (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{cells}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def cell_of(text: str, attributes: str = "") -> str:
    return f"<a:tc {attributes}><a:txBody>{slide_paragraph(text)}</a:txBody></a:tc>"


def test_slides_come_in_order_each_under_its_mark_and_title() -> None:
    parsed = parse(
        pptx(
            shape("Body first") + shape("Our plan", kind="ctrTitle"),
            "",
            shape("Second", kind="title") + shape("Another title", kind="title"),
        )
    )
    assert parsed.text == "## Our plan\n\nBody first\n\n## Second\n\nAnother title"
    assert [(mark.kind, mark.number, parsed.text[mark.start :][:9]) for mark in parsed.marks] == [
        (MarkKind.SLIDE, 1, "## Our pl"),
        (MarkKind.SLIDE, 3, "## Second"),
    ]
    assert parsed.title == "Our plan"


def test_the_title_in_the_properties_wins_and_a_first_slide_without_title_gives_none() -> None:
    data = pptx(shape("One"))
    assert parse(data).title is None
    assert (
        parse(with_parts(data, {"docProps/core.xml": core_title("Strategy 2030 for all")})).title
        == "Strategy 2030 for all"
    )
    assert parse(with_parts(data, {"docProps/core.xml": core_title("PowerPoint Presentation")})).title is None


def test_lists_show_bullets_numbers_and_depth() -> None:
    number = "<a:buAutoNum type='arabicPeriod'/>"
    body = shape(
        listed("Intro", "<a:buNone/>"),
        "alpha",
        listed("beta", depth=1),
        listed("one", number),
        listed("sub", number, 1),
        listed("two", number),
        listed("dash", "<a:buChar char='-'/>"),
        kind="body",
    )
    assert parse(pptx(body)).text == "Intro\n\n- alpha\n  - beta\n1. one\n  1. sub\n2. two\n- dash"


def test_a_lone_paragraph_and_a_text_box_have_no_bullets() -> None:
    assert parse(pptx(shape("Only one", kind="body") + shape("x", "y", plain=True))).text == "Only one\n\nx\n\ny"


def test_tables_groups_pictures_and_furniture() -> None:
    picture = '<p:pic><p:nvPicPr><p:cNvPr descr="A graph of sales"/></p:nvPicPr></p:pic><p:pic/>'
    grouped = f"<p:grpSp>{shape('In a group', plain=True)}</p:grpSp>"
    furniture = shape("7", kind="sldNum") + shape("Confidential", kind="ftr") + "<p:sp/>"
    rows = table(["Code", "Price"], ["A", "1"], [cell_of("", 'vMerge="1"'), "2"])
    broken = "<a:p><a:r><a:t>two</a:t></a:r><a:br/><a:r><a:t>lines</a:t></a:r></a:p>"
    text = parse(pptx(rows + grouped + picture + furniture + shape(broken, plain=True))).text
    assert text == (
        "| Code | Price |\n| --- | --- |\n| A | 1 |\n| A | 2 |\n\nIn a group\n\n![A graph of sales]()\n\ntwo\nlines"
    )


def test_the_fallback_is_read_only_when_the_choice_says_nothing() -> None:
    both = f"<mc:AlternateContent><mc:Choice>{shape('new', plain=True)}</mc:Choice>"
    both += f"<mc:Fallback>{shape('old', plain=True)}</mc:Fallback></mc:AlternateContent>"
    bare = both.replace(shape("new", plain=True), "")
    nothing = "<mc:AlternateContent><mc:Choice/></mc:AlternateContent>"
    assert parse(pptx(both + bare + nothing)).text == "new\n\nold"


def test_notes_and_comments_of_both_kinds_stand_under_their_slide() -> None:
    notes = f"<p:cSld><p:spTree>{shape('Say hello', kind='body')}{shape('1', kind='sldNum')}<p:sp/></p:spTree></p:cSld>"
    links = {
        1: {"n": "notesSlide ../n.xml", "c": "comments ../c.xml", "d": "comments ../d.xml", "x": "comments ../gone.xml"}
    }
    modern = f'<p:cm authorId="b"><p:txBody>{slide_paragraph("Modern")}</p:txBody></p:cm><p:cm/>'
    data = pptx(
        shape("Body"),
        links=links,
        n=part("p:notes", notes),
        c=part("p:cmLst", '<p:cm authorId="1"><p:text>Old style</p:text></p:cm>'),
        d=part("p:cmLst", modern),
        authors=part("p:cmAuthorLst", '<p:cmAuthor id="1" name="Ann"/>'),
    )
    assert parse(data).text == "Body\n\nNotes: Say hello\n\n> Ann: Old style\n\n> Comment: Modern"


CHART = part(
    "c:chartSpace",
    "<c:chart><c:title><a:t>Sales</a:t></c:title><c:ser><c:tx><c:v>EU</c:v></c:tx>"
    '<c:cat><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="1"><c:v>2024</c:v></c:pt></c:cat>'
    '<c:val><c:pt idx="0"><c:v>1.1000000000000001</c:v></c:pt><c:pt idx="1"><c:v>n.a.</c:v></c:pt></c:val></c:ser>'
    '<c:ser><c:val><c:pt idx="1"><c:v>7</c:v></c:pt></c:val></c:ser></c:chart>',
)


def test_charts_and_diagrams_say_what_they_show() -> None:
    frames = "".join(
        f"<p:graphicFrame>{inner}</p:graphicFrame>"
        for inner in ('<c:chart r:id="c"/>', '<c:chart r:id="e"/>', '<c:chart r:id="gone"/>', '<dgm:relIds r:dm="d"/>')
    )
    points = f"<dgm:pt>{slide_paragraph('Plan')}</dgm:pt><dgm:pt/><dgm:pt>{slide_paragraph('Do')}</dgm:pt>"
    data = pptx(
        frames + '<p:graphicFrame><dgm:relIds r:dm="none"/></p:graphicFrame>',
        links={1: {"c": "chart ../chart.xml", "e": "chart ../empty.xml", "d": "diagramData ../data.xml"}},
        chart=CHART,
        empty=part("c:chartSpace", "<c:chart/>"),
        data=part("dgm:dataModel", points),
    )
    assert (
        parse(data).text
        == "Sales\n\n|  | EU |  |\n| --- | --- | --- |\n| 2023 | 1.1 |  |\n| 2024 | n.a. | 7 |\n\n- Plan\n- Do"
    )


def test_a_missing_slide_does_not_stop_the_others() -> None:
    data = with_parts(pptx(shape("One"), shape("Two")), {"ppt/slides/slide1.xml": "damaged"})
    assert parse(data).marks[0].number == 2
    unlinked = with_parts(pptx(shape("One")), {"ppt/_rels/presentation.xml.rels": "<x/>"})
    with pytest.raises(NoTextError):
        parse(unlinked)


def test_a_presentation_without_words_has_no_text_and_a_document_is_no_presentation() -> None:
    with pytest.raises(NoTextError):
        parse(pptx(shape("")))
    with pytest.raises(WrongFormatError):
        parse(docx(word_paragraph("x")))
    with pytest.raises(NoTextError):
        parse(pptx("").replace(b"spTree", b"spTrea"))


WHOLE = pptx(shape("T", kind="title") + table(["a"], ["b"]), shape("x", "y", kind="body"))


@settings(max_examples=80)
@given(place=st.integers(0, len(WHOLE)), noise=st.binary(min_size=1, max_size=8), cut=st.integers(0, len(WHOLE)))
def test_any_damage_gives_slides_or_a_parse_error(place: int, noise: bytes, cut: int) -> None:
    for data in (noise, WHOLE[:place] + noise + WHOLE[place + len(noise) :], WHOLE[:cut]):
        assert survives(data)


def survives(data: bytes) -> bool:
    try:
        parsed = parse(data)
    except ParseError as error:
        return bool(error.message)
    return bool(parsed.text) and all(mark.start < len(parsed.text) for mark in parsed.marks)
