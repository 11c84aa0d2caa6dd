"""Commands as a person can paste them: complete with the settings in force, quoted for their shell."""

import os
import shlex
import subprocess
from collections.abc import Sequence

from minirag_mcp.config import DEFAULT_MAX_FILE_SIZE, DEFAULT_MODEL, DEFAULT_TOKEN_BUDGET, Settings
from minirag_mcp.embed.home import default_cache_dir
from minirag_mcp.model import Command
from minirag_mcp.shell.product import NAME

_ON_WINDOWS = {"mv": "move"}


def pasted(commands: Sequence[Command], settings: Settings | None) -> str:
    """One line that runs `commands` one after the other, each when the one before did well."""
    return " && ".join(_line(command, settings) for command in commands)


def _line(command: Command, settings: Settings | None) -> str:
    words, variables = list(command.words), dict(command.variables)
    if settings is not None and words[0] == NAME:
        words += _options(settings, own_roots="--base-dir" in words)
        variables = _variables(settings) | variables
    if os.name == "nt":
        words[0] = _ON_WINDOWS.get(words[0], words[0])
        return "".join(f'set "{name}={value}" && ' for name, value in variables.items()) + subprocess.list2cmdline(
            words
        )
    return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in variables.items()), shlex.join(words)])


def _options(settings: Settings, *, own_roots: bool) -> list[str]:
    """Also what comes from variables: they may be those of another program's configuration."""
    first = settings.roots[0]
    options = [] if own_roots else [word for root in settings.roots for word in ("--base-dir", str(root))]
    if own_roots or settings.db_path != first / ".minirag" / "index":
        options += ["--db-path", str(settings.db_path)]
    if settings.cache_dir != default_cache_dir():
        options += ["--cache-dir", str(settings.cache_dir)]
    if settings.model_name != DEFAULT_MODEL:
        options += ["--model-name", settings.model_name]
    return options


def _variables(settings: Settings) -> dict[str, str]:
    """What no option sets, of what decides how files are indexed."""
    values = {
        "MAX_FILE_SIZE": (settings.max_file_size, DEFAULT_MAX_FILE_SIZE),
        "CHUNK_TOKEN_BUDGET": (settings.chunk_token_budget, DEFAULT_TOKEN_BUDGET),
    }
    return {name: str(value) for name, (value, default) in values.items() if value != default}
