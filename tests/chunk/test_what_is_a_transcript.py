"""Which texts are transcripts; all that has other numbers with colons, or other times, is not."""

import pytest
from tests.chunk.cutting import cut_text

from minirag_mcp.model import SectionKind


def numbered(line: str, count: int = 10) -> str:
    """`line` for 10 to 10 + `count`, with the number, its hour and a word of its own."""
    return "\n".join(line.format(n=number, word=f"word{number}") for number in range(10, 10 + count))


TRANSCRIPTS = {
    "speaker and clock above": numbered("Ann Lee   0:{n}\n{word}"),
    "speaker line, clock line": numbered("Ann Lee\n\n0:{n}\n\n{word}"),
    "bold speaker": numbered("**Ann Lee**   0:{n}\n\n{word}\n"),
    "clock alone": numbered("0:{n}\n{word}") + "\n1:05\nback again",
    "speaker in brackets": numbered("[Ann Lee] 00:{n}:07\n{word}\n"),
    "clock, speaker, words": numbered("00:{n}:07 Ann Lee:\t{word}"),
    "range, speaker, words": numbered("00:{n} - 00:{n} Ann: {word}"),
    "speaker, clock, words": numbered("Speaker A [00:{n}:11]: {word}"),
    "list of turns": numbered("- [00:{n}:11] Ann: {word}"),
    "range in brackets": numbered("[00:{n}.000 --> 00:{n}.900]  {word}"),
    "range above, speaker below": numbered("0:0:{n}.0 --> 0:0:{n}.500\nAnn Lee\n{word}")
    + "\n0:1:5.0 --> 0:1:5.5\nA\nb",
    "range by comma": numbered("0:00:{n}.120,0:00:{n}.840\n{word}"),
    "numbered captions": numbered("{n}\n00:00:{n},000 --> 00:00:{n},900\n{word}\n"),
    "other language": numbered("Иванов Иван   0:{n}\nслово {word}\n"),
    "two turns": "Ann 0:00\nhello\nBob 0:05\nhi",
    "a later part of a long one": numbered("Ann 1:{n}:05\n{word}"),
}


@pytest.mark.parametrize("text", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_turns_in_all_usual_forms_make_a_transcript(text: str) -> None:
    assert {section.kind for section in cut_text(text).sections} == {SectionKind.WINDOW}


OTHERS = {
    "programme": "9:00\nOpening\n9:30\nKeynote\n10:15\nCoffee\n12:00\nLunch",
    "programme in brackets": "[9:00] Opening\n[9:30] Keynote\n[10:15] Coffee",
    "programme with ranges": "Opening (9:00–9:30)\nKeynote (9:30–10:15)\nCoffee (10:15–10:45)",
    "programme with colons": "9:00 - 9:30 Keynote: the future\n9:30 - 10:00 Panel: the past\n10:00 - 10:15 End: coffee",
    "opening hours": "Mon: 9:00 - 18:00\nTue: 9:00 - 18:00\nSat: 10:00 - 16:00",
    "evening television": numbered("20:{n}\nFilm {word}"),
    "bus stops": numbered("Stop {word} 07:{n}"),
    "bus stops after midnight": numbered("Stop {word} 0:{n}"),
    "programme of an afternoon": "1:00 Lunch: soup\n2:00 Workshop: clay\n3:30 Walk: park",
    "minutes with times of day": "18:30 Chair: opened.\n18:45 Smith: presented.\n19:10 Jones: objected.",
    "beginning and end": "Meeting\nStart: 10:00\nEnd: 11:00\nRoom 5",
    "log": numbered("[10:{n}:05] INFO: started {word}"),
    "log of the first minutes": numbered("[00:00:{n}] INFO: started {word}"),
    "log with dates": numbered("2026-01-01 10:{n}:05 INFO started {word}"),
    "chat": numbered("[10:{n}] <ann> {word}"),
    "chat after midnight": numbered("[00:{n}] <ann> {word}"),
    "comings and goings": numbered("[00:{n}] *** {word} has joined"),
    "exported chat": numbered("Ann, [05.01.2026 00:{n}]\n{word}"),
    "chat with dates": numbered("[31.12.25, 10:{n}:11] Ann: {word}"),
    "chat with lines for the names": numbered("Ann 10:{n}\n{word}"),
    "race": numbered("{n}. Runner {word} 2:{n}:05"),
    "swimming": numbered("Swimmer {word} 0:{n}.12"),
    "sets": numbered("North - South 25:{n}"),
    "goals": "North - South 1:10\nwon\nNorth - East 2:1\nwon\nNorth - West 2:12\nlost\nNorth - East 3:0\nwon",
    "changelog of a night": numbered("v1.{n} released 2026-01-05 00:{n}\n- fixed {word}"),
    "changelog": numbered("v1.{n} (2026-01-05 10:{n})\nFixed {word}"),
    "recipe": "Prep time: 0:15\nCook time: 1:30\nTotal time: 1:45\nServes 4\nFlour\nEggs",
    "two songs": "First song 3:01\nThe Band\nSecond song 3:45\nOthers",
    "exercises": "Rest 0:30\n10 pushups\nRest 0:30\n10 situps\nRest 0:30\n10 squats",
    "ratios": "Mix 1:10\nStir it\nMix 1:20\nStir it\nMix 1:40\nLeave it",
    "songs": numbered("{n}. Song {word} 3:{n}"),
    "songs with notes": numbered("Song {word} (0:{n})\nby somebody {word}"),
    "chapters of a recording": "0:00 - Intro\n1:30 - Setup: the basics\n5:10 - Demo: all of it\n12:00 - End",
    "verses": "\n".join(f"John 3:{verse}\nAnd {verse} were there." for verse in range(1, 22)),
    "verses of one chapter": numbered("John 3:{n}\nAnd {word} was there."),
    "verses in brackets": numbered("[2:{n}] And {word} was there."),
    "verses behind": numbered("And {word} was there. John 3:{n}"),
    "hardware addresses": numbered("eth{n} 00:16:22:33:44:{n}"),
    "compiler": numbered("src/main.c:{n}:{n}: error: {word}"),
    "places in code": numbered("  at file.js:{n}:{n}"),
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_times_and_numbers_with_colons_make_none(text: str) -> None:
    assert SectionKind.WINDOW not in {section.kind for section in cut_text(text).sections}


def test_a_few_odd_lines_do_not_hide_a_transcript() -> None:
    text = numbered("Ann 0:{n}\n{word}") + "\n10:30 would suit me.\nBob 1:40\nAnn 1:45\nBye."
    assert {section.kind for section in cut_text(text).sections} == {SectionKind.WINDOW}


@pytest.mark.parametrize(
    "text", ["Ann\n0:{a}\n{word}\nBob\n0:{b}\nyes, {word}\n", "{a}\n0:{a}\n{word}\n\n{b}\n0:{b}\nyes\n"]
)
def test_what_stands_above_each_clock_belongs_to_its_turn(text: str) -> None:
    turns = "".join(text.format(a=number, b=number + 1, word=f"word{number}") for number in range(10, 30, 2))
    made = cut_text(turns + turns.replace("0:", "3:"))
    assert [section.label for section in made.sections] == ["[00:00–02:00]", "[02:00–04:00]"]
    assert made.sections[1].shown(made.document.text).split("\n")[0] == text.split("\n", maxsplit=1)[0].format(a=10)


def test_what_was_said_last_is_not_taken_for_the_speaker_of_the_next_turn() -> None:
    made = cut_text("0:10\nWell.\nYes.\n1:20\nAnd then?\nYes.\n2:10\nSo be it.\nYes, indeed.\n2:30\nOf course.\nBye.")
    assert made.sections[1].shown(made.document.text).startswith("2:10")
