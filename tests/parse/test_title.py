import pytest

from minirag_mcp.parse.first_heading import plain_heading
from minirag_mcp.parse.title import choose_title, is_boilerplate, is_informative


def title(text: str, stem: str | None = "server-notes", found: str | None = None) -> tuple[str, bool]:
    chosen = choose_title(text, given=None, found=found, stem=stem)
    return chosen.title, chosen.own


def test_the_formats_own_title_comes_before_the_heading() -> None:
    assert title("# Heading", found=" From\nmetadata ") == ("From metadata", True)


@pytest.mark.parametrize("found", ["", " ", "—", "***"])
def test_a_metadata_title_without_words_is_passed_over(found: str) -> None:
    assert title("# Heading", found=found) == ("Heading", True)


def test_an_authors_heading_beats_the_file_name() -> None:
    assert title("intro\n\n# The plan\n\n# Another") == ("The plan", True)


@pytest.mark.parametrize(
    "heading",
    [
        "Introduction",
        "1. Общие положения",
        "1 Общие положения",
        "1.Общие положения",
        "Лист изменений",
        "Table of contents:",
        "I. INTRODUCTION",
        "Chapter 1. Introduction",
        "Глава 1. Введение",
        "§ 1 Allgemeine Bestimmungen",
        "第一章 总则",
        "はじめに",
        "목차",
        "**Содержание**",
        "![logo](logo.png)",
        "2024",
        "* * *",
    ],
)
def test_boilerplate_headings_step_aside_for_the_file_name(heading: str) -> None:
    assert title(f"# {heading}\n\ntext", "И-112_ЗПС_Хранение ТМЗ") == ("И-112 ЗПС Хранение ТМЗ", False)


@pytest.mark.parametrize(
    "heading", ["Introduction to Rust", "1984: a novel", "Changelog of Ferris", "Введение в анализ"]
)
def test_headings_that_merely_contain_such_words_stay(heading: str) -> None:
    assert title(f"# {heading}") == (heading, True)


@pytest.mark.parametrize(
    "stem",
    ["Untitled-1", "IMG_20260807_123456", "Копия документа (2)", "scan0001", "DSC00012", "abc", "2024-01-15", "___ _",
     "New Document", "Новый текстовый документ", "Screenshot 2024-05-01 at 10.22.33", "新建文本文档", "名称未設定 2"],
)  # fmt: skip
def test_names_that_machines_hand_out_say_nothing(stem: str) -> None:
    assert not is_informative(stem)


@pytest.mark.parametrize("stem", ["И-112_ЗПС", "new-york-trip", "scan of the contract", "Договор копия", "r2d2 manual"])
def test_real_names_that_contain_such_a_word_are_kept(stem: str) -> None:
    assert is_informative(stem)


def test_boilerplate_is_still_better_than_a_useless_name() -> None:
    assert title("# Introduction", "Untitled-1") == ("Introduction", True)


def test_the_stem_is_the_last_resort() -> None:
    assert title("no heading", "IMG_0001") == ("IMG 0001", False)
    assert title("no heading", "_") == ("_", False)
    assert title("no heading", None) == ("", False)


@pytest.mark.parametrize(
    "text",
    [
        "```\n# comment\n```\n# Real",
        "~~~\n```\n# comment\n~~~\n# Real",
        "## Second level\n# Real",
        "#hashtag\n#\n# Real",
        "Real\n====\n\n# Later",
        "   # Real #\n",
        "<!--\n# licence\n\n# of this file\n-->\n# Real",
        "<!-- never closed\n# Real",
        "<div>\n# raw\n</div>\n\n# Real",
        "```\n<!--\n```\n# Real\n-->",
    ],
)
def test_the_first_heading_is_one_a_reader_sees(text: str) -> None:
    assert title(text) == ("Real", True)


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("**Bold** and `code_x` *it*", "Bold and code_x it"),
        ("[Text](http://a/b) ![pic](c.png) tail", "Text tail"),
        ("A &amp; B <a id='x'></a>", "A & B"),
        (r"snake\_case 1\. x", "snake_case 1. x"),
        ("Setup {#setup .wide}", "Setup"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2*3*4"),
        ("Closed ##", "Closed"),
    ],
)
def test_a_title_is_words_without_markup(markup: str, words: str) -> None:
    assert plain_heading(markup) == words


def test_a_paragraph_marked_as_a_heading_is_cut() -> None:
    found, own = title("# " + "word " * 10_000)
    assert own
    assert len(found) <= 300
    assert found.endswith("…")


def test_boilerplate_is_told_in_any_case() -> None:
    assert is_boilerplate("TABLE OF CONTENTS")
    assert not is_boilerplate("Kubernetes")
