"""Notes and handoffs, and the names that make a series."""

from pathlib import Path

import pytest

from minirag_mcp.ingest.labels import LabelRules, labels_of, snapshot_of
from minirag_mcp.model import DocClass, Snapshot, SourceKey, SourceType


def class_of(
    path: str, *metadata: tuple[str, str], source_type: SourceType = SourceType.FILE, rules: LabelRules | None = None
) -> DocClass:
    return labels_of(SourceKey(path), source_type, metadata, rules=rules or LabelRules()).doc_class


@pytest.mark.parametrize(
    "metadata",
    [
        ("type", "handoff"),
        ("Type", " HANDOFF "),
        ("tags", "handoff"),
        ("TAGS", "work, Handoff"),
        ("tags", "#handoff, work"),
    ],
)
def test_front_matter_makes_a_handoff_in_any_letter_case(metadata: tuple[str, str]) -> None:
    assert class_of("/d/monday.md", metadata) is DocClass.HANDOFF
    assert class_of("a note", metadata, source_type=SourceType.DATA) is DocClass.HANDOFF


@pytest.mark.parametrize(
    "metadata",
    [
        ("type", "handoff plan"),
        ("tags", "handoffs, no-handoff"),
        ("tags", "handoff notes"),
        ("title", "handoff"),
        ("subtype", "handoff"),
        ("nested.type", "handoff"),
    ],
)
def test_front_matter_that_only_speaks_of_handoffs_does_not(metadata: tuple[str, str]) -> None:
    assert class_of("/d/monday.md", metadata) is DocClass.NOTE


@pytest.mark.parametrize("name", ["handoff.md", "active.md", "resume.md", "RESUME.MD"])
def test_a_mirror_is_a_handoff_directly_in_its_folder_only(name: str) -> None:
    assert class_of(f"/d/context/{name}") is DocClass.HANDOFF
    assert class_of(f"/d/Context/{name}") is DocClass.HANDOFF
    if not name.startswith("handoff"):
        assert class_of(f"/d/{name}") is DocClass.NOTE
        assert class_of(f"/d/context/old/{name}") is DocClass.NOTE
        assert class_of(f"/d/mycontext/{name}") is DocClass.NOTE


@pytest.mark.parametrize(
    "name",
    [
        "handoff.md",
        "handoff-2026-09-03.md",
        "HANDOFF_2026-09-03.md",
        "morning-dispatch-handoff.md",
        "2026-09-03-handoff.md",
        "sprint 12 handoff.docx",
        "handoff-2.md",
        "handoff.v2.md",
        "night-handoff-2026-09-03-0200.md",
    ],
)
def test_the_word_at_the_end_or_before_a_number_names_a_handoff(name: str) -> None:
    assert class_of(f"/d/{name}") is DocClass.HANDOFF


@pytest.mark.parametrize(
    "name",
    [
        "handoff-skill-redesign-spec.md",
        "notes-on-handoffs.md",
        "handoffs.md",
        "handoff2026.md",
        "myhandoff.md",
        "how-to-write-a-handoff-note.md",
        "active.md",
    ],
)
def test_a_name_that_merely_holds_the_word_is_a_note(name: str) -> None:
    assert class_of(f"/d/{name}") is DocClass.NOTE


def test_names_count_for_files_only() -> None:
    assert class_of("context/handoff.md", source_type=SourceType.DATA) is DocClass.NOTE
    assert class_of("https://example.com/handoff", source_type=SourceType.URL) is DocClass.NOTE


def test_folder_and_names_of_mirrors_can_be_chosen_and_change_the_name_of_the_rules() -> None:
    rules = LabelRules(mirror_dir="Sessions", mirror_basenames=("today.md",))
    assert class_of("/d/sessions/Today.md", rules=rules) is DocClass.HANDOFF
    assert class_of("/d/context/active.md", rules=rules) is DocClass.NOTE
    assert rules.name != LabelRules().name
    assert LabelRules(mirror_dir="CONTEXT").name == LabelRules().name


def test_a_date_at_the_end_of_the_stem_makes_a_snapshot() -> None:
    found = snapshot_of(str(Path("/d/fleet-health-2026-07-23.md")))
    assert found == Snapshot(series=str(Path("/d/fleet-health-.md")), date="2026-07-23")


@pytest.mark.parametrize(
    "name",
    [
        "2026-07-23-this-week.md",
        "2026-07-23.md",
        "-2026-07-23.md",
        "fleet-2026-02-30.md",
        "fleet-2026-7-23.md",
        "fleet2026-07-23.md",
        "fleet-2026-07-23-final.md",
        "fleet-٢٠٢٦-07-23.md",
    ],
)
def test_any_other_name_makes_none(name: str) -> None:
    assert snapshot_of(str(Path("/d", name))) is None


def test_snapshots_of_other_folders_stems_and_formats_are_other_series() -> None:
    names = ["a/x-2026-01-01.md", "b/x-2026-01-01.md", "a/y-2026-01-01.md", "a/x-2026-01-01.txt", "a/x--2026-01-01.md"]
    assert len({found.series for name in names if (found := snapshot_of(f"/{name}"))}) == len(names)
