"""Titles as text: brought to one line, and compared by their letters alone."""

import unicodedata

LONGEST_TITLE = 300
"""Characters of a title; it goes before a chunk, where a paragraph marked as a heading would drown the text."""
LONGEST_LOOK = 2000
"""Characters of a candidate that are looked at."""

_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF])
"""Marks of direction, places to break, the soft hyphen: they mean nothing to who reads or searches a title. The
joiners U+200C and U+200D are letters to Persian and Hindi, and stay."""
_UNSPACED = 0x0E00
"""From Thai on, scripts are written without spaces, or with few: a run of letters may be several words."""


def tidy(title: str) -> str:
    """The title on one line, composed, without invisible marks, and cut to 300 characters."""
    words = " ".join(unicodedata.normalize("NFC", title[:LONGEST_LOOK]).translate(_INVISIBLE).split())
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 1].rstrip() + "…"


def folded(text: str) -> str:
    """The text to compare by: no case, no accents or other marks on letters, full-width letters as plain ones."""
    plain = unicodedata.normalize("NFKD", text.translate(_INVISIBLE)).casefold()
    plain = unicodedata.normalize("NFKD", plain)
    letters = "".join(character for character in plain if unicodedata.category(character)[0] != "M")
    return unicodedata.normalize("NFC", letters).replace("ı", "i")


def words_of(text: str) -> list[str]:
    """The runs of letters in a folded text."""
    return "".join(character if character.isalpha() else " " for character in text).split()


def is_unspaced(word: str) -> bool:
    """Whether a run of letters is in a script that puts no spaces between words."""
    return ord(word[0]) >= _UNSPACED
