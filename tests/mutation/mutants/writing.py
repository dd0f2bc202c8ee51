"""The text of fused wrappers."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "fusion/wrapper/body.py",
        (
            '(texts[function.symbol], function.reference if call else "")',
            '(texts[function.symbol], "")',
            "wrappers that are called differ in their names",
        ),
        ("            tuple(slots for _, slots in members),\n", "", "equal wrappers bind equal slots"),
        ("            tuple(copies),\n", "", "equal wrappers copy the same"),
        (
            'return f"llvm.call {convention} " if convention else "llvm.call "',
            'return "llvm.call "',
            "the calling convention of a callee",
        ),
        ("if copy.before == before for", "if copy.before == before + 1 for", "where a copy stands"),
        ('    if function.kind == "func.func":\n        return "call "\n', "", "how a `func.func` is called"),
        (
            'if all(function.kind == "llvm.func" for function, _ in members) else',
            'if any(function.kind == "llvm.func" for function, _ in members) else',
            "a group with a `func.func` becomes one",
        ),
        ('f"!llvm.ptr<{space[1]}>" if space else POINTER', "POINTER", "the memory space of a memref"),
        (
            "        written += self._copy_sizes() if not self._sizes else []\n",
            "        self._copy_sizes()\n",
            "how many bytes are copied",
        ),
    ),
    *off(
        "fusion/wrapper/clone.py",
        ('fresh + (match[2] or "")', "fresh", "which result a clone uses"),
        (
            "fresh = self._names[name] = self._values.like(name)",
            "fresh = self._names[name] = name",
            "names of two clones differ",
        ),
        (
            "elif shape.name in CONSTANTS and not any(name in further_in for",
            "elif shape.name in CONSTANTS and not any(False for",
            "a region above that defines a constant's name",
        ),
        ("if index not in self._first]", "]", "a constant stands once"),
    ),
    *off(
        "fusion/wrapper/names.py",
        ("        while fresh in self._taken:\n", "        while False:\n", "names inside a wrapper are free"),
        (
            "    if not is_taken(name):\n        return name\n",
            "    return name\n",
            "the name of a fused wrapper is free",
        ),
        ('while is_taken(f"{name}_{number}"):', "while False:", "the name with a number is free"),
    ),
    *off(
        "fusion/wrapper/signature.py",
        (
            '_ABOUT_ONE_CALL = frozenset({"llvm.noalias"})',
            "_ABOUT_ONE_CALL = frozenset[str]()",
            "promises about one call",
        ),
        (
            '_PLAIN = frozenset({"llvm.linkage", "sym_visibility", "llvm.cconv"})',
            "_PLAIN = frozenset[str]()",
            "attributes of the callee alone",
        ),
        ("{*dropped, *(_ACCESS if accessed else ())}", "{*dropped}", "a slot that is copied is not read-only"),
        (
            "all(dictionary.get(key) == value for dictionary in dictionaries):",
            "any(dictionary.get(key) == value for dictionary in dictionaries):",
            "attributes that all share",
        ),
        ("if all(effects is not None for effects in lists):", "if True:", "effects only where all have a list"),
        ("for effects in lists), accessed])", "for effects in lists)])", "copies read and write"),
        ("for effects in lists), accessed])", "for effects in lists[:1]), accessed])", "effects are united"),
        ("if key not in _FUNCTION_ACCESS}", "}", "a function that copies is not read-only"),
        (
            'if not clause.startswith("comdat") and all(',
            'if not clause.startswith("comdat") and any(',
            "clauses that all share",
        ),
        (
            "types[copy.target] = types[copy.target] or types[copy.source]",
            "pass",
            "the type of a slot that is copied into",
        ),
    ),
    *off(
        "fusion/wrapper/fused_wrappers.py",
        (
            "return name in self._names or name in self._symbols.names",
            "return name in self._names",
            "a name that the module has",
        ),
        (
            "return name in self._names or name in self._symbols.names",
            "return name in self._symbols.names",
            "a name that was just given",
        ),
        ("        fused.used = True\n", "", "a wrapper that a fused call names is written"),
        (
            'there = self._there.get(without_name(text.text("@fused"))) if self._there else None',
            "there = next(iter(self._there.values()), None)",
            "a wrapper that is there is equal",
        ),
        (
            "next((each for each in fused.wrappers if each.start > last), fused.wrappers[0])",
            "fused.wrappers[0]",
            "a wrapper stands below the aliases that it uses",
        ),
    ),
]
