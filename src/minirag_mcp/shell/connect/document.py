"""A client's configuration as text: what its entry is, and the text with another one. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from minirag_mcp.shell.connect import jsonc, toml_text
from minirag_mcp.shell.connect.clients import Client, Format
from minirag_mcp.shell.connect.entry import Edit, applied


class DocumentProblem(ValueError):  # noqa: N818 - told to the user by the caller, with the file's name
    """The text cannot be read or changed as asked; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Document:
    """The text of one client's configuration, with an entry of this name or without. Raises DocumentProblem."""

    text: str
    client: Client
    name: str

    def entry(self) -> object:
        """The entry, or None."""
        servers = self._servers(self._data())
        return servers.get(self.name)

    def edited(self, edits: Sequence[Edit]) -> str:
        """The text with these edits made to the entry, and nothing else changed."""
        text = self.text or self._empty()
        for edit in edits:
            text = self._edited(text, (self.client.key, self.name, *edit.path), edit.value)
        self._check(text, applied(self.entry(), edits))
        return text

    def without(self) -> str:
        """The text without the entry, and nothing else changed."""
        text = self._take(self.text, (self.client.key, self.name))
        self._check(text, None)
        return text

    def is_read_by_client(self) -> bool:
        """Whether a client that reads plain JSON reads this text."""
        return self.client.format is not Format.JSON or not self.text.strip() or jsonc.is_plain(self.text)

    def _empty(self) -> str:
        return "" if self.client.format is Format.TOML else "{}\n"

    def _data(self, text: str | None = None) -> dict[str, object]:
        text = self.text if text is None else text
        try:
            if self.client.format is Format.TOML:
                return toml_text.parse(text)
            data = jsonc.parse(text if text.strip() else "{}").value
        except (jsonc.JsonProblem, toml_text.TomlProblem) as problem:
            raise DocumentProblem(str(problem)) from None
        if not isinstance(data, dict):
            raise DocumentProblem("the file holds no JSON object")
        return data

    def _servers(self, data: dict[str, object]) -> dict[str, object]:
        servers = data.get(self.client.key, {})
        if not isinstance(servers, dict):
            raise DocumentProblem(f"{self.client.key} is not a table of servers")
        return servers

    def _edited(self, text: str, path: tuple[str, ...], value: object) -> str:
        if value is None:
            return self._take(text, path)
        try:
            if self.client.format is Format.TOML:
                if isinstance(value, dict):
                    text = toml_text.take(text, path)
                return toml_text.put(text, path, value)
            return jsonc.put(text if text.strip() else self._empty(), path, value)
        except (jsonc.JsonProblem, toml_text.TomlProblem) as problem:
            raise DocumentProblem(str(problem)) from None

    def _take(self, text: str, path: tuple[str, ...]) -> str:
        try:
            if self.client.format is Format.TOML:
                return toml_text.take(text, path)
            return jsonc.take(text, path)
        except (jsonc.JsonProblem, toml_text.TomlProblem) as problem:
            raise DocumentProblem(str(problem)) from None

    def _check(self, text: str, entry: object) -> None:
        """Raise unless `text` says what the old text said, and `entry` under our name."""
        expected = self._data()
        servers = dict(self._servers(expected))
        servers.pop(self.name, None)
        if entry is not None:
            servers[self.name] = entry
        try:
            data = self._data(text)
        except DocumentProblem:
            data = {}
        if not servers:
            data, expected = _without_empty(data, self.client.key), _without_empty(expected, self.client.key)
            servers = {}
        if data != expected | ({self.client.key: servers} if servers else {}):
            raise DocumentProblem("the entry is written in a way that cannot be changed without touching more than it")


def _without_empty(data: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in data.items() if name != key}


def written(client: Client, name: str, entry: object) -> list[str]:
    """The lines of an entry, as they are shown."""
    if not isinstance(entry, dict):
        return [] if entry is None else [str(entry)]
    if client.format is Format.TOML:
        return toml_text.tables((client.key, name), entry)
    return json.dumps({name: entry}, ensure_ascii=False, indent=2).split("\n")[1:-1]
