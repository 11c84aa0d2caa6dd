"""`minirag-mcp connect`: shows the entry, asks, writes it, and says hello to the server through it."""

import argparse
import difflib
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from minirag_mcp.errors import ClientFileError, ConfigError, HandshakeError, RequestError
from minirag_mcp.shell import opening, wire
from minirag_mcp.shell.cli_terminal import Terminal
from minirag_mcp.shell.connect import clients, config_file, entry, handshake
from minirag_mcp.shell.connect.document import Document, DocumentProblem, written
from minirag_mcp.shell.exit_codes import DONE
from minirag_mcp.shell.printable import escaped
from minirag_mcp.shell.product import NAME

_ADDED, _UPDATED, _REMOVED, _NONE = "added", "updated", "removed", "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What is to become of one file."""

    client: clients.Client
    name: str
    file: config_file.ConfigFile
    change: str
    before: object
    after: object
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """What became of it."""

    written: bool
    backup: Path | None = None
    greeting: handshake.Greeting | None = None


def run(given: argparse.Namespace, opener: opening.Opener, terminal: Terminal) -> int:
    """Connect or disconnect one client. Raises MiniragError; whatever was written by then stays."""
    world = _world(opener, project=given.project)
    client = clients.client(given.client)
    file = config_file.read(_chosen(clients.candidates(given.client, world)))
    launch = None if given.remove else _launch(opener, client)
    plan = _plan(client, given.name, file, launch)
    warnings = _warnings(plan, launch, opener, world=world)
    _show(plan, warnings, terminal, as_json=given.json)
    done = _carried_out(given, plan, terminal)
    if launch is not None and not given.dry_run:
        done = _Done(written=done.written, backup=done.backup, greeting=_greeted(launch, file, home=world.home))
    if given.json:
        terminal.result_json(wire.sendable(_fields(plan, done, warnings)))
    else:
        _say(plan, done, terminal, launch=launch, project=given.project)
    return DONE


def _world(opener: opening.Opener, *, project: bool) -> clients.World:
    try:
        home, cwd = Path.home(), Path.cwd()
    except (RuntimeError, FileNotFoundError):
        raise ConfigError(
            "The home folder, or the current directory, is not known.", remedy="Set HOME, and change to a folder."
        ) from None
    _, environment = opener.given
    return clients.World(platform=sys.platform, home=home, environment=environment, cwd=cwd, project=project)


def _chosen(candidates: Sequence[clients.Candidate]) -> Path:
    found = (one for one in candidates if one.sign.exists())
    return next(found, candidates[-1]).file


def _launch(opener: opening.Opener, client: clients.Client) -> entry.Launch:
    flags, environment = opener.given
    command, *arguments = entry.program(sys.argv[0], executable=entry.python())
    launch = entry.Launch(
        command=command,
        arguments=tuple(arguments),
        environment=entry.variables(flags, environment, opener.settings()),
    )
    entry.require_literal(client, launch)
    return launch


def _plan(client: clients.Client, name: str, file: config_file.ConfigFile, launch: entry.Launch | None) -> _Plan:
    document = Document(file.text, client, name)
    try:
        before = document.entry()
        if launch is None:
            after, change = None, _NONE if before is None else _REMOVED
            text = file.text if before is None else document.without()
        else:
            edits = entry.edits(before, launch.entry(client))
            after = entry.applied(before, edits)
            change = _NONE if not edits else _ADDED if before is None else _UPDATED
            text = document.edited(edits) if edits else file.text
    except DocumentProblem as problem:
        raise ClientFileError(f"{file.path}: {problem}; nothing was written.") from None
    return _Plan(client=client, name=name, file=file, change=change, before=before, after=after, text=text)


def _warnings(plan: _Plan, launch: entry.Launch | None, opener: opening.Opener, *, world: clients.World) -> list[str]:
    if launch is None:
        return []
    told = entry.warnings(launch, opener.settings(), home=world.home, prefix=Path(sys.prefix))
    folder = plan.file.path.parent
    if not world.project and not folder.exists():
        told.append(f"{folder} does not exist: is {plan.client.title} installed for this user?")
    if world.project:
        told.append("the entry holds paths of this machine: keep the file out of what you share")
    if isinstance(plan.after, dict) and (plan.after.get("disabled") is True or plan.after.get("enabled") is False):
        told.append(f"the entry is switched off, and stays so until you switch it on in {plan.client.title}")
    if not Document(plan.file.text, plan.client, plan.name).is_read_by_client():
        told.append(f"the file has comments or trailing commas, which {plan.client.title} may not read")
    return told


def _show(plan: _Plan, warnings: Sequence[str], terminal: Terminal, *, as_json: bool) -> None:
    """The file and the change, before anything is done."""
    if not as_json:
        linked = "" if plan.file.target == plan.file.path else f" → {plan.file.target}"
        shown = [f"{plan.client.title}, entry {plan.name} in {plan.file.path}{linked}", *_difference(plan)]
        try:
            terminal.result(escaped("\n".join(shown)))
        except BrokenPipeError:  # who leaves early has not said that it is not to be written
            terminal.abandon()
    for warning in warnings:
        terminal.warn(warning)


def _difference(plan: _Plan) -> list[str]:
    if plan.change == _NONE:
        return ["Nothing is to be changed: " + ("there is no such entry." if plan.after is None else "it is there.")]
    before, after = (written(plan.client, plan.name, entry.shown(one)) for one in (plan.before, plan.after))
    lines = difflib.unified_diff(before, after, lineterm="", n=len(before) + len(after))
    return ["", *list(lines)[3:], "", ""]


def _carried_out(given: argparse.Namespace, plan: _Plan, terminal: Terminal) -> _Done:
    if plan.change == _NONE or given.dry_run:
        return _Done(written=False)
    if not given.yes and not (_is_attended(given) and terminal.ask(f"Write {plan.file.path}?")):
        raise RequestError(f"{plan.file.path} was left as it is.", remedy="Add --yes to write it without being asked.")
    return _Done(written=True, backup=config_file.write(plan.file, plan.text))


def _is_attended(given: argparse.Namespace) -> bool:
    return sys.stdin.isatty() and not given.json


def _greeted(launch: entry.Launch, file: config_file.ConfigFile, *, home: Path) -> handshake.Greeting:
    try:
        return handshake.greet(launch, cwd=Path(home.anchor))
    except HandshakeError as error:
        raise HandshakeError(
            f"{error.message} The entry stays in {file.path}.",
            remedy=f"Run `{_typed(launch)}` in a terminal: it should wait silently for input.",
        ) from None


def _typed(launch: entry.Launch) -> str:
    settings = [f"{name}={value}" for name, value in launch.environment.items()]
    environment = [] if sys.platform == "win32" else ["env", *settings]
    return shlex.join([*environment, launch.command, *launch.arguments])


def _say(plan: _Plan, done: _Done, terminal: Terminal, *, launch: entry.Launch | None, project: bool) -> None:
    lines = []
    if done.written:
        lines.append("Written." + (f" What was there before: {done.backup}" if done.backup else ""))
    if done.greeting:
        count = done.greeting.sources
        lines.append(
            f"The server answers: {NAME} {done.greeting.version}, {done.greeting.tools} tools, "
            f"{count} document{'' if count == 1 else 's'} indexed."
        )
        if launch and not count:
            lines.append(f"Next: {_sync(launch)}")
    if done.written and launch:
        lines.append(f"Then: {(project and plan.client.project_step) or plan.client.next_step}")
    elif done.written:
        lines.append(f"{plan.client.title} forgets the server when it starts anew.")
    if lines:
        terminal.result(escaped("\n".join(lines)))


def _sync(launch: entry.Launch) -> str:
    roots = launch.environment.get("BASE_DIRS")
    named = json.loads(roots) if roots else [launch.environment["BASE_DIR"]]
    words = [NAME, "sync", *(word for root in named for word in ("--base-dir", root))]
    if "DB_PATH" in launch.environment:
        words += ["--db-path", launch.environment["DB_PATH"]]
    return shlex.join(words)


def _fields(plan: _Plan, done: _Done, warnings: Sequence[str]) -> wire.Json:
    said = done.greeting
    return {
        "client": plan.client.name,
        "name": plan.name,
        "file": str(plan.file.path),
        "change": plan.change,
        "written": done.written,
        "backup": str(done.backup) if done.backup else None,
        "entry": entry.shown(plan.after),
        "warnings": list(warnings),
        "server": said
        and {
            "version": said.version,
            "protocolVersion": said.protocol_version,
            "toolCount": said.tools,
            "sourceCount": said.sources,
        },
    }
