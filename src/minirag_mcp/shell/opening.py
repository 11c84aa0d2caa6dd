"""Opens the Library from flags and environment, when first needed; both shells go through here."""

import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from minirag_mcp import version
from minirag_mcp.config import VARIABLES, Flags, Settings, load_settings, unknown_variables
from minirag_mcp.embed.home import default_cache_dir
from minirag_mcp.errors import ConfigError, MiniragError
from minirag_mcp.shell import wire

if TYPE_CHECKING:  # the engine is imported when a Library is opened, not before
    from minirag_mcp.engine import Library

OpenLibrary = Callable[[Settings], "Library"]


def open_library(settings: Settings) -> "Library":
    """The Library of these settings; its heavy parts load when they are first needed."""
    from minirag_mcp.engine import Library  # noqa: PLC0415 - so that help and handshake do not wait for it

    return Library(settings)


def _read_settings(flags: Flags, environment: Mapping[str, str]) -> Settings:
    """Settings of this process. Raises ConfigError."""
    try:
        cwd = Path.cwd()
    except FileNotFoundError:
        raise ConfigError(
            "The current directory no longer exists.", remedy="Change to an existing folder and start again."
        ) from None
    return load_settings(flags, environment, cwd=cwd, user_cache_dir=default_cache_dir())


class Opener:
    """Gives the one Library of this process; safe to call from several threads."""

    def __init__(
        self,
        flags: Flags | None = None,
        *,
        environment: Mapping[str, str] = os.environ,
        opening: OpenLibrary = open_library,
    ) -> None:
        self._flags = flags or Flags()
        self._environment = environment
        self._opening = opening
        self._lock = threading.Lock()
        self._library: Library | None = None

    @property
    def given(self) -> tuple[Flags, Mapping[str, str]]:
        """The flags and the environment that decide the settings."""
        return self._flags, self._environment

    def library(self) -> "Library":
        """The Library, opened by the first call. Raises ConfigError, and what opening an index raises."""
        with self._lock:
            if self._library is None:
                self._library = self._opening(self.settings())
            return self._library

    def settings(self) -> Settings:
        """The settings in force. Raises ConfigError."""
        return _read_settings(self._flags, self._environment)

    def instructions_append(self) -> str:
        """What the user adds to the server's instructions; nothing while a setting is wrong, which `status` tells."""
        try:
            return self.settings().instructions_append
        except ConfigError:
            return ""

    def wrong(self) -> dict[str, ConfigError]:
        """Every option and variable whose value is not allowed, by name."""
        found: dict[str, ConfigError] = {}
        for name, flags, environment in (*_each_flag(self._flags), *_each_variable(self._environment)):
            try:
                _read_settings(flags, environment)
            except ConfigError as error:
                found[name] = error
        return found

    def unknown(self) -> list[str]:
        """One sentence for each variable that looks like one of ours and is none."""
        from minirag_mcp.shell.cli_usage import nearest  # noqa: PLC0415 - only status and doctor ask

        found = unknown_variables(self._environment)
        meant = {name: nearest(name, VARIABLES) for name in found}
        return [
            f"The variable {name} is none of this program's and changes nothing"
            + (f"; did you mean {meant[name]}?" if meant[name] else ".")
            for name in found
        ]

    def without(self, variables: Collection[str]) -> "Opener":
        """An opener of its own that does not see these variables."""
        kept = {name: value for name, value in self._environment.items() if name not in variables}
        return Opener(self._flags, environment=kept, opening=self._opening)

    def close(self) -> None:
        """Close the Library if one was opened."""
        with self._lock:
            if self._library is not None:
                self._library.close()
                self._library = None


def _each_flag(flags: Flags) -> Iterator[tuple[str, Flags, Mapping[str, str]]]:
    """Each option by itself, under the name that it has on the command line."""
    yield "--base-dir", Flags(base_dirs=flags.base_dirs), {}
    yield "--db-path", Flags(db_path=flags.db_path), {}
    yield "--cache-dir", Flags(cache_dir=flags.cache_dir), {}
    yield "--model-name", Flags(model_name=flags.model_name), {}


def _each_variable(environment: Mapping[str, str]) -> Iterator[tuple[str, Flags, Mapping[str, str]]]:
    for name, value in environment.items():
        yield name, Flags(), {name: value}


def status(opener: Opener) -> wire.Json:
    """The status answer, whatever is broken: a bad setting or an unusable index becomes a field of it."""
    try:
        chosen = wire.settings(opener.settings())
    except ConfigError as error:
        return {"version": version(), "configError": error.explanation}
    try:
        fields = chosen | wire.status(opener.library().status())
    except MiniragError as error:
        fields = {"version": version(), **chosen, "indexError": error.explanation}
    warnings = [*opener.unknown(), *_listed(fields.get("warnings"))]
    return fields | ({"warnings": warnings} if warnings else {})


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
