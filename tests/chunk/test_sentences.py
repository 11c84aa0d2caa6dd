from itertools import pairwise

import pytest

from minirag_mcp.chunk import sentences as sentences_module
from minirag_mcp.chunk.abbreviations import BEFORE_NUMBER, NEVER_LAST
from minirag_mcp.chunk.sentences import sentence_starts


def split(text: str) -> list[str]:
    bounds = [0, *sentence_starts(text, 0, len(text)), len(text)]
    return [text[start:end].strip() for start, end in pairwise(bounds)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["One ends here.", "Two asks?", "Three shouts!", "Four (in brackets).", "“Five.”", "Six…", "Seven"],
        ["Первое предложение.", "Второе!", "Третье?"],
        ["Τι είναι αυτό;", "Είναι ένα.", "Και άλλο."],
        ["هذا سؤال؟", "نعم هذا جواب."],
        ["यह पहला वाक्य है।", "यह दूसरा है।"],
        ["Նախադասություն։", "Երկրորդ։"],
        ["ዓረፍተ ነገር።", "ይህ ምንድን ነው፧", "ሁለተኛ።"],
        ["یہ پہلا جملہ ہے۔", "یہ دوسرا ہے۔"],
        ["זהו משפט ראשון.", "זה השני?", "כן."],
        ["첫 문장입니다.", "네.", "두 번째입니까?"],
        ["ეს პირველი წინადადებაა.", "ეს მეორეა."],
        ["བོད་ཡིག་གི་ཚིག། །", "གཉིས་པ།"],
    ],
)
def test_sentences_end_at_the_marks_of_each_script(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["这是第一句。", "这是第二句！", "“第三句？”", "没有标点"],
        ["これは文です。", "「次の文！」", "終わり"],
        ["यह है।", "वह"],
        ["彼は「はい。」と言った。", "そして「なぜ？」って聞いた。", "次"],
        ["នេះជាប្រយោគទីមួយ។", "នេះជាទីពីរ។"],
        ["ဒါက ပထမ ဝါကျ ဖြစ်ပါတယ်။", "ဒုတိယ ဝါကျ။"],
        ["བཀྲ་ཤིས་བདེ་ལེགས།", "ཁྱེད་རང་།"],
    ],
)
def test_scripts_without_spaces_need_none_between_sentences(sentences: list[str]) -> None:
    assert split("".join(sentences)) == sentences


def test_thai_phrases_end_at_spaces() -> None:
    assert split("ภาษาไทย ไม่มีจุด จบประโยค") == ["ภาษาไทย", "ไม่มีจุด", "จบประโยค"]
    assert split("ราคา 100 บาท") == ["ราคา 100 บาท"]


@pytest.mark.parametrize(
    "text",
    [
        "See Mr. Smith of No. 5 and Fig. 3 now",
        "Written by J. R. R. Tolkien",
        "Version 3.14 costs 1.000,50 euro",
        "e.g. This and i.e. That",
        "made in the U.S. Army",
        "см. рис. 5 и т. е. Пример",
        "в 2019 г. Москва",
        "п. 4.1 ст. 12",
        "And so on etc. but not here",
        "“Really?” he said",
        "1. First item",
        "> 2. Second item",
        "Wait... what",
        "Dr. Müller kommt am 3. Oktober, vgl. Abs. 2 und Nr. 7 bzw. Art. 4",
        "Im 19. Jahrhundert und z. B. Goethe",
        "M. Dupont, av. J.-C. Nous, art. 5",
        "El Sr. García vive en la pág. 12, p. ej. Madrid",
        "Il dott. Rossi e la sig.ra Bianchi, pag. 3",
        "prof. Kowalski, ul. Długa 5, np. Warszawa",
        "Bkz. Madde 5, Prof. Yılmaz ve Doç. Kaya",
        "Bijv. Amsterdam en mevr. Jansen, blz. 12",
        "акад. Павлов, ул. Ленина, д. 5, кв. 12, тел. 2-33",
        "вул. Шевченка, 5, напр. Київ",
        "د. أحمد و م. خالد ص. 5",
        "डॉ. शर्मा और श्री. वर्मा, सं. 5",
        "π.χ. Αθήνα και βλ. Κεφάλαιο",
        "α; β",
        "ខ្មែរ ថៃ ឡាវ ។ល។",
        "３．１４",
        "в 2019 *г. Москва* и **т. е. Пример**",
    ],
)
def test_a_mark_that_ends_no_sentence_cuts_nothing(text: str) -> None:
    assert split(text) == [text]


def test_a_number_before_a_full_stop_can_end_a_sentence_in_the_middle_of_a_line() -> None:
    assert split("It was in 2019. Then it changed.") == ["It was in 2019.", "Then it changed."]


def test_text_without_capitals_has_sentences_too() -> None:
    assert split("the first one. the second, e.g. this. third") == ["the first one.", "the second, e.g. this.", "third"]


def test_clauses_on_lines_of_their_own_are_sentences() -> None:
    assert split("1.1. The supplier delivers.\n1.2. The buyer pays.") == [
        "1.1. The supplier delivers.",
        "1.2. The buyer pays.",
    ]


def test_the_rest_of_a_text_is_not_looked_at() -> None:
    text = "One. Two. Three."
    assert sentence_starts(text, 5, 9) == []
    assert sentence_starts(text, 0, 10) == [5]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("run", ["." * 100_000, "。" * 100_000 + "と", "། " * 50_000, "។ល" * 50_000, "「" * 100_000])
def test_a_long_run_of_marks_costs_one_pass(run: str) -> None:
    assert len(sentence_starts(run, 0, len(run))) <= 1


@pytest.mark.parametrize("word", sorted(NEVER_LAST))
def test_a_title_or_unit_ends_nothing_and_would_without_its_entry(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"and {word}. Next"
    assert split(text) == [text]
    monkeypatch.setattr(sentences_module, "NEVER_LAST", NEVER_LAST - {word})
    assert split(text) == [f"and {word}.", "Next"]


@pytest.mark.parametrize("word", sorted(BEFORE_NUMBER))
def test_a_word_before_a_figure_ends_nothing_and_would_without_its_entry(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"and {word}. 5"
    assert split(text) == [text]
    monkeypatch.setattr(sentences_module, "BEFORE_NUMBER", BEFORE_NUMBER - {word})
    assert split(text) == [f"and {word}.", "5"]


@pytest.mark.parametrize("text", ["It was Anna's. He left.", "He can't. She may.", "Near St. James's. Turn left."])
def test_a_letter_after_an_apostrophe_is_no_initial(text: str) -> None:
    assert sentence_starts(text, 0, len(text)) == [text.index(". ", 8 if "St." in text else 0) + 2]
