"""Properties of the analyzer that hold for any text."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minirag_mcp.lexical import analyzer
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.lexical.fold import fold, normalize
from minirag_mcp.lexical.language import language_of
from minirag_mcp.lexical.words import LONGEST_TERM, split

ANY_TEXT = st.text(st.characters(), max_size=60)  # lone surrogates included
CODE_LIKE = st.text(alphabet="aAbB19_-./:\\'@&+#,()ЯяЁйé한中ไ่ئ़् \u00ad", max_size=40)
TEXTS = ANY_TEXT | CODE_LIKE


@given(TEXTS)
@settings(max_examples=400)
def test_terms_can_be_stored_as_tokens_between_spaces(text: str) -> None:
    for term in terms(text):
        assert term
        assert "\0" not in term
        assert term.split() == [term]
        assert len(term) <= LONGEST_TERM + 3  # a language tag
        term.encode("utf-8")


@given(TEXTS, TEXTS)
@settings(max_examples=200)
def test_asking_with_a_piece_of_the_text_finds_its_terms(before: str, text: str) -> None:
    alone = "".join(text.split())
    around = f"{before} {alone} "
    if language_of(around) == language_of(alone):
        assert set(terms(alone)) <= set(terms(around))


@given(TEXTS)
@settings(max_examples=200)
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(normalize(text))
    assert fold(once) == once


@given(st.from_regex(analyzer._PLAIN, fullmatch=True), st.sampled_from(["english", "german"]))
def test_the_short_way_for_plain_words_gives_what_the_long_way_gives(piece: str, language: str) -> None:
    assert analyzer._Pieces(language)[piece] == tuple(split(normalize(piece), language))


@given(st.lists(TEXTS, max_size=8))
@settings(max_examples=50)
def test_what_was_seen_before_changes_nothing(texts: list[str]) -> None:
    warm = [terms(text) for text in texts]
    analyzer._pieces.clear()
    assert [terms(text) for text in texts] == warm


@pytest.mark.parametrize(
    "text",
    [
        "a" * 500_000,
        "aB1" * 170_000,
        "a." * 250_000,
        "a'" * 250_000,
        "1," * 250_000,
        "." * 500_000,
        "中" * 75_000,
        "ก" * 75_000,
        "한" * 75_000,
        "e\u0301" * 125_000,
        "\u0301" * 250_000,
        "क्" * 75_000,
        "#" * 500_000,
    ],
    ids=lambda text: ascii(text[:3]),
)
def test_half_a_megabyte_without_a_space_gives_short_terms_in_linear_time(text: str) -> None:
    assert all(len(term) <= LONGEST_TERM for term in terms(text))


def test_the_memory_of_pieces_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzer, "_CACHED_PIECES", 1_000)
    pieces = analyzer._Pieces("english")
    for number in range(1_010):
        pieces[f"w{number}"]
    assert len(pieces) == 10


def test_threads_get_the_terms_that_one_thread_gets() -> None:
    text = " ".join(f"Verbindungen{number} хранения{number} die und {number}-running" for number in range(500))
    alone = terms(text)
    analyzer._pieces.clear()
    ready = threading.Barrier(4)

    def ask() -> tuple[str, ...]:
        ready.wait()
        return terms(text)

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask) for _ in range(4)]
        assert all(answer.result() == alone for answer in asked)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie hoch ist der Preis und wer zahlt ihn?", "german"),
        ("Quelle est la durée du contrat et qui le signe ?", "french"),
        ("¿Cuál es el precio de la licencia y quién paga por ella?", "spanish"),
        ("Qual è il prezzo della licenza e chi la paga?", "italian"),
        ("Qual é o preço da licença e quem não paga os custos?", "portuguese"),
        ("Wat is de prijs van het contract en wie betaalt dat?", "dutch"),
        ("Vad är det som inte ingår och hur mycket kostar det?", "swedish"),
        ("Hvad er det der ikke er med og hvordan betales det?", "danish"),
        ("What is the price of the licence and who pays for it?", "english"),
        ("Kündigungsfrist Mieter", "german"),
        ("Mieter Wohnung", "english"),
        ("int main(int a) { return a; }", "english"),
        ("| A | B | y | o | e |", "english"),
        ("Какова цена лицензии", "english"),
        ("", "english"),
    ],
)
def test_the_language_shows_in_its_function_words(text: str, language: str) -> None:
    assert language_of(text) == language
