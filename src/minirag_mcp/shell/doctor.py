"""`doctor`: every check run and told, whatever is broken."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from minirag_mcp import version
from minirag_mcp.config import Settings
from minirag_mcp.errors import ConfigError, MiniragError
from minirag_mcp.examine.engines import examine_platform
from minirag_mcp.examine.examination import Check, Examination
from minirag_mcp.ingest.ground import CURRENT_DIRECTORY
from minirag_mcp.model import Finding, Listing, Progress, Verdict
from minirag_mcp.shell import render, wire
from minirag_mcp.shell.cli_terminal import Terminal
from minirag_mcp.shell.exit_codes import DONE, FAILED
from minirag_mcp.shell.opening import Opener
from minirag_mcp.shell.pasting import pasted

_FLAGS = frozenset({"--base-dir", "--db-path", "--cache-dir", "--model-name"})
_PLACES = _FLAGS | {"BASE_DIR", "BASE_DIRS", "DB_PATH", "CACHE_DIR"}
"""Settings without which it is not known what to look at; a wrong one of the others has its default meanwhile."""


def run(opener: Opener, terminal: Terminal, *, as_json: bool) -> int:
    """Print what each check finds, as it is found; FAILED when one of them fails."""
    told: list[wire.Json] = []
    for fields in _told(opener, terminal):
        told.append(fields)
        if not as_json:
            terminal.result(render.finding(fields, bold=terminal.bold, dim=terminal.dim))
    counts = Counter(str(fields["state"]) for fields in told)
    if as_json:
        whole: wire.Json = {"version": version(), "checks": told, "counts": {v.value: counts[v.value] for v in Verdict}}
        terminal.result_json(wire.sendable(whole))
    else:
        terminal.result(render.examination(counts))
    return FAILED if counts[Verdict.FAIL.value] else DONE


def _told(opener: Opener, terminal: Terminal) -> Iterator[wire.Json]:
    """Every finding as it is sent; commands complete."""
    wrong, settled, settings = _settled(opener)
    unknown = [Finding(verdict=Verdict.WARN, message=said) for said in opener.unknown()]
    for finding in (*_configuration(wrong, settings), *unknown):
        yield wire.finding("configuration", finding, command="")
    if settings is None:
        checks = iter([Check(name="platform", run=examine_platform)])
        reason = "not looked at, for it is not known where the documents and the index are"
        yield wire.finding("everything else", Finding(verdict=Verdict.SKIPPED, message=reason), command="")
    else:
        checks = _examination(settled, settings).checks(progress=terminal.progress)
    for check in checks:
        terminal.progress(Progress(done=0, total=0, current=check.name))
        for finding in _run(check):
            yield wire.finding(check.name, finding, command=pasted(finding.commands, settings))


def _settled(opener: Opener) -> tuple[dict[str, ConfigError], Opener, Settings | None]:
    """Every setting whose value is not allowed, an opener without these variables, and what is then in force."""
    wrong: dict[str, ConfigError] = {}
    while True:
        try:
            settings = opener.settings()
        except ConfigError as error:
            same = (name for name, other in opener.wrong().items() if other.message == error.message)
            name = next(same, "--base-dir")
            wrong[name] = error
            if name in _FLAGS:
                return wrong, opener, None
            opener = opener.without([name])
        else:
            return wrong, opener, None if _PLACES & set(wrong) else settings


def _configuration(wrong: dict[str, ConfigError], settings: Settings | None) -> Iterator[Finding]:
    for error in wrong.values():
        yield Finding(verdict=Verdict.FAIL, message=error.message, fix=error.remedy)
    if not wrong and settings is not None:
        chosen, setting = render.settings(wire.settings(settings)), settings.roots_setting
        origin = f"the root is {setting}" if setting == CURRENT_DIRECTORY else f"roots named by {setting}"
        yield Finding(verdict=Verdict.OK, message=f"{chosen}; {origin}")


def _examination(opener: Opener, settings: Settings) -> Examination:
    """That of the Library, or, where none can be opened, one that looks at everything that needs none."""
    try:
        return opener.library().examine()
    except MiniragError as error:
        reason = error

    def listing() -> Listing:
        raise reason

    return Examination(settings, listing=listing)


def _run(check: Check) -> Sequence[Finding]:
    try:
        return check.run()
    except Exception as error:
        if os.environ.get("MINIRAG_DEBUG"):
            raise
        message = f"Unexpected {type(error).__name__}: {error}"
        fix = "This is a defect, here or of the system; run again with MINIRAG_DEBUG=1 and report what it prints."
        return [Finding(verdict=Verdict.FAIL, message=message, fix=fix)]
