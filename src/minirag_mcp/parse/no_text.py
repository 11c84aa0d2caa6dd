"""What to do about a file that can be read but says nothing, by what such a file may be."""

from minirag_mcp.errors import EmptyFileError

NOTHING_TO_INDEX = EmptyFileError.default_remedy
"""For formats that hold their text as text or not at all."""
IF_IN_PICTURES = f"If its text is in pictures, run text recognition (OCR) on them first. Otherwise: {NOTHING_TO_INDEX}"
IF_BY_SCRIPTS = "If a browser shows text on the page, save the page from the browser and sync again, or exclude it."
