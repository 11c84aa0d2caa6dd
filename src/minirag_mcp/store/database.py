"""The database file: made at the first write, opened per use, read by many and written by one."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import apsw

from minirag_mcp.errors import IndexBusyError, StoreError
from minirag_mcp.store.faults import FOREIGN, classified, exchanged, is_full
from minirag_mcp.store.home import make_home, require_possible, write_new
from minirag_mcp.store.schema import VERSION, laid_out, lay_out

FILE_NAME = "index.db"

_CACHE_KIBIBYTES = 4096
"""Page cache of one connection: holds the inner pages of an index of 50,000 chunks."""

_JOURNAL_LIMIT = 16 * 1024 * 1024
"""What a write-ahead log may keep on disk after a large transaction."""

_FREE_SHARE = 0.05
"""Free pages that stay in the file for the next replace; what is beyond goes back to the disk."""

_FREE_PAGES = 256

_RETURNED_PAGES = 2048
"""Most pages given back by one transaction: 8 MiB, some 10 ms."""

_NO_ROOM = (apsw.CantOpenError, apsw.ReadOnlyError)
_READ_WRITE = apsw.SQLITE_OPEN_READWRITE
_READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


class Connection(apsw.Connection):
    """A connection, and which file it is to: `epoch` grows when the file was deleted or exchanged.

    One that is `alone` bars writers, or does not see what they write: it serves one read.
    """

    epoch: int
    alone: bool = False


class Database:
    """One file in `folder`, and the connections to it. Safe to use from several threads."""

    def __init__(self, folder: Path, *, busy_timeout: float) -> None:
        self.folder = folder
        self.file = folder / FILE_NAME
        self._busy_timeout = busy_timeout
        self._idle: list[Connection] = []
        self._epoch = 0
        self._inode: tuple[int, int] | None = None
        self._closed = False
        self._steady = False
        self._written: tuple[int, int] | None = None
        self._pool_lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._thread = threading.local()

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """A connection inside a read transaction, or None while there is no index. Raises StoreError."""
        if joined := self._joined():
            with self._foreign():
                yield joined
            return
        with self._foreign(), self._borrowed() as connection:
            if connection is None:
                yield None
                return
            with _transaction(connection, "BEGIN"):
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection inside the one write transaction; makes the index if need be. Raises StoreError."""
        if joined := self._joined():
            with self._foreign():
                yield joined
            return
        if not self._write_lock.acquire(timeout=self._busy_timeout):
            raise IndexBusyError(f"The index {self.file} is being written by another thread.")
        try:
            with self._foreign():
                self._require_steady()
                self._make_file()
                with self._borrowed(empty=True) as connection:
                    assert connection is not None, "the file was made above"  # noqa: S101
                    with _transaction(connection, "BEGIN IMMEDIATE"):
                        lay_out(connection, laid_out(connection, self.file))
                        yield connection
                        _give_back_free_pages(connection)
                    self._require_kept(connection)
        finally:
            self._write_lock.release()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Inside, all that this thread reads and writes is one write transaction. Raises StoreError."""
        if self._joined():
            yield
            return
        with self.writing() as connection:
            self._thread.connection = connection
            try:
                yield
            finally:
                self._thread.connection = None

    def _joined(self) -> Connection | None:
        """The connection of the transaction that this thread is in."""
        found: Connection | None = getattr(self._thread, "connection", None)
        return found

    @contextmanager
    def steady(self) -> Iterator[None]:
        """Inside, the index is one file: if it goes or is exchanged, the next write and the end raise StoreError."""
        with self._foreign():
            self._steady, self._written = True, self._look()
            try:
                yield
                self._require_steady()
            finally:
                self._steady = False

    def exists(self) -> bool:
        """Whether there is a file."""
        with self._foreign():
            return self._look() is not None

    def close(self) -> None:
        """Close every connection that is not in use; the others close when they are handed back."""
        with self._pool_lock:
            self._closed = True
            self._drop_idle()

    @contextmanager
    def _foreign(self) -> Iterator[None]:
        try:
            yield
        except FOREIGN as error:
            raise classified(error, self.file) from error

    @contextmanager
    def _borrowed(self, *, empty: bool = False) -> Iterator[Connection | None]:
        """A connection of the pool, or None when there is no file, or, unless `empty` will do, no table in it."""
        connection, epoch = self._take()
        if connection is None and epoch is not None:
            connection = self._open(empty=empty)
            if connection is not None:
                connection.epoch = epoch
        with ExitStack() as failed:
            if connection is not None:
                # It may be in a transaction still, or never have had its tables made.
                failed.callback(connection.close)
            yield connection
            failed.pop_all()
        if connection is not None:
            self._hand_back(connection)

    def _take(self) -> tuple[Connection | None, int | None]:
        """An idle connection, if there is one, and the epoch, if there is a file."""
        with self._pool_lock:
            if self._closed:
                raise StoreError(f"The index {self.file} was closed.", remedy="Open it again.")
            inode = self._look()
            if inode != self._inode:
                self._inode = inode
                self._epoch += 1
                self._drop_idle()
            return (self._idle.pop() if self._idle else None), (self._epoch if inode else None)

    def _hand_back(self, connection: Connection) -> None:
        with self._pool_lock:
            if self._closed or connection.alone or connection.epoch != self._epoch:
                connection.close()
            else:
                self._idle.append(connection)

    def _drop_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _require_steady(self) -> None:
        if self._steady and self._written is not None and self._look() != self._written:
            raise exchanged(self.file)

    def _require_kept(self, connection: Connection) -> None:
        """Raises StoreError when what was committed went to a file that is no longer in its place."""
        with self._pool_lock:
            if connection.epoch != self._epoch or self._look() != self._inode:
                raise exchanged(self.file)
            self._written = self._inode

    def _look(self) -> tuple[int, int] | None:
        try:
            found = self.file.stat()
        except (FileNotFoundError, NotADirectoryError):
            require_possible(self.folder)
            return None
        return found.st_dev, found.st_ino

    def _open(self, *, empty: bool) -> Connection | None:
        try:
            return self._connect(str(self.file), _READ_WRITE, empty=empty)
        except apsw.Error as error:
            if empty or not (isinstance(error, _NO_ROOM) or is_full(error, self.file)):
                raise
        return self._open_alone()

    def _open_alone(self) -> Connection | None:
        """For a folder with no room for the log's index (read-only, full): for one read, which sees a log all the same.

        Where even the log cannot be opened there is none, and the file is read as it is.
        """
        try:
            connection = self._connect(str(self.file), _READ_WRITE, exclusive=True)
        except (*_NO_ROOM, apsw.IOError, apsw.FullError):
            connection = self._connect(f"{self.file.absolute().as_uri()}?immutable=1", _READ_ONLY)
        if connection is not None:
            connection.alone = True
        return connection

    def _connect(self, name: str, flags: int, *, empty: bool = False, exclusive: bool = False) -> Connection | None:
        connection = Connection(name, flags=flags)
        with ExitStack() as unused:
            unused.callback(connection.close)
            connection.set_busy_timeout(int(self._busy_timeout * 1000))
            if exclusive:  # before anything is read: the index of the log is then kept in memory
                connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute(
                f"PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -{_CACHE_KIBIBYTES};"
                f"PRAGMA journal_size_limit = {_JOURNAL_LIMIT}"
            )
            found = laid_out(connection, self.file)
            if not found and not empty:
                return None
            if not found:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
            elif found < VERSION:
                with _transaction(connection, "BEGIN IMMEDIATE"):
                    lay_out(connection, laid_out(connection, self.file))
            unused.pop_all()
        return connection

    def _make_file(self) -> None:
        """Folder and empty file."""
        if self._look() is not None:
            return
        make_home(self.folder)
        with suppress(FileExistsError):
            write_new(self.file, b"")


@contextmanager
def _transaction(connection: apsw.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # After a commit there is none; a failed write may have rolled back already; a connection that cannot is not
        # handed on.
        if connection.in_transaction:
            with suppress(apsw.Error):
                connection.execute("ROLLBACK")


def _give_back_free_pages(connection: apsw.Connection) -> None:
    free, pages = connection.pragma("freelist_count"), connection.pragma("page_count")
    beyond = free - max(_FREE_PAGES, int(pages * _FREE_SHARE))
    if beyond > 0:
        connection.execute(f"PRAGMA incremental_vacuum({min(beyond, _RETURNED_PAGES)})").fetchall()
