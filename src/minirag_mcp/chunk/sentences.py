"""Where sentences end, in any script."""

import re

from minirag_mcp.chunk.abbreviations import BEFORE_NUMBER, NEVER_LAST

# Marks are those of the Unicode property Sentence_Terminal, and the shad of Tibetan: WIDE where the writing puts no
# space behind them, MARK where a space tells an end from a point inside a word or number.
_WIDE = "。！？｡।॥།༎༏༐༑༔។៕៚။᠃᠉᪨᪩᪪᪫꓿"
_MARK = ".!?…؟؝؞۔։።፧፨܀܁܂߹᙮᜵᜶᥄᥅᭚᭛᭞᭟᰻᰼᱾᱿‼‽⁇⁈⁉⸮⸼꘎꘏꛳꛷꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꫰꫱꯫﹒﹖﹗．"
# Each alternative may start only at the first mark of a run, so that a megabyte of dots costs one pass.
_END = re.compile(
    rf"(?<![{_WIDE}])(?P<wide>[{_WIDE}]++(?:[ \t]++[།༎])*+[」』”’»）】》〉〕｣\"]*+(?!と|って|ល។)[ \t\n]*+)"
    rf"|(?<![{_MARK}])(?P<mark>[{_MARK}]++)[\"'”’»“)\]*_`]*+[ \t\n]++"
    r"|(?<=[\u0e00-\u0eff])(?P<phrase>[ \t\n]++)(?=[\u0e00-\u0eff])"
    r"|(?<=[\u0370-\u03ff])(?P<asked>[;\u037e])[»”\"]*+[ \t\n]++"
)
_OPENERS = "\"'«“‘„(*_[>#`-–—¿¡ \t"
_LAST_WORD = re.compile(r"(?:[^\s(\[\"'«„“]|(?<=\w)'(?=\w)){1,20}$")
_LOOK_BACK = 24
_INITIAL = re.compile(r"[\u0590-\u06ff\u0900-\u0dff][\u0900-\u0903\u093a-\u094f]?")
"""In scripts without capitals, where a word of one letter ends no sentence; one syllable of Korean does."""
_ORDINAL = re.compile(
    r"\b(?:am|ab|an|bis|das|dem|den|der|des|die|im|in|ins|seit|und|vom|von|zum|zur) \d{1,2}$", re.IGNORECASE
)
"""German writes `am 3. Oktober` and `im 19. Jahrhundert`, and nouns with a capital."""


def sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Offsets inside `text[start:end]` where a new sentence begins, in order, `start` not included.

    Ends are the marks of all writings; Thai and Lao phrases end at spaces, and a Japanese quotation that goes on with
    と has not ended. A full stop after an abbreviation, an initial, a list number or an ordinal, or before a small
    letter, ends nothing; small letters say nothing in a text that has no capitals.
    """
    lowered = text[start:end].islower()
    return [
        match.end()
        for match in _END.finditer(text, start, end)
        if match.end() < end and (match["wide"] or match["phrase"] or _ends(text, match, start, lowered=lowered))
    ]


def _ends(text: str, match: re.Match[str], start: int, *, lowered: bool) -> bool:
    following = _first_letter(text, match.end())
    if following.islower() and (match["asked"] or not lowered):
        return False
    mark = match.start("mark")
    if match["mark"] != ".":
        return True
    word = _LAST_WORD.search(text[max(start, mark - _LOOK_BACK) : mark])
    if word is None:
        return True
    if _abbreviates(word[0], following) or _numbers_a_line(text, word[0], mark, start):
        return False
    return not (word[0].isdigit() and _ORDINAL.search(text, max(start, mark - _LOOK_BACK), mark))


def _first_letter(text: str, position: int) -> str:
    for letter in text[position : position + 8]:
        if letter not in _OPENERS:
            return letter
    return ""


def _abbreviates(word: str, following: str) -> bool:
    word = word.lstrip("*_")
    low = word.casefold()
    if low in NEVER_LAST or (low in BEFORE_NUMBER and following.isdigit()):
        return True
    parts = [part.strip("-") for part in low.split(".")]
    if len(parts) > 1:
        return all(len(part) == 1 and part.isalpha() for part in parts)
    return (len(word) == 1 and word.lower() != word.upper()) or _INITIAL.fullmatch(word) is not None


def _numbers_a_line(text: str, word: str, mark: int, start: int) -> bool:
    """Whether the word is the number of a list item or clause, standing first in its line."""
    if not word.replace(".", "").isdigit():
        return False
    before = text[max(start, mark - _LOOK_BACK) : mark - len(word)].rsplit("\n", 1)
    at_line_start = len(before) > 1 or mark - _LOOK_BACK <= start
    return at_line_start and not before[-1].strip(" \t>#*_")
