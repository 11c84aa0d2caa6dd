"""Whether there is anything to stand on: roots that exist, and a place for the index."""

import os
from pathlib import Path

from minirag_mcp.errors import MissingPathError, StoreError
from minirag_mcp.ingest.guard import Roots

CURRENT_DIRECTORY = "the current directory"
"""In place of the setting that names the roots, where none does."""


def correction(setting: str) -> str:
    """What to do about roots that are not those meant; `setting` is what named them."""
    if setting == CURRENT_DIRECTORY:
        return "Name the folders of your documents with --base-dir, BASE_DIR or BASE_DIRS."
    return f"Correct {setting}; it names the folders of your documents."


class Ground:
    """The roots and the index folder, looked at anew with each call; `setting` is what named the roots."""

    def __init__(self, roots: Roots, home: Path, *, setting: str) -> None:
        self._roots = roots
        self._home = Path(os.path.normpath(home))
        self._setting = setting
        self._origin = setting if setting == CURRENT_DIRECTORY else f"named by {setting}"

    def missing_roots(self) -> tuple[str, ...]:
        """One sentence for each root that is not there."""
        return tuple(
            f"The document root {root}, {self._origin}, "
            f"{'is not a folder' if os.path.lexists(root) else 'does not exist'}."
            for root in self._roots.missing()
        )

    def require_root(self) -> None:
        """Raises MissingPathError when there is no folder to read, or none to make the index in."""
        if len(self._roots.missing()) == len(self._roots.paths):
            raise MissingPathError(
                " ".join(self.missing_roots()),
                remedy=correction(self._setting),
            )
        self.require_home()

    def require_home(self) -> None:
        """Raises MissingPathError when the index would be made inside a root that does not exist."""
        inside = next((root for root in self._roots.missing() if self._home.is_relative_to(root)), None)
        if inside is not None:
            raise MissingPathError(
                f"{' '.join(self.missing_roots())} The index would be made in it, at {self._home}.",
                remedy=f"{correction(self._setting)} Or choose another folder for the index with DB_PATH.",
            )

    def require_folder(self) -> None:
        """Raises StoreError when a file stands where the index folder is, or would be made.

        A root that is a file itself is told by whatever uses the roots.
        """
        if any(self._home.is_relative_to(root) for root in self._roots.missing()):
            return
        standing = next(path for path in (self._home, *self._home.parents) if os.path.lexists(path))
        if not standing.is_dir():
            raise StoreError(
                f"The index cannot be at {self._home}: {standing} is not a folder.",
                remedy="Give DB_PATH a folder, one that exists or one that can be made.",
            )
