"""What operations do with the pointers that they use: tables by operation, with the places of operands.

Sources: the definitions of the dialects `llvm`, `memref`, `affine`, `vector`, `enzymexla` and `gpu`.
"""

from __future__ import annotations

VIEWS = frozenset(
    [
        "llvm.getelementptr",
        "llvm.bitcast",
        "llvm.addrspacecast",
        "llvm.freeze",
        "llvm.ptrtoint",
        "llvm.inttoptr",
        "llvm.extractvalue",
        "llvm.intr.launder.invariant.group",
        "llvm.intr.ptr.annotation",
        "llvm.intr.strip.invariant.group",
        "llvm.intr.ptrmask",
        "llvm.intr.threadlocal.address",
        "memref.cast",
        "memref.subview",
        "memref.reinterpret_cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.extract_aligned_pointer_as_index",
        "memref.view",
        "memref.reshape",
        "memref.memory_space_cast",
        "memref.transpose",
        "memref.assume_alignment",
        "arith.index_cast",
        "arith.index_castui",
        "enzymexla.pointer2memref",
        "enzymexla.memref2pointer",
        "enzymexla.subindex",
        "builtin.unrealized_conversion_cast",
    ]
)
"""Their first operand's memory is that of their one result. Other operands are offsets."""

MERGES = {
    "llvm.select": (1, 2),
    "arith.select": (1, 2),
    "llvm.insertvalue": (0, 1),
    "llvm.add": (0, 1),
    "llvm.or": (0, 1),
    "arith.addi": (0, 1),
}
"""Their result is made of these operands, and points where one of them does."""

STORES: dict[str, tuple[int, int | None]] = {
    "llvm.store": (1, 0),
    "llvm.intr.memset": (0, None),
    "llvm.intr.memset.inline": (0, None),
    "llvm.intr.masked.store": (1, 0),
    "llvm.intr.masked.scatter": (1, 0),
    "llvm.intr.masked.compressstore": (1, 0),
    "llvm.intr.vp.store": (1, 0),
    "llvm.intr.experimental.vp.strided.store": (1, 0),
    "llvm.intr.matrix.column.major.store": (1, 0),
    "llvm.atomicrmw": (0, 1),
    "llvm.cmpxchg": (0, 2),
    "memref.store": (1, 0),
    "memref.atomic_rmw": (1, 0),
    "memref.generic_atomic_rmw": (0, None),
    "affine.store": (1, 0),
    "affine.vector_store": (1, 0),
    "vector.store": (1, 0),
    "vector.transfer_write": (1, 0),
    "vector.maskedstore": (0, None),
    "vector.compressstore": (0, None),
    "vector.scatter": (0, None),
    "enzymexla.memset": (0, None),
    "gpu.memset": (0, None),
}
"""Operations that write through an operand: which, and which operand is the value (None: no pointer could be)."""

COPIES = {
    "llvm.intr.memcpy": (0, 1),
    "llvm.intr.memcpy.inline": (0, 1),
    "llvm.intr.memmove": (0, 1),
    "memref.copy": (1, 0),
    "enzymexla.memcpy": (0, 1),
    "gpu.memcpy": (0, 1),
}
"""Operations that copy memory: where to, where from."""

LOADS = {
    "llvm.load": 0,
    "llvm.atomicrmw": 0,
    "llvm.cmpxchg": 0,
    "llvm.intr.masked.load": 0,
    "llvm.intr.masked.gather": 0,
    "llvm.intr.masked.expandload": 0,
    "llvm.intr.vp.load": 0,
    "llvm.intr.vp.gather": 0,
    "llvm.intr.experimental.vp.strided.load": 0,
    "llvm.intr.matrix.column.major.load": 0,
    "memref.load": 0,
    "memref.atomic_rmw": 1,
    "memref.generic_atomic_rmw": 0,
    "affine.load": 0,
    "affine.vector_load": 0,
    "vector.load": 0,
    "vector.maskedload": 0,
    "vector.expandload": 0,
    "vector.gather": 0,
    "vector.transfer_read": 0,
}
"""Operations whose result is read through an operand, and which."""

ALLOCATES = frozenset(["llvm.alloca", "memref.alloca", "memref.alloc"])
"""Operations whose result is memory of its own."""

ADDRESSES = frozenset(["llvm.mlir.addressof", "memref.get_global", "func.constant"])
"""Operations whose result is the address of something outside."""

LOOKS = frozenset(
    [
        "llvm.icmp",
        "arith.cmpi",
        "llvm.intr.prefetch",
        "llvm.intr.assume",
        "llvm.intr.lifetime.start",
        "llvm.intr.lifetime.end",
        "llvm.intr.dbg.value",
        "llvm.intr.dbg.declare",
        "memref.dim",
        "memref.rank",
        "memref.prefetch",
        "memref.dealloc",
        "affine.prefetch",
    ]
)
"""Operations that look at an address or at memory, write nothing and give nothing back that points there."""

CALLS = frozenset({"llvm.call", "llvm.invoke", "func.call"})
INDIRECT_CALLS = frozenset({"llvm.call", "llvm.invoke", "func.call_indirect"})

ALLOCATORS = frozenset({"malloc", "calloc", "aligned_alloc", "_Znwm", "_Znam"})
"""Functions that return memory of its own."""

RELEASERS = frozenset({"free", "_ZdlPv", "_ZdlPvm", "_ZdaPv"})
"""Functions that give memory back, and do nothing else with it."""

COPIERS = {"memcpy": (0, 1), "memmove": (0, 1), "memset": (0, None)}
"""Functions of the C library that write through an argument: which, and the one that they copy from."""

INTRINSICS = {"llvm.memcpy": (0, 1), "llvm.memmove": (0, 1), "llvm.memset": (0, None)}
"""The same as intrinsics that `llvm.call_intrinsic` names."""
