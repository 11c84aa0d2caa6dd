"""What a person types must find what the document says, across spellings, inflections and scripts."""

import pytest

from minirag_mcp.lexical.analyzer import terms

FOUND = [
    # inflection
    ("хранение", "О хранении товаров"),
    ("договоры поставки", "по договору поставок"),
    ("ёлка", "Елки и елку"),
    ("елку", "ёлка"),
    ("connections", "the connection was reset"),
    ("running", "It runs fast"),
    ("Kündigungsfristen der Verträge", "Die Kündigungsfrist des Vertrages ist kurz"),
    ("लड़कों", "लड़का"),
    ("الكتاب", "كتاب"),
    # accents, case, width, compatibility
    ("cafe", "Café"),
    ("Müller", "MULLER"),
    ("strasse", "Straße"),
    ("Việt Nam", "Viet Nam"),
    ("Αθηνα", "Αθήνα"),
    ("ABC123", "ＡＢＣ１２３"),
    ("カタカナ", "ｶﾀｶﾅ"),
    ("file", "ﬁle"),
    ("हिंदी", "हिन्दी"),
    ("حكومه", "حُكُومَة"),
    ("שלום", "שָׁלוֹם"),
    ("2024", "٢٠٢٤"),
    # invisible characters
    ("information", "infor\u00admation"),
    ("keyword", "key\u200bword"),
    # scripts without spaces
    ("东京", "我住在东京都"),
    ("猫", "黒い猫がいる"),
    ("タワー", "東京タワーに行く"),
    ("ประเทศ", "เศรษฐกิจของประเทศไทย"),
    ("한국", "한국에서 왔다"),
    ("ខ្មែរ", "ភាសាខ្មែរ"),
    ("မြန်မာ", "မြန်မာဘာသာ"),
    # identifiers
    ("ERR_CONN_4012", "fails with ERR_CONN_4012."),
    ("err_conn", "fails with ERR_CONN_4012."),
    ("4012", "fails with ERR_CONN_4012."),
    ("И-112", "Инструкция И-112_ЗПС"),
    ("и112", "Инструкция И-112"),
    ("foo.bar_baz()", "call `foo.bar_baz()` first"),
    ("bar_baz", "call foo.bar_baz()"),
    ("getUserName", "const n = getUserName();"),
    ("user name", "const n = getUserName();"),
    ("get_user_name", "getUserName"),
    ("C++", "written in C++, mostly"),
    ("C#", "(C#)"),
    (".NET", "the .NET runtime"),
    ("NET", "ASP.NET"),
    ("C2065", "error C2065: undeclared"),
    ("1.0.21", "release v1.0.21"),
    ("email", "e-mail"),
    ("wi-fi", "WiFi"),
    ("company", "the company's report"),
    ("eau", "l’eau"),
    ("dont", "don't"),
    ("john.doe@example.com", "<john.doe@example.com>"),
    ("lib/foo_bar.py", "/usr/local/lib/foo_bar.py"),
    ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}"),
    ("1000", "$1,000.50"),
    ("AT&T", "at&t"),
    ("->", "a -> b"),
    ("👍", "great👍"),
]


@pytest.mark.parametrize(("query", "text"), FOUND)
def test_words_of_the_query_are_found_in_the_text(query: str, text: str) -> None:
    assert set(terms(query)) & set(terms(text))


WHOLE = [
    ("ERR_CONN_4012", "errconn4012"),
    ("И-112", "и112"),
    ("foo.bar_baz", "foobarbaz"),
    ("getUserName", "getusername"),
    ("1.0.21", "1.0.21"),
    ("C2065", "c2065"),
    ("C++", "c++"),
    ("C#", "c#"),
    (".NET", ".net"),
    ("TCP/IP", "tcpip"),
    ("john.doe@example.com", "johndoeexamplecom"),
    ("/etc/foo_bar.conf", "foobarconf"),
    ("2024-01-02", "2024-01-02"),
]


@pytest.mark.parametrize(("code", "whole"), WHOLE)
def test_an_identifier_has_one_term_that_stands_for_all_of_it(code: str, whole: str) -> None:
    assert whole in terms(code)
    assert set(terms(code)) <= set(terms(f"see ({code}), then"))


APART = [
    ("C", "C++"),
    ("1.0.21", "1021"),
    ("C2065", "C2066"),
    ("й", "и"),
    ("март", "марш"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_different_things_keep_a_term_of_their_own(one: str, other: str) -> None:
    assert set(terms(one)) != set(terms(other))


def test_both_spellings_of_a_german_word_meet_whether_or_not_the_language_shows() -> None:
    known = terms("Die Kündigungsfrist ist lang und steht im Vertrag")
    assert set(terms("Kündigungsfrist")) & set(known)
    assert set(terms("Wie lang sind die Kündigungsfristen?")) & set(known) >= {"kundigungsfrist~ge"}


def test_an_english_word_has_one_term() -> None:
    assert terms("The connections") == ("the", "connect")


def test_hexadecimal_groups_are_not_torn_apart() -> None:
    assert "f" not in terms("4f89-11d3-9a0c")


def test_markdown_furniture_has_no_terms() -> None:
    assert terms("| --- | :-: |\n## ** ___ ``` ... ====") == ()


def test_a_tatweel_alone_has_no_terms() -> None:
    assert terms("ـ") == ()
