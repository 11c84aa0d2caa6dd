"""How often text in a legacy encoding is read as it was written: our detector beside two libraries.

    python -m benchmarks.parsing.encodings ru=CORPUS de=CORPUS ja=CORPUS zh=CORPUS ar=CORPUS th=CORPUS [--seed N]

CORPUS is a file of JSON lines with a `text` each. Pieces of 40 and 300 characters and joined texts of 5,000 are
written in every encoding of their language, characters that it lacks left out, and read back. charset-normalizer and
chardet take part when they are installed.
"""

import argparse
import importlib.util
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from minirag_mcp.errors import WrongFormatError
from minirag_mcp.parse.encoding import decode, with_plain_lines

ENCODINGS: dict[str, tuple[str, ...]] = {
    "ru": ("cp1251", "koi8-r", "mac-cyrillic", "cp866", "iso8859-5", "utf-16-le", "utf-16-be"),
    "de": ("cp1252", "mac-roman", "utf-16-le"),
    "ja": ("cp932", "euc-jp", "iso2022_jp", "utf-16-le", "utf-16-be"),
    "zh": ("gb18030", "gbk", "utf-16-le", "utf-16-be"),
    "ar": ("cp1256",),
    "th": ("cp874",),
}
LENGTHS = (40, 300, 5000)
PIECES = 25


def main() -> None:
    """Print, for each detector, how many pieces of each encoding it read right."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("corpora", nargs="+", metavar="LANGUAGE=CORPUS")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    texts = {language: _texts(Path(path)) for language, _, path in (item.partition("=") for item in chosen.corpora)}
    cases = list(_cases(texts, random.Random(chosen.seed)))  # noqa: S311 - a sample
    for name, read in _detectors().items():
        _report(name, read, cases)


def _texts(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"].replace("\ufeff", "") for line in lines]


def _cases(texts: dict[str, list[str]], chance: random.Random) -> Iterator[tuple[str, int, bytes]]:
    for language, corpus in texts.items():
        for charset in ENCODINGS[language]:
            for length in LENGTHS:
                for _ in range(PIECES):
                    data = _piece(corpus, length, chance).encode(charset, "ignore")
                    if not data.isascii() or b"\x1b$" in data:
                        yield f"{language} {charset}", length, data


def _piece(corpus: list[str], length: int, chance: random.Random) -> str:
    text = chance.choice(corpus)
    while len(text) < length:
        text += "\n" + chance.choice(corpus)
    start = chance.randrange(len(text) - length + 1)
    return text[start : start + length]


def _detectors() -> dict[str, Callable[[bytes], str]]:
    libraries = {"charset_normalizer": _with_charset_normalizer, "chardet": _with_chardet}
    return {"ours": decode} | {name: read for name, read in libraries.items() if importlib.util.find_spec(name)}


def _with_charset_normalizer(data: bytes) -> str:
    return str(importlib.import_module("charset_normalizer").from_bytes(data).best())


def _with_chardet(data: bytes) -> str:
    return data.decode(importlib.import_module("chardet").detect(data)["encoding"] or "ascii")


def _report(name: str, read: Callable[[bytes], str], cases: list[tuple[str, int, bytes]]) -> None:
    right: Counter[tuple[str, int]] = Counter()
    total: Counter[tuple[str, int]] = Counter()
    started = time.perf_counter()
    for encoding, length, data in cases:
        total[encoding, length] += 1
        right[encoding, length] += _read_right(read, encoding, data)
    each = (time.perf_counter() - started) / len(cases) * 1000
    print(f"{name}: {right.total()}/{total.total()} ({right.total() / total.total():.1%}), {each:.1f} ms each")
    for length in LENGTHS:
        keys = [key for key in total if key[1] == length]
        print(f"  {length} characters: {sum(right[key] for key in keys)}/{sum(total[key] for key in keys)}")
    for encoding in dict.fromkeys(key[0] for key in total):
        if any(right[encoding, length] < total[encoding, length] for length in LENGTHS):
            print(f"  {encoding:20}", *(f"{right[encoding, length]}/{total[encoding, length]}" for length in LENGTHS))


def _read_right(read: Callable[[bytes], str], encoding: str, data: bytes) -> bool:
    try:
        return with_plain_lines(read(data)) == data.decode(encoding.split()[1])
    except (WrongFormatError, UnicodeError, LookupError):
        return False


if __name__ == "__main__":
    main()
