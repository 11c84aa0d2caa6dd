"""What a client offers while a person types a source or a scope; pure."""

from collections.abc import Iterable

MOST = 100
"""The protocol's own limit for one answer."""


def sources(displayed: Iterable[str], typed: str) -> list[str]:
    """Names that begin with, then names that contain, what was typed; letter case does not count."""
    wanted = typed.casefold()
    found = sorted({name for name in displayed if wanted in name.casefold()})
    return sorted(found, key=lambda name: not name.casefold().startswith(wanted))


def scopes(displayed: Iterable[str], typed: str) -> list[str]:
    """As `sources`, with every folder and prefix that holds one of them; those first that hold more."""
    names = list(displayed)
    return sorted(
        sources([*names, *(above for name in names for above in _above(name))], typed),
        key=lambda name: (not name.casefold().startswith(typed.casefold()), name.count("/")),
    )


def _above(name: str) -> list[str]:
    """`a/b` and `a` of `a/b/c.md`; of a URL nothing above its host."""
    host, separator, path = name.partition("://")
    parts = (path if separator else name).split("/")[:-1]
    prefix = f"{host}{separator}" if separator else ""
    return [prefix + "/".join(parts[:count]) for count in range(1, len(parts) + 1) if any(parts[:count])]
