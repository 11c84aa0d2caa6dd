"""Replacing a client's configuration file."""

import os
import stat
import sys
from pathlib import Path

import pytest

from minirag_mcp.errors import ClientFileError
from minirag_mcp.shell.connect import config_file


def test_a_file_that_changed_after_it_was_read_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}", encoding="utf-8")
    file = config_file.read(path)
    path.write_text('{"by": "the client"}', encoding="utf-8")
    with pytest.raises(ClientFileError, match="changed by another program") as caught:
        config_file.write(file, "{}\n")
    assert caught.value.remedy == "Run it again."
    assert path.read_text(encoding="utf-8") == '{"by": "the client"}'


def test_a_file_that_came_after_none_was_found_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    file = config_file.read(path)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ClientFileError, match="changed by another program"):
        config_file.write(file, "[]")
    assert path.read_text(encoding="utf-8") == "{}"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_in_the_place_of_the_copy_is_not_followed(tmp_path: Path) -> None:
    path, other = tmp_path / "mcp.json", tmp_path / "other"
    path.write_text("{}", encoding="utf-8")
    other.write_text("precious", encoding="utf-8")
    (tmp_path / "mcp.json.minirag-backup").symlink_to(other)
    backup = config_file.write(config_file.read(path), "[]")
    assert other.read_text(encoding="utf-8") == "precious"
    assert backup is not None
    assert (backup.is_symlink(), backup.read_text(encoding="utf-8")) == (False, "{}")


@pytest.mark.skipif(sys.platform == "win32", reason="rights are other there")
def test_a_new_file_has_the_rights_that_new_files_have(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    path = tmp_path / "new" / "mcp.json"
    assert config_file.write(config_file.read(path), "{}") is None
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names there")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mcp.json")
    with pytest.raises(ClientFileError, match="is not a file"):
        config_file.read(tmp_path / "mcp.json")


def test_nothing_is_left_behind_when_the_file_cannot_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}", encoding="utf-8")
    file = config_file.read(path)
    file.backup.mkdir()
    with pytest.raises(ClientFileError, match="cannot be written"):
        config_file.write(file, "[]")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mcp.json", "mcp.json.minirag-backup"]
    assert path.read_text(encoding="utf-8") == "{}"
