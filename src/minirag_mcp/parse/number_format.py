"""Numbers as a spreadsheet shows them: the format codes of ECMA-376 part 1, 18.8.30 and 18.8.31.

Shown as a user sees them: percent, fixed decimals, leading zeros, currency and unit text. Not shown:
thousands separators and local date order, which differ between users of one file. Dates are ISO 8601.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00",
    40: "#,##0.00;-#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "##0.0E+0", 49: "@",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((32, 33, 34, 35, 55, 56), "h:mm"),
}  # fmt: skip
"""Format codes that files name only by number; 27 to 58 are East Asian dates and times."""

_PIECE = re.compile(
    r'"[^"]*"?|\\.|[_*].|\[[^\]]*\]|general|am/pm|a/p|上午/下午|e[+-]|y+|m+|d+|h+|s+|.',
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"^\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]$")
_CURRENCY = re.compile(r"^\[\$([^-\]]*)")
_ELAPSED = re.compile(r"^\[(h+|m+|s+)\]$", re.IGNORECASE)
_DIGITS = "0#?"
_MAX_DECIMALS = 30
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - sheets know no time zone
_LAST_SERIAL = 2_958_466
_FALSE_LEAP_DAY = 60
"""1900-02-29, which sheets count and the calendar does not."""


@dataclass(slots=True)
class _Section:
    """One of up to four parts of a format code, taken apart."""

    prefix: str = ""
    suffix: str = ""
    whole: list[str] = field(default_factory=list)
    fraction: str = ""
    percents: int = 0
    thousands: int = 0
    exponent: bool = False
    general: bool = False
    dated: str = ""
    elapsed: str = ""
    ratio: bool = False
    condition: tuple[str, float] | None = None

    @property
    def has_digits(self) -> bool:
        return bool(self.fraction) or any(piece in _DIGITS for piece in self.whole)


class NumberFormat:
    """A format code, ready to show values."""

    def __init__(self, code: str) -> None:
        self._sections = [_take_apart(section) for section in _split(code)]
        first = self._sections[0]
        self.is_general = first.general and len(self._sections) == 1 and not (first.prefix or first.suffix)
        self.is_date = bool(first.dated or first.elapsed)

    def show(self, value: float, *, since_1904: bool = False) -> str:
        """`value` as a user of the sheet sees it; never blank."""
        section, signed = self._section(value)
        if section.dated or section.elapsed:
            return _date(value, section, since_1904=since_1904) or general(value)
        if section.general or section.ratio or not (section.has_digits or section.prefix.strip()):
            shown = general(abs(value) if signed else value)
            return f"{section.prefix}{shown}{section.suffix}".strip() if section.general else general(value)
        sign = "-" if value < 0 and not signed else ""
        shown = f"{sign}{section.prefix}{_digits(abs(value), section)}{section.suffix}".strip()
        return shown or general(value)

    def _section(self, value: float) -> tuple[_Section, bool]:
        """The section that shows `value`, and whether it shows the sign itself."""
        sections = self._sections
        if any(section.condition for section in sections):
            chosen = next((section for section in sections if _meets(value, section.condition)), sections[-1])
            return chosen, False
        if value < 0 and len(sections) > 1:
            return sections[1], True
        if value == 0 and len(sections) > 2:  # noqa: PLR2004 - positive; negative; zero
            return sections[2], True
        return sections[0], False


@lru_cache(maxsize=1024)
def number_format(code: str) -> NumberFormat:
    """The format for a code; an empty or broken code shows values plainly."""
    return NumberFormat(code or "General")


def general(value: float) -> str:
    """A number without format: `12`, not `12.0`; 15 digits at most, as sheets keep."""
    if value.is_integer() and abs(value) < 1e15:  # noqa: PLR2004 - beyond, sheets show an exponent
        return str(int(value))
    return f"{value:.15g}"


def _split(code: str) -> list[str]:
    sections = [""]
    for piece in _PIECE.findall(code):
        if piece == ";":
            sections.append("")
        else:
            sections[-1] += piece
    return sections


def _take_apart(code: str) -> _Section:
    section = _Section()
    pieces = _PIECE.findall(code)
    date_tokens = "".join(piece.lower() for piece in pieces if piece[0].lower() in "ymdhs")
    if date_tokens or any(_ELAPSED.match(piece) for piece in pieces):
        section.dated = _date_letters(pieces)
        section.elapsed = next((match[1][0].lower() for piece in pieces if (match := _ELAPSED.match(piece))), "")
        return section
    for piece in pieces:
        _place(piece, section)
    while section.whole and section.whole[-1] not in _DIGITS:
        section.suffix = section.whole.pop() + section.suffix
    return section


def _date_letters(pieces: list[str]) -> str:
    """The kinds of date pieces in order; `m` next to hours or seconds is a minute, written `n`."""
    letters = [piece[0].lower() for piece in pieces if piece[0].lower() in "ymdhs"]
    letters += [match[1][0].lower() for piece in pieces if (match := _ELAPSED.match(piece))]
    named = ["n" if letter == "m" and _is_minute(letters, index) else letter for index, letter in enumerate(letters)]
    return "".join(named)


def _is_minute(letters: list[str], index: int) -> bool:
    before = letters[index - 1] if index else ""
    after = letters[index + 1] if index + 1 < len(letters) else ""
    return before == "h" or after == "s"


def _place(piece: str, section: _Section) -> None:
    """Add one piece of a number format to its section."""
    if piece in _DIGITS:
        _place_digit(piece, section)
    elif piece.startswith("."):
        section.fraction += "." + piece[1:] if not section.fraction else piece[1:]
    elif piece == ",":
        section.thousands += 1
    elif piece.lower() == "general":
        section.general = True
    elif piece.lower() in ("e+", "e-"):
        section.exponent = True
    elif piece == "/":
        section.ratio = True
    elif piece.startswith("[") and (match := _CONDITION.match(piece)):
        section.condition = (match[1], _float(match[2]))
    else:
        section.percents += piece == "%"
        _place_literal(_literal(piece), section)


def _place_digit(piece: str, section: _Section) -> None:
    section.thousands = 0
    if section.exponent:
        return
    if section.fraction:
        section.fraction += piece
    else:
        section.whole.append(piece)


def _place_literal(text: str, section: _Section) -> None:
    if section.fraction or section.general or section.exponent:
        section.suffix += text
    elif section.whole:
        section.whole.extend(text)
    else:
        section.prefix += text


def _literal(piece: str) -> str:
    """What a piece that is no placeholder shows: quoted and escaped text, currency signs, other characters."""
    if piece.startswith('"'):
        return piece.strip('"')
    if piece.startswith("["):
        match = _CURRENCY.match(piece)
        return match[1] if match else ""
    if piece[0] in "_*":
        return ""
    return piece[1:] if piece.startswith("\\") else piece.replace("@", "")


def _digits(value: float, section: _Section) -> str:
    if not section.has_digits:
        return ""
    scaled = value * 100**section.percents / 1000**section.thousands
    places = min(len(section.fraction) - 1, _MAX_DECIMALS) if section.fraction else 0
    if section.exponent:
        return f"{scaled:.{places}E}"
    try:
        rounded = Decimal(f"{scaled:.15g}").quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    except InvalidOperation:
        return general(scaled)
    whole, _, fraction = f"{rounded:f}".partition(".")
    fixed = section.fraction.rstrip("#?").count("0") if section.fraction else 0
    while len(fraction) > fixed and fraction.endswith("0"):
        fraction = fraction[:-1]
    digits = _filled(whole, section.whole, hide_zero=value == 0)
    return f"{digits}.{fraction}" if fraction else digits


def _filled(digits: str, pattern: list[str], *, hide_zero: bool) -> str:
    """The integer digits put into their placeholders from the right, literal text kept between them."""
    if hide_zero and "?" in pattern and "0" not in pattern:
        return ""
    left = list(digits)
    shown: list[str] = []
    for index in range(len(pattern) - 1, -1, -1):
        piece = pattern[index]
        if piece in _DIGITS:
            shown.append(left.pop() if left else "0" if piece == "0" else "")
        elif not piece.isspace() and (left or "0" in pattern[:index]):
            shown.append(piece)
    return "".join(left) + "".join(reversed(shown))


def _meets(value: float, condition: tuple[str, float] | None) -> bool:
    if condition is None:
        return True
    sign, limit = condition
    return (
        ("<" in sign and value < limit)
        or (">" in sign and value > limit)
        or (sign in ("=", "<=", ">=") and value == limit)
    )


def _date(value: float, section: _Section, *, since_1904: bool) -> str:
    if section.elapsed:
        return _duration(value)
    if not 0 <= value < _LAST_SERIAL:
        return ""
    days = value + 1 if not since_1904 and value < _FALSE_LEAP_DAY else value
    moment = (_EPOCH_1904 if since_1904 else _EPOCH_1900) + timedelta(seconds=round(days * 86_400))
    parts = set(section.dated)
    clock = f"{moment:%H:%M:%S}" if "s" in parts or moment.second else f"{moment:%H:%M}"
    if not parts & set("ymd"):
        return clock
    day = moment.date().isoformat()
    if "d" not in parts and "y" in parts:
        day = day[:7] if "m" in parts else day[:4]
    return f"{day} {clock}" if parts & set("hns") else day


def _duration(value: float) -> str:
    minutes, seconds = divmod(round(abs(value) * 86_400), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{'-' if value < 0 else ''}{hours}:{minutes:02}:{seconds:02}"


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
