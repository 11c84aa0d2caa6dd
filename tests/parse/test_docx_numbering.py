"""Clause numbers and lists, counted as Word counts them."""

from tests.parse.docx_files import level, numbered, text_of
from tests.parse.office_files import (
    part,
    word_paragraph,
)


def test_clause_numbers_are_counted_as_word_counts_them() -> None:
    text = text_of(
        numbered("Subject", 1)
        + numbered("Scope", 1, 1)
        + numbered("Limits", 1, 2)
        + numbered("More", 1, 1, style="Own")
        + numbered("Price", 1)
        + word_paragraph("Inherited", style="Listed")
        + numbered("Restarted", 4)
        + numbered("Linked", 5, 1)
        + numbered("Unknown list", 99)
        + numbered("Unknown level", 1, 12)
        + numbered("", 1)
        + numbered("After an empty one", 1)
    )
    assert text.split("\n\n") == [
        "1. Subject",
        "1.1 Scope",
        "1.1.1 Limits",
        "## 1.2 More",
        "2. Price",
        "2.1 Inherited",
        "7. Restarted",
        "7.1 Linked",
        "Unknown list",
        "Unknown level",
        "9. After an empty one",
    ]


def test_lists_are_tight_and_indented() -> None:
    text = text_of(
        word_paragraph("Before")
        + numbered("apple", 2)
        + numbered("green", 2, 1)
        + numbered("pear", 2)
        + word_paragraph("Between")
        + numbered("first", 3)
        + numbered("roman", 3, 1)
        + numbered("cyrillic", 3, 2)
        + numbered("zero", 3, 3)
        + numbered("none", 3, 4)
        + numbered("second", 3)
    )
    assert "Before\n\n- apple\n  - green\n- pear\n\nBetween" in text
    assert "a) first\n  I. roman\n    а cyrillic\n      01 zero\n        x none\nb) second" in text


def test_letters_and_roman_numbers_go_on_past_the_alphabet() -> None:
    text = text_of("".join(numbered("x", 3) for _ in range(28)) + "".join(numbered("y", 3, 1) for _ in range(9)))
    assert "\nz) x\naa) x\nbb) x" in text
    assert "IV. y" in text
    assert text_of("".join(numbered("x", 3) for _ in range(800))).endswith("\n800) x")
    roman = '<w:abstractNum w:abstractNumId="0">' + level(0, "%1", "lowerRoman").replace(
        '<w:start w:val="1"/>', '<w:start w:val="4000"/>'
    )
    numbers = '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    assert text_of(numbered("y", 1), numbering=part("w:numbering", roman + numbers)) == "4000 y"
    assert "IX. y" in text
