"""Changes to the index, each with the labels and the dated series that it touches, in one transaction."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from minirag_mcp.ingest.labels import labels_of
from minirag_mcp.ingest.options import WritingOptions
from minirag_mcp.ingest.series import FOLDED, UNFOLDED, likenesses, repeats, settle
from minirag_mcp.model import ChunkId, FileStat, SourceEntry, SourceKey, SourceRecord, StoredSnapshot
from minirag_mcp.store.contract import Store

_RELABELLED_TOGETHER = 256
"""Sources in one transaction: some 50 ms of work, most of it opening what was said of each."""


class Writing:
    """Writes, moves and forgets sources. All methods raise StoreError; safe to use from several threads."""

    def __init__(self, store: Store, options: WritingOptions) -> None:
        self._store = store
        self._rules = options.labels
        self._fold = options.fold_series

    def labelled(self, entry: SourceEntry) -> SourceEntry:
        """The entry with its labels, and what its chunks say if it is a snapshot."""
        record, cut = entry.record, entry.cut
        labels = labels_of(record.key, record.source_type, cut.document.metadata, rules=self._rules)
        said = likenesses(cut) if labels.snapshot else ()
        return replace(entry, record=replace(record, labels=labels), likenesses=said)

    def write(self, entries: Sequence[SourceEntry]) -> dict[bytes, str]:
        """Put these in the place of what their keys held; returns the texts that are searched again, by hash."""
        with self._store.together():
            touched = self._series([entry.record.key for entry in entries])
            self._store.replace_many(entries)
            return self._settle(touched | _series_of(entry.record for entry in entries))

    def repeated(self, entry: SourceEntry) -> set[int]:
        """Which chunks of the entry would be repeats if it were written now."""
        snapshot = entry.record.labels.snapshot
        if snapshot is None or not self._fold:
            return set()
        numbers = tuple(ChunkId(-1 - n) for n in range(len(entry.likenesses)))  # no stored chunk has such ids
        own = StoredSnapshot(
            source=entry.record.key,
            date=snapshot.date,
            doc_class=entry.record.labels.doc_class,
            chunks=numbers,
            likenesses=entry.likenesses,
            firsts={},
        )
        others = (held for held in self._store.snapshots(snapshot.series) if held.source != own.source)
        found = repeats(sorted((own, *others), key=lambda held: (held.date, held.source)))
        return {n for n, number in enumerate(numbers) if number in found}

    def move(self, old: SourceRecord, new: SourceKey, *, stat: FileStat) -> None:
        """Give a file its new path; text, title and vectors stay."""
        with self._store.together():
            touched = self._series([old.key, new])
            document = self._store.document(old.key)
            metadata = document.metadata if document else ()
            labels = labels_of(new, old.source_type, metadata, rules=self._rules)
            self._store.rename(old.key, new, stat=stat, labels=labels)
            if labels.snapshot:
                touched.add(labels.snapshot.series)
            self._settle(touched)

    def forget(self, keys: Collection[SourceKey]) -> int:
        """Drop these sources; returns how many chunks went. Unknown keys count nothing."""
        known = [key for key in keys if self._store.source(key)]
        if not known:
            return 0
        with self._store.together():
            touched = self._series(known)
            gone = self._store.delete(known)
            self._settle(touched)
            return gone

    def relabel(self, keys: Sequence[SourceKey]) -> None:
        """Give these sources, where they have them by other rules, the labels of today."""
        for start in range(0, len(keys), _RELABELLED_TOGETHER):
            with self._store.together():
                found = (self._store.source(key) for key in keys[start : start + _RELABELLED_TOGETHER])
                stale = [record for record in found if record and record.labels.rules != self._rules.name]
                touched = _series_of(stale)
                for record in stale:
                    self._relabel(record)
                self._settle(touched | self._series([record.key for record in stale]))

    def is_labelled(self, record: SourceRecord) -> bool:
        """Whether the labels of a source are those of today's rules."""
        return record.labels.rules == self._rules.name

    def settle_all(self) -> None:
        """Fold, or unfold, every series that does not stand by the rules of today."""
        self._settle(self._store.series_by_other_rules(FOLDED if self._fold else UNFOLDED))

    def _relabel(self, record: SourceRecord) -> None:
        document = self._store.document(record.key)
        metadata = document.metadata if document else ()
        labels = labels_of(record.key, record.source_type, metadata, rules=self._rules)
        cut = self._store.cut(record.key) if labels.snapshot else None
        self._store.label(record.key, labels, likenesses=likenesses(cut) if cut else ())

    def _series(self, keys: Iterable[SourceKey]) -> set[str]:
        return _series_of(record for record in map(self._store.source, keys) if record)

    def _settle(self, touched: Iterable[str]) -> dict[bytes, str]:
        returned: dict[bytes, str] = {}
        for series in sorted(touched):
            returned |= settle(self._store, series, fold=self._fold)
        return returned


def _series_of(records: Iterable[SourceRecord]) -> set[str]:
    return {record.labels.snapshot.series for record in records if record.labels.snapshot}
