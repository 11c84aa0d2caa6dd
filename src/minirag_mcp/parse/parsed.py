"""What one format's parser hands to the registry, which makes a Document of it."""

from dataclasses import dataclass

from minirag_mcp.model import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    r"""The outcome of one format's `parse(data: bytes) -> Parsed`.

    text      Markdown, lines ended by "\n"; offsets of `marks` count its characters
    title     from the format's own metadata (HTML title, Word core property, front matter), or None
    metadata  front matter and document properties worth keeping, as (name, value) pairs
    """

    text: str
    marks: tuple[Mark, ...] = ()
    title: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()
