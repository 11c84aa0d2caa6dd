"""The version of the analyzer; apart from it, so that asking for it costs no import."""

VERSION = "1"
"""Changes whenever the terms of any text change: indexed terms must be made anew."""
