"""Which operations have effects."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/effects/operations.py",
        ("if _SIDE_EFFECT.search(said):", "if False:", "has_side_effect of a custom call"),
        ("        said += properties\n", "        pass\n", "the alias that holds a custom call's properties"),
        (
            '        if properties is None:\n            return Effect(False, operation, "has attributes that are not known")\n',
            '        properties = properties or ""\n',
            "an alias that cannot be resolved",
        ),
        (' if "\\\\" in said and any(', " if False and any(", "an attribute's name written with escapes"),
        ("if not _is_call(operation):", "if False:", "`call` of a dialect not known"),
        (
            'return parent is None or effects.full_name(parent.name) == "func.func"',
            "return True",
            "where `call` is func's",
        ),
        (
            "if _is_call(current) and (target",
            "if _calls(current.shape) and (target",
            "`call` in the regions of a function",
        ),
        (
            "if not effects.works_on_addresses(name) and touches_memory(operation):",
            "if False:",
            "an operation on values that is given memory",
        ),
        (
            "if (other := other_operation(operation)) is not None:",
            "if (other := other_operation(operation)) is not None and False:",
            "another operation on a line of its own",
        ),
        (
            "            pending.extend(\n                inner for region",
            "            list(\n                inner for region",
            "the operations in the regions of a recursive one",
        ),
        (
            "any(region.problems for region in operation.regions) or _may_hold_more(operation)",
            "_may_hold_more(operation)",
            "a region that could not be cut",
        ),
        (
            "any(region.problems for region in operation.regions) or _may_hold_more(operation)",
            "any(region.problems for region in operation.regions)",
            "a region taken for a dictionary",
        ),
        (
            "lone = _LONE_GENERIC if operation.is_generic else _LONE",
            "lone = _LONE",
            "such a region in the generic form",
        ),
        (
            'return Effect(True, operation, "has side effects")\n        return',
            "return None\n        return",
            "declared",
        ),
        (
            'return Effect(False, operation, "is not known to be free of side effects")',
            "return None",
            "an operation that is not known",
        ),
        (
            'return Effect(False, operation, "calls a function that is not known")',
            "return None",
            "a call of whatever cannot be read",
        ),
        (
            'self._functions[current] = Effect(True, function, "calls itself")',
            "asked[current].pop()",
            "recursion",
        ),
        (
            "self._functions[current] = self._functions[called]",
            "pass",
            "the effects of functions that a function calls",
        ),
        (
            '            yield Effect(False, self._stand_in(function), f"calls @{name}, whose body is not in this module")\n',
            "",
            "a function without a body",
        ),
        (
            "                self.call_effect(current.block, current.index)\n                if",
            "                None\n                if",
            "a JIT call in a function that is called",
        ),
        (
            "                found = self.call_effect(current.block, current.index)",
            "                found = None",
            "a JIT call in a region",
        ),
        (
            "and shape.kind == OPERATION and not _calls(shape)",
            "and shape.kind == OPERATION",
            "what is remembered of a shape does not depend on a callee",
        ),
    ),
    *off(
        "analysis/effects/operation_text.py",
        (
            "            if match[1]:\n                return True",
            "            if match[1]:\n                continue",
            "memrefs",
        ),
        ("pending.append((aliases[name], 0, len(aliases[name])))", "pass", "a type of memory behind an alias"),
        (
            "if any(found[1] for found in _POINTER",
            "if False and any(found[1] for found in _POINTER",
            "pointers in structs",
        ),
        ("elif not _VALUES.match(name):", "elif False:", "types that nobody knows"),
        ("    yield start, operation.end\n", "", "what stands behind the last region"),
    ),
    *off(
        "ir/effects.py",
        ("UNKNOWN if name in _NOT_FREE else TABLE", "TABLE", "operations free of effects that may not change places"),
        ("return name in _ON_ADDRESSES", "return True", "which operations leave the memory alone"),
        ("TABLE.get(name, UNKNOWN)", "TABLE.get(name, NONE)", "an operation that the table does not list"),
    ),
    *off(
        "analysis/blocks.py",
        (
            'return Effect(False, block[index], "is a JIT call that could not be read")',
            "return None",
            "a JIT call that could not be read",
        ),
        ('return Effect(True, block[index], "is a JIT call with side effects")', "return None", "a JIT call's effects"),
        ("        if kind.effect_free:\n            return None\n", "", "a call that is declared free of effects"),
    ),
    *off(
        "ir/functions.py",
        (
            "tuple(_STRING.findall(value)) if _LIST.fullmatch(value) else None",
            "tuple(_STRING.findall(value)) if value else None",
            "a list of effects that cannot be read",
        ),
    ),
    *off(
        "analysis/wrapper/wrappers.py",
        (
            "memory_effects(self.function.attributes) == ()",
            'memory_effects(self.function.attributes) in ((), ("read",))',
            "reading is an effect",
        ),
    ),
    *off(
        "ir/calls.py",
        (
            'and not (syntax.spelling == "attributes" and others.isdisjoint(own))',
            "",
            "a flag that means nothing to current engines",
        ),
        (
            "return dict(syntax.properties), dict(syntax.attributes)",
            "return syntax.entries, {}",
            "entries beside properties",
        ),
    ),
]
