import os
import socket
import threading
from pathlib import Path

import pytest

from minirag_mcp.errors import (
    FileTooLargeError,
    MissingPathError,
    OutsideRootsError,
    RequestError,
    UnreadableFileError,
)
from minirag_mcp.ingest import guard
from minirag_mcp.ingest.guard import Roots
from minirag_mcp.model import SourceKey

LIMIT = 1_000_000


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "proj").mkdir(parents=True)
    (folder / "proj" / "notes.md").write_text("inside")
    (tmp_path / "secret.md").write_text("outside")
    return folder


def test_a_file_inside_a_root_is_read_with_its_size(docs: Path) -> None:
    data, stat = Roots([docs]).read(docs / "proj" / "notes.md", limit=LIMIT)
    assert data == b"inside"
    assert stat.size == 6


@pytest.mark.parametrize("path", ["../secret.md", "proj/../../secret.md", "proj/../../docs-other/x.md"])
def test_a_path_that_climbs_out_of_the_roots_is_refused(docs: Path, path: str) -> None:
    with pytest.raises(OutsideRootsError):
        Roots([docs]).resolve(docs / path)


def test_a_path_that_climbs_but_comes_back_is_allowed(docs: Path) -> None:
    assert Roots([docs]).resolve(docs / "proj" / ".." / "proj" / "notes.md").name == "notes.md"


def test_a_folder_whose_name_only_begins_like_the_root_is_outside(tmp_path: Path, docs: Path) -> None:
    sibling = tmp_path / "docs-secret"
    sibling.mkdir()
    (sibling / "notes.md").write_text("x")
    with pytest.raises(OutsideRootsError):
        Roots([docs]).resolve(sibling / "notes.md")


def test_a_link_that_leads_out_is_refused_even_though_its_name_is_inside(tmp_path: Path, docs: Path) -> None:
    (docs / "innocent.md").symlink_to(tmp_path / "secret.md")
    roots = Roots([docs])
    for use in (roots.resolve, roots.key, lambda path: roots.read(path, limit=LIMIT)):
        with pytest.raises(OutsideRootsError):
            use(docs / "innocent.md")


def test_a_linked_folder_that_leads_out_is_refused(tmp_path: Path, docs: Path) -> None:
    (docs / "away").symlink_to(tmp_path)
    with pytest.raises(OutsideRootsError):
        Roots([docs]).read(docs / "away" / "secret.md", limit=LIMIT)


def test_dots_are_resolved_after_links_as_the_operating_system_does(tmp_path: Path, docs: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "deep"
    elsewhere.mkdir(parents=True)
    (docs / "link").symlink_to(elsewhere)
    with pytest.raises(OutsideRootsError):
        Roots([docs]).resolve(docs / "link" / ".." / "proj")


def test_a_file_in_another_root_may_be_reached_by_a_link(tmp_path: Path, docs: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "shared.md").write_text("shared")
    (docs / "shared.md").symlink_to(other / "shared.md")
    assert Roots([docs, other]).read(docs / "shared.md", limit=LIMIT)[0] == b"shared"


@pytest.mark.parametrize("path", ["notes.md", "", "./notes.md"])
def test_a_relative_path_is_a_bad_request(docs: Path, path: str) -> None:
    with pytest.raises(RequestError, match="not absolute"):
        Roots([docs]).resolve(Path(path))


def test_a_nul_or_an_impossible_character_is_a_bad_request(docs: Path) -> None:
    roots = Roots([docs])
    with pytest.raises(RequestError, match="NUL"):
        roots.resolve(Path(f"{docs}/no\0tes.md"))
    with pytest.raises(RequestError):
        roots.resolve(Path(f"{docs}/\ud800.md"))


def test_what_does_not_exist_is_missing_not_outside(docs: Path) -> None:
    with pytest.raises(MissingPathError):
        Roots([docs]).resolve(docs / "gone.md")
    with pytest.raises(MissingPathError):
        Roots([docs]).read(docs / ("x" * 3000), limit=LIMIT)


def test_a_link_to_itself_is_missing(docs: Path) -> None:
    (docs / "loop.md").symlink_to(docs / "loop.md")
    with pytest.raises(MissingPathError, match="leads back"):
        Roots([docs]).resolve(docs / "loop.md")


def test_a_path_below_a_file_is_missing(docs: Path) -> None:
    with pytest.raises(MissingPathError):
        Roots([docs]).resolve(docs / "proj" / "notes.md" / "x.md")


def test_a_missing_root_holds_nothing_and_breaks_nothing(tmp_path: Path, docs: Path) -> None:
    roots = Roots([tmp_path / "not-mounted", docs])
    assert roots.resolve(docs / "proj").is_dir()
    with pytest.raises(MissingPathError):
        roots.resolve(tmp_path / "not-mounted" / "x.md")


def test_a_root_that_is_a_link_keeps_its_own_spelling(tmp_path: Path, docs: Path) -> None:
    (tmp_path / "alias").symlink_to(docs)
    roots = Roots([tmp_path / "alias"])
    spelled = str(tmp_path / "alias" / "proj" / "notes.md")
    assert roots.key(docs / "proj" / "notes.md") == spelled
    assert roots.key(Path(spelled)) == spelled
    assert roots.display(SourceKey(spelled)) == "proj/notes.md"


def test_a_root_that_is_linked_elsewhere_later_is_judged_as_it_stands(tmp_path: Path, docs: Path) -> None:
    (tmp_path / "other").mkdir()
    alias = tmp_path / "alias"
    alias.symlink_to(tmp_path / "other")
    roots = Roots([alias])
    with pytest.raises(OutsideRootsError):
        roots.resolve(docs / "proj")
    alias.unlink()
    alias.symlink_to(docs)
    assert roots.resolve(docs / "proj").is_dir()


def test_the_key_of_a_link_is_the_link(docs: Path) -> None:
    (docs / "again.md").symlink_to(docs / "proj" / "notes.md")
    assert Roots([docs]).key(docs / "again.md") == str(docs / "again.md")


def test_a_link_outside_the_roots_stands_for_what_it_leads_to(tmp_path: Path, docs: Path) -> None:
    (tmp_path / "shortcut.md").symlink_to(docs / "proj" / "notes.md")
    assert Roots([docs]).key(tmp_path / "shortcut.md") == str(docs / "proj" / "notes.md")


def test_the_key_of_a_deleted_file_is_still_known(docs: Path) -> None:
    assert Roots([docs]).key(docs / "proj" / ".." / "gone.md") == str(docs / "gone.md")


def test_a_file_over_the_limit_is_refused_without_being_read(docs: Path) -> None:
    big = docs / "big.md"
    with big.open("wb") as file:
        file.truncate(1 << 40)  # sparse: no disk is used
    with pytest.raises(FileTooLargeError, match="MAX_FILE_SIZE"):
        Roots([docs]).read(big, limit=LIMIT)


def test_a_file_of_exactly_the_limit_is_read(docs: Path) -> None:
    (docs / "full.md").write_bytes(b"x" * LIMIT)
    assert len(Roots([docs]).read(docs / "full.md", limit=LIMIT)[0]) == LIMIT


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in this file system")
def test_a_pipe_is_refused_and_never_waited_for(docs: Path) -> None:
    os.mkfifo(docs / "pipe.md")
    with pytest.raises(UnreadableFileError, match="not a regular file"):
        Roots([docs]).read(docs / "pipe.md", limit=LIMIT)


def test_a_folder_and_a_socket_are_refused(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(docs)  # the address of a socket may have about 100 bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("plug.md")
        for name in ("plug.md", "proj"):
            with pytest.raises(UnreadableFileError, match="not a regular file"):
                Roots([docs]).read(docs / name, limit=LIMIT)


def test_a_file_of_the_kernel_that_claims_no_size_is_bounded_too() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc here")
    with pytest.raises(FileTooLargeError):
        Roots([Path("/proc")]).read(Path(f"/proc/{os.getpid()}/status"), limit=10)


def test_a_link_put_in_place_of_a_folder_after_the_check_is_not_followed(tmp_path: Path, docs: Path) -> None:
    real = str(docs / "proj" / "notes.md")
    (tmp_path / "notes.md").write_text("outside")
    (docs / "proj").rename(tmp_path / "aside")
    (docs / "proj").symlink_to(tmp_path)
    with pytest.raises(OSError, match=r"Not a directory|symbolic"):
        guard._open_beneath(str(docs), real)


def test_swapping_a_link_in_and_out_while_reading_never_gives_outside_content(tmp_path: Path, docs: Path) -> None:
    roots, target = Roots([docs]), docs / "swap.md"
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            fresh = docs / "fresh"
            fresh.write_text("inside")
            fresh.replace(target)
            fresh.symlink_to(tmp_path / "secret.md")
            fresh.replace(target)

    target.write_text("inside")
    thread = threading.Thread(target=swap)
    thread.start()
    seen = set()
    try:
        for _ in range(2000):
            try:
                seen.add(roots.read(target, limit=LIMIT)[0])
            except (OutsideRootsError, MissingPathError, UnreadableFileError):
                continue
    finally:
        stop.set()
        thread.join()
    assert seen <= {b"inside"}


def test_a_file_that_changes_while_it_is_read_is_read_again(docs: Path) -> None:
    path = docs / "live.md"
    path.write_text("one")
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data, stat = guard._settled(descriptor, path, LIMIT)
        assert (data, stat.size) == (b"one", 3)
    finally:
        os.close(descriptor)


def test_paths_are_shown_relative_to_the_only_root(docs: Path) -> None:
    assert Roots([docs]).display(SourceKey(str(docs / "proj" / "notes.md"))) == "proj/notes.md"


def test_paths_are_shown_with_the_name_of_their_root_when_there_are_several(tmp_path: Path) -> None:
    roots = Roots([tmp_path / "a" / "docs", tmp_path / "b" / "docs", tmp_path / "b" / "docs" / "inner"])
    assert roots.display(SourceKey(str(tmp_path / "a" / "docs" / "x.md"))) == "a/docs/x.md"
    assert roots.display(SourceKey(str(tmp_path / "b" / "docs" / "x.md"))) == "b/docs/x.md"
    assert roots.display(SourceKey(str(tmp_path / "b" / "docs" / "inner" / "x.md"))) == "docs/inner/x.md"


def test_ids_urls_and_files_of_former_roots_are_shown_as_they_are(docs: Path) -> None:
    for key in ("release-notes", "https://example.com/a", "/elsewhere/x.md"):
        assert Roots([docs]).display(SourceKey(key)) == key


def test_a_scope_may_be_absolute_or_as_displayed(tmp_path: Path, docs: Path) -> None:
    assert Roots([docs]).scope(f"{docs}/proj/") == str(docs / "proj")
    assert Roots([docs]).scope("proj") == str(docs / "proj")
    other = tmp_path / "other"
    (other / "proj").mkdir(parents=True)
    several = Roots([docs, other])
    assert several.scope("other/proj") == str(other / "proj")
    assert several.scope("docs") == str(docs)
    assert several.scope("proj") == "proj"


def test_what_a_path_shows_as_can_be_given_as_a_scope(tmp_path: Path, docs: Path) -> None:
    for roots in (Roots([docs]), Roots([docs, tmp_path / "x" / "docs"])):
        key = roots.key(docs / "proj" / "notes.md")
        assert roots.scope(roots.display(key)) == key


def test_a_scope_may_be_an_id_or_a_url_prefix(docs: Path) -> None:
    roots = Roots([docs])
    assert roots.scope("release-notes") == "release-notes"
    assert roots.scope("https://example.com/docs/") == "https://example.com/docs"
    assert roots.scope("x" * 5000) == "x" * 5000


def test_a_blank_scope_or_one_outside_is_refused(docs: Path) -> None:
    roots = Roots([docs])
    with pytest.raises(RequestError):
        roots.scope("  ")
    with pytest.raises(OutsideRootsError):
        roots.scope("/etc")
    with pytest.raises(OutsideRootsError):
        roots.scope("../")


def test_a_root_inside_another_is_spelled_by_the_outer_one(tmp_path: Path, docs: Path) -> None:
    (tmp_path / "alias").symlink_to(docs / "proj")
    roots = Roots([tmp_path / "alias", docs])
    assert roots.key(tmp_path / "alias" / "notes.md") == str(docs / "proj" / "notes.md")
    assert [root.path for root in roots.standing()] == [str(docs)]


def test_letters_of_either_case_name_one_folder_only_where_the_file_system_says_so(docs: Path) -> None:
    # On this file system they may be two folders: then the other spelling is outside.
    other = Path(str(docs).replace("docs", "DOCS"))
    if other.exists():
        assert Roots([docs]).resolve(other / "proj").is_dir()
    else:
        with pytest.raises(OutsideRootsError):
            Roots([docs]).resolve(other / "proj")


def test_a_name_is_corrected_to_the_listed_one_where_case_is_ignored(docs: Path) -> None:
    # Two links to one content make this file system behave, for these two names, as one that ignores case.
    os.link(docs / "proj" / "notes.md", docs / "proj" / "NOTES.MD")
    listed = guard._as_listed(str(docs / "proj" / "notes.md"))
    assert listed == str(docs / "proj" / "notes.md")


def test_a_file_whose_folder_may_not_be_listed_is_still_read(docs: Path) -> None:
    folder = docs / "locked"
    folder.mkdir()
    (folder / "x.md").write_text("x")
    folder.chmod(0o111)
    try:
        assert Roots([docs]).read(folder / "x.md", limit=LIMIT)[0] == b"x"
    finally:
        folder.chmod(0o755)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_unreadable(docs: Path) -> None:
    path = docs / "mine.md"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(UnreadableFileError, match="Permission"):
        Roots([docs]).read(path, limit=LIMIT)
