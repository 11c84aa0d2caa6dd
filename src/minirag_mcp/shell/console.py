"""What the terminal behind a stream can do: move its cursor, show colours, how wide it is."""

import os
import sys
from collections.abc import Mapping
from typing import TextIO

_ESCAPES_MODE = 0x0004
"""ENABLE_VIRTUAL_TERMINAL_PROCESSING, without which a Windows console prints escapes as letters."""


def moves_cursor(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a line drawn there can be drawn again."""
    return stream.isatty() and environment.get("TERM") != "dumb" and _takes_escapes(stream)


def shows_colors(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether colours are wanted there: NO_COLOR says no; FORCE_COLOR and CLICOLOR_FORCE yes, also in a file."""
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if "0" in (environment.get("FORCE_COLOR"), environment.get("CLICOLOR")):
        return False
    return moves_cursor(stream, environment)


def columns(stream: TextIO) -> int | None:
    """How many columns the terminal has; None when the stream is none, or does not tell."""
    try:
        return (os.get_terminal_size(stream.fileno()).columns or None) if stream.isatty() else None
    except (OSError, ValueError):
        return None


def _takes_escapes(stream: TextIO) -> bool:
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - for Windows only
        import msvcrt  # noqa: PLC0415

        try:
            handle = msvcrt.get_osfhandle(stream.fileno())
        except (OSError, ValueError):
            return False
        mode = ctypes.c_ulong()
        kernel = ctypes.windll.kernel32
        return bool(kernel.GetConsoleMode(handle, ctypes.byref(mode))) and bool(
            kernel.SetConsoleMode(handle, mode.value | _ESCAPES_MODE)
        )
    return True
