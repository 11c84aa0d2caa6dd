"""What the shapes of one slide say: text, lists, tables, charts, diagrams, pictures."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from minirag_mcp.parse.blocks import cleaned, one_line, paragraph
from minirag_mcp.parse.chart import chart_table
from minirag_mcp.parse.ooxml import (
    ALTERNATIVE,
    CHART,
    DIAGRAM,
    DRAWING,
    LINK,
    MATH,
    SLIDE,
    Package,
    alternative_text,
    number_of,
)
from minirag_mcp.parse.table import markdown_table, trimmed
from minirag_mcp.parse.table_header import has_header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})
# Placeholders whose paragraphs are bulleted unless the slide says otherwise.
_LISTS = frozenset({"body", "obj"})
# The deepest level the format knows.
_MAX_INDENT = 8


@dataclass(slots=True)
class Shapes:
    """The title of a slide ("" if it has none) and its other blocks in reading order."""

    title: str = ""
    blocks: list[str] = field(default_factory=list)


def read_shapes(package: Package, part: str, root: "etree._Element") -> Shapes:
    """Everything the shapes of a slide say; groups are read where they stand."""
    found = Shapes()
    for tree in root.iter(f"{SLIDE}spTree"):
        _read_tree(package, part, tree, found)
        break
    return found


def shape_text(element: "etree._Element") -> str:
    """The paragraphs of a shape, one a line."""
    return "\n".join(_paragraph_text(item) for item in element.iter(f"{DRAWING}p"))


def _read_tree(package: Package, part: str, tree: "etree._Element", found: Shapes) -> None:
    for child in tree:
        if child.tag == f"{SLIDE}sp":
            _read_shape(child, found)
        elif child.tag == f"{SLIDE}graphicFrame":
            found.blocks.extend(_frame_blocks(package, part, child))
        elif child.tag == f"{SLIDE}pic":
            found.blocks.append(_picture(child))
        elif child.tag == f"{SLIDE}grpSp":
            _read_tree(package, part, child, found)
        elif child.tag == f"{ALTERNATIVE}AlternateContent":
            _read_alternative(package, part, child, found)


def _read_alternative(package: Package, part: str, element: "etree._Element", found: Shapes) -> None:
    before = len(found.blocks)
    for branch in element:
        _read_tree(package, part, branch, found)
        if len(found.blocks) > before:
            return


def _read_shape(shape: "etree._Element", found: Shapes) -> None:
    placeholder = shape.find(f"{SLIDE}nvSpPr/{SLIDE}nvPr/{SLIDE}ph")
    kind = "" if placeholder is None else placeholder.get("type", "obj")
    body = shape.find(f"{SLIDE}txBody")
    if kind in _FURNITURE or body is None:
        return
    if kind in _TITLES and not found.title:
        found.title = one_line(shape_text(body))
    else:
        found.blocks.append(_body(body, bulleted=kind in _LISTS))


def _body(body: "etree._Element", *, bulleted: bool) -> str:
    """The paragraphs of a text body: list items below each other, other paragraphs apart."""
    pieces: list[str] = []
    counters: dict[int, int] = {}
    items = [(item, paragraph(_paragraph_text(item))) for item in body.iterchildren(f"{DRAWING}p")]
    filled = [(item, text) for item, text in items if text]
    listed_before = False
    for item, text in filled:
        label = _label(item, counters, bulleted=bulleted and len(filled) > 1)
        if pieces:
            pieces.append("\n" if label and listed_before else "\n\n")
        pieces.append(f"{label}{text}")
        listed_before = bool(label)
    return "".join(pieces)


def _label(item: "etree._Element", counters: dict[int, int], *, bulleted: bool) -> str:
    properties = item.find(f"{DRAWING}pPr")
    level = 0 if properties is None else max(0, min(number_of(properties.get("lvl")), _MAX_INDENT))
    for deeper in [key for key in counters if key > level]:
        del counters[deeper]
    names = set() if properties is None else {str(child.tag).removeprefix(DRAWING) for child in properties}
    indent = "  " * level
    if "buAutoNum" in names:
        counters[level] = counters.get(level, 0) + 1
        return f"{indent}{counters[level]}. "
    counters.pop(level, None)
    if "buNone" in names or not (bulleted or names & {"buChar", "buBlip"}):
        return ""
    return f"{indent}- "


def _paragraph_text(item: "etree._Element") -> str:
    nodes = item.iter(f"{DRAWING}t", f"{DRAWING}br", f"{MATH}t")
    return cleaned("".join("\n" if node.tag == f"{DRAWING}br" else node.text or "" for node in nodes))


def _picture(picture: "etree._Element") -> str:
    properties = picture.find(f"{SLIDE}nvPicPr/{SLIDE}cNvPr")
    return "" if properties is None else alternative_text(properties)


def _frame_blocks(package: Package, part: str, frame: "etree._Element") -> "Iterator[str]":
    for table in frame.iter(f"{DRAWING}tbl"):
        rows = trimmed(_table_rows(table))
        yield markdown_table(rows, header=bool(rows) and has_header(rows, usual=_first_row_is_set_apart(table)))
    for chart in frame.iter(f"{CHART}chart"):
        yield chart_table(package.xml(_target(package, part, chart.get(f"{LINK}id", ""))))
    for diagram in frame.iter(f"{DIAGRAM}relIds"):
        yield _diagram_list(package.xml(_target(package, part, diagram.get(f"{LINK}dm", ""))))


def _target(package: Package, part: str, link_id: str) -> str | None:
    link = package.relationships(part).get(link_id)
    return link.target if link else None


def _first_row_is_set_apart(table: "etree._Element") -> bool:
    properties = table.find(f"{DRAWING}tblPr")
    return properties is not None and properties.get("firstRow") in ("1", "true")


def _table_rows(table: "etree._Element") -> "Iterator[list[str]]":
    """Cells row by row; a vertically merged cell repeats its text, so that each row can stand alone."""
    above: dict[int, str] = {}
    for row in table.iterchildren(f"{DRAWING}tr"):
        cells = []
        for column, cell in enumerate(row.iterchildren(f"{DRAWING}tc")):
            text = above.get(column, "") if cell.get("vMerge") in ("1", "true") else shape_text(cell)
            above[column] = text
            cells.append(text)
        yield cells


def _diagram_list(root: "etree._Element | None") -> str:
    """The nodes of a SmartArt diagram as a list, in the order of its data."""
    if root is None:
        return ""
    texts = (one_line(shape_text(point)) for point in root.iter(f"{DIAGRAM}pt"))
    return "\n".join(f"- {text}" for text in texts if text)
