from typing import Literal
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minirag_mcp.parse import stem_words
from minirag_mcp.parse.first_heading import plain_heading
from minirag_mcp.parse.title import choose_title, is_boilerplate, is_informative
from minirag_mcp.parse.title_text import words_of


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
        "ГЛАВА I. ОБЩИЕ ПОЛОЖЕНИЯ",
        "Приложение № 1",
        "Appendix B",
        "TABLE DES MATIERES",
        "ΠΕΡΙΕΧΟΜΕΝΑ",
        "İÇİNDEKİLER",
        "CAPÍTULO I DISPOSICIONES GENERALES",
        "Rozdział 1. Postanowienia ogólne",
        "Chapter One: Introduction",
        "الفصل الأول: أحكام عامة",
        "अध्याय १: परिचय",
        "บทที่ 1 บทนำ",
        "제1장 총칙",
        "１．はじめに",
        "一、总则",
        "(1) Introduction",
        "Page 1",
        "Лист 2",
        "v1.2.3",
    ],
)
def test_boilerplate_headings_step_aside_for_the_file_name(heading: str) -> None:
    assert title(f"# {heading}\n\ntext", "И-112_ЗПС_Хранение ТМЗ") == ("И-112 ЗПС Хранение ТМЗ", False)


@pytest.mark.parametrize(
    "heading",
    ["Introduction to Rust", "1984: a novel", "Changelog of Ferris", "Введение в анализ", "Images", "3D printing",
     "Общие положения договора поставки", "目的地指南", "概要設計書", "Abstract algebra", "Договор № 5",
     "C++ reference"],
)  # fmt: skip
def test_headings_that_merely_contain_such_words_stay(heading: str) -> None:
    assert title(f"# {heading}") == (heading, True)


@pytest.mark.parametrize(
    "stem",
    ["Untitled-1", "IMG_20260807_123456", "Копия документа (2)", "scan0001", "DSC00012", "abc", "2024-01-15", "___ _",
     "New Document", "Новый текстовый документ", "Screenshot 2024-05-01 at 10.22.33", "新建文本文档", "名称未設定 2",
     "NewDocument1", "WhatsApp Image 2024-01-01 at 10.00.00", "IMG-20240101-WA0001", "GMT20240101-120000_Recording",
     "新建 Microsoft Word 文档", "新建文本文档副本", "新規 Microsoft Word 文書", "새 텍스트 문서", "제목 없는 문서",
     "Документ Microsoft Word", "Снимок экрана 2024-01-01 в 10.22.33", "Копия Копия документа", "Книга1",
     "Kopie von Dokument1", "Bildschirmfoto 2024-01-01 um 10.22.33", "Nouveau document texte", "Mappe1", "Classeur1",
     "Capture d’écran 2024-01-01 à 10.22.33", "Documento sin título", "Captura de Tela 2024",
     "Schermata 2024 alle 10.22", "Dokument bez tytułu", "Snímek obrazovky 2024", "Yeni Metin Belgesi",
     "Ekran görüntüsü 2024", "Naamloos document",
     "Skärmavbild 2024-01-01 kl. 10.22", "Unavngivet dokument", "Nimetön asiakirja", "Új szöveges dokumentum",
     "Document fără titlu", "Έγγραφο χωρίς τίτλο", "مستند بدون عنوان", "سند بدون عنوان", "מסמך ללא כותרת",
     "शीर्षकहीन दस्तावेज़", "เอกสารไม่มีชื่อ", "Tài liệu không có tiêu đề", "Dokumen Tanpa Judul", "Документ без назви",
     "README", "index", "final_v2", "Scan 2024-01-01", "photo_2024-01-01_12-00-00"],
)  # fmt: skip
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_that_machines_hand_out_say_nothing(stem: str, form: Literal["NFC", "NFD"]) -> None:
    assert not is_informative(normalize(form, stem))


def test_no_word_of_names_handed_out_is_one_that_no_name_is_split_into() -> None:
    known = stem_words._GENERIC | stem_words._PROGRAMS
    assert [word for word in sorted(known) if words_of(word) != [word]] == []


@pytest.mark.parametrize(
    "stem",
    ["И-112_ЗПС", "new-york-trip", "scan of the contract", "Договор копия", "r2d2 manual", "合同", "说明书", "계약서",
     "Report 2023", "excel", "年度报告 副本", "RFC2119", "Side effects", "Протокол", "第三章资料"],
)  # fmt: skip
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
        "<h1 align='center'>\n  <img src='a.png'>\n  Real\n</h1>\n\n# Later",
        "<div>\n# raw\n<h1>Real</h1>\n</div>",
        "<pre>\n<h1>shown as code</h1>\n</pre>\n\n# Real",
        "**Real**\n====",
        "* item\n=====\n\n# Real",
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
        ("Using `Box<T>` and ``a`b``", "Using Box<T> and a`b"),
        ("`*p` **and `&x`**", "*p and &x"),
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


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("%D0%94%D0%BE%D0%B3%D0%BE%D0%B2%D0%BE%D1%80%20%E2%84%965", "Договор №5"),
        ("50%_off", "50% off"),
        ("%FF%FE", "%FF%FE"),
        ("one%0Atwo", "one%0Atwo"),
        (normalize("NFD", "Договор_на_йод"), "Договор на йод"),
        ("\u200fקובץ_חוזה", "קובץ חוזה"),
        ("2024-05-01-release-of-pumps", "2024-05-01-release-of-pumps"),
    ],
)
def test_a_file_name_is_shown_as_a_person_would_write_it(stem: str, name: str) -> None:
    assert title("no heading", stem) == (name, False)


@pytest.mark.parametrize("found", ["{{ page.title }}", '{{ replace .Name "-" " " }}', "<%= title %>", "${title}"])
def test_a_title_that_a_template_is_to_fill_in_is_passed_over(found: str) -> None:
    assert title("# Heading", found=found) == ("Heading", True)


def test_the_joiners_of_persian_stay_and_marks_of_direction_go() -> None:
    assert title("text", found="\u202bنتیجه\u200cگیری\u202c") == ("نتیجه\u200cگیری", True)


@settings(max_examples=300)
@given(text=st.text(max_size=80), found=st.none() | st.text(max_size=40), stem=st.text(min_size=1, max_size=40))
def test_any_text_and_name_give_a_title_on_one_line(text: str, found: str | None, stem: str) -> None:
    chosen, _ = title(text, stem=stem, found=found)
    assert chosen
    assert len(chosen) <= 300
    assert chosen == stem or chosen == " ".join(chosen.split())


@pytest.mark.timeout(20)
def test_a_text_full_of_openings_is_searched_in_little_time() -> None:
    for line in ("<h1>\n", "<!--\n", "<div>\n", "```\n", "<h1", "`# x\n", "a\n=x\n"):
        assert title(line * 50_000)[0]


@pytest.mark.parametrize(
    ("heading", "name"), [("The pump∗†", "The pump"), ("The pump ∗", "The pump"), ("Pumps*", "Pumps"), ("A\\*", "A*")]
)
def test_the_sign_of_a_note_is_no_part_of_a_title(heading: str, name: str) -> None:
    assert title(f"# {heading}") == (name, True)
