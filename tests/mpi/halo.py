"""Run the halo exchange of `docs/examples/halo.mlir` with real MPI, and say whether the halo is right.

`mpiexec -n 2 python -m tests.mpi.halo FILE`, from the top of the repository; `docs/exchange.md` tells the story.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from tests.mpi.exchanges import CELLS, Exchange
from tests.mpi.launch import LIBRARIES
from tests.mpi.rank import Process

HALO = Exchange("all", (1, -1))


def main() -> None:
    """Run the module of a file as one of the processes."""
    library = LIBRARIES["MPICH"]
    with Process(library.file, library.handles) as process:
        states = [[100.0 * (rank + 1) + cell for cell in range(CELLS)] for rank in range(process.count)]
        partners = [np.int32(each) for each in HALO.partners(process.rank, process.count)]
        text = Path(sys.argv[1]).read_text(encoding="utf-8")
        given = process.run(text, [np.array(states[process.rank]), *partners])
        expected = HALO.expected(states)[process.rank]
        verdict = "right" if given == expected else "STALE"
        line = f"rank {process.rank}: {verdict}: halo {given[:2]}, expected {expected[:2]}"
        os.write(sys.stdout.fileno(), f"{line}\n".encode())  # at once: two processes write to one output


if __name__ == "__main__":
    main()
