"""The tokenizer against the `tokenizers` library with the same pieces and scores."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from minirag_mcp.embed.packed import PackedModel, Pieces, find_packed_file
from minirag_mcp.embed.unigram import UnigramTokenizer, composed

SAMPLES = [
    "The connection times out after 30 seconds; raise `timeout` in config.toml.",
    "Договор №15/2 от 01.02.2024: Исполнитель обязуется…",
    "连接在30秒后超时。请联系管理员（内线1234）。",
    "接続は30秒後にタイムアウトします。ﾊﾝｶｸ",
    "연결은 30초 후에 시간 초과됩니다.",
    "การเชื่อมต่อจะหมดเวลาหลังจาก 30 วินาที",
    "कनेक्शन 30 सेकंड के बाद समाप्त हो जाता है।",
    "ينتهي الاتصال بعد ٣٠ ثانية",
    "def f(x: int) -> str:\n\treturn f'{x!r:>10}'\n",
    "| Code | Meaning |\n|------|---------|\n| ERR_CONN_4012 | timed out |",
    "ﬁne — “quotes” … ½ ² ™ ＡＢＣ　１２３",
    "😀👩‍👩‍👧‍👦🏳️‍🌈 \u200b\u200d\ufeff\u00ad",
    "a▁b ▁▁c ▁",
    "supercalifragilisticexpialidocious" * 5,
    "𓀀𓀁 𐍈 ꧁༒꧂ 𝔘𝔫𝔦",
    "  leading and trailing  \t\n ",
    "Cafe\u0301 nai\u0308ve",
]

_TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(" \n\t▁abcdefgABC0123456789.,-_/<>[]абвгд中文字日本한국ไทยकखعر"),
    ),
    max_size=60,
)


@pytest.fixture(scope="module")
def vocabulary() -> Pieces:
    return PackedModel(find_packed_file()).pieces()


@pytest.fixture(scope="module")
def tokenizer(vocabulary: Pieces) -> UnigramTokenizer:
    return UnigramTokenizer(vocabulary)


@pytest.fixture(scope="module")
def reference(vocabulary: Pieces) -> Any:
    scored = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    library = Tokenizer(models.Unigram(scored, unk_id=vocabulary.unknown, byte_fallback=False))
    metaspace = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    library.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace])

    def encode(text: str) -> list[int]:
        normal = composed(text).translate(vocabulary.normalisation)
        ids: list[int] = library.encode(normal).ids
        return ids

    return encode


@pytest.mark.parametrize("text", SAMPLES)
def test_tokens_are_those_of_the_library(tokenizer: UnigramTokenizer, reference: Any, text: str) -> None:
    assert tokenizer.encode(text, limit=10_000) == reference(text)


@settings(max_examples=300)
@given(_TEXT)
def test_tokens_of_any_text_are_those_of_the_library(tokenizer: UnigramTokenizer, reference: Any, text: str) -> None:
    assert tokenizer.encode(text, limit=10_000) == reference(text)


@settings(max_examples=100)
@given(_TEXT, _TEXT)
def test_counting_adds_up_over_white_space(tokenizer: UnigramTokenizer, one: str, two: str) -> None:
    counts = tokenizer.count_many([one, two, f"{one} {two}", f"{one}\n{two}"])
    assert counts[2] == counts[3] == counts[0] + counts[1]


@settings(max_examples=100)
@given(_TEXT, st.integers(1, 20))
def test_a_limit_gives_the_beginning(tokenizer: UnigramTokenizer, text: str, limit: int) -> None:
    assert tokenizer.encode(text, limit=limit) == tokenizer.encode(text, limit=10_000)[:limit]


def test_counting_is_not_cut_at_the_window(tokenizer: UnigramTokenizer) -> None:
    assert tokenizer.count("word " * 5000) == 5000


def test_special_tokens_cannot_come_from_text(tokenizer: UnigramTokenizer) -> None:
    special = {tokenizer.start, tokenizer.end, tokenizer.padding}
    assert special.isdisjoint(tokenizer.encode("<s> </s> <pad> <unk> <mask>", limit=100))


def test_a_composed_and_a_decomposed_letter_are_one(tokenizer: UnigramTokenizer) -> None:
    for apart, whole in (
        ("Cafe\u0301", "Caf\u00e9"),
        ("и\u0306", "й"),
        ("か\u3099", "が"),
        ("\u1112\u1161\u11ab", "한"),
    ):
        assert tokenizer.encode(apart, limit=9) == tokenizer.encode(whole, limit=9)


def test_marks_of_arabic_keep_their_order() -> None:
    assert composed("مد\u0651\u064eة") == "مد\u0651\u064eة"


def test_tokens_stay_right_when_the_memory_of_words_overflows(vocabulary: Pieces, reference: Any) -> None:
    forgetful = UnigramTokenizer(vocabulary, memory_words=1_000)
    text = " ".join(map(str, range(100_000, 101_500)))
    for _ in range(2):
        assert forgetful.encode(text, limit=100_000) == reference(text)


def test_tokens_of_long_runs_stay_right_however_many_were_seen_before(vocabulary: Pieces, reference: Any) -> None:
    forgetful = UnigramTokenizer(vocabulary, memory_runs=100)
    text = " ".join(f"https://example.com/catalog/{number:08}/item_{number}.html" for number in range(300))
    for _ in range(2):
        assert forgetful.encode(text, limit=100_000) == reference(text)


@pytest.mark.parametrize("lazy_words", [1, 1_000_000])
def test_tokens_are_the_same_for_the_first_words_and_after_very_many(
    vocabulary: Pieces, reference: Any, lazy_words: int
) -> None:
    fresh = UnigramTokenizer(vocabulary, lazy_words=lazy_words)
    fresh.count("12345678901")
    for text in (*SAMPLES, " ".join(SAMPLES) + "x" * 40):
        assert fresh.encode(text, limit=10_000) == reference(text)


def test_a_very_long_run_without_white_space_is_counted_whole(tokenizer: UnigramTokenizer) -> None:
    once = tokenizer.count("0123456789abcdef" * 500)
    assert tokenizer.count("0123456789abcdef" * 5000) == pytest.approx(once * 10, rel=0.01)


def test_text_that_is_not_valid_unicode_is_still_counted(tokenizer: UnigramTokenizer) -> None:
    assert tokenizer.count("\ud800 \0 \udfff") > 0
