"""A minimal PDF writer: lines of text at given places, rules, bookmarks, an information dictionary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold", "F3": "Courier"}
REGULAR, BOLD, TYPED = _FONTS


@dataclass(frozen=True, slots=True)
class Put:
    """Text at a place, in points from the lower left corner; `turn` is a text matrix such as "0 1 -1 0"."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = REGULAR
    turn: str = "1 0 0 1"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A ruled line."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Raw:
    """Operators of a content stream."""

    operators: str


Item = Put | Stroke | Raw


def paragraph(*lines: str, y: float, x: float = 50, size: float = 10, font: str = REGULAR) -> list[Item]:
    """Lines below each other with usual leading."""
    return [Put(x, y - index * size * 1.2, line, size, font) for index, line in enumerate(lines)]


def grid(xs: Sequence[float], ys: Sequence[float]) -> list[Item]:
    """The ruled lines of a table with these column and row edges."""
    across: list[Item] = [Stroke(min(xs), y, max(xs), y) for y in ys]
    return across + [Stroke(x, min(ys), x, max(ys)) for x in xs]


def pdf(
    *pages: Sequence[Item],
    title: str = "",
    outline: Sequence[tuple[str, int]] = (),
    extra: str = "",
    meant: Mapping[str, str] | None = None,
) -> bytes:
    """A PDF of these pages; `outline` gives bookmarks as (title, 0-based page).

    `meant` says which text a character of the regular font stands for, as the map of a font does for letters that
    its encoding has no name for.
    """
    objects: dict[int, str] = {}
    first_page, first_mark = 10, 10 + 2 * len(pages)
    kids = " ".join(f"{first_page + 2 * index} 0 R" for index in range(len(pages)))
    outlines = "/Outlines 3 0 R" if outline else ""
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R {outlines} {extra}>>"
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"
    objects[4] = f"<< /Title ({_escaped(title)}) >>"
    for number, name in enumerate(_FONTS.values(), start=5):
        unicode = "/ToUnicode 9 0 R " if meant and name == _FONTS[REGULAR] else ""
        objects[number] = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} {unicode}/Encoding /WinAnsiEncoding >>"
    if meant:
        objects[9] = _stream(_character_map(meant))
    fonts = " ".join(f"/{key} {number} 0 R" for number, key in enumerate(_FONTS, start=5))
    for index, items in enumerate(pages):
        number = first_page + 2 * index
        objects[number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number + 1} 0 R "
            f"/Resources << /Font << {fonts} >> >> >>"
        )
        content = "\n".join(map(_operators, items))
        objects[number + 1] = _stream(content)
    if outline:
        last = first_mark + len(outline) - 1
        objects[3] = f"<< /Type /Outlines /First {first_mark} 0 R /Last {last} 0 R /Count {len(outline)} >>"
        for index, (text, page) in enumerate(outline):
            after = f"/Next {first_mark + index + 1} 0 R" if index + 1 < len(outline) else ""
            target = f"[{first_page + 2 * page} 0 R /Fit]" if page < len(pages) else "null"
            objects[first_mark + index] = f"<< /Title ({_escaped(text)}) /Parent 3 0 R {after} /Dest {target} >>"
    return _assembled(objects)


def pdf_of(*objects: str) -> bytes:
    """A PDF of these objects, numbered from 1: the first is its catalog, the fourth its information dictionary."""
    return _assembled(dict(enumerate(objects, start=1)))


def _stream(content: str) -> str:
    return f"<< /Length {len(content.encode('latin-1'))} >>\nstream\n{content}\nendstream"


def _character_map(meant: Mapping[str, str]) -> str:
    pairs = "\n".join(
        f"<{code.encode('latin-1').hex()}> <{text.encode('utf-16-be').hex()}>" for code, text in meant.items()
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def "
        f"1 begincodespacerange <00> <ff> endcodespacerange {len(meant)} beginbfchar\n{pairs}\nendbfchar "
        "endcmap end end"
    )


def _operators(item: Item) -> str:
    if isinstance(item, Raw):
        return item.operators
    if isinstance(item, Stroke):
        return f"{item.x1} {item.y1} m {item.x2} {item.y2} l S"
    return f"BT /{item.font} {item.size} Tf {item.turn} {item.x} {item.y} Tm ({_escaped(item.text)}) Tj ET"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _assembled(objects: dict[int, str]) -> bytes:
    data = bytearray(b"%PDF-1.4\n")
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = len(data)
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start, size = len(data), max(objects) + 1
    table = "".join(
        f"{places[number]:010} 00000 n \n" if number in places else "0000000000 65535 f \n" for number in range(size)
    )
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return bytes(data) + f"xref\n0 {size}\n{table}{trailer}".encode()
