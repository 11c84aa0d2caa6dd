"""Which source is meant, and whether it may be shown: an index may hold what today's roots do not."""

import os
from collections.abc import Sequence
from pathlib import Path

from minirag_mcp.errors import OutsideRootsError, RequestError, SourceNotFoundError
from minirag_mcp.ingest.guard import Roots
from minirag_mcp.model import Owner, SourceKey, SourceRecord, SourceType, StoredSection
from minirag_mcp.store.contract import Scope, Store


class Access:
    """Finds sources of an index by what a person or a model calls them, inside the roots."""

    def __init__(self, roots: Roots, store: Store) -> None:
        self._roots = roots
        self._store = store

    def scope(self, scope: Sequence[str]) -> Scope:
        """The keys that are meant. Raises RequestError and OutsideRootsError."""
        return tuple(self._roots.scope(text) for text in scope)

    def known(self, file_path: Path | None, source: str | None) -> SourceRecord:
        """The record of one source, which may have failed. Raises RequestError, OutsideRootsError and StoreError."""
        key = self._key(file_path, source)
        record = self._store.source(key)
        if record is None:
            raise not_indexed(key)
        self.require_shown(record)
        return record

    def indexed(self, file_path: Path | None, source: str | None) -> SourceRecord:
        """As `known`, of a source that can be read. Raises SourceNotFoundError too."""
        record = self.known(file_path, source)
        if not record.chunk_count and record.failure is not None:
            raise SourceNotFoundError(f"{record.key} could not be indexed: {record.failure[1]}")
        return record

    def require_shown(self, found: SourceRecord | StoredSection) -> None:
        """Raises OutsideRootsError when it may not be shown."""
        if not self.may_show(found):
            key = found.key if isinstance(found, SourceRecord) else found.source
            raise OutsideRootsError(f"{key} is outside the configured document roots.")

    def may_show(self, found: SourceRecord | Owner | StoredSection) -> bool:
        """Whether a source is no file, or one that is spelled as lying in a root."""
        key = found.key if isinstance(found, SourceRecord) else found.source
        return found.source_type is not SourceType.FILE or self._roots.covers(key)

    def may_find(self, found: Owner) -> bool:
        """As `may_show`; and what a file leads to, links followed now, lies inside the roots too."""
        if found.source_type is not SourceType.FILE:
            return True
        try:
            return self.may_show(found) and self._roots.contains(os.path.realpath(found.source))
        except (OSError, ValueError):  # no path, or a link that is being replaced
            return False

    def _key(self, file_path: Path | None, source: str | None) -> SourceKey:
        if (file_path is None) == (source is None):
            raise RequestError("Give either a file path or a source id, not both and not neither.")
        if file_path is not None:
            return self._roots.key(file_path)
        exact = SourceKey(source or "")
        known = (key for key in (exact, *self._roots.displayed(exact)) if self._store.source(key))
        return next(known, None) or self._roots.scope(exact)


def not_indexed(key: SourceKey) -> SourceNotFoundError:
    """Nothing of this key is in the index."""
    return SourceNotFoundError(f"{key} is not in the index.")
