import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.config import (
    DEFAULT_MODEL,
    MAX_TOKEN_BUDGET,
    MIN_TOKEN_BUDGET,
    Flags,
    Settings,
    load_settings,
)
from minirag_mcp.errors import ConfigError
from minirag_mcp.retrieve.options import Grouping

CWD = Path("/work-folder").absolute()
CACHE = Path("/user-cache").absolute()


def settings(flags: Flags | None = None, /, **environment: str) -> Settings:
    return load_settings(flags or Flags(), environment, cwd=CWD, user_cache_dir=CACHE)


def absolute(text: str) -> Path:
    return Path(text).absolute()


def test_without_any_setting_the_current_directory_is_searched_and_holds_the_index() -> None:
    plain = settings()
    assert plain.roots == (CWD,)
    assert plain.db_path == CWD / ".minirag" / "index"
    assert plain.cache_dir == CACHE
    assert plain.model_name == DEFAULT_MODEL
    assert plain.max_file_size == 104_857_600
    assert plain.chunk_token_budget == 160
    assert plain.search.hybrid_weight == 0.6
    assert (plain.search.grouping, plain.search.max_distance, plain.search.max_files) == (None, None, None)
    assert plain.allow_private_urls is False


def test_each_level_of_roots_replaces_the_ones_below_it() -> None:
    below = {"BASE_DIR": "/one", "BASE_DIRS": '["/two", "/three"]'}
    assert settings(BASE_DIR="/one").roots == (absolute("/one"),)
    assert settings(**below).roots == (absolute("/two"), absolute("/three"))
    assert settings(Flags(base_dirs=("/four",)), **below).roots == (absolute("/four"),)


def test_the_index_lies_in_the_first_root_unless_it_is_placed_elsewhere() -> None:
    assert settings(BASE_DIRS='["/two", "/three"]').db_path == absolute("/two") / ".minirag" / "index"
    assert settings(BASE_DIR="/one", DB_PATH="/index").db_path == absolute("/index")
    assert settings(Flags(db_path="here"), DB_PATH="/index").db_path == CWD / "here"


def test_flags_win_over_their_variables() -> None:
    flags = Flags(cache_dir="/flag-cache", model_name="flag-model")
    chosen = settings(flags, CACHE_DIR="/variable-cache", MODEL_NAME="variable-model")
    assert (chosen.cache_dir, chosen.model_name) == (absolute("/flag-cache"), "flag-model")
    chosen = settings(CACHE_DIR="/variable-cache", MODEL_NAME="variable-model")
    assert (chosen.cache_dir, chosen.model_name) == (absolute("/variable-cache"), "variable-model")


def test_a_root_given_twice_counts_once() -> None:
    assert settings(Flags(base_dirs=("/one", "/two", "/one"))).roots == (absolute("/one"), absolute("/two"))


def test_what_names_the_roots_is_known() -> None:
    assert settings(Flags(base_dirs=("/one",)), BASE_DIR="/two").roots_setting == "--base-dir"
    assert settings(BASE_DIR="/two").roots_setting == "BASE_DIR"
    assert settings().roots_setting == "the current directory"


def test_relative_paths_and_the_home_folder_are_resolved() -> None:
    assert settings(BASE_DIR="docs").roots == (CWD / "docs",)
    assert settings(BASE_DIR="~/docs").roots == (Path.home() / "docs",)


@pytest.mark.parametrize("name", ["BASE_DIR", "BASE_DIRS", "DB_PATH", "MAX_FILE_SIZE", "RAG_GROUPING", "MODEL_NAME"])
def test_an_empty_variable_counts_as_unset(name: str) -> None:
    assert settings(**{name: "  "}) == settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [("db_path", ""), ("cache_dir", " "), ("model_name", ""), ("base_dirs", ("/one", ""))],
)
def test_an_empty_flag_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ConfigError, match=r"^--") as caught:
        settings(Flags(**{name: value}))  # type: ignore[arg-type]
    assert name.rstrip("s").replace("_", "-") in caught.value.message


@pytest.mark.parametrize(
    "value",
    ["/docs", "[]", '[""]', "[1]", '{"a": 1}', '"/docs"', "null", "[" * 100_000, '["/a", "  "]'],
)
def test_base_dirs_must_be_a_json_array_of_paths(value: str) -> None:
    with pytest.raises(ConfigError, match="BASE_DIRS must be a JSON array of one or more path strings") as caught:
        settings(BASE_DIRS=value)
    assert "BASE_DIRS='[" in caught.value.remedy


@pytest.mark.parametrize("path", ["/a\0b", "/a\ud800b", "~nobody-of-this-name/docs"])
def test_a_path_that_cannot_be_one_is_refused(path: str) -> None:
    with pytest.raises(ConfigError, match=r"^BASE_DIRS is"):
        settings(BASE_DIRS=json.dumps([path]))


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("MAX_FILE_SIZE", "0", "a whole number of at least 1"),
        ("MAX_FILE_SIZE", "100MB", "a whole number of at least 1"),
        ("MAX_FILE_SIZE", "9" * 19, "a whole number of at least 1"),
        ("MAX_FILE_SIZE", "１", "a whole number of at least 1"),
        ("CHUNK_TOKEN_BUDGET", "15", "from 16 to 500"),
        ("CHUNK_TOKEN_BUDGET", "501", "from 16 to 500"),
        ("CHUNK_TOKEN_BUDGET", "1e2", "from 16 to 500"),
        ("RAG_HYBRID_WEIGHT", "1.01", "a number from 0.0 to 1.0"),
        ("RAG_HYBRID_WEIGHT", "-0.1", "a number from 0.0 to 1.0"),
        ("RAG_HYBRID_WEIGHT", "nan", "a number from 0.0 to 1.0"),
        ("RAG_HYBRID_WEIGHT", "0.6_0", "a number from 0.0 to 1.0"),
        ("RAG_HYBRID_WEIGHT", "half", "a number from 0.0 to 1.0"),
        ("RAG_MAX_DISTANCE", "-1", "a number of at least 0.0"),
        ("RAG_MAX_DISTANCE", "inf", "a number of at least 0.0"),
        ("RAG_MAX_FILES", "0", "a whole number of at least 1"),
        ("RAG_SNAPSHOT_DEDUPE", "maybe", "one of"),
        ("RAG_HANDOFF_MIRROR_DIR", "notes/context", "the name of one folder"),
        ("RAG_HANDOFF_MIRROR_DIR", "..", "the name of one folder"),
        ("RAG_HANDOFF_MIRROR_BASENAMES", "today.md", "a JSON array of file names"),
        ("RAG_HANDOFF_MIRROR_BASENAMES", '["a/today.md"]', "a JSON array of file names"),
        ("RAG_HANDOFF_MIRROR_BASENAMES", '{"a": 1}', "a JSON array of file names"),
        ("RAG_GROUPING", "close", "'similar' or 'related'"),
        ("ALLOW_PRIVATE_URLS", "maybe", "one of 1, on, true, yes or 0, false, no, off"),
    ],
)
def test_a_bad_value_is_refused_with_its_name_and_what_is_allowed(name: str, value: str, allowed: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(**{name: value})
    assert name in caught.value.message
    assert repr(value) in caught.value.message
    assert allowed in caught.value.message


def test_a_value_that_is_too_long_is_refused_in_few_words() -> None:
    assert settings(RAG_INSTRUCTIONS_APPEND=" About pumps.\n").instructions_append == "About pumps."
    assert len(settings(RAG_INSTRUCTIONS_APPEND="x" * 500).instructions_append) == 500
    with pytest.raises(ConfigError, match="a text of at most 500 characters, not 30000") as caught:
        settings(RAG_INSTRUCTIONS_APPEND="x" * 30_000)
    assert len(caught.value.message) < 400


def test_good_values_are_read() -> None:
    chosen = settings(
        MAX_FILE_SIZE="1000",
        CHUNK_TOKEN_BUDGET="128",
        RAG_HYBRID_WEIGHT=" 0.25 ",
        RAG_GROUPING="Similar",
        RAG_MAX_DISTANCE="0.4",
        RAG_MAX_FILES="3",
        ALLOW_PRIVATE_URLS="ON",
    )
    assert (chosen.max_file_size, chosen.chunk_token_budget, chosen.allow_private_urls) == (1000, 128, True)
    assert (chosen.search.hybrid_weight, chosen.search.grouping) == (0.25, Grouping.SIMILAR)
    assert (chosen.search.max_distance, chosen.search.max_files) == (0.4, 3)


def test_names_of_mirrors_come_beside_those_that_count_anyway() -> None:
    chosen = settings(
        RAG_HANDOFF_MIRROR_BASENAMES='["today.md", "active.md"]',
        RAG_HANDOFF_MIRROR_DIR="sessions",
        RAG_SNAPSHOT_DEDUPE="0",
    )
    assert chosen.handoff_mirror_basenames == ("handoff.md", "active.md", "resume.md", "today.md")
    writing = chosen.indexing.writing
    assert (writing.labels.mirror_dir, writing.fold_series) == ("sessions", False)


@pytest.mark.parametrize(("value", "meant"), [("1", True), ("TRUE", True), ("yes", True), ("0", False), ("Off", False)])
def test_a_switch_has_words_for_both_sides(value: str, *, meant: bool) -> None:
    assert settings(ALLOW_PRIVATE_URLS=value).allow_private_urls is meant


_NAMES = ("MAX_FILE_SIZE", "CHUNK_TOKEN_BUDGET", "RAG_HYBRID_WEIGHT", "RAG_GROUPING", "RAG_MAX_DISTANCE", "BASE_DIRS")


@given(st.dictionaries(st.sampled_from(_NAMES), st.text()))
def test_any_environment_gives_settings_in_range_or_a_config_error(environment: dict[str, str]) -> None:
    try:
        chosen = settings(**environment)
    except ConfigError as error:
        named = [name for name in _NAMES if name in error.message]
    else:
        named = ["nothing to name"]
        assert MIN_TOKEN_BUDGET <= chosen.chunk_token_budget <= MAX_TOKEN_BUDGET
        assert 0.0 <= chosen.search.hybrid_weight <= 1.0
        assert chosen.max_file_size >= 1
        assert all(root.is_absolute() for root in chosen.roots)
    assert named
