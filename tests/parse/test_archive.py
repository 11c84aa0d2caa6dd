import contextlib
import io
import struct
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minirag_mcp.errors import (
    CorruptFileError,
    EmptyFileError,
    EncryptedFileError,
    ParseError,
    ParseLimitError,
    WrongFormatError,
)
from minirag_mcp.parse import archive
from minirag_mcp.parse.archive import Archive, parse_xml, resolve

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
BOMB = b"""<!DOCTYPE a [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/hostname">]>
<root>before &b; &x; after</root>"""

LAUGHS = (
    b'<!DOCTYPE a [<!ENTITY l0 "lol">'
    + b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
    + b"]><a>&l9; text</a>"
)


def zipped(parts: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as target:
        for name, data in parts.items():
            target.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_part_comes_back_as_it_was_put_in(method: int) -> None:
    opened = Archive.open(zipped({"a/b.xml": b"<x/>" * 9}, method=method), kind="book")
    assert opened.names == ("a/b.xml",)
    assert opened.read("a/b.xml") == b"<x/>" * 9
    assert opened.read("missing") is None
    assert "A\\B.xml" in opened


def test_a_part_of_several_steps_comes_back_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_STEP", 10)
    data = bytes(range(256)) * 40
    assert Archive.open(zipped({"a": data}), kind="book").read("a") == data


def test_an_exact_name_wins_over_one_of_other_case() -> None:
    opened = Archive.open(zipped({"a.xml": b"small", "A.xml": b"large"}), kind="book")
    assert opened.read("a.xml") == b"small"
    assert opened.read("A.xml") == b"large"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyFileError),
        (b"\0\0\n", EmptyFileError),
        (b"plain text", WrongFormatError),
        (OLE + b"old workbook", WrongFormatError),
        (OLE + "EncryptedPackage".encode("utf-16-le"), EncryptedFileError),
        (zipped({"a": b"x" * 50})[:40], CorruptFileError),
    ],
    ids=["empty", "blank", "text", "old-office", "encrypted", "cut-short"],
)
def test_what_is_no_archive_is_refused_by_its_own_error(data: bytes, error: type[ParseError]) -> None:
    with pytest.raises(error):
        Archive.open(data, kind="Word document")


def test_a_wrong_checksum_is_tolerated() -> None:
    data = bytearray(zipped({"a.xml": b"<x>kept</x>"}))
    data[14:18] = b"\1\2\3\4"
    central = data.rindex(b"PK\x01\x02")
    data[central + 16 : central + 20] = b"\1\2\3\4"
    assert Archive.open(bytes(data), kind="book").read("a.xml") == b"<x>kept</x>"


def test_a_part_with_a_password_is_an_encrypted_file() -> None:
    data = bytearray(zipped({"a.xml": b"<x/>"}))
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(EncryptedFileError):
        Archive.open(bytes(data), kind="book").read("a.xml")


def test_damaged_missing_and_strangely_packed_parts_are_corrupt() -> None:
    packed = zipped({"a.xml": b"<x/>" * 100})
    damaged = packed[:35] + b"\xff" * 8 + packed[43:]
    moved = packed.replace(b"PK\x03\x04", b"PK\x09\x09")
    strange = bytearray(packed)
    strange[strange.rindex(b"PK\x01\x02") + 10] = 99
    for data in (damaged, moved, bytes(strange)):
        with pytest.raises(CorruptFileError):
            Archive.open(data, kind="book").read("a.xml")


def test_a_part_that_lies_about_its_size_is_counted_by_what_it_inflates_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_PART", 50_000)
    data = bytearray(zipped({"a.xml": b"x" * 100_000}))
    central = data.rindex(b"PK\x01\x02")
    data[central + 24 : central + 28] = struct.pack("<L", 10)
    with pytest.raises(ParseLimitError):
        Archive.open(bytes(data), kind="book").read("a.xml")


def test_the_caps_on_total_ratio_and_entries_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    many = Archive.open(zipped({"a": b"a" * 600, "b": b"b" * 600}, method=zipfile.ZIP_STORED), kind="book")
    monkeypatch.setattr(archive, "MAX_TOTAL", 1000)
    assert many.read("a")
    with pytest.raises(ParseLimitError):
        many.read("b")
    monkeypatch.undo()
    monkeypatch.setattr(archive, "RATIO_FREE", 1000)
    with pytest.raises(ParseLimitError, match="200 times"):
        Archive.open(zipped({"a": b"a" * 2_000_000}), kind="book").read("a")
    monkeypatch.setattr(archive, "MAX_ENTRIES", 2)
    with pytest.raises(ParseLimitError, match="more than 2 entries"):
        Archive.open(zipped({"a": b"", "b": b"", "c": b""}), kind="book")


def test_entities_are_neither_expanded_nor_fetched() -> None:
    root = parse_xml(BOMB)
    assert root is not None
    text = "".join(root.itertext())
    assert "before" in text
    assert "after" in text
    assert "boom" not in text


def test_xml_is_read_from_a_part_and_damaged_xml_is_repaired() -> None:
    opened = Archive.open(zipped({"a": b"<r><b>text", "b": b"no xml"}), kind="book")
    root = opened.xml("a")
    assert root is not None
    assert root.findtext("b") == "text"
    assert opened.xml("b") is None
    assert opened.xml("c") is None


@pytest.mark.parametrize(
    ("base", "target", "name"),
    [
        ("word/document.xml", "media/a.png", "word/media/a.png"),
        ("ppt/slides/slide1.xml", "../notes/n.xml", "ppt/notes/n.xml"),
        ("ppt/slides/slide1.xml", "/ppt/x.xml", "ppt/x.xml"),
        ("", "", ""),
    ],
)
def test_targets_are_resolved_against_the_part_they_stand_in(base: str, target: str, name: str) -> None:
    assert resolve(base, target) == name


@settings(max_examples=150)
@given(
    noise=st.binary(max_size=64),
    place=st.integers(min_value=0, max_value=400),
    cut=st.integers(min_value=0, max_value=400),
)
def test_any_bytes_are_read_or_refused_by_a_parse_error(noise: bytes, place: int, cut: int) -> None:
    valid = zipped({"a.xml": b"<x>" + zlib.compress(b"text") + b"</x>", "b": b"y" * 99})
    for data in (noise, valid[:place] + noise + valid[place + len(noise) :], valid[:cut]):
        with contextlib.suppress(ParseError):
            opened = Archive.open(data, kind="book")
            for name in opened.names:
                opened.xml(name)


def test_text_behind_an_entity_is_kept() -> None:
    root = parse_xml(b'<!DOCTYPE a [<!ENTITY x "hey">]><a><t>one &x;two &nbsp;three</t></a>')
    assert root is not None
    assert root.findtext("t") == "one two three"


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (b"<a>" * 300 + b"text" + b"</a>" * 300, "256 levels"),
        (b"<a>" * 5000 + b"text", "256 levels"),
        (LAUGHS, "entities"),
        (b"<a>" + b"x" * 11_000_000 + b"<b>text</b></a>", "text without end"),
    ],
    ids=["nested", "unclosed", "entities", "long"],
)
def test_xml_that_is_not_read_to_its_end_is_refused(xml: bytes, reason: str) -> None:
    with pytest.raises(ParseLimitError, match=reason):
        parse_xml(xml)
