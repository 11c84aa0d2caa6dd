"""What does the work: the model, the parse worker, and what they run on."""

import math
import os
import platform
from importlib import metadata
from pathlib import Path

from minirag_mcp import version
from minirag_mcp.embed.contract import Embedder
from minirag_mcp.errors import ParseError
from minirag_mcp.examine.findings import fail, failure, ok
from minirag_mcp.model import Finding
from minirag_mcp.parse.sandbox import Sandbox

_SENTENCE = "The seal must be replaced every two years."
_UNIT = 1e-3
"""How far from one the length of a unit vector may be: int8 layers are exact to about this."""


def examine_model(embedder: Embedder, cache_dir: Path) -> list[Finding]:
    """Load the model, unpacking it first where that was not done, and embed a sentence. Raises ModelError."""
    identity = embedder.identity
    vector = embedder.embed_query(_SENTENCE)
    length = math.sqrt(float(vector @ vector))
    if vector.shape != (identity.dimension,) or not abs(length - 1) < _UNIT:
        return [
            fail(
                f"The model {identity.name} gave a vector of shape {vector.shape} and length {length:g}.",
                f"Delete its folder in {cache_dir}; if that does not help, unset MODEL_NAME for the bundled model.",
            )
        ]
    return [ok(f"{identity.name} loads from {cache_dir} and embeds: {identity.dimension} numbers of unit length")]


def examine_parser() -> list[Finding]:
    """Start a parse worker and give it a small document."""
    try:
        with Sandbox() as sandbox:
            document = sandbox.parse(b"# Heading\n\nText.\n", name="examination.md")
    except ParseError as error:
        return [failure(error)]
    except OSError as error:
        return [
            fail(
                f"A parse worker cannot be started: {error.strerror or error}.",
                "Let this program start processes of its own (limits of processes or memory, security software).",
            )
        ]
    if "Text." not in document.text:
        return [fail("The parse worker answers wrongly.", "Install minirag-mcp again.")]
    return [ok("a worker starts and parses")]


def examine_platform() -> list[Finding]:
    """What a report of a defect should name."""
    from minirag_mcp.store.sqlite import engine_version  # noqa: PLC0415 - the index may be what is broken

    parts = [
        f"minirag-mcp {version()}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.platform()}",
        f"SQLite {engine_version()}",
        f"onnxruntime {_installed('onnxruntime')}",
        f"mcp {_installed('mcp')}",
        f"{os.cpu_count()} cores",
    ]
    return [ok(", ".join(parts))]


def _installed(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"
