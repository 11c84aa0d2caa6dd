"""What was read and how it is cut: document, marks, sections, chunks, places."""

from dataclasses import dataclass
from enum import StrEnum


class SourceType(StrEnum):
    """Where a source came from."""

    FILE = "file"
    DATA = "data"
    URL = "url"


class MarkKind(StrEnum):
    """What a mark counts.

    LINE and ROW are counting marks: the number grows by one with each line of the document text
    until the next mark of the same kind. The others hold unchanged until the next of their kind.
    """

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"
    ROW = "row"
    CELL = "cell"
    CHAPTER = "chapter"
    TIME = "time"
    LINE = "line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """From `start` on, the text stands at `number` (1-based; seconds for TIME) and/or under `name`."""

    kind: MarkKind
    start: int
    number: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """Half-open range of characters of a document text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters of `text` that this span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    r"""What a parser makes of a source.

    text      Markdown, lines ended by "\\n", no NUL; exactly what `read_file` gives back
    title     by the title rule of `parse/title.py`; never empty for a file
    own_title true when the title was found in, or given for, the content (not made from a key)
    format    registry name of the parser: "markdown", "pdf", "docx" …
    marks     ordered by `start`
    metadata  front matter and document properties, as (name, value) pairs
    """

    text: str
    title: str
    own_title: bool
    format: str
    marks: tuple[Mark, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()


class SectionKind(StrEnum):
    """How a section was found."""

    HEADING = "heading"
    BLOCK = "block"
    SLIDE = "slide"
    WINDOW = "window"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a span stands in the original: kind, first and last number, and a name (sheet, chapter)."""

    kind: MarkKind
    first: int = 0
    last: int = 0
    name: str = ""

    def __str__(self) -> str:
        if self.kind is MarkKind.TIME:
            return _clock(self.first) if self.last <= self.first else f"{_clock(self.first)}–{_clock(self.last)}"
        plural = "s" if self.last > self.first else ""
        numbers = f"{self.first}–{self.last}" if plural else f"{self.first}"
        counted = f"{self.kind.value}{plural} {numbers}" if self.first else ""
        if self.kind is MarkKind.ROW:
            return ", ".join(part for part in (f"sheet {self.name}" if self.name else "", counted) if part)
        if self.kind in (MarkKind.SHEET, MarkKind.CHAPTER):
            return f"{self.kind.value} {self.name or numbers}"
        return counted


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes:02}:{left:02}"


_RULE = frozenset("|:- \t")


def rules_off(line: str) -> bool:
    """Whether a line is written as the one between the header and the rows of a Markdown table, in whatever quote."""
    return "-" in line and "|" in line and _RULE.issuperset(line.lstrip("> \t"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The unit a reader gets back.

    ordinal   0-based within the source
    span      its own characters of the document text; sections are disjoint and in order
    headings  heading path, outermost first, in plain text (no `#`, no inline markup)
    header    table header rows that stand above the span when it is a later piece of a table, else ""
    label     extra name, such as a transcript window `[02:00–04:00]`
    """

    ordinal: int
    span: Span
    kind: SectionKind
    headings: tuple[str, ...] = ()
    header: str = ""
    label: str = ""
    place: Place | None = None

    def shown(self, text: str) -> str:
        """The section as a reader sees it: its header, if any, above its own characters of `text`."""
        return _stacked(self.header, self.span.of(text).strip("\n"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """The unit that is embedded and ranked.

    ordinal   0-based within the source; `chunkIndex` on the wire
    section   ordinal of the section the span lies in
    span      its own characters; the chunk spans of a section, joined, are the section
    context   title line and heading breadcrumb: embedded and searched, never shown as text
    header    table header rows above a later piece of a table: shown and embedded
    """

    ordinal: int
    section: int
    span: Span
    context: str = ""
    header: str = ""
    place: Place | None = None

    def shown(self, text: str) -> str:
        """The passage as a reader sees it."""
        return _stacked(self.header, self.span.of(text).strip("\n"))

    def embedded(self, text: str) -> str:
        """What the model reads, without the model's own prefix and without lines that only rule off a table."""
        return _stacked(self.context, *map(_without_rules, (self.header, self.span.of(text).strip("\n"))))


def _without_rules(shown: str) -> str:
    if "-" not in shown or "|" not in shown:
        return shown
    return "\n".join(line for line in shown.split("\n") if not rules_off(line))


def _stacked(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A document with its sections and chunks: what `chunk/` hands on."""

    document: Document
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
