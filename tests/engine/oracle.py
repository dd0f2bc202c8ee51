"""Run passes on MLIR text, and modules with JIT calls on XLA's CPU backend, in this process.

How a call runs: `lower-jit` compiles the wrapper and puts the address of its entry, `void run(void **operands)`, into
the first eight bytes of the custom call's backend_config; the handler below calls it with XLA's array of operand
buffers. The engine ends the process on some bad input, so tests go through `judge`, which keeps one in a child.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import jax
import numpy as np
from enzyme_ad.jax import enzyme_call
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir as jax_mlir
from jaxlib import _jax, xla_client
from jaxlib.mlir import ir

from tests.engine.spelling import for_engine

jax.config.update("jax_enable_x64", True)  # type: ignore[no-untyped-call]

PARSE_ONLY = ""
"""The empty pipeline: parse, verify, print."""
_TARGET = "enzymexla_compile_cpu"
_LOWER = "lower-jit{jit=true backend=cpu}"

_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class EngineError(ValueError):
    """The engine refuses a module; the text is its own message, diagnostics included."""


@_HANDLER  # type: ignore[untyped-decorator]
def _call_wrapper(_out: int, operands: int, opaque: int, _length: int, _status: int) -> None:
    address = ctypes.cast(opaque, ctypes.POINTER(ctypes.c_uint64))[0]
    _ENTRY(address)(operands)


def _register_handler() -> None:
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype = ctypes.py_object
    new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new_capsule(ctypes.cast(_call_wrapper, ctypes.c_void_p), b"xla._CUSTOM_CALL_TARGET", None)
    xla_client.register_custom_call_target(_TARGET, capsule, platform="cpu", api_version=0)


_register_handler()


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn an exception of the engine into an EngineError that ends in what it wrote to standard error."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        kept = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            yield
        except Exception as error:
            log.seek(0)
            raise EngineError(f"{error}\n{log.read()}".strip()) from error
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def run_passes(text: str, passes: str = PARSE_ONLY) -> str:
    """Parse, verify and transform `text`; EngineError where the engine refuses it."""
    with _refusals():
        return str(enzyme_call.run_pass_pipeline([], for_engine(text), passes)[1])


def verify(text: str) -> str | None:
    """What the engine has against `text`, or None where it accepts it."""
    try:
        run_passes(text)
    except EngineError as error:
        return str(error)
    return None


def run_main(text: str, arguments: Sequence[np.ndarray], passes: str = "") -> list[np.ndarray]:
    """Results of @main for `arguments`, after the optional `passes` (such as "fuse-jit"); EngineError on refusal."""
    return run_times(text, arguments, passes, times=1)[0][0]


def run_times(
    text: str, arguments: Sequence[np.ndarray], passes: str, times: int
) -> list[tuple[list[np.ndarray], list[np.ndarray]]]:
    """What `times` runs of the compiled @main give on the same buffers: its results, and the arguments after it."""
    lowered = run_passes(text, f"{passes},{_LOWER}" if passes else _LOWER)
    lowered = lowered.replace("func.func private @main(", "func.func public @main(")
    backend = xla_bridge.get_backend("cpu")
    devices = tuple(backend.devices()[:1])
    runs = []
    with _refusals():
        with jax_mlir.make_ir_context():
            module = ir.Module.parse(lowered)
            options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
            executable = backend.compile_and_load(module, _jax.DeviceList(devices), options)
        buffers = [jax.device_put(np.asarray(argument), devices[0]) for argument in arguments]
        for _ in range(times):
            results = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
            runs.append(([np.array(result[0]) for result in results], [np.array(buffer) for buffer in buffers]))
    return runs
