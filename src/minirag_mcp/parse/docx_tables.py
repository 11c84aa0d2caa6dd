"""Whether the first row of a Word table is its header: by what the author made of it, else by what it says."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minirag_mcp.parse.blocks import PAGE_BREAK
from minirag_mcp.parse.ooxml import WORD
from minirag_mcp.parse.table_header import has_header

if TYPE_CHECKING:
    from lxml import etree

_OFF = ("0", "false", "off")
_NO_FILL = ("auto", "", "FFFFFF", "ffffff")


def is_headed(table: "etree._Element", rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first of `rows`, the texts of `table`, is repeated on each page, or reads as a header.

    A row in bold or shaded cells above one that is neither is meant as one.
    """
    shown = [[cell.replace(PAGE_BREAK, "") for cell in row] for row in rows]
    if not any(any(row) for row in shown):
        return True
    elements = table.findall(f"{WORD}tr")[:2]
    if elements and _is_on(elements[0].find(f"{WORD}trPr/{WORD}tblHeader")):
        return True
    return has_header(shown, usual=[_stands_out(row) for row in elements] == [True, False])


def _stands_out(row: "etree._Element") -> bool:
    cells = row.findall(f"{WORD}tc")
    return bool(cells) and (all(map(_is_shaded, cells)) or all(map(_is_bold, cells)))


def _is_shaded(cell: "etree._Element") -> bool:
    shading = cell.find(f"{WORD}tcPr/{WORD}shd")
    return shading is not None and shading.get(f"{WORD}fill", "auto") not in _NO_FILL


def _is_bold(cell: "etree._Element") -> bool:
    """Whether all that is written in the cell is bold; true of a blank one."""
    runs = [run for run in cell.iter(f"{WORD}r") if (run.findtext(f"{WORD}t") or "").strip()]
    return all(_is_on(run.find(f"{WORD}rPr/{WORD}b")) for run in runs)


def _is_on(switch: "etree._Element | None") -> bool:
    return switch is not None and switch.get(f"{WORD}val", "1") not in _OFF
