import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.errors import WrongFormatError
from minirag_mcp.parse.encoding import decode

TEXTS = {
    "ru": "Настоящий договор вступает в силу с момента подписания сторонами и действует до 31 декабря. Ёлка, «съезд».",
    "uk": "Цей договір набирає чинності з моменту підписання і діє до 31 грудня. Її об'єкт — «ґанок».",
    "de": "Die Prüfung der Maschine erfolgt jährlich; größere Schäden müssen gemeldet werden. Straße, Öl, Übung.",
    "fr": "L'été dernier, la société a été déplacée à côté de la forêt où l'on déguste des crêpes très légères.",
    "pl": "Zażółć gęślą jaźń. Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
    "cs": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Příliš žluťoučký kůň úpěl.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler, ışık değişir.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا.",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。エラーコード４２。",
    "zh": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "tw": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 이성과 양심을 부여받았다.",
}
LEGACY = [
    ("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "mac-cyrillic"), ("ru", "cp866"), ("ru", "iso8859-5"),
    ("uk", "cp1251"), ("uk", "koi8-u"), ("de", "cp1252"), ("de", "mac-roman"), ("de", "cp850"), ("fr", "cp1252"),
    ("fr", "mac-roman"), ("pl", "cp1250"), ("pl", "iso8859-2"), ("cs", "cp1250"), ("cs", "iso8859-2"),
    ("tr", "cp1254"), ("el", "cp1253"), ("el", "iso8859-7"), ("he", "cp1255"), ("ar", "cp1256"), ("th", "cp874"),
    ("ja", "cp932"), ("ja", "euc-jp"), ("ja", "iso2022-jp"), ("zh", "gb18030"), ("zh", "gbk"), ("tw", "big5"),
    ("tw", "cp950"), ("ko", "cp949"), ("ko", "euc-kr"), ("ko", "iso2022-kr"),
]  # fmt: skip
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")


@pytest.mark.parametrize(("language", "charset"), LEGACY)
def test_legacy_text_is_read_as_it_was_written(language: str, charset: str) -> None:
    text = "".join(letter for letter in TEXTS[language] if letter.encode(charset, "ignore"))
    assert decode(text.encode(charset)) == text


@pytest.mark.parametrize("charset", UNICODE)
@pytest.mark.parametrize("language", sorted(TEXTS))
def test_unicode_text_is_read_with_and_without_its_mark(language: str, charset: str) -> None:
    text = TEXTS[language] + " 1\nERR_42"
    assert decode(text.encode(charset)) == text


@pytest.mark.parametrize("language", ["ja", "zh", "tw"])
@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_single_ascii_character_is_read(language: str, charset: str) -> None:
    assert decode(TEXTS[language].encode(charset)) == TEXTS[language]


def test_an_encoding_that_shows_only_at_the_end_of_a_long_file_is_found() -> None:
    text = "plain ascii line\n" * 50_000 + TEXTS["ru"]
    assert decode(text.encode("cp1251")) == text


def test_capitals_throughout_are_no_other_encoding() -> None:
    text = "ВНИМАНИЕ! ОБЩИЕ УСЛОВИЯ ДОГОВОРА ПОСТАВКИ ТОВАРА И ОКАЗАНИЯ УСЛУГ. "
    assert decode(text.encode("cp1251")) == text


def test_one_broken_byte_does_not_turn_utf_8_into_something_else() -> None:
    data = (TEXTS["ru"] * 20).encode()
    assert decode(data[:-1]).startswith(TEXTS["ru"])
    assert decode(data[:400] + b"\xff" + data[400:]).count("\ufffd") <= 3


def test_one_undefined_byte_does_not_spoil_a_legacy_text() -> None:
    text = TEXTS["ru"] * 30
    assert decode(text.encode("cp1251") + b"\x98").startswith(text)


def test_a_declared_encoding_is_used_when_it_fits_and_set_aside_when_not() -> None:
    assert decode("é".encode("cp1250"), declared="cp1250") == "é"
    assert decode("уже".encode(), declared="cp1251") == "уже"
    assert decode(TEXTS["ru"].encode("cp1251"), declared="utf-8") == TEXTS["ru"]
    assert decode(TEXTS["ru"].encode("cp1251"), declared="no-such-thing") == TEXTS["ru"]
    assert decode(TEXTS["ru"].encode("cp1251"), declared="rot13") == TEXTS["ru"]


def test_line_ends_become_one_kind() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"
    assert decode("Первая\r\nвторая\rтретья".encode("cp1251")) == "Первая\nвторая\nтретья"
    assert decode("a\r\nb".encode("utf-16")) == "a\nb"


def test_padding_with_nul_is_cut_and_a_stray_nul_dropped() -> None:
    assert decode(b"log line\n" + b"\0" * 5000) == "log line\n"
    assert decode(b"one\0two") == "onetwo"
    assert decode(TEXTS["ru"].encode() + b"\0") == TEXTS["ru"]


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 4,
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0" * 20,
        b"a\0\0\0b\1\2" * 300,
        bytes(byte * 7 % 32 for byte in range(500)),
        codecs.BOM_UTF16_LE + b"\1\0\2\0\x00\xd8" * 90,
    ],
)
def test_binary_data_is_not_text(data: bytes) -> None:
    with pytest.raises(WrongFormatError, match="binary"):
        decode(data)


def test_logs_with_colours_are_text() -> None:
    line = "\x1b[32mINFO\x1b[0m started\n" * 20
    assert decode(line.encode()) == line


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1))
def test_what_was_written_in_utf_8_is_what_is_read(text: str) -> None:
    assert decode(text.encode()) == text.removeprefix("\ufeff")


@pytest.mark.parametrize("charset", ["punycode", "idna", "unicode_escape", "rot13", "utf-7", "hex", "zlib"])
def test_a_declared_charset_that_is_no_encoding_of_text_is_set_aside(charset: str) -> None:
    text = TEXTS["fr"] * 2_000  # quadratic decoders take minutes over it
    assert decode(text.encode("cp1252"), declared=charset) == text
