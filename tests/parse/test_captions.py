import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parse.text_files import mark_at, read

from minirag_mcp.chunk.place import Places
from minirag_mcp.errors import NoTextError, WrongFormatError
from minirag_mcp.model import MarkKind, Span


def vtt(*cues: str, header: str = "WEBVTT") -> str:
    return read("\n\n".join((header, *cues)), "call.vtt").text


def cue(start: str, end: str, *lines: str) -> str:
    return "\n".join((f"{start} --> {end}", *lines))


def test_segments_of_one_speaker_become_one_turn() -> None:
    text = vtt(
        cue("00:01:05.000", "00:01:08.000", "<v Anna Berg>We ship"),
        cue("00:01:08.000", "00:01:10.000", "<v Anna Berg>on Friday.</v>"),
        cue("00:01:10.500", "00:01:12.000", "<v.loud Tom>Good &amp; <i>done</i>.</v>"),
    )
    assert text == "[00:01:05] Anna Berg: We ship on Friday.\n[00:01:10] Tom: Good & done."


def test_names_before_a_colon_are_speakers_as_meeting_tools_write_them() -> None:
    text = vtt(
        "1\n" + cue("00:00.000", "00:02.000", "Ann Lee: Hello"),
        "2\n" + cue("00:02.000", "00:04.000", "Ann Lee: there."),
    )
    assert text == "[00:00:00] Ann Lee: Hello there."


def test_two_voices_in_one_cue_are_two_turns() -> None:
    text = vtt(cue("00:01.000", "00:03.000", "<v Ann>Yes?</v>", "<v Bob>No!</v>"))
    assert text == "[00:00:01] Ann: Yes?\n[00:00:01] Bob: No!"


def test_each_turn_carries_its_time() -> None:
    content = vtt(cue("00:59.900", "01:01.000", "a"), cue("01:02:03.000", "01:02:04.000", "b"))
    document = read(
        "WEBVTT\n\n" + cue("00:59.900", "01:01.000", "a") + "\n\n" + cue("01:02:03.0", "01:02:04.0", "b"), "x.vtt"
    )
    assert document.text == content == "[00:00:59] a\n[01:02:03] b"
    assert mark_at(document, MarkKind.TIME, "[01").number == 3723


def test_a_long_speech_is_cut_at_a_sentence_so_that_places_can_be_found() -> None:
    cues = [cue(f"00:{n:02}:00.000", f"00:{n:02}:20.000", f"Sentence {n}.") for n in range(3)]
    assert vtt(*cues).count("[") == 3
    steady = [cue(f"00:00:{n:02}.000", f"00:00:{n + 5:02}.000", f"Part {n}.") for n in range(0, 54, 5)]
    assert [line[:10] for line in vtt(*steady).split("\n")] == [
        "[00:00:00]",
        "[00:00:15]",
        "[00:00:30]",
        "[00:00:45]",
    ]
    unbroken = [cue(f"00:00:{n:02}.000", f"00:00:{n + 5:02}.000", f"part {n}") for n in range(0, 54, 5)]
    assert [line[:10] for line in vtt(*unbroken).split("\n")] == ["[00:00:00]", "[00:00:30]"]


def test_what_is_said_after_a_pause_has_a_time_of_its_own() -> None:
    assert vtt(cue("00:01.000", "00:02.500", "Hello"), cue("00:06.000", "00:07.000", "again")).count("[") == 2
    assert vtt(cue("00:01.000", "00:02.500", "Hello"), cue("00:05.000", "00:07.000", "again")).count("[") == 1


def test_a_passage_lasts_from_its_first_cue_to_the_end_of_its_last() -> None:
    content = (
        "1\n00:00:01,200 --> 00:00:04,000\nAnna here.\n\n2\n00:00:05,000 --> 00:00:08,400\nThe pump leaks\n\n"
        "3\n00:00:18,000 --> 00:00:19,500\nWe come on Friday.\n"
    )
    document = read(content, "call.srt")
    first, last = document.text.split("\n")
    assert (first, last) == ("[00:00:01] Anna here. The pump leaks", "[00:00:18] We come on Friday.")

    def place(words: str) -> str:
        start = document.text.index(words)
        return str(Places(document.text, document.marks).of(Span(start=start, end=start + len(words))))

    assert place(document.text) == "00:01–00:20"
    assert place(first) == "00:01–00:09"
    assert place(last) == "00:18–00:20"
    assert place("The pump leaks") == "00:05–00:09"


def test_comments_styles_headers_and_numbers_are_no_speech() -> None:
    text = vtt(
        "NOTE\nwritten by Jill\nin a hurry",
        "STYLE\n::cue { color: red }",
        "REGION\nid:fred",
        "intro\n" + cue("00:01.000", "00:02.000", "Words") + "  ",
        "NOTE end",
        header="WEBVTT - a title\nKind: captions\nLanguage: en",
    )
    assert text == "[00:00:01] Words"


def test_tags_and_times_inside_a_cue_vanish_but_words_in_angle_brackets_stay() -> None:
    text = vtt(cue("00:16.500", "00:18.500 align:start", "The <00:17.500>moon <c.yellow>hits</c> a < b <laughs>"))
    assert text == "[00:00:16] The moon hits a < b <laughs>"


def test_rolling_captions_are_said_once() -> None:
    text = vtt(
        cue("00:00.000", "00:02.000", "so today we"),
        cue("00:02.000", "00:02.010", "so today we"),
        cue("00:02.010", "00:04.000", "so today we", "talk about ships"),
        cue("00:04.000", "00:04.010", "talk about ships"),
        cue("00:04.010", "00:06.000", "talk about ships", "and <c>harbours</c>"),
    )
    assert text.count("talk about ships") == 1
    assert text.endswith("and harbours")


def test_a_word_that_is_really_said_twice_stays() -> None:
    assert vtt(cue("00:00.000", "00:01.000", "No."), cue("00:01.000", "00:02.000", "No.")) == "[00:00:00] No. No."


def test_damaged_files_give_what_they_have() -> None:
    assert vtt(cue("00:01.000", "00:02.000", "One"), "without a time", cue("00:03.000", "00:04.000", "Two")) == (
        "[00:00:01] One without a time Two"
    )
    assert read("WEBvtt\nWEBVTT\n\n00:01.000 ---> 00:02.000\nsome text", "a.vtt").text == "[00:00:01] some text"
    twice = "WEBVTT\n\n00:01.000 --> 00:02.000\n00:01.000 --> 00:02.000\nx\n00:03.000 --> 00:04.000\ny"
    assert read(twice, "a.vtt").text == "[00:00:01] x y"


def test_subrip_is_read_the_same_way() -> None:
    first = "1\r\n00:00:01,500 --> 00:00:02,000\r\n{\\an8}<font color='red'>Hello</font>\r\n\r\n"
    document = read(first + "2\r\n00:01:00,000 --> 00:01:02,000\r\nBye\r\n", "film.srt")
    assert document.text == "[00:00:01] Hello\n[00:01:00] Bye"
    assert document.format == "srt"


def test_captions_without_words_hold_no_text() -> None:
    for content in ("WEBVTT", "WEBVTT\n\n00:01.000 --> 00:02.000\n<i> </i>\n", "00:01.000 --> 00:02.000\n"):
        with pytest.raises(NoTextError):
            read(content, "a.vtt")


def test_prose_is_not_captions() -> None:
    with pytest.raises(WrongFormatError, match="no captions"):
        read("Dear all,\n\nsee you at 10:30.\n", "a.vtt")


_LINES = st.sampled_from(
    ["WEBVTT", "", "NOTE x", "1", "00:01.000 --> 00:02.000", "99:00:00.0 --> 99:00:09.0", "Bob: hi", "<v Al>x", "w"]
)


@given(st.lists(_LINES, max_size=30))
def test_marks_are_in_order_at_the_ends_of_lines_and_where_cues_begin(lines: list[str]) -> None:
    try:
        document = read("\n".join(["WEBVTT", "", *lines]), "a.vtt")
    except NoTextError:
        return
    starts = [mark.start for mark in document.marks]
    lines_at = [0, *(match.end() for match in re.finditer("\n", document.text))]
    ends_at = [*(start - 1 for start in lines_at[1:]), len(document.text)]
    assert starts == sorted(set(starts))
    assert {*lines_at, *ends_at} <= set(starts)
    assert all(document.text[start - 1] == " " for start in {*starts} - {*lines_at, *ends_at})
