"""Which operations have side effects: `data/op_effects.txt`, read off the operations' own definitions.

Those are the traits and memory-effect interfaces of MLIR 22.1.8, StableHLO and Enzyme-JAX. The classes are those of the
table: `none`; `recursive`, as its regions; `effects`; `unknown`. An operation that is not listed is unknown too. What
the definitions say holds for an operation on values: on memory, `works_on_addresses` tells the few that do no more than
compute addresses from the others, which may read or write it.
"""

from __future__ import annotations

from jitlint import data

_ALIASES = {
    "return": "func.return",
    "call": "func.call",
    "call_indirect": "func.call_indirect",
    "constant": "func.constant",
    "module": "builtin.module",
    "func": "func.func",
    "unrealized_conversion_cast": "builtin.unrealized_conversion_cast",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NOT_FREE = _words(
    """
    comm.mpi.comm_rank comm.mpi.comm_size enzymexla.mpi.comm_rank enzymexla.mpi.comm_size mpi.comm_rank
    mpi.comm_size mpi.comm_split mpi.comm_world stablehlo.cross-replica-sum gpu.launch gpu.rotate gpu.shuffle
    gpu.subgroup_broadcast gpu.warp_execute_on_lane_0 enzymexla.get_stream enzymexla.gpu_block
    enzymexla.gpu_error enzymexla.gpu_thread enzymexla.gpu_wrapper enzymexla.store_var enzymexla.stream2token
    async.create_group async.execute llvm.intr.experimental.constrained.fpext
    llvm.intr.experimental.constrained.fptrunc llvm.intr.experimental.constrained.sitofp
    llvm.intr.experimental.constrained.uitofp sparse_tensor.new
    """
)
"""Operations that touch no memory by their definitions, and yet may not change places with others: they talk to other
processes or need their library started, start kernels or threads, read a file or the floating-point environment."""

_ON_ADDRESSES = _words(
    """
    arith.select cf.br cf.cond_br cf.switch enzymexla.memref2pointer enzymexla.pointer2memref enzymexla.subindex
    func.constant func.return llvm.addrspacecast llvm.bitcast llvm.blockaddress llvm.br llvm.cond_br
    llvm.dso_local_equivalent llvm.extractelement llvm.extractvalue llvm.freeze llvm.getelementptr llvm.icmp
    llvm.insertelement llvm.insertvalue llvm.intr.ptrmask llvm.intr.ssa.copy llvm.intr.threadlocal.address
    llvm.inttoptr llvm.mlir.addressof llvm.mlir.constant llvm.mlir.none llvm.mlir.poison llvm.mlir.undef
    llvm.mlir.zero llvm.ptrtoint llvm.return llvm.select llvm.shufflevector llvm.switch memref.alloca_scope
    memref.alloca_scope.return memref.assume_alignment memref.cast memref.collapse_shape memref.dim
    memref.expand_shape memref.extract_aligned_pointer_as_index memref.extract_strided_metadata memref.get_global
    memref.memory_space_cast memref.rank memref.reinterpret_cast memref.subview memref.transpose memref.view
    affine.for affine.if affine.yield scf.condition scf.execute_region scf.for scf.if scf.index_switch scf.while
    scf.yield ub.poison
    """
)

NONE = "none"
RECURSIVE = "recursive"
EFFECTS = "effects"
UNKNOWN = "unknown"


def _load() -> dict[str, str]:
    """The class of each operation: the file has a name and a class on each line.

    `importlib.resources` and `pathlib` would take ten times as long as this, and every run with a call pays it.
    """
    with open(f"{data.__path__[0]}/op_effects.txt", encoding="utf-8") as file:
        words = file.read().split()
    return dict(zip(words[::2], words[1::2], strict=True))


TABLE = _load()
OPERATIONS = frozenset(TABLE)
"""Every operation that the table lists."""


def full_name(name: str) -> str:
    """The name with its dialect, for the few operations that may be written without."""
    return _ALIASES.get(name, name)


def declared(name: str) -> str:
    """The class of effects of operation `name`, on values."""
    name = _ALIASES.get(name, name)
    return UNKNOWN if name in _NOT_FREE else TABLE.get(name, UNKNOWN)


def works_on_addresses(name: str) -> bool:
    """Whether operation `name` leaves the memory alone that it is given: it computes addresses, or passes them on."""
    return name in _ON_ADDRESSES
