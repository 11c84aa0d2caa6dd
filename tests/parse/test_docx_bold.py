"""Word documents without heading styles, whose headings are bold lines; and bold lines that are no headings."""

import pytest
from tests.parse.docx_files import NUMBERING, STYLES, numbered, text_of
from tests.parse.office_files import docx, part, word_paragraph, word_table

from minirag_mcp.parse.docx import parse
from minirag_mcp.parse.registry import parse as parse_file

BOLD = "<w:b/>"
BODY = word_paragraph("The supplier delivers the goods to the place that the order names, on the day it names.")


def bold(text: str, properties: str = "") -> str:
    return word_paragraph(text, properties=properties, run=BOLD)


def headings(body: str, **parts: str) -> list[str]:
    return [line for line in text_of(body, **parts).split("\n") if line.startswith("#")]


def document(*lines: str) -> str:
    return "".join(bold(line) + BODY for line in lines)


def test_numbered_bold_lines_are_headings_by_the_depth_of_their_numbers() -> None:
    body = document("1. Scope", "1.1 Terms of delivery", "1.1.1 Goods", "2. Payment")
    assert headings(body) == ["# 1. Scope", "## 1.1 Terms of delivery", "### 1.1.1 Goods", "# 2. Payment"]


@pytest.mark.parametrize(
    "lines",
    [
        ["１．委託業務の名称", "２．業務目的"],
        ["Статья 1. Предмет договора", "Статья 2. Цена"],
        ["Chapter 1 Introduction", "Chapter 2 Appointment"],
        ["§ 1 Geltungsbereich", "§ 2 Lieferung"],
        ["1.Definitions.", "2.Referral procedure."],
    ],
)
def test_numbers_are_known_in_many_writings(lines: list[str]) -> None:
    assert headings(document(*lines)) == [f"# {line}" for line in lines]


def test_a_bold_clause_numbered_by_word_is_a_heading_with_its_number() -> None:
    clause = numbered("Scope", 1).replace("<w:rPr>", f"<w:rPr>{BOLD}")
    deeper = numbered("Terms", 1, depth=1).replace("<w:rPr>", f"<w:rPr>{BOLD}")
    assert headings(clause + BODY + deeper + BODY) == ["# 1. Scope", "## 1.1 Terms"]


def test_three_bold_lines_without_numbers_are_headings() -> None:
    assert headings(document("Background", "Findings", "Next steps")) == ["# Background", "# Findings", "# Next steps"]


def test_a_heading_directly_under_a_higher_one_counts_too() -> None:
    assert headings(bold("1. Scope") + document("1.1 Goods", "1.2 Services")) == [
        "# 1. Scope",
        "## 1.1 Goods",
        "## 1.2 Services",
    ]


def test_bold_by_style_is_bold_and_runs_that_say_otherwise_are_not() -> None:
    styles = part(
        "w:styles",
        '<w:style w:type="paragraph" w:styleId="Strong"><w:name w:val="Strong line"/><w:rPr><w:b/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Fat"><w:name w:val="Fat"/><w:rPr><w:b/></w:rPr></w:style>',
    )
    by_paragraph = word_paragraph("1. By paragraph", style="Strong")
    by_run = word_paragraph("2. By run", run='<w:rStyle w:val="Fat"/>')
    light = word_paragraph("3. Light", style="Strong", run='<w:b w:val="0"/>')
    found = headings(by_paragraph + BODY + by_run + BODY + light + BODY, styles=styles)
    assert found == ["# 1. By paragraph", "# 2. By run"]


def test_bold_headings_stand_below_a_single_one_by_style() -> None:
    body = word_paragraph("Contract", style="berschrift1") + document("1. Scope", "2. Payment")
    assert headings(body) == ["# Contract", "## 1. Scope", "## 2. Payment"]


def test_headings_by_style_leave_bold_lines_what_they_are() -> None:
    styled = "".join(word_paragraph(text, style="berschrift1") + BODY for text in ("First", "Second"))
    assert headings(styled + document("1. Scope", "2. Payment", "3. Term")) == ["# First", "# Second"]


@pytest.mark.parametrize(
    "body",
    [
        document("Letterhead of a company", "Your order of the first of May"),
        document("What is this?", "Who made it?", "When was it made?", "How much is it?"),
        document("Practice tips", "Practice tips", "Practice tips", "Practice tips"),
        document("Note: read this", "Name:", "Address:", "Telephone:", "Please mind the gap."),
        document("Table 1 Sales", "Table 2 Profits", "Figure 3. Growth", "Таблица 4. Рост"),
        document("12.04.2006 00:01", "13.04.2006", "2012", "14.05.2006 11:30"),
        "".join(bold(text) + word_paragraph("Ann") for text in ("Name", "Street", "Town", "Land", "Telephone")),
        "".join(bold(f"{number}. Item") for number in range(20)) + BODY,
        "".join(bold(f"{number}. Item") + bold("The whole of the text is bold. " * 4) for number in range(9)) + BODY,
        document(*(f"{number}. {'This clause goes on for long and is no heading ' * 3}" for number in range(5))),
        word_table(*([f"1.{number} Cell", "text " * 20] for number in range(5))).replace("<w:rPr>", f"<w:rPr>{BOLD}")
        + BODY * 4,
        document(*(f"Chapter {number}\t{number * 10}" for number in range(1, 6))),
    ],
    ids=[
        *("two lines", "questions", "repeated labels", "labels", "captions", "dates", "form", "contents", "all bold"),
        *("long", "tables", "pages"),
    ],
)
def test_what_is_not_clearly_a_heading_is_none(body: str) -> None:
    assert headings(body) == []


def test_a_bold_bullet_is_no_heading() -> None:
    bullets = "".join(numbered(f"Point {number}", 2).replace("<w:rPr>", f"<w:rPr>{BOLD}") + BODY for number in range(5))
    assert headings(bullets) == []


def test_notes_keep_their_numbers_when_bold_lines_are_looked_for() -> None:
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    notes = part("w:footnotes", f'<w:footnote w:id="2">{word_paragraph("See law.")}</w:footnote><w:footnote w:id="3"/>')
    body = word_table(["a", "b"]) + document("1. Scope", "2. Payment").replace("</w:p>", reference, 1)
    text = parse(docx(body, styles=STYLES, numbering=NUMBERING, footnotes=notes)).text
    assert "# 1. Scope[^1]" in text
    assert "[^1]: See law." in text


def test_the_first_bold_heading_may_be_the_title() -> None:
    data = docx(document("Rules of the house", "Opening hours", "Parking"))
    assert parse_file(data, name="scan0001.docx", stem="scan0001").title == "Rules of the house"
