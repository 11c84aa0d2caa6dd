"""The numbers behind an Office chart, as a table."""

from typing import TYPE_CHECKING

from minirag_mcp.parse.blocks import cleaned, one_line, paragraph
from minirag_mcp.parse.ooxml import CHART, DRAWING, number_of, text_of
from minirag_mcp.parse.table import markdown_table

if TYPE_CHECKING:
    from lxml import etree

# Points of a series that a reader would still look through.
_MAX_POINTS = 1000


def chart_table(root: "etree._Element | None") -> str:
    """Title and cached values of a chart part: one row a category, one column a series; "" when it has none."""
    if root is None:
        return ""
    series = list(root.iter(f"{CHART}ser"))
    categories = _points(series[0], "cat", "xVal") if series else {}
    columns = [_points(item, "val", "yVal") for item in series]
    indexes = sorted(set(categories).union(*columns))[:_MAX_POINTS]
    header = ["", *(_series_name(item) for item in series)]
    rows = [[categories.get(index, ""), *(column.get(index, "") for column in columns)] for index in indexes]
    table = markdown_table([header, *rows]) if rows else ""
    return "\n\n".join(block for block in (_title(root), table) if block)


def _title(root: "etree._Element") -> str:
    title = root.find(f"{CHART}chart/{CHART}title")
    return "" if title is None else paragraph(one_line(cleaned(text_of(title, f"{DRAWING}t"))))


def _series_name(series: "etree._Element") -> str:
    name = series.find(f"{CHART}tx")
    return "" if name is None else one_line(cleaned(text_of(name, f"{CHART}v")))


def _points(series: "etree._Element", *names: str) -> dict[int, str]:
    for name in names:
        values = series.find(f"{CHART}{name}")
        if values is not None:
            return {
                number_of(point.get("idx")): _shown(point.findtext(f"{CHART}v", ""))
                for point in values.iter(f"{CHART}pt")
            }
    return {}


def _shown(value: str) -> str:
    """A cached value without the noise of binary fractions."""
    try:
        return f"{float(value):.15g}" if "." in value else cleaned(value)
    except ValueError:
        return cleaned(value)
