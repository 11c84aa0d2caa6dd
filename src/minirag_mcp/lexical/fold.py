"""One spelling for what a reader takes as the same letter: width, case, accents, vowel points, digits."""

import unicodedata

import regex  # type: ignore[import-untyped]

_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
"""Soft hyphens, zero-width spaces and joiners, direction and variation marks."""

_FOREIGN_DIGIT = regex.compile(r"(?V1)[\p{Nd}--[0-9]]")

_DROPPED = regex.compile(
    "(?<![иу])\u0306"  # the breve of й and ў makes a letter, anywhere else it is an accent
    "|[\u0300-\u0305\u0307-\u036f]"  # accents of Latin, Greek, Cyrillic
    "|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"  # Hebrew points
    "|[\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0640]"  # Arabic vowel signs and tatweel
    "|[\u093c\u09bc\u0a3c\u0abc\u0b3c]"  # Indic nukta, as often left out as written
)

_SAME_LETTER = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "ł": "l",
        "ı": "i",
        "ħ": "h",
        "þ": "th",
        "أ": "ا",
        "إ": "ا",
        "آ": "ا",
        "ٱ": "ا",
        "ؤ": "و",
        "ئ": "ي",
        "ى": "ي",
        "ی": "ي",
        "ک": "ك",
        "ة": "ه",
        "ँ": "ं",
    }
)

_HINDI_NASAL = regex.compile("[नमङञण]\u094d(?=\\p{Lo})")
"""हिन्दी and हिंदी are one word: a nasal without vowel before a consonant is also written as a dot."""


def normalize(text: str) -> str:
    """`text` in one width and composition (NFKC), ASCII digits, nothing invisible; case is kept."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    digits: str = _FOREIGN_DIGIT.sub(_ascii_digit, composed)
    return digits.replace("ʼ", "'").replace("’", "'")


def _ascii_digit(match: "regex.Match[str]") -> str:
    # `regex` may know digits of a newer Unicode than the interpreter does.
    value = unicodedata.decimal(match[0], None)
    return str(match[0]) if value is None else str(value)


def lower(word: str) -> str:
    """`word` without case, composed, accents kept: what the stemmers expect."""
    lowered = word.casefold()
    return lowered if lowered.isascii() else unicodedata.normalize("NFC", lowered)


def fold(word: str) -> str:
    """`word` without case, accents and vowel points; й and the signs that Indic and Thai words need stay.

    May be empty, for a word made of nothing else.
    """
    lowered = word.casefold()
    if lowered.isascii():
        return lowered
    bare = _DROPPED.sub("", unicodedata.normalize("NFKD", lowered))
    letters: str = _HINDI_NASAL.sub("ं", unicodedata.normalize("NFC", bare).translate(_SAME_LETTER))
    return letters
