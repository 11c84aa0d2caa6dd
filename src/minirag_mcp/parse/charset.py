"""Which legacy encoding bytes are in: each candidate is asked how likely the text is that it would make of them.

The likelihood is a coarse one, in nats: frequent letters of the candidate's languages cost little, rare ones more,
what no text of that language holds costs most; capitals inside words and symbols between letters cost extra. All
candidates account for the same bytes, so their totals compare, between one byte and two bytes a character as well.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log

_SAMPLE = 8192
"""Bytes that are judged, in lines that hold more than ASCII, from eight places over the whole file."""
_PLACES = 8
_HIGH = re.compile(rb"[\x80-\xff]")

_ASCII_COST = 3.0
_FIRST_COST = 2.0
"""Of the most frequent letter; the others follow Zipf's law, one nat more at every factor e of rank."""
_MARK_COST = 7.0
_COMMON_COST = 9.5
_STRANGE_COST = 12.0
_IMPOSSIBLE_COST = 20.0
_CAPITAL_COST = 0.5
_NEXT_CAPITAL_COST = 0.1
_JUMP_COST = 5.0
_UNDEFINED_SHARE = 0.05
"""Of undefined bytes above which an encoding is out of the question, and nothing else need be asked."""
_MARKS = frozenset("«»—–…“”„’‘‚·、。，．「」『』（）：；！？・ー《》〈〉【】〔〕～\u3000¿¡")
"""Punctuation that may stand beside a letter; other signs have no place in words."""

_RUSSIAN = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"
_SLAVIC = "іїєґўјљњћђџѓќѕ"
_GREEK = "αοιετσνηυρπκμλςωάίόέδγήχθφύώβξζψϊϋΐΰ"
_HEBREW = "יולאהמרנבתשדקחפעצגסטזכםןךףץ"
_ARABIC = "اليمونترةبدعفسقكحجشأصطىخإضذثزغئءظآؤ،؟"
_PERSIAN = "پچژگکی"
_THAI = "านรอกเงมยวลดทสตะปบคหแจพชขใไผโศซถธณญฐฟษภฉฮฆฏฎฬฝฌฑฒฤ่้ัิีืึุู็์ำๆ๊๋ฯ"
_WESTERN = "éäüöàèßçáíóñêâôãîåøæúëûïùõœìòÿðþý"
_CENTRAL = "áéíóöüłęąžčšřěýśżćůńúőűäďťňźăîâșțşţđßôĺŕľ"
_TURKISH = "ıişğüçöâîû"
_BALTIC = "āēīšžķļņģčūąęėįųõäöü"
_CHINESE = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多"
    "定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些"
    "然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系"
    "军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别"
    "她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思"
    "术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张"
    "信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委"
)
_TRADITIONAL = (
    "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多"
    "定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些"
    "然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無系"
    "軍很情者最立代想已通並提直題黨程展五果料象員革位入常文總次品式活設及管特件長求老頭基資邊流路級少圖山統接知較將組見計別"
    "她手角期根論運農指幾九區強放決西被幹做必戰先回則任取據處隊南給色光門即保治北造百規熱領七海口東導器壓志世金增爭濟階油思"
    "術極交受聯什認六共權收證改清己美再採轉更單風切打白教速花帶安場身車例真務具萬每目至達走積示議聲報鬥完類八離華名確才科張"
    "信馬節話米整空元況今集溫傳土許步群廣石記需段研界拉林律叫且究觀越織裝影算低持音眾書布復容兒須際商非驗連斷深難近礦千周委"
)
_KANA = (
    "のいにをはるとがたしでてなかすっれられもきこりまさーんくつあそけどうだよおわえみせちやめじほぼげろ"
    "ントスルイアラリックドレシコタフロテマメムジサバプグカオデナウトミニパチハノキモダエワブツセソヴァィュョャェッ"
    "ごばびぶべぜぞぐぎがざずちぢづひふへむゆぬねャュョァィゥェォペポビベボザズゼゾヂヅギゲゴヒヘホヤユヨネヌ"
)
_HANGUL = (
    "이다는에을의고가하를로한은지사어도기인대서리으자시나그해들있아일수정과라부전스제동구원만보여면성니주상조"
    "게했장것적비마되었선소국위안까문치연우공신유업생경와물실분모미방중각화오세개할무진학관내운러요"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Profile:
    """What text in an encoding's languages is made of: letters by frequency, and whatever else is common."""

    letters: str
    common: Callable[[], frozenset[str]] = frozenset


def _decoded(charset: str, rows: range, cells: range = range(0xA1, 0xFF)) -> frozenset[str]:
    letters = (bytes((row, cell)).decode(charset, "ignore") for row in rows for cell in cells)
    return frozenset(letter for letter in letters if letter)


@cache
def _common_chinese() -> frozenset[str]:
    return _decoded("gb2312", range(0xB0, 0xD8))


@cache
def _common_traditional() -> frozenset[str]:
    return _decoded("big5", range(0xA4, 0xC7), range(0x40, 0xFF))


@cache
def _common_japanese() -> frozenset[str]:
    return _decoded("euc_jp", range(0xB0, 0xD0))


@cache
def _common_korean() -> frozenset[str]:
    return _decoded("euc_kr", range(0xB0, 0xC9))


_CYRILLIC = _Profile(letters=_RUSSIAN + _SLAVIC)
_LATIN = _Profile(letters=_WESTERN)
_JAPANESE = _Profile(letters=_KANA, common=_common_japanese)
_CANDIDATES: tuple[tuple[str, _Profile], ...] = (
    ("cp1252", _LATIN),
    ("cp1251", _CYRILLIC),
    ("gb18030", _Profile(letters=_CHINESE, common=_common_chinese)),
    ("cp932", _JAPANESE),
    ("euc_jp", _JAPANESE),
    ("cp949", _Profile(letters=_HANGUL, common=_common_korean)),
    ("cp950", _Profile(letters=_TRADITIONAL, common=_common_traditional)),
    ("big5hkscs", _Profile(letters=_TRADITIONAL, common=_common_traditional)),
    ("koi8_r", _CYRILLIC),
    ("koi8_u", _CYRILLIC),
    ("mac_cyrillic", _CYRILLIC),
    ("cp866", _CYRILLIC),
    ("iso8859_5", _CYRILLIC),
    ("cp1250", _Profile(letters=_CENTRAL)),
    ("iso8859_2", _Profile(letters=_CENTRAL)),
    ("cp1254", _Profile(letters=_TURKISH)),
    ("cp1253", _Profile(letters=_GREEK)),
    ("iso8859_7", _Profile(letters=_GREEK)),
    ("cp1255", _Profile(letters=_HEBREW)),
    ("cp1256", _Profile(letters=_ARABIC + _PERSIAN)),
    ("cp874", _Profile(letters=_THAI)),
    ("cp1257", _Profile(letters=_BALTIC)),
    ("mac_roman", _LATIN),
    ("cp850", _LATIN),
)
WIDE = ("utf_16_le", "utf_16_be")
_READABLE = 9.0
"""Nats a character: texts of eleven scripts in UTF-16 come to 3 to 8, other bytes to 12 and more."""
_BLOCKS = ((0x250, 1), (0x370, 2), (0x400, 3), (0x530, 4), (0x590, 5), (0x600, 6), (0x780, 7), (0xE00, 8), (0xE80, 9))


def ranked_charsets(data: bytes) -> Iterator[str]:
    """Names of the encodings that `data` may be in, the most likely first."""
    if b"\x1b$" in data:
        yield from ("iso2022_jp_3", "iso2022_jp_ext", "iso2022_kr")
    sample = _sample(data) or data[:_SAMPLE]
    costs = [
        (_cost(sample.decode(name, "replace"), _letter_costs(profile), profile.common()) / len(sample), order, name)
        for order, (name, profile) in enumerate(_CANDIDATES)
    ]
    if len(data) % 2 == 0:
        costs += [(_cost_of_any(data[:_SAMPLE], name), -1, name) for name in WIDE]
    yield from (name for _, _, name in sorted(costs))


def wide_charset(data: bytes) -> str | None:
    """The name of the UTF-16 or UTF-32 byte order in which `data` reads as text of any script, or None."""
    sample = data[:_SAMPLE]
    _, name = min((_cost_of_any(sample, name), name) for name in (*WIDE, "utf_32_le", "utf_32_be"))
    characters = len(sample.decode(name, "replace"))
    return name if _cost_of_any(sample, name) * len(sample) <= _READABLE * characters else None


def _sample(data: bytes) -> bytes:
    """Lines beyond ASCII, or their first kilobytes, from places all over `data`."""
    share = _SAMPLE // _PLACES
    pieces = []
    position = 0
    for place in range(_PLACES):
        position = max(position, len(data) * place // _PLACES)
        taken = 0
        while taken < share and (found := _HIGH.search(data, position)):
            begin = max(data.rfind(b"\n", 0, found.start()) + 1, position) if place or position else 0
            end = data.find(b"\n", found.start())
            end = min(len(data) if end < 0 else end + 1, begin + share)
            pieces.append(data[begin:end])
            taken += end - begin
            position = end
    return b"".join(pieces)


def _cost(text: str, letters: dict[str, float], common: frozenset[str]) -> float:
    """Nats by which `text` surprises who expects these letters; each undefined byte is an impossible one."""
    if text.count("\ufffd") > _UNDEFINED_SHARE * len(text):
        return _IMPOSSIBLE_COST * len(text)
    singles = sum(count * _letter_cost(letter, letters, common) for letter, count in Counter(text).items())
    return singles + sum(count * _pair_cost(*pair) for pair, count in Counter(pairwise(text)).items())


def _cost_of_any(sample: bytes, charset: str) -> float:
    letters, common = _any_script()
    return _cost(sample.decode(charset, "replace"), letters, common) / len(sample)


@cache
def _any_script() -> tuple[dict[str, float], frozenset[str]]:
    letters: dict[str, float] = {}
    for _, profile in _CANDIDATES:
        for letter, cost in _letter_costs(profile).items():
            letters[letter] = min(cost, letters.get(letter, cost))
    return letters, frozenset().union(*(profile.common() for _, profile in _CANDIDATES))


@cache
def _letter_costs(profile: _Profile) -> dict[str, float]:
    costs: dict[str, float] = {}
    for rank, letter in enumerate(profile.letters):
        costs.setdefault(letter, _FIRST_COST + log(rank + 1))
    return {letter.upper(): cost for letter, cost in costs.items() if len(letter.upper()) == 1} | costs


def _letter_cost(letter: str, letters: dict[str, float], common: frozenset[str]) -> float:
    if letter.isascii():
        return _ASCII_COST if letter.isprintable() or letter.isspace() else _IMPOSSIBLE_COST
    if letter in letters:
        return letters[letter]
    if letter in _MARKS:
        return _MARK_COST
    if letter in common:
        return _COMMON_COST
    return _IMPOSSIBLE_COST if letter == "\ufffd" or unicodedata.category(letter).startswith("C") else _STRANGE_COST


def _pair_cost(left: str, right: str) -> float:
    if left.isascii() and right.isascii():
        return 0.0
    if not (left.isalpha() and right.isalpha()):
        return _edge_cost(left, right)
    if left.islower() and right.isupper():
        return _JUMP_COST
    if _block(left) != _block(right):
        return _JUMP_COST
    return _NEXT_CAPITAL_COST if right.isupper() and left.isupper() else 0.0


def _edge_cost(left: str, right: str) -> float:
    """Of a letter beside something else: a symbol has no place there, a capital costs a little."""
    other = left if right.isalpha() else right
    symbol = not other.isascii() and other not in _MARKS and unicodedata.category(other)[0] in "SNC"
    if symbol and (left.isalpha() or right.isalpha()):
        return _JUMP_COST
    return _CAPITAL_COST if right.isupper() else 0.0


def _block(letter: str) -> int:
    """A number for the letter's script; ideographs, kana and Hangul stand beside any script without surprise."""
    code = ord(letter)
    return next((block for end, block in _BLOCKS if code < end), 0)
