"""The numbers Word shows before paragraphs, computed as Word does: they are not in the text."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from minirag_mcp.parse.ooxml import WORD, number_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml import etree

# What the format allows.
_MAX_LEVELS = 9
_PLACEHOLDER = re.compile(r"%([1-9])")
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщэюя"
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
# Beyond these, letters are no longer how numbers are written.
_MAX_ROMAN = 4000
_MAX_LETTERS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level of a list: format of its number, text around the numbers, first number."""

    number_format: str = "decimal"
    text: str = ""
    start: int = 1
    legal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What stands before a paragraph.

    text     "1.2.3", "a)", "-" for a bullet; "" for a list level that shows nothing
    level    0-based depth
    outline  true for clauses (1, 1.1, 1.1.1 …), false for an ordinary list
    """

    text: str
    level: int
    outline: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    abstract_id: str
    levels: dict[int, Level]
    restarts: dict[int, int]


class Numbering:
    """Counts the numbered paragraphs of one document in order."""

    def __init__(self, root: "etree._Element | None", style_numbers: "Callable[[str], str | None]") -> None:
        """`style_numbers` gives the list id that a style names, for lists defined by a style."""
        self._lists: dict[str, _List] = {}
        self._counters: dict[str, dict[int, int]] = {}
        self._started: set[str] = set()
        if root is not None:
            self._read(root, style_numbers)

    def is_counted(self, number_id: str, level: int) -> bool:
        """Whether this level of a list shows numbers or letters: no bullets, and not nothing."""
        listing = self._lists.get(number_id)
        found = None if listing is None else listing.levels.get(level)
        return found is not None and found.number_format not in ("bullet", "none")

    def label(self, number_id: str, level: int) -> Label | None:
        """The label of the next paragraph of this list and level; None if there is no such list."""
        listing = self._lists.get(number_id)
        if listing is None or not 0 <= level < _MAX_LEVELS:
            return None
        current = listing.levels.get(level, Level())
        counters = self._advance(number_id, listing, level)
        outline = "%1" in listing.levels.get(1, Level()).text
        if current.number_format == "bullet":
            return Label(text="-", level=level, outline=False)
        return Label(text=_render(current, listing.levels, counters), level=level, outline=outline)

    def _advance(self, number_id: str, listing: _List, level: int) -> dict[int, int]:
        counters = self._counters.setdefault(listing.abstract_id, {})
        if number_id not in self._started:
            self._started.add(number_id)
            for restarted, start in listing.restarts.items():
                counters[restarted] = start - 1
        for upper in range(level):
            counters.setdefault(upper, listing.levels.get(upper, Level()).start)
        for deeper in [key for key in counters if key > level]:
            del counters[deeper]
        start = listing.levels.get(level, Level()).start
        counters[level] = counters.get(level, start - 1) + 1
        return counters

    def _read(self, root: "etree._Element", style_numbers: "Callable[[str], str | None]") -> None:
        abstracts: dict[str, dict[int, Level]] = {}
        linked: dict[str, str] = {}
        for element in root.iterchildren(f"{WORD}abstractNum"):
            abstract_id = element.get(f"{WORD}abstractNumId", "")
            abstracts[abstract_id] = _read_levels(element)
            link = element.find(f"{WORD}numStyleLink")
            if link is not None:
                linked[abstract_id] = style_numbers(link.get(f"{WORD}val", "")) or ""
        numbers = list(root.iterchildren(f"{WORD}num"))
        abstract_of = {number.get(f"{WORD}numId", ""): _child_value(number, "abstractNumId") for number in numbers}
        for number in numbers:
            abstract_id = _child_value(number, "abstractNumId")
            if abstract_id in linked:
                abstract_id = abstract_of.get(linked[abstract_id], abstract_id)
            self._lists[number.get(f"{WORD}numId", "")] = _read_list(number, abstract_id, abstracts)


def _read_list(number: "etree._Element", abstract_id: str, abstracts: dict[str, dict[int, Level]]) -> _List:
    levels = dict(abstracts.get(abstract_id, {}))
    restarts: dict[int, int] = {}
    for override in number.iterchildren(f"{WORD}lvlOverride"):
        level = number_of(override.get(f"{WORD}ilvl"))
        start = override.find(f"{WORD}startOverride")
        levels.update(_read_levels(override))
        if start is not None:
            restarts[level] = number_of(start.get(f"{WORD}val"), default=1)
            levels[level] = replace(levels.get(level, Level()), start=restarts[level])
    return _List(abstract_id=abstract_id, levels=levels, restarts=restarts)


def _read_levels(element: "etree._Element") -> dict[int, Level]:
    return {
        number_of(level.get(f"{WORD}ilvl")): Level(
            number_format=_child_value(level, "numFmt") or "decimal",
            text=_child_value(level, "lvlText"),
            start=number_of(_child_value(level, "start"), default=1),
            legal=level.find(f"{WORD}isLgl") is not None,
        )
        for level in element.iterchildren(f"{WORD}lvl")
    }


def _render(level: Level, levels: dict[int, Level], counters: dict[int, int]) -> str:
    def shown(match: re.Match[str]) -> str:
        index = int(match[1]) - 1
        other = levels.get(index, Level())
        number_format = "decimal" if level.legal else other.number_format
        return _number(counters.get(index, other.start), number_format)

    return _PLACEHOLDER.sub(shown, level.text).strip()


def _number(value: int, number_format: str) -> str:
    if number_format in ("none", "bullet"):
        return ""
    if number_format == "decimalZero":
        return f"{value:02}"
    upper = number_format.startswith("upper") or number_format.endswith("Upper")
    lower = _letters(value, number_format.casefold())
    return lower.upper() if upper else lower


def _letters(value: int, number_format: str) -> str:
    if "roman" in number_format:
        return _roman(value)
    if number_format.endswith("letter"):
        return _repeated(value, _LATIN)
    if number_format.startswith("russian"):
        return _repeated(value, _RUSSIAN)
    return str(value)


def _repeated(value: int, alphabet: str) -> str:
    """Letters as Word counts them: after z come aa, bb, cc."""
    if not 1 <= value <= len(alphabet) * _MAX_LETTERS:
        return str(value)
    rounds, index = divmod(value - 1, len(alphabet))
    return alphabet[index] * (rounds + 1)


def _roman(value: int) -> str:
    if not 1 <= value < _MAX_ROMAN:
        return str(value)
    letters = []
    for size, letter in _ROMAN:
        count, value = divmod(value, size)
        letters.append(letter * count)
    return "".join(letters)


def _child_value(element: "etree._Element", name: str) -> str:
    child = element.find(f"{WORD}{name}")
    return "" if child is None else child.get(f"{WORD}val", "")
