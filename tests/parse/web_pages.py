"""Web pages about pumps, with a part in or beside their content."""

from tests.parse.text_files import page, read

PROSE = (
    "The pump is started by turning the red valve a quarter to the left. Wait until the gauge shows two bar, and only "
    "then open the outlet. When the gauge falls below one bar, close the outlet and begin again."
)


def text_of(body: str, title: str = "Pumps") -> str:
    """The text of a page with this body."""
    return read(page(body, title), "page.html").text


def in_main(part: str) -> str:
    """A body with `part` at the end of its content."""
    return f"<main><h1>Pumps</h1><p>{PROSE}</p>{part}</main>"


def beside_main(part: str) -> str:
    """A body with `part` before its content."""
    return f"{part}{in_main('')}"
