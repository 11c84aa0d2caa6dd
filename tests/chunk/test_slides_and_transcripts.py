"""The rules for decks and transcripts, whose sections are slides and windows of time."""

import pytest
from tests.chunk.cutting import cut_text, passages, sections, sentence, tokens, words

from minirag_mcp.model import Mark, MarkKind, SectionKind

SLIDES = "## Plan\n\nFirst point\n\nNotes: say hello\n\n## Budget\n\nSecond point"


def test_slide_marks_make_one_section_of_each_slide() -> None:
    second = SLIDES.index("## Budget")
    marks = (Mark(kind=MarkKind.SLIDE, start=0, number=1), Mark(kind=MarkKind.SLIDE, start=second, number=2))
    made = cut_text(SLIDES, marks=marks)
    assert sections(made) == ["## Plan\n\nFirst point\n\nNotes: say hello", "## Budget\n\nSecond point"]
    assert [str(section.place) for section in made.sections] == ["slide 1", "slide 2"]
    assert [section.headings for section in made.sections] == [("Plan",), ("Budget",)]
    assert {section.kind for section in made.sections} == {SectionKind.SLIDE}


def test_slide_comments_in_the_text_count_as_marks() -> None:
    made = cut_text("Deck\n\n<!-- Slide number: 1 -->\n# A\nx\n\n<!-- Slide number: 2 -->\nno heading")
    assert [section.kind.value for section in made.sections] == ["block", "slide", "slide"]
    assert [str(section.place) for section in made.sections[1:]] == ["slide 1", "slide 2"]
    assert [section.headings for section in made.sections] == [(), ("A",), ()]


def test_a_slide_over_the_budget_is_cut() -> None:
    made = cut_text("<!-- Slide number: 1 -->\n# Big\n\n" + "\n".join(f"- {words(15)}" for _ in range(20)))
    assert len(made.sections) == 1
    assert all(tokens(made, chunk) <= 110 for chunk in made.chunks)
    assert {chunk.context for chunk in made.chunks[1:]} == {"Big"}


def test_a_stray_fence_on_one_slide_leaves_the_next_alone() -> None:
    made = cut_text("<!-- Slide number: 1 -->\n```\nx\n<!-- Slide number: 2 -->\n# B\n```\n")
    assert made.sections[1].headings == ("B",)


@pytest.mark.parametrize(
    "text",
    [
        "# Decks\n\nEach slide begins so:\n\n```html\n<!-- Slide number: 1 -->\n# Title\n```\n\n# More\n\ntext",
        "- a deck\n\n  ```\n  <!-- Slide number: 1 -->\n  ```",
        "Slides have `<!-- Slide number: 1 -->` between them.",
        "> <!-- Slide number: 1 -->\n> quoted",
    ],
)
def test_a_text_that_only_speaks_of_slides_has_none(text: str) -> None:
    assert SectionKind.SLIDE not in {section.kind for section in cut_text(text).sections}


def transcript(*turns: tuple[str, str]) -> str:
    return "\n".join(f"{stamp}\n{text}" for stamp, text in turns)


def test_a_transcript_is_cut_into_windows_of_two_minutes() -> None:
    made = cut_text(
        transcript(("Ann  0:03", "Hello."), ("Bob  1:59", "Hi."), ("Ann  2:00", "Budget."), ("Bob  5:10", "Bye.")),
        title="Weekly",
    )
    assert [section.label for section in made.sections] == ["[00:00–02:00]", "[02:00–04:00]", "[04:00–06:00]"]
    assert {section.kind for section in made.sections} == {SectionKind.WINDOW}
    assert [chunk.context for chunk in made.chunks] == [
        "Weekly > [00:00–02:00]",
        "Weekly > [02:00–04:00]",
        "Weekly > [04:00–06:00]",
    ]
    assert [str(section.place) for section in made.sections] == ["00:03–02:00", "02:00–02:30", "05:10"]


@pytest.mark.parametrize(
    "stamp",
    ["00:00:{0:02}", "[00:{0:02}]", "Ann Lee (00:{0:02}):", "**Ann** 0:{0:02}", "00:00:{0:02}.500 --> 00:01:00.000"],
)
def test_clock_lines_come_with_or_without_a_speaker(stamp: str) -> None:
    made = cut_text(transcript(*((stamp.format(number), "Something was said.") for number in range(5))))
    assert [section.label for section in made.sections] == ["[00:00–02:00]"]


def test_turns_may_stand_on_the_line_of_their_clock() -> None:
    made = cut_text("[00:01] Ann: hello\n[02:30] Bob: hi\n04:10 Ann: bye")
    assert [section.label for section in made.sections] == ["[00:00–02:00]", "[02:00–04:00]", "[04:00–06:00]"]


def test_hours_show_in_the_labels_of_long_transcripts() -> None:
    made = cut_text(transcript(("0:59:59", "a"), ("1:00:01", "b"), ("1:58:30", "c")))
    assert [section.label for section in made.sections] == ["[58:00–1:00:00]", "[1:00:00–1:02:00]", "[1:58:00–2:00:00]"]


def test_time_marks_make_windows_whatever_the_text_looks_like() -> None:
    text = "Ann: hello there\n\nBob: hi\n\nAnn: bye"
    marks = tuple(
        Mark(kind=MarkKind.TIME, start=text.index(turn), number=second)
        for turn, second in (("Ann: h", 1), ("Bob", 118), ("Ann: b", 121))
    )
    made = cut_text(text, marks=marks)
    assert sections(made) == ["Ann: hello there\n\nBob: hi", "Ann: bye"]
    assert [str(section.place) for section in made.sections] == ["00:01–02:01", "02:01"]


def test_times_inside_a_line_and_at_its_end_begin_no_turn_but_tell_the_place() -> None:
    text = "Ann: one two\nBob: three"
    times = ((0, 1), (text.index("two"), 130), (text.index("\n"), 135), (text.index("Bob"), 140), (len(text), 150))
    made = cut_text(text, marks=tuple(Mark(kind=MarkKind.TIME, start=at, number=second) for at, second in times))
    assert sections(made) == ["Ann: one two", "Bob: three"]
    assert [str(section.place) for section in made.sections] == ["00:01–02:15", "02:20–02:30"]


@pytest.mark.parametrize("stamp", ["{} --> {}\n", "[{} - {}] Ann: ", "Ann ({} – {})\n"])
def test_stamps_that_say_when_a_turn_ends_are_believed(stamp: str) -> None:
    ranges = (("0:01", "0:09"), ("0:15", "1:20"), ("2:30", "2:45.5"))
    made = cut_text("\n".join(stamp.format(*times) + "Something was said." for times in ranges))
    assert [str(section.place) for section in made.sections] == ["00:01–01:20", "02:30–02:46"]


def test_a_heading_above_a_transcript_goes_into_its_first_window() -> None:
    made = cut_text("# Weekly\n\n" + transcript(("0:01", "a"), ("0:05", "b")))
    assert len(made.chunks) == 1
    made = cut_text("# Weekly\n\nPresent: Ann, Bob.\n\n" + transcript(*((f"0:0{number}", "a") for number in range(5))))
    assert [section.label for section in made.sections] == ["", "[00:00–02:00]"]


def test_successive_turns_are_packed_and_cut_between_turns() -> None:
    made = cut_text(transcript(*((f"0:{number:02}", sentence(20)) for number in range(12))))
    assert all(passage.startswith("0:") for passage in passages(made))
    assert len(made.chunks) < 12


@pytest.mark.parametrize(
    "text",
    [
        "We meet at 10:30\n\nand talk.\n\nThen we leave.\n\nThe end.\n\nReally.",
        "12:00\nback\n10:00\nand\n08:00\nforth\n06:00\nagain",
        "```\n00:01 Ann: x\n00:02 Ann: y\n```",
        "| 00:01 | a |\n|---|---|\n| 00:02 | b |",
        "# 00:01\n\ntext\n\n# 00:02\n\ntext",
    ],
)
def test_what_is_not_clearly_a_transcript_is_none(text: str) -> None:
    assert SectionKind.WINDOW not in {section.kind for section in cut_text(text).sections}
