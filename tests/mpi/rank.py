"""One process of `launch`: runs modules on the real engine and real MPI, and prints what they give, one line of JSON.

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
from pathlib import Path

import numpy as np


def share_handles(values: dict[str, int], folder: Path) -> ctypes.CDLL:
    """Load a shared object whose symbols have these addresses."""
    source, target = folder / "empty.c", folder / "libhandles.so"
    source.write_text("int handles;\n", encoding="utf-8")
    options = [f"-Wl,--defsym,{name}={value:#x}" for name, value in values.items()]
    subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", "-o", target, source, *options], check=True)
    return ctypes.CDLL(str(target), mode=ctypes.RTLD_GLOBAL)


def main() -> None:
    """Run the modules of a job in turn, all processes together."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    mpi = ctypes.CDLL(job["library"], mode=ctypes.RTLD_GLOBAL)
    world = job["handles"]["MPI_COMM_WORLD"]
    rank = ctypes.c_int()
    with tempfile.TemporaryDirectory() as folder:
        kept = share_handles(job["handles"], Path(folder))
    mpi.MPI_Init(None, None)
    mpi.MPI_Comm_rank(ctypes.c_void_p(world), ctypes.byref(rank))
    from tests.engine import oracle  # behind MPI, so that the wrappers find its symbols

    results = []
    for run in job["runs"]:
        own = run["arguments"][rank.value]
        arguments = [np.array(own[0]), *(np.array(each, dtype="int32") for each in own[1:])]
        mpi.MPI_Barrier(ctypes.c_void_p(world))
        if run["late"] == rank.value:
            time.sleep(run["seconds"])
        results.append([float(each) for each in oracle.run_main(run["text"], arguments)[0]])
    mpi.MPI_Finalize()
    Path(f"{sys.argv[1]}.{rank.value}").write_text(json.dumps(results), encoding="utf-8")
    del kept


if __name__ == "__main__":
    main()
