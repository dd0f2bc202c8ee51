"""What known functions outside a module do with the pointers they are passed: MPI, LAPACK and BLAS.

A function is described by one letter for each of its parameters:

    .  not written
    w  data is written through it, at the latest when the operation completes
    m  data may be written through it, depending on other arguments or on the process's rank
    b  a buffer that a nonblocking operation reads until it is complete
    x  a buffer that a nonblocking operation receives into on some processes and sends from on others
    r  an MPI request that the function makes
    c  an MPI request that the function completes or frees: it is set to null, which is no data
    h  another MPI handle or status that is written: no data either

Sources: the C bindings of the MPI standard, version 4.1; the argument lists (`[in]`, `[out]`, `[in,out]`) of the
reference BLAS and LAPACK.
"""

from __future__ import annotations

import re
from functools import cache

_MPI = {
    "Send Bsend Ssend Rsend": "......",
    "Recv": "w.....h",
    "Sendrecv": ".....w.....h",
    "Sendrecv_replace": "w.......h",
    "Barrier": ".",
    "Bcast": "m....",
    "Reduce": ".m.....",
    "Allreduce Scan Reduce_scatter Reduce_scatter_block": ".w....",
    "Exscan": ".m....",
    "Gather": "...m....",
    "Gatherv": "...m.....",
    "Scatter": "...w....",
    "Scatterv": "....w....",
    "Allgather Alltoall": "...w...",
    "Allgatherv": "...w....",
    "Alltoallv Alltoallw": "....w....",
    "Comm_rank Comm_size": ".w",
    "Probe": "...h",
    "Iprobe": "...wh",
    "Get_count": "..w",
    "Isend Ibsend Issend Irsend": "b.....r",
    "Irecv": "w.....r",
    "Imrecv": "w..hr",
    "Isendrecv": "b....w.....r",
    "Isendrecv_replace": "w.......r",
    "Ibarrier": ".r",
    "Ibcast": "x....r",
    "Ireduce": "bx.....r",
    "Iallreduce Iscan Ireduce_scatter Ireduce_scatter_block": "bw....r",
    "Iexscan": "bx....r",
    "Igather": "b..x....r",
    "Igatherv": "b..x.....r",
    "Iscatter": "b..w....r",
    "Iscatterv": "b...w....r",
    "Iallgather Ialltoall": "b..w...r",
    "Iallgatherv": "b..w....r",
    "Ialltoallv Ialltoallw": "b...w....r",
    "Rput": "b.......r",
    "Rget": "w.......r",
    "Wait": "ch",
    "Waitall": ".ch",
    "Waitany": ".cwh",
    "Waitsome": ".cwmh",
    "Test": "cwh",
    "Testall": ".cwh",
    "Testany": ".cwwh",
    "Testsome": ".cwmh",
    "Request_free": "c",
}
"""By the name behind `MPI_`."""

_FORTRAN = {
    "gemm": "...........w.",
    "symm hemm syr2k her2k": "..........w.",
    "syrk herk": "........w.",
    "trmm trsm": ".........w.",
    "gemv": ".........w.",
    "trmv trsv": "......w.",
    "ger geru gerc": ".......w.",
    "axpy": "....w.",
    "scal": "..w.",
    "copy": "...w.",
    "swap": ".w.w.",
    "getrf": "..w.ww",
    "getrs": "......w.w",
    "getri": ".w..w.w",
    "gesv": "..w.ww.w",
    "potrf": "..w.w",
    "potrs": ".....w.w",
    "posv": "...w.w.w",
    "geqrf": "..w.ww.w",
    "geqrt": "...w.w.ww",
    "orgqr ungqr": "...w..w.w",
    "ormqr unmqr": ".....m..w.w.w",
    "gemqrt": "..........w.ww",
    "syev": "...w.ww.w",
    "heev": "...w.ww.ww",
}
"""By the name between the letter of the element type and the underscore. Lengths of strings may follow."""

_BY_TYPE = {
    ("gesdd", "sd"): "...w.wm.m.w.ww",
    ("gesdd", "cz"): "...w.wm.m.w.mww",
    ("gesvd", "sd"): "....w.wm.m.w.w",
    ("gesvd", "cz"): "....w.wm.m.w.mw",
}
"""Routines whose complex form takes one array more."""

_LAPACKE = {
    "getrf": "...w.w",
    "getrs": ".......w.",
    "gesv": "...w.ww.",
    "potrf": "...w.",
    "potrs": "......w.",
    "geqrf": "...w.w",
    "geqrt": "....w.w.",
    "orgqr ungqr": "....w..",
    "ormqr unmqr": "......m..w.",
    "gemqrt": "...........w.",
    "gesdd": "....w.wm.m.",
    "gesvd": ".....w.wm.m.w",
}
"""The C interface: the matrix layout comes first, work space and `info` are not passed."""

_NAME = re.compile(
    r"P?MPI_(?P<mpi>\w+)|(?:LAPACKE_|enzymexla_lapacke_)(?P<lapacke>[sdcz]\w+?)_*"
    r"|(?:enzymexla_(?:blas|lapack)_)?(?P<fortran>[sdcz][a-z0-9]+)_(?:64_)?"
)


def _spread(table: dict[str, str]) -> dict[str, str]:
    return {name: roles for names, roles in table.items() for name in names.split()}


_OF_MPI, _OF_FORTRAN, _OF_LAPACKE = _spread(_MPI), _spread(_FORTRAN), _spread(_LAPACKE)


@cache
def roles(symbol: str, parameters: int) -> str:
    """The letters of a known function with that many parameters; "" for any other."""
    found, longer = _find(symbol)
    fits = len(found) == parameters or (longer and len(found) < parameters)
    return found if fits else ""


def _find(symbol: str) -> tuple[str, bool]:
    """The letters of a function by its name, and whether it may have more parameters than letters."""
    match = _NAME.fullmatch(symbol)
    if match is None:
        return "", False
    if match["mpi"]:
        return _OF_MPI.get(match["mpi"], ""), False
    if match["lapacke"]:
        return _OF_LAPACKE.get(match["lapacke"][1:], ""), False
    letter, name = match["fortran"][0], match["fortran"][1:]
    by_type = next((found for (known, letters), found in _BY_TYPE.items() if known == name and letter in letters), "")
    return by_type or _OF_FORTRAN.get(name, ""), True


def is_mpi(symbol: str) -> bool:
    """Whether a symbol is one of MPI's, known or not."""
    return symbol.startswith(("MPI_", "PMPI_"))


WRITTEN = frozenset("wr")
"""Roles of a parameter through which data is certainly written."""

MAYBE_WRITTEN = WRITTEN | frozenset("mxch")
"""Roles of a parameter through which anything may be written."""
