"""What stands against a wrapper: its header, what it reaches, what it writes."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/wrapper/convention.py",
        ("    if header.variadic:\n", "    if False:\n", "a wrapper with a variable number of arguments"),
        ("    if header.results:\n", "    if False:\n", "a wrapper that returns something"),
        ("if header.calling_convention in KERNEL_CONVENTIONS:", "if False:", "a kernel's calling convention"),
        ("if key in _KERNEL_MARKS), None)", "if key in ()), None)", "a GPU kernel"),
        ("""if any('"naked"' in value""", """if False and any('"naked"' in value""", "a function without a frame"),
        ("if not is_buffer(parameter.type, function):", "if False:", "a parameter that takes no buffer"),
        ('return function.kind == "func.func" and _MEMREF', "return _MEMREF", "memrefs of an `llvm.func`"),
        (
            "if key in _CHANGES_PASSING), None):",
            "if key in ()), None):",
            "attributes that change how a parameter is passed",
        ),
    ),
    *off(
        "analysis/wrapper/wrappers.py",
        ("            *abi_verdicts(function),\n", "", "the header of a wrapper"),
        ("            *_uncut(function),\n", "", "a body that could not be cut"),
        ("            *self._reached(function),\n", "", "what a wrapper reaches"),
        ("            *self._left_over(function),\n", "", "a wrapper that a fix could not leave over"),
        (
            "if not verdicts and not _names_itself(function) and",
            "if not verdicts and",
            "equal functions that name themselves differ",
        ),
        (
            "_names_itself(function) and not self._lowering_fused.foreign(function):",
            "_names_itself(function):",
            "equal functions that cannot stay differ in who names them",
        ),
        (
            "if not verdicts and not _names_itself",
            "if not _names_itself",
            "only a wrapper with nothing against it is remembered",
        ),
        ("        if len(callee) != 1:\n", "        if False:\n", "nested symbols"),
        ("if way := ways.get(GPU):", "if way := ways.get(GPU) and ():", "GPU kernels"),
        ("if way := ways.get(GLOBAL):", "if way := ways.get(GLOBAL) and ():", "globals that can change"),
        (
            "if way := ways.get(INVARIANT):",
            "if way := ways.get(INVARIANT) and ():",
            "promises that memory never changes",
        ),
        (
            "if taken is not None and not lowering.can_be_taken_away(function):",
            "if False:",
            "a wrapper that names one that is taken away",
        ),
        (
            "if function.body is not None and (why := lowering.why_not_left(function)):",
            "if False:",
            "a wrapper that cannot be left over",
        ),
        (
            "(stores.certain | stores.perhaps) - set(aliased)",
            "stores.certain - set(aliased)",
            "writes that may go through a parameter",
        ),
        (
            "(stores.certain | stores.perhaps) - set(aliased)",
            "stores.perhaps - set(aliased)",
            "writes that certainly go through a parameter",
        ),
        ("undeclared -= self.traffics.of(function).settled", "pass", "requests that live in the wrapper alone"),
        ("        if stores.astray:\n", "        if False:\n", "stores that cannot be followed"),
        (
            "for index in sorted(stores.certain & set(aliased)):",
            "for index in ():",
            "writes through a parameter that is declared read-only",
        ),
        (
            "if called and (why := self._lowering_fused.not_callable(function)):",
            "if False:",
            "a wrapper that must be called and cannot be",
        ),
        (
            'return "!llvm.ptr" if plain == "!llvm.ptr<0>" else plain',
            'return "!llvm.ptr" if plain.startswith("!llvm.ptr") else plain',
            "address spaces",
        ),
    ),
    *off(
        "analysis/wrapper/reachability.py",
        (
            "for name, first, last in seen.symbols\n            if name != symbol",
            "for name, first, last in ()\n            if name != symbol",
            "what is reached through functions",
        ),
        (
            "if kind is None and found[1:-1] not in GPU_OPERATIONS:",
            "if kind is None:",
            "an operation on a GPU in the generic form",
        ),
        ("            if not is_mutable_global(operation):\n", "            if True:\n", "globals that can change"),
        ('(?P<invariant>"{_START}"|{_INVARIANT}|', '(?P<invariant>"{_START}"|', "the attribute `invariant`"),
        (
            '(?P<invariant>"{_START}"|{_INVARIANT}|',
            "(?P<invariant>{_INVARIANT}|",
            "an intrinsic called by its generic name",
        ),
        ('        "gpu.launch_func",\n', "", "a launch of a GPU function"),
        ('        "enzymexla.kernel_call",\n', "", "a call of a kernel"),
    ),
    *off(
        "ir/globals.py",
        (
            "return has_value or bool(words & _OF_THIS_MODULE)",
            "return bool(words & _OF_THIS_MODULE)",
            "a global with a value",
        ),
        (
            "return has_value or bool(words & _OF_THIS_MODULE)",
            "return has_value",
            "a global of this module without a value",
        ),
        (
            '(after is not None and after.text != ")") or bool(operation.regions)',
            'after is not None and after.text != ")"',
            "an initializer in a region",
        ),
        (
            'if depth == 0 and token.text == "=":\n            return True',
            'if depth == 0 and token.text == "=":\n            return False',
            "a memref with a value",
        ),
        (
            "    if said is None:\n        return True\n    if said.get",
            "    if said is None:\n        return False\n    if said.get",
            "a global whose attributes are not known",
        ),
        ('or not _EXTERNAL.fullmatch(said.get("linkage", ""))', "", "the linkage of a generic global"),
        (
            'return said is None or (said.get("constant"',
            'return said is not None and (said.get("constant"',
            "a generic memref whose attributes are not known",
        ),
        (
            '(said.get("constant", "false") == "false" and "initial_value" in said)',
            '(said.get("constant", "false") == "false" and False)',
            "a generic memref with a value",
        ),
    ),
    *off(
        "ir/attributes.py",
        ("if known is None or key in found or", "if key in found or", "an alias that is not known"),
        ("if known is None or key in found or", "if known is None or", "an attribute that stands twice"),
        ('or "\\\\" in key:', "or False:", "an attribute's name written with escapes"),
        (
            'if token.text == "}" and opened in ([], ["<"]):',
            'if token.text == "}":',
            "a dictionary that is a value is no attribute",
        ),
    ),
]
