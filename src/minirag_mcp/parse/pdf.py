"""PDF documents (.pdf): their text layer, laid out as a reader sees it, with page marks."""

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from minirag_mcp.errors import CorruptFileError, EmptyFileError, EncryptedFileError, NoTextError, WrongFormatError
from minirag_mcp.parse.blocks import cleaned
from minirag_mcp.parse.pdf_layout import compose
from minirag_mcp.parse.pdf_page import Page, read_page
from minirag_mcp.parse.properties import sane_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from minirag_mcp.parse.parsed import Parsed
    from minirag_mcp.parse.pdf_headings import Outline

# The header may stand anywhere in the first kilobyte (ISO 32000-1, annex H, note 13).
_HEADER = b"%PDF-"
_BODY = re.compile(rb"\d+ \d+ obj\b")
_ENCRYPTED = b"/Encrypt"
_TRAILER = b"startxref"
_HEADER_WITHIN = 1024
_MAX_OUTLINE = 5000
_MAX_OUTLINE_DEPTH = 8
_READABLE = re.compile(r"\w")


def parse(data: bytes) -> "Parsed":
    """The text layer as Markdown, with a PAGE mark where each page begins.

    Headings come from bookmarks, sizes and bold lines; running headers and footers are left out.
    Pages that cannot be read are skipped. Text is not recognised in pictures.
    Raises EmptyFileError, WrongFormatError, EncryptedFileError, CorruptFileError, NoTextError.
    """
    if not data.strip(b"\0\t\n\r "):
        raise EmptyFileError("The PDF document is empty.")
    document = _open(data)
    try:
        pages = _pages(document)
        if not any(_READABLE.search(line.text) for page in pages for line in page.lines):
            count = f"{len(pages)} page" + ("" if len(pages) == 1 else "s")
            raise NoTextError(f"The PDF document has {count} but no text layer: it is a scan or a picture.")
        outline = _outline(document)
        title = sane_title(_property(document, "Title"), author=_property(document, "Author"))
    finally:
        document.close()
    return compose(pages, outline).build(title=title)


def _open(data: bytes) -> Any:
    import pypdfium2 as pdfium  # noqa: PLC0415 - 40 ms, loaded only when a PDF is read
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    if _HEADER not in data[:_HEADER_WITHIN]:
        if not _BODY.search(data[:_HEADER_WITHIN]) or _TRAILER not in data:
            raise WrongFormatError("The content is not a PDF document: its header is missing.")
        # pdfium rebuilds the positions of objects when they are not where the file says.
        data = _HEADER + b"1.4\n" + data
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        # pdfium may report the reason of an earlier failure: only a file that names encryption has it.
        if _ENCRYPTED in data and error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise EncryptedFileError("The PDF document is protected by a password.") from error
        raise CorruptFileError("The PDF document is damaged and cannot be opened.") from error
    return document


def _pages(document: Any) -> list[Page]:
    """All pages in order; an unreadable one is an empty page, so that numbers stay right."""
    import pypdfium2 as pdfium  # noqa: PLC0415 - loaded by now

    form = document.get_formtype() != pdfium.raw.FORMTYPE_NONE
    pages = []
    for number in range(len(document)):
        try:
            pages.append(_page(document, number, form=form))
        except pdfium.PdfiumError:
            pages.append(Page())
    return pages


def _page(document: Any, number: int, *, form: bool) -> Page:
    page = document[number]
    try:
        found = read_page(page, number)
        flattened = form and _flattened(page)
    finally:
        page.close()
    if flattened:
        page = document[number]
        try:
            found.values = read_page(page, number).lines[len(found.lines) :]
        finally:
            page.close()
    return found


def _flattened(page: Any) -> bool:
    """Make the values of form fields part of the page, after its own content, which is only their labels."""
    from pypdfium2 import raw  # noqa: PLC0415 - loaded by now

    return bool(raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS)


def _outline(document: Any) -> "Outline":
    import pypdfium2 as pdfium  # noqa: PLC0415 - loaded by now

    titles: dict[int, list[tuple[str, int]]] = defaultdict(list)
    try:
        for count, bookmark in enumerate(document.get_toc(max_depth=_MAX_OUTLINE_DEPTH)):
            if count >= _MAX_OUTLINE:
                break
            target = bookmark.get_dest()
            page = None if target is None else target.get_index()
            title = _readable(bookmark.get_title)
            if page is not None and title:
                titles[page].append((cleaned(title), bookmark.level + 1))
    except pdfium.PdfiumError:
        return {}
    return titles


def _property(document: Any, name: str) -> str:
    return _readable(lambda: document.get_metadata_value(name))


def _readable(value: "Callable[[], str]") -> str:
    """What pdfium says, or "" when its bytes are no text: half a pair of UTF-16, an odd number of bytes."""
    try:
        return str(value())
    except UnicodeDecodeError:
        return ""
