"""Keeps ONNX Runtime from reporting home.

Its official builds collect events and send them to their maker, from 1.29 on also on Linux and macOS, unless they are
told not to before they are loaded. That would break the promise that nothing leaves the machine.
"""

import importlib
import os
from types import ModuleType

SWITCH = "ORT_DISABLE_TELEMETRY"
"""Read once, when the runtime is loaded: no uploader, no identifier on disk, no cache of events (Linux, macOS)."""


def load_runtime() -> ModuleType:
    """The `onnxruntime` module, silenced. The only way to import it; fastembed, which imports it too, comes after."""
    os.environ[SWITCH] = "1"
    runtime = importlib.import_module("onnxruntime")
    # On Windows events go through the system, and the variable is not looked at.
    runtime.disable_telemetry_events()
    return runtime
