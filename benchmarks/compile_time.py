"""What fusion buys: the time XLA takes to compile a module for the CPU.

    python -m benchmarks.compile_time FILE REPEATS

prints {"seconds": […]}. Only XLA's compilation is timed: by then the wrappers have been compiled and the calls made
custom calls.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.engine import run_passes, timed
from benchmarks.measure import repeated

LOWER = "lower-jit{jit=true backend=cpu}"
"""Compiles every wrapper and makes each JIT call a custom call of XLA."""


_NEVER_CALLED = ctypes.CFUNCTYPE(None)(lambda: None)
"""XLA wants an address for the target of the custom calls; what is compiled here is not run."""


def _module(name: str) -> Any:
    """A module of jax, by name: its inner modules are untyped, and it is there only with the `engine` extra."""
    return importlib.import_module(name)


def _register_target(register: Callable[..., object]) -> None:
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype = ctypes.py_object
    new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new_capsule(ctypes.cast(_NEVER_CALLED, ctypes.c_void_p), b"xla._CUSTOM_CALL_TARGET", None)
    register("enzymexla_compile_cpu", capsule, platform="cpu", api_version=0)


def compiler(text: str) -> Callable[[], object]:
    """A function that compiles the JIT calls' module `text`; `text` is lowered and read here, once."""
    lib, bridge, jax_compiler = (_module(f"jax._src.{name}") for name in ("lib", "xla_bridge", "compiler"))
    _register_target(lib.xla_client.register_custom_call_target)
    lowered = run_passes(text, LOWER).replace("func.func private @main", "func.func public @main")
    backend = bridge.get_backend("cpu")
    devices = _module("jaxlib._jax").DeviceList(tuple(backend.devices()[:1]))
    options = jax_compiler.get_compile_options(num_replicas=1, num_partitions=1)
    with _module("jax._src.interpreters.mlir").make_ir_context():
        module = _module("jaxlib.mlir.ir").Module.parse(lowered)
    return lambda: backend.compile_and_load(module, devices, options)


def main(arguments: list[str]) -> int:
    """Time one file; a module that the engine refuses ends the process with the engine's error."""
    _module("jax").config.update("jax_enable_x64", True)
    compile_once = compiler(Path(arguments[0]).read_text(encoding="utf-8"))
    print(json.dumps({"seconds": repeated(lambda: timed(compile_once), int(arguments[1]))}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
