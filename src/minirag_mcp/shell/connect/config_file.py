"""Reads a client's configuration file and replaces it whole, keeping a copy of what was there."""

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from minirag_mcp.errors import ClientFileError

_MOST_BYTES = 64 * 1024 * 1024
"""Clients keep histories in these files: some megabytes are usual, this much is another file."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """A file as it was read. `target` is where its links lead; `content` is None when nothing was there."""

    path: Path
    target: Path
    content: bytes | None

    @property
    def text(self) -> str:
        """Without a byte order mark; line ends are as they are. Raises ClientFileError when it is not UTF-8."""
        try:
            return (self.content or b"").removeprefix(_BYTE_ORDER_MARK).decode()
        except UnicodeDecodeError as error:
            raise ClientFileError(f"{self.path} is not UTF-8 (byte {error.start + 1}); nothing was written.") from None

    @property
    def backup(self) -> Path:
        """Where the copy of what was there goes."""
        return self.target.with_name(f"{self.target.name}.minirag-backup")


def read(path: Path) -> ConfigFile:
    """The file at `path`, links followed, or what stands for one that is not there yet. Raises ClientFileError."""
    try:
        target = path.resolve()
        return ConfigFile(path=path, target=target, content=_content(target))
    except RuntimeError:
        raise ClientFileError(f"{path} is a link that leads to itself.") from None
    except OSError as error:
        raise ClientFileError(f"{path} cannot be read: {error.strerror}.") from None


def write(file: ConfigFile, text: str) -> Path | None:
    """Put `text` in place of what `file` holds, and return where a copy of that is, if there was anything.

    Raises ClientFileError, with the file as it was.
    """
    mark = _BYTE_ORDER_MARK if (file.content or b"").startswith(_BYTE_ORDER_MARK) else b""
    try:
        file.target.parent.mkdir(parents=True, exist_ok=True)
        before = None if file.content is None else file.target.stat()
        if before is not None and not before.st_mode & 0o222:
            raise ClientFileError(f"{file.target} is read-only; nothing was written.")
        if file.content is not None:
            _put(file.backup, file.content, like=before)
        if _content(file.target) != file.content:
            raise ClientFileError(
                f"{file.target} was changed by another program just now; nothing was written.", remedy="Run it again."
            )
        _put(file.target, mark + text.encode(), like=before)
    except OSError as error:
        raise ClientFileError(f"{file.target} cannot be written: {error.strerror}.") from None
    return None if file.content is None else file.backup


def _content(target: Path) -> bytes | None:
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise ClientFileError(f"{target} is not a file.")
    if found.st_size > _MOST_BYTES:
        raise ClientFileError(f"{target} is larger than {_MOST_BYTES} bytes.")
    return target.read_bytes()


def _put(target: Path, content: bytes, *, like: os.stat_result | None) -> None:
    """Replace `target` in one step by a file with the owner and rights of `like`."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.minirag-new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(beside, flags, 0o666 if like is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if like is not None:
            _resemble(beside, like)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _resemble(path: Path, like: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, like.st_uid, like.st_gid)
    path.chmod(stat.S_IMODE(like.st_mode))
