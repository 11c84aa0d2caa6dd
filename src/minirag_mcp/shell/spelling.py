r"""How a file name that is no text travels in JSON, there and back.

The operating system's undecodable bytes stand in strings as lone surrogates, which UTF-8 cannot carry. A name is
sent with `\udcff` written out for each, and a client sends it back as it came; a backslash that begins such letters
in a name itself is sent as `\u005c`, so that no two names are spelled alike.
"""

import re

_WRITTEN_OUT = re.compile("[\ud800-\udfff]" + r"|\\(?=ud[89a-f][0-9a-f]{2}|u005c)")
_READ_BACK = re.compile(r"\\u(d[89a-f][0-9a-f]{2}|005c)")


def spelled(name: str) -> str:
    """A source as it is sent; `unspelled` gives `name` again."""
    return _WRITTEN_OUT.sub(lambda found: f"\\u{ord(found[0]):04x}", name)


def unspelled(sent: str) -> str:
    """The source that a client means."""
    return _READ_BACK.sub(lambda found: chr(int(found[1], 16)), sent)
