"""The checks in order. Each looks at one thing, alone, so that one thing broken hides no other."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from functools import partial

from minirag_mcp.config import Settings
from minirag_mcp.embed.contract import Embedder
from minirag_mcp.embed.load import open_embedder
from minirag_mcp.errors import MiniragError, MissingPathError, ModelError, StoreError
from minirag_mcp.examine import engines, home, index, roots, sources
from minirag_mcp.examine.findings import failure, ok, product, skipped
from minirag_mcp.ingest.fingerprint import current_fingerprint
from minirag_mcp.ingest.ground import Ground
from minirag_mcp.ingest.guard import Roots
from minirag_mcp.ingest.lock import who_syncs
from minirag_mcp.model import Finding, Listing, ModelIdentity, Progress, SourceType, Verdict
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store

_NO_MODEL = ModelIdentity(name="", dimension=0, window=0)
"""For reading an index whose model is not to be had."""

_SYNC = product("sync").words

_NEEDED: dict[type[MiniragError], tuple[str, ...]] = {
    StoreError: ("index folder", "index"),
    MissingPathError: ("roots",),
    ModelError: ("model",),
}
"""Which check has told already what raises such an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing to look at, by name. `run` tells what it found, one finding at least, and raises nothing on purpose."""

    name: str
    run: Callable[[], list[Finding]]


class Examination:
    """Looks at everything that `settings` name. `listing` and `embedder` are those of a Library, where it has one.

    Without an embedder, the one that the settings name is opened.
    """

    def __init__(self, settings: Settings, *, listing: Callable[[], Listing], embedder: Embedder | None = None) -> None:
        self._settings = settings
        self._listing = listing
        self._embedder = embedder
        self._broken: set[str] = set()
        self._syncing = ""
        self._ground = Ground(Roots(settings.roots), settings.db_path, setting=settings.roots_setting)

    def checks(self, *, progress: Callable[[Progress], None] = lambda _: None) -> Iterator[Check]:
        """To be run in their order: what others need comes first. `progress` tells how far the index is read."""
        looks: dict[str, Callable[[], list[Finding]]] = {
            "roots": partial(roots.examine_roots, self._settings),
            "index folder": partial(home.examine_home, self._settings),
            "model": self._model,
            "parser": engines.examine_parser,
            "sync": self._lock,
            "index": partial(self._index, progress),
            "sources": self._sources,
            "vectors": self._vectors,
            "platform": engines.examine_platform,
        }
        for name, look in looks.items():
            yield Check(name=name, run=partial(self._run, name, look))

    def _run(self, name: str, look: Callable[[], list[Finding]]) -> list[Finding]:
        try:
            found = look()
        except MiniragError as error:
            found = [self._excused(error)]
        if any(finding.verdict is Verdict.FAIL for finding in found):
            self._broken.add(name)
        return [self._patient(finding) for finding in found]

    def _excused(self, error: MiniragError) -> Finding:
        """The failure, or, where an earlier check has told it already, that this one was not possible."""
        needed = next((names for kind, names in _NEEDED.items() if isinstance(error, kind)), ())
        cause = next((name for name in needed if name in self._broken), None)
        return skipped(f"not looked at, for it needs what failed above ({cause})") if cause else failure(error)

    def _patient(self, finding: Finding) -> Finding:
        """No second sync can start while one is at work, and it may be mending just this."""
        if not self._syncing or not any(command.words[:2] == _SYNC for command in finding.commands):
            return finding
        return replace(
            finding, fix=f"A sync is at work ({self._syncing}): wait for its end, and look again.", commands=()
        )

    def _lock(self) -> list[Finding]:
        self._syncing = who_syncs(self._settings.db_path)
        return [ok(f"one is at work: {self._syncing}" if self._syncing else "none is at work")]

    def _model(self) -> list[Finding]:
        return engines.examine_model(self._opened_embedder(), self._settings.cache_dir)

    def _index(self, progress: Callable[[Progress], None]) -> list[Finding]:
        self._ground.require_home()
        try:
            identity = self._opened_embedder().identity
        except ModelError:
            identity = _NO_MODEL
        with closing(open_store(self._settings.db_path, identity=identity)) as store:
            return index.examine_index(store, self._settings.db_path, progress=progress)

    def _sources(self) -> list[Finding]:
        self._ground.require_root()
        with self._store() as store:
            files = [record.key for record in store.sources() if record.source_type is SourceType.FILE]
        return sources.examine_sources(self._listing(), files, self._settings)

    def _vectors(self) -> list[Finding]:
        self._ground.require_home()
        identity = self._opened_embedder().identity
        budget = self._settings.chunk_token_budget
        with self._store() as store:
            return sources.examine_vectors(store.counts(current_fingerprint(identity, budget=budget)))

    def _store(self) -> AbstractContextManager[Store]:
        return closing(open_store(self._settings.db_path, identity=self._opened_embedder().identity))

    def _opened_embedder(self) -> Embedder:
        if self._embedder is None:
            self._embedder = open_embedder(self._settings.model_name, self._settings.cache_dir)
        return self._embedder
