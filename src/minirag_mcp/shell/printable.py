"""Writes out what a terminal would act upon instead of showing it: names and texts come from documents."""

import re

_STEERING = r"\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
"""Control characters, line separators, and the marks that reverse the order of what follows."""

_ANY = re.compile(f"[{_STEERING}]")
_BUT_LINES_AND_TABS = re.compile(f"(?![\n\t])[{_STEERING}]")
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_ONE_BYTE = 0xFF


def one_line(name: str) -> str:
    """A name or title in which every such character is an escape."""
    return _ANY.sub(_escape, name)


def escaped(text: str) -> str:
    """A text of several lines, likewise; its lines and tabs stay."""
    return _BUT_LINES_AND_TABS.sub(_escape, text)


def escaped_json(text: str) -> str:
    """JSON text in which the characters that JSON may leave as they are, are escapes too."""
    return _BUT_LINES_AND_TABS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return _NAMED.get(found[0]) or (f"\\x{code:02x}" if code <= _ONE_BYTE else f"\\u{code:04x}")
