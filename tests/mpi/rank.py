"""One process of `launch`: runs modules on the real engine and real MPI, and writes what they give to a file.

`python -m tests.mpi.rank JOB`, under `mpiexec`. The wrappers take the address of `@MPI_COMM_WORLD` for the handle, as
the compiler that embeds them registers it; a shared object with absolute symbols has the handles for addresses.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np


class Process:
    """This process among those that `mpiexec` started, between MPI's beginning and its end.

    `library` is MPI's shared library, `handles` are the values of the handles that the modules name, or the symbols of
    the library whose addresses they are.
    """

    def __init__(self, library: str, handles: Mapping[str, int | str]) -> None:
        self._mpi = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        values = {name: value if isinstance(value, int) else self._address(value) for name, value in handles.items()}
        self._world = ctypes.c_void_p(values["MPI_COMM_WORLD"])
        with tempfile.TemporaryDirectory() as folder:
            self._kept = _share(values, Path(folder))

    def _address(self, symbol: str) -> int:
        return ctypes.addressof(ctypes.c_char.in_dll(self._mpi, symbol))

    def __enter__(self) -> Self:
        self._mpi.MPI_Init(None, None)
        self.rank = self._number("MPI_Comm_rank")
        self.count = self._number("MPI_Comm_size")
        return self

    def __exit__(self, *_error: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._mpi.MPI_Finalize()

    def _number(self, function: str) -> int:
        number = ctypes.c_int()
        getattr(self._mpi, function)(self._world, ctypes.byref(number))
        return number.value

    def wait_for_all(self) -> None:
        """Return when all processes are here."""
        self._mpi.MPI_Barrier(self._world)

    def run(self, text: str, arguments: Sequence[np.ndarray]) -> list[float]:
        """What `@main` of a module gives."""
        from tests.engine import oracle  # behind MPI, so that the wrappers find its symbols

        return [float(each) for each in oracle.run_main(text, arguments)[0]]


def _share(handles: dict[str, int], folder: Path) -> ctypes.CDLL:
    """Load a shared object whose symbols have these addresses."""
    source, target = folder / "empty.c", folder / "libhandles.so"
    source.write_text("int handles;\n", encoding="utf-8")
    options = [f"-Wl,--defsym,{name}={value:#x}" for name, value in handles.items()]
    subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", "-o", target, source, *options], check=True)
    return ctypes.CDLL(str(target), mode=ctypes.RTLD_GLOBAL)


def main() -> None:
    """Run the modules of a job in turn, all processes together."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    results = []
    with Process(job["library"], job["handles"]) as process:
        for run in job["runs"]:
            own = run["arguments"][process.rank]
            arguments = [np.array(own[0]), *(np.array(each, dtype="int32") for each in own[1:])]
            process.wait_for_all()
            if run["late"] == process.rank:
                time.sleep(run["seconds"])
            results.append(process.run(run["text"], arguments))
            Path(f"{sys.argv[1]}.{process.rank}").write_text(json.dumps(results), encoding="utf-8")


if __name__ == "__main__":
    main()
