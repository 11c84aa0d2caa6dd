"""Every error the product raises, and what to do about it.

    MiniragError
    ├── ConfigError                a setting has a value that is not allowed
    ├── AccessError
    │   ├── OutsideRootsError      the real path lies in no configured root
    │   └── MissingPathError       nothing is there
    ├── ParseError                 this file cannot become a document
    │   ├── UnsupportedFormatError no parser for the file name extension
    │   ├── FileTooLargeError      over MAX_FILE_SIZE
    │   ├── UnreadableFileError    the operating system will not let us read it
    │   ├── EmptyFileError         no bytes, or only white space
    │   ├── NoTextError            readable, but holds no text (scans, pictures)
    │   ├── EncryptedFileError     needs a password
    │   ├── CorruptFileError       damaged, truncated
    │   ├── WrongFormatError       the content is not what the extension says
    │   └── ParseLimitError        over a time, memory or archive limit
    ├── ModelError                 the embedding model cannot be used
    ├── StoreError
    │   ├── IndexDamagedError      the index cannot be read
    │   ├── IndexNewerError        written by a newer version of this program
    │   └── IndexBusyError         another process is writing and did not finish in time
    ├── SyncBusyError              another sync of this index is running
    ├── CancelledError             stopped on request; what was there before stands
    ├── FetchError
    │   ├── UrlRefusedError        the address may not be fetched
    │   └── FetchFailedError       it may, but the fetch did not succeed
    ├── ClientFileError            a client's configuration file cannot be read, or changed without harm
    ├── HandshakeError             the server that a client would start does not answer
    └── RequestError               a request that cannot be answered as asked
        ├── SourceNotFoundError    no such source in the index
        └── JobNotFoundError       no such sync job

`str(error)` is the message; `error.remedy` is the next step, one sentence, never empty; `error.explanation` is both;
`error.code` is a stable snake_case name for programs.
"""

from typing import ClassVar


class MiniragError(Exception):
    """Base of all errors raised on purpose; carries the message, its remedy and a stable code."""

    code: ClassVar[str] = "error"
    default_remedy: ClassVar[str] = "Run `minirag-mcp status` to see the configuration and the index."

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy or self.default_remedy

    @property
    def explanation(self) -> str:
        """Message and remedy as one text, as failures are kept, listed and sent."""
        return f"{self.message} {self.remedy}"


class ConfigError(MiniragError):
    """A setting has a value that is not allowed; the message names setting, value and what is allowed."""

    code = "config_error"
    default_remedy = "Correct the setting and start again; `minirag-mcp status` says whether it is right."


class AccessError(MiniragError):
    """A path that may not, or cannot, be used."""

    code = "access_error"


class OutsideRootsError(AccessError):
    """The real path, links followed, lies in no configured root."""

    code = "outside_roots"
    default_remedy = (
        "Use a path inside a configured root (`minirag-mcp status` lists them), or add a root with --base-dir."
    )


class MissingPathError(AccessError):
    """Nothing exists at this path."""

    code = "path_not_found"
    default_remedy = "Check the path; `minirag-mcp list` shows the files under the roots."


class ParseError(MiniragError):
    """This file cannot become a document."""

    code = "parse_error"
    default_remedy = "Open the file in its own program and save it again, or exclude it."


class UnsupportedFormatError(ParseError):
    """No parser exists for the file name extension."""

    code = "unsupported_format"
    default_remedy = "Convert the file to one of the supported formats (see the README), for example PDF or Markdown."


class FileTooLargeError(ParseError):
    """The file is larger than MAX_FILE_SIZE bytes."""

    code = "file_too_large"
    default_remedy = "Raise MAX_FILE_SIZE (bytes), or split or exclude the file."


class UnreadableFileError(ParseError):
    """The operating system does not let us read the file."""

    code = "unreadable_file"
    default_remedy = "Give this user permission to read the file, or exclude it."


class EmptyFileError(ParseError):
    """The file has no bytes, or only white space."""

    code = "empty_file"
    default_remedy = "Nothing to index; it is picked up by the next sync once it has content."


class NoTextError(ParseError):
    """The file is readable but holds no text, as a scan or a picture does."""

    code = "no_text"
    default_remedy = "Run text recognition (OCR) on the file first, then sync again."


class EncryptedFileError(ParseError):
    """The file needs a password."""

    code = "encrypted_file"
    default_remedy = "Save a copy without a password, then sync again."


class CorruptFileError(ParseError):
    """The file is damaged or truncated."""

    code = "corrupt_file"
    default_remedy = "Restore the file from a good copy, or export it again from its program."


class WrongFormatError(ParseError):
    """The content is not what the file name extension says."""

    code = "wrong_format"
    default_remedy = (
        "Rename the file to the extension of its true format, or save it again in the format its name says."
    )


class ParseLimitError(ParseError):
    """Parsing went over a limit of time, memory or archive size, or killed its worker."""

    code = "parse_limit"
    default_remedy = "Split the file into smaller ones; a file that expands this far is refused for safety."


class ModelError(MiniragError):
    """The embedding model cannot be loaded or used."""

    code = "model_error"
    default_remedy = "Delete the model's folder in CACHE_DIR and try again, or choose another model with MODEL_NAME."


class StoreError(MiniragError):
    """The index cannot be used."""

    code = "index_error"


class IndexDamagedError(StoreError):
    """The index cannot be read back."""

    code = "index_damaged"
    default_remedy = (
        "Delete the files index.db, index.db-wal and index.db-shm in DB_PATH, and nothing else there; "
        "then run `minirag-mcp sync`, which indexes your files again."
    )


class IndexNewerError(StoreError):
    """The index was written by a newer version of this program."""

    code = "index_newer"
    default_remedy = "Upgrade minirag-mcp, or choose another DB_PATH for this version."


class IndexBusyError(StoreError):
    """Another process is writing to the index and did not finish in time."""

    code = "index_busy"
    default_remedy = "Try again in a moment."


class SyncBusyError(MiniragError):
    """Another sync of this index is running; the message names its holder and age."""

    code = "sync_busy"
    default_remedy = "Wait for it to end, or stop that process; searching works meanwhile."


class CancelledError(MiniragError):
    """Stopped on request; what was indexed before is unchanged."""

    code = "cancelled"
    default_remedy = "Start again when ready; what is done is kept."


class FetchError(MiniragError):
    """A web page could not be had."""

    code = "fetch_error"


class UrlRefusedError(FetchError):
    """The address may not be fetched: scheme, credentials, or a private or local host."""

    code = "url_refused"
    default_remedy = (
        "Set ALLOW_PRIVATE_URLS=1 only if the address is meant; otherwise treat the URL as untrusted, "
        "for it may come from a document."
    )


class FetchFailedError(FetchError):
    """The address may be fetched, but fetching it did not succeed; the index is unchanged."""

    code = "fetch_failed"
    default_remedy = "Check the address and the connection, then try again."


class ClientFileError(MiniragError):
    """A client's configuration file cannot be read, or not be changed without harm to what is in it."""

    code = "client_file"
    default_remedy = "Correct the file, or add the entry by hand, as the README shows it."


class HandshakeError(MiniragError):
    """The server, started as a client starts it, does not answer as it should."""

    code = "handshake_failed"
    default_remedy = "Run the same command in a terminal to see why; `minirag-mcp status` names a wrong setting."


class RequestError(MiniragError):
    """A request that cannot be answered as asked; the message says which argument is wrong."""

    code = "invalid_request"
    default_remedy = "Correct the argument and ask again."


class SourceNotFoundError(RequestError):
    """No source with this key is in the index."""

    code = "source_not_found"
    default_remedy = "Use `minirag-mcp list` to see what is indexed, or sync first."


class JobNotFoundError(RequestError):
    """No sync job with this id is known."""

    code = "job_not_found"
    default_remedy = "Start one with `minirag-mcp sync`."
