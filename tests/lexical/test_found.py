"""The words of a question are marked where the index would find them, and nowhere else."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.lexical.found import found

WORDS = (
    "seal seals getUserName ERR_CONN_4012 v1.2 1,000 C++ .NET -> Häuser der The 北京大学 ひらがな ความปลอดภัย 학교에서 "
    "हिन्दी насосы ﬁle ½ ｶﾞ 's - _ . / 😀 ﷺ ß İ"
)
ODD = ["e\u0301", "\u200b", " ", "\n", "\x1c", "\udcff", "\0"]
ALPHABETS = st.one_of(st.sampled_from([*WORDS.split(), *ODD]), st.characters())
TEXTS = st.lists(ALPHABETS, max_size=20).map("".join)
QUESTIONS = st.lists(ALPHABETS, max_size=6).map("".join)


def marked(text: str, question: str) -> list[str]:
    return [span.of(text) for span in found(text, question)]


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("The seals leak; replace the seal.", "when must the seal be replaced", ["seals", "replace", "seal"]),
        ("Насосы и уплотнения, клапан насоса", "клапаны насоса и", ["Насосы", "клапан", "насоса"]),
        ("Die Häuser sind alt, das Haus.", "wie alt sind die Häuser", ["Häuser", "alt", "Haus"]),
        ("naïve café, ﬁle, ｆｕｌｌ", "cafe naive full file", ["naïve", "café", "ﬁle", "ｆｕｌｌ"]),
        ("北京大学在北京。大人", "北京大学", ["北京大学", "北京"]),
        ("大きい", "大", ["大"]),
        ("학교에서 공부", "학교", ["학교"]),
        ("ความปลอดภัย", "ปลอดภัย", ["ปลอดภัย"]),
        ("हिन्दी भाषा", "हिंदी", ["हिन्दी"]),
        ("(ERR_CONN_4012): a conn", "err-conn-4012", ["ERR_CONN_4012", "conn"]),
        ("call getUserName(x)", "user", ["User"]),
        ("call getUserName(x)", "getUserName", ["getUserName"]),
        ("see docs/baz.txt and foo.txt", "baz.txt", ["baz.txt", "txt"]),
        ("the pump's seal, don't", "pump don't", ["pump", "don't"]),
        ("v1.2 costs 1,000", "1.2 1000", ["v1.2", "1,000"]),
        ("C++ and .NET, a != b", "C++ .NET !=", ["C++", ".NET", "!="]),
        ("the end of the day", "the of", ["the", "of", "the"]),
        ("nothing here", "seal", []),
        ("", "seal", []),
        ("seal", "", []),
    ],
)
def test_words_are_found_in_every_form_and_script(text: str, question: str, expected: list[str]) -> None:
    assert marked(text, question) == expected


@given(TEXTS, QUESTIONS)
def test_spans_are_in_order_apart_and_never_blank_at_an_end(text: str, question: str) -> None:
    spans = found(text, question)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(left.end < right.start for left, right in pairwise(spans))
    assert all(span.of(text) == span.of(text).strip() for span in spans)


@given(TEXTS, QUESTIONS)
def test_nothing_is_found_in_a_text_that_shares_no_term(text: str, question: str) -> None:
    if set(terms(text)).isdisjoint(terms(question)):
        assert found(text, question) == ()


@given(QUESTIONS)
def test_a_question_with_any_term_is_found_in_itself(question: str) -> None:
    assert bool(found(question, question)) is bool(terms(question))


@pytest.mark.parametrize(
    "text", ["漢" * 20_000, "a" * 50_000, "aB" * 20_000, "a_" * 20_000, "é" * 20_000, "ก" * 20_000]
)
@pytest.mark.timeout(10)
def test_time_grows_with_length_only(text: str) -> None:
    assert found(text, text)
