"""What is said of a source beside its text: note or handoff, and which series of snapshots it belongs to. Pure."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from minirag_mcp.model import DocClass, Labels, Snapshot, SourceKey, SourceType

_VERSION = 1
"""Of the rules below: with a new one every source gets its labels anew, at the next sync."""

_HANDOFF = "handoff"

_HANDOFF_NAME = re.compile(r"(?:.*[-_. ])?handoff(?:[-_. ]v?\d.*)?", re.DOTALL)
"""The word at the end of a file stem, or before a date, number or version: not a title that goes on after it."""

_TAG_SIGNS = "# \t"

_DATED = re.compile(r"(?P<before>.+-)(?P<date>\d{4}-\d{2}-\d{2})", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRules:
    """What makes a file a handoff by its place.

    mirror_dir        name of a folder; letter case does not count, here and below
    mirror_basenames  names of files that are handoffs when they lie directly in such a folder
    """

    mirror_dir: str = "context"
    mirror_basenames: tuple[str, ...] = ("handoff.md", "active.md", "resume.md")

    @property
    def name(self) -> str:
        """What to know the labels by that these rules gave."""
        return "/".join((f"labels {_VERSION}", self.mirror_dir.casefold(), *self._basenames()))

    def mirrors(self, folder: str, name: str) -> bool:
        """Whether a file of this name, in a folder of that name, is a handoff."""
        return folder.casefold() == self.mirror_dir.casefold() and name.casefold() in self._basenames()

    def _basenames(self) -> list[str]:
        return sorted({name.casefold() for name in self.mirror_basenames})


def labels_of(
    key: SourceKey, source_type: SourceType, metadata: Iterable[tuple[str, str]], *, rules: LabelRules
) -> Labels:
    """The labels of a source. Names of files count only for files; `metadata` is its front matter, for any source."""
    is_file = source_type is SourceType.FILE
    handoff = _says_handoff(metadata) or (is_file and _is_named_handoff(key, rules))
    return Labels(
        doc_class=DocClass.HANDOFF if handoff else DocClass.NOTE,
        snapshot=snapshot_of(key) if is_file else None,
        rules=rules.name,
    )


def snapshot_of(path: str) -> Snapshot | None:
    """The series and date in a path whose stem ends in `-YYYY-MM-DD`; None for any other name, and for no such day."""
    folder, name = os.path.split(path)
    stem, extension = os.path.splitext(name)  # noqa: PTH122 - text in, text out
    found = _DATED.fullmatch(stem)
    if found is None:
        return None
    try:
        date.fromisoformat(found["date"])
    except ValueError:
        return None
    return Snapshot(series=os.path.join(folder, found["before"] + extension), date=found["date"])  # noqa: PTH118


def _says_handoff(metadata: Iterable[tuple[str, str]]) -> bool:
    return any(
        (name == "type" and value == _HANDOFF) or (name == "tags" and _HANDOFF in _entries(value))
        for name, value in ((name.strip().casefold(), value.strip().casefold()) for name, value in metadata)
    )


def _entries(tags: str) -> list[str]:
    return [tag.strip(_TAG_SIGNS) for tag in tags.split(",")]


def _is_named_handoff(path: str, rules: LabelRules) -> bool:
    folder, name = os.path.split(path)
    stem, _ = os.path.splitext(name)  # noqa: PTH122 - text in, text out
    return rules.mirrors(os.path.basename(folder), name) or bool(_HANDOFF_NAME.fullmatch(stem.casefold()))  # noqa: PTH119
