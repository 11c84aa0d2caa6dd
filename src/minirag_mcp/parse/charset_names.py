"""Which declared charsets are taken at their word: encodings of text, read by the interpreter in linear time.

Pages and servers name a charset freely, and the interpreter knows codecs by names that are no encodings of text:
punycode and idna take quadratic time, unicode_escape and rot13 make other text of it, zlib unfolds.
"""

import codecs

_LONGEST = 40
"""Characters of a name; those of the encodings below have up to 25, aliases included."""

_NAMES = """
ascii utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be
big5 big5hkscs gb2312 gbk gb18030 hz cp932 cp949 cp950 johab tis-620 ptcp154 kz1048 hp-roman8
euc-jp euc-jis-2004 euc-jisx0213 shift-jis shift-jis-2004 shift-jisx0213 euc-kr
iso2022-jp iso2022-jp-1 iso2022-jp-2 iso2022-jp-2004 iso2022-jp-3 iso2022-jp-ext iso2022-kr
iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10
iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-t koi8-u
cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp866 cp869
cp874 cp1006 cp1125 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258
mac-arabic mac-croatian mac-cyrillic mac-farsi mac-greek mac-iceland mac-latin2 mac-roman mac-romanian mac-turkish
"""
_TEXT = frozenset(_NAMES.split())


def text_charset(name: str) -> str | None:
    """The charset as the interpreter calls it; None for an unknown name, and for what is no encoding of text."""
    if not name.isascii() or len(name) > _LONGEST:
        return None
    try:
        found = codecs.lookup(name.strip()).name
    except (LookupError, ValueError):
        return None
    return found if found.replace("_", "-") in _TEXT else None
