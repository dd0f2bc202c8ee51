"""Where the pointers of a wrapper go, and which parameters it writes."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/wrapper/pointer_operations.py",
        ('    "llvm.store": (1, 0),\n', "", "stores"),
        ('    "memref.store": (1, 0),\n', "", "stores in memrefs"),
        ('    "affine.store": (1, 0),\n', "", "stores in loops"),
        ('    "vector.transfer_write": (1, 0),\n', "", "stores of vectors"),
        ('    "llvm.intr.memset": (0, None),\n', "", "memory that is set"),
        ('    "llvm.atomicrmw": (0, 1),\n', "", "atomic operations"),
        ('    "llvm.cmpxchg": (0, 2),\n', "", "atomic exchanges"),
        ('    "llvm.intr.memcpy": (0, 1),\n', "", "copies of memory"),
        ('    "memref.copy": (1, 0),\n', "", "copies of memrefs"),
        ('        "llvm.getelementptr",\n', "", "addresses with an offset"),
        ('        "llvm.freeze",\n', "", "frozen pointers"),
        ('        "llvm.inttoptr",\n', "", "pointers made of numbers"),
        ('        "memref.cast",\n', "", "memrefs of another type"),
        ('        "enzymexla.memref2pointer",\n', "", "pointers of memrefs"),
        ('    "llvm.select": (1, 2),\n', "", "one of two pointers"),
        ('    "llvm.load": 0,\n', "", "pointers read from memory"),
        (
            'COPIERS = {"memcpy": (0, 1), "memmove": (0, 1), "memset": (0, None)}',
            "COPIERS: dict[str, tuple[int, int | None]] = {}",
            "copies by the C library",
        ),
        ('INTRINSICS = {"llvm.memcpy": (0, 1), ', "INTRINSICS = {", "copies by an intrinsic's name"),
        (
            'CALLS = frozenset({"llvm.call", "llvm.invoke", "func.call"})\nINDIRECT_CALLS = frozenset({"llvm.call", ',
            'CALLS = frozenset({"llvm.call", "llvm.invoke", "func.call"})\nINDIRECT_CALLS = frozenset({',
            "calls",
        ),
    ),
    *off(
        "analysis/wrapper/pointers.py",
        (
            "is_outside = self._is_outside(callee)",
            "is_outside = True",
            "a function of the module that has a name of the library's",
        ),
        (
            'elif name.startswith("linalg.") and operation.is_generic and operation.regions:',
            "elif False:",
            "linear algebra in the generic form",
        ),
        ("if region.problems or len(scopes) > DEEPEST:", "if len(scopes) > DEEPEST:", "a body that could not be cut"),
        ("if inside is not None and operation.index == len(block) - 1:", "if False:", "what regions end in"),
        ("                if operation.regions:\n", "                if False:\n", "operations in regions"),
        (
            "                    if len(region.blocks) > 1:\n",
            "                    if False:\n",
            "what branches pass on",
        ),
        ("            self._write(operation, operands[store[0]])\n", "            pass\n", "a store writes"),
        ("        self._write(operation, operands[target])\n", "        pass\n", "a copy writes"),
        (
            "                self._put(operation, operands[store[0]], operands[store[1]])\n",
            "                pass\n",
            "what a store leaves in memory",
        ),
        (
            "            self._load(operands[source], moved)\n            self._put(operation, operands[target], moved)\n",
            "            self._load(operands[source], moved)\n",
            "what a copy leaves in memory",
        ),
        ("                self._load(operands[base], result)\n", "                pass\n", "what a load reads"),
        ("self._copy(operands[position], results[0], certain=True)", "pass", "what is selected"),
        (
            '            self._copy(operands[0], results[0], certain=name != "llvm.extractvalue")\n',
            "            pass\n",
            "views",
        ),
        ("self._offsets[offset].append(results[0])", "pass", "an address in the place of an offset"),
        ("self._add(results[0], OUTSIDE)\n            elif", "pass\n            elif", "a fixed address"),
        (
            "                    self._write(operation, operand)\n",
            "                    pass\n",
            "operations of linear algebra",
        ),
        (
            "for operand in operands:\n                for result in results:\n                    self._copy(operand, result)",
            "for operand in ():\n                for result in results:\n                    self._copy(operand, result)",
            "operations that compute of addresses",
        ),
        (
            "self._out_of_sight(operation, operands, results, lost=True)\n\n    def _write",
            "pass\n\n    def _write",
            "operations that are not known",
        ),
        (
            "            self._out_of_sight(operation, operands, results, lost=True)\n            return\n",
            "            return\n",
            "calls through a pointer",
        ),
        (
            "        elif not (is_outside and callee in pointer_operations.RELEASERS):\n            self._out_of_sight(operation, operands, results, lost=False)\n",
            "",
            "what comes out of a call",
        ),
        ("self._store(pool, pool)", "pass", "an unknown operation leaves one pointer in another's memory"),
        ("self._load(pool, pool)", "pass", "an unknown operation reads pointers out of memory"),
        ("        self._add(pool, UNKNOWN)\n", "", "an unknown operation may give any pointer"),
        ("self._copy(value, argument, certain=True)", "pass", "what a branch passes"),
        (
            "                    self._copy_all(operands, argument)\n",
            "                    pass\n",
            "a branch that cannot be told apart",
        ),
        ("        self._copy_all(operands, held)\n", "", "what an operation passes to its regions"),
        ("            self._copy(held, result)\n", "            pass\n", "what regions give their operation"),
        (
            "if origin.kind == SYMBOL_OF:\n                    sure",
            "if False:\n                    sure",
            "calls of a function by its address",
        ),
    ),
    *off(
        "analysis/wrapper/points_to.py",
        (
            "        self._add(self._object(), UNKNOWN)  # object 0: all memory outside\n",
            "        self._object()\n",
            "anything may stand in memory outside",
        ),
        (
            "                self._all(origins, target)\n            if self._offsets",
            "                pass\n            if self._offsets",
            "what flows from value to value",
        ),
        ("self._all(self._possible[held], target)", "pass", "what flows out of memory"),
        ("self._all(self._possible[value], held)", "pass", "what flows into memory"),
        ("self._all(read_from(origin), target)", "pass", "what is read through a parameter"),
        ("self._all(origins, self._objects[origin.number])", "pass", "what flows into memory later"),
        (
            "if len(self._possible[whole] - {OUTSIDE}) == 1:",
            "if True:",
            "what a struct holds is certain if it is one thing",
        ),
        (
            "if len(self._possible[value]) == 1:\n                held",
            "if True:\n                held",
            "what memory holds is certain if it is one thing",
        ),
    ),
    *off(
        "analysis/wrapper/origins.py",
        ("return None if only in (UNKNOWN, OUTSIDE) else only", "return only", "memory that may hold anything"),
        ("            pending += held - possible\n", "", "what is reached at any depth"),
        (
            "return frozenset([UNKNOWN]) if origin == UNKNOWN else frozenset()",
            "return frozenset()",
            "what is read through an unknown pointer",
        ),
    ),
    *off(
        "analysis/wrapper/writes.py",
        (
            "unseen = how == POSSIBLE or (how == SEEN and root == UNKNOWN)",
            "unseen = how == POSSIBLE",
            "a body that could not be followed",
        ),
        (
            "(symbol in pointer_operations.RELEASERS and function.body is None)",
            "symbol in pointer_operations.RELEASERS",
            "a `free` of the module's own",
        ),
        (
            "            self._note_unknown(pointers)\n",
            "            pass\n",
            "operations that are not known",
        ),
        (
            "            if access.operation.start in through_pointers:\n",
            "            if False:\n",
            "calls through pointers keep what the aliases say",
        ),
        (
            "return self._not_followed(symbol, root) if how == SEEN else None if",
            "return None if how == SEEN else None if",
            "a call of an alias",
        ),
        (
            "if symbol in pointer_operations.COPIERS and not",
            "if False and not",
            "the C library writes to its first argument",
        ),
        (
            "        roots = [UNKNOWN, *(Origin",
            "        roots = [*(Origin",
            "stores through a pointer of which nothing is known",
        ),
        (
            "roots = [UNKNOWN, *(Origin(LOADED, index) for index in range(len(function.parameters)))]",
            "roots = [UNKNOWN]",
            "stores through a pointer that came out of memory",
        ),
        (
            "            for passed, root in passed_roots(pointers, call, certain=certain):\n",
            "            for passed, root in ():\n",
            "what functions do with what they are passed",
        ),
        (
            "                self.edges.setdefault(UNKNOWN, []).append(((call.callee, UNKNOWN), note))\n",
            "                pass\n",
            "stores that go astray in functions that are called",
        ),
        (
            "        found += (_Passed(direct, origin) for origin in _of(place, certain))\n",
            "",
            "pointers that are passed on",
        ),
        (
            "            found += (_Passed(beyond, origin)",
            "            list(_Passed(beyond, origin)",
            "pointers in memory that is passed on",
        ),
        (
            "            return _known(how, function, roles, root), []\n",
            "            return None, []\n",
            "what MPI, BLAS and LAPACK write",
        ),
        (
            "function.body is not None and not externals.is_mpi(function.symbol)",
            "function.body is not None",
            "functions of MPI with a body",
        ),
        (
            "        if self.astray(function):\n            return frozenset(places)\n",
            "",
            "a store that goes astray may go anywhere",
        ),
    ),
    *off(
        "analysis/wrapper/externals.py",
        ('    "Recv": "w.....h",\n', "", "blocking receives"),
        ('    "Irecv": "w.....r",\n', "", "nonblocking receives"),
        ('    "Allreduce Scan Reduce_scatter Reduce_scatter_block": ".w....",\n', "", "reductions"),
        ('    "gemm": "...........w.",\n', "", "products of matrices"),
        ('    "getrf": "..w.ww",\n', "", "factorizations"),
        ('    "geqrf": "...w.w",\n', "", "LAPACKE"),
        ('return found if fits else ""', "return found", "a function with other parameters than the one that is known"),
    ),
]
