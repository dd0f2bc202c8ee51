"""What is left must lower; which bodies may be written out a second time."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/wrapper/lowering.py",
        (
            "if self.taken_away(function) is not None or self.foreign(function):",
            "if self.foreign(function):",
            "what names a function that is taken away goes",
        ),
        (
            "if self.taken_away(function) is not None or self.foreign(function):",
            "if self.taken_away(function) is not None:",
            "what XLA does not know goes",
        ),
        (
            "if is_exported(function) or self._keeps_alive(function) else",
            "if self._keeps_alive(function) else",
            "a public function becomes private",
        ),
        (
            "if is_exported(function) or self._keeps_alive(function) else",
            "if is_exported(function) else",
            "what keeps a `func.func` alive becomes private",
        ),
        (
            "if (foreign := self.foreign(function)) and (namers := self.named_by(function.symbol)):",
            "if (foreign := self.foreign(function)) and (namers := ()):",
            "what XLA does not know and something names",
        ),
        (
            "if self.fate(function) is Fate.PRIVATE and self.made_private(function) is None:",
            "if False:",
            "a header that cannot be made private",
        ),
        ("if function.symbol == _RESERVED:", "if False:", "the name `entry`"),
        ("if function.symbol.startswith(_INTRINSIC):", "if False:", "names that LLVM keeps"),
        (
            'if convention not in _CALLABLE or "llvm.cconv" in attributes:',
            'if "llvm.cconv" in attributes:',
            "calling conventions",
        ),
        (
            'if convention not in _CALLABLE or "llvm.cconv" in attributes:',
            "if convention not in _CALLABLE:",
            "a calling convention in an attribute",
        ),
        (
            "for key in _ABOUT_PARAMETERS if key in attributes), None)",
            "for key in () if key in attributes), None)",
            "attributes that speak of parameters",
        ),
        (
            '_refused_passthrough(attributes.get("passthrough", ""))',
            '_refused_passthrough("")',
            "what is passed through to LLVM",
        ),
        (
            "for key in _ABOUT_LINKING if key in attributes), None)",
            "for key in () if key in attributes), None)",
            "attributes about linking",
        ),
        (
            "        if foreign := self.foreign(function):\n",
            "        if (foreign := self.foreign(function)) and False:\n",
            "a callee that XLA does not know",
        ),
        (
            "if self.must_be_private(function) and self.made_private(function) is None:",
            "if False:",
            "a callee that must be made private and cannot be",
        ),
        (
            "        if taken := self.taken_away(function):\n",
            "        if (taken := self.taken_away(function)) and False:\n",
            "a callee that names what is taken away",
        ),
        (
            "any(word in linkage for word in _NOT_COMPILED) or has_comdat(function)",
            "has_comdat(function)",
            "linkages that are not compiled",
        ),
        (
            "any(word in linkage for word in _NOT_COMPILED) or has_comdat(function)",
            "any(word in linkage for word in _NOT_COMPILED)",
            "comdats",
        ),
        (
            "if name != function.symbol and name in self._callees and",
            "if name in self._callees and",
            "a function that names itself",
        ),
        (
            "if name != function.symbol and name in self._callees and",
            "if name != function.symbol and",
            "only what a JIT call names is taken away",
        ),
        (
            'if self.named_by(function.symbol) or "llvm.emit_c_interface"',
            'if "llvm.emit_c_interface"',
            "what something names is not taken away",
        ),
        (
            'if self.named_by(function.symbol) or "llvm.emit_c_interface" in attributes:',
            "if self.named_by(function.symbol):",
            "a C interface is not taken away",
        ),
        (
            """if attributes.get("sym_visibility", '"private"') != '"private"':""",
            "if False:",
            "what is public is not taken away",
        ),
        (
            "return self._spelled[function.symbol] <= defined_in_a_string and",
            "return",
            "what a string spells is not taken away",
        ),
        (
            "<= defined_in_a_string and not self._named_besides(function)",
            "<= defined_in_a_string",
            "what an attribute names is not taken away",
        ),
        (
            "table is not None and table.region.start == own.start for",
            "True for",
            "what a module inside names is another function",
        ),
        (
            "_foreign_operation(function.body) or self._foreign_attribute(function)",
            "self._foreign_attribute(function)",
            "operations that XLA does not know",
        ),
        (
            "_foreign_operation(function.body) or self._foreign_attribute(function)",
            "_foreign_operation(function.body)",
            "attributes that XLA does not know",
        ),
        ("pending.append(self._reader.aliases[alias])", "pass", "attributes that XLA does not know, behind an alias"),
        (
            "pending += (inner for index in block.cut.regions for inner in block[index].regions)\n    except SyntaxProblem:\n        pass  # JIT902",
            "pass\n    except SyntaxProblem:\n        pass  # JIT902",
            "operations in regions that XLA does not know",
        ),
        ("if not (after.isalnum() or after in", "if (after.isalnum() or after in", "a body that names its function"),
        ('if name not in allowed and "-" not in name), None)', "if False), None)", "what may be passed through"),
        ('(("optnone",) if "noinline" in names else ())', '("optnone",)', "`optnone` needs `noinline`"),
    ),
    *off(
        "analysis/wrapper/private.py",
        (
            "return edits if _is_private(header) and _plainly(header) == _plainly(function.header) else None",
            "return edits if _is_private(header) else None",
            "a header says nothing else than before",
        ),
        (
            "return edits if _is_private(header) and _plainly(header) == _plainly(function.header) else None",
            "return edits if _plainly(header) == _plainly(function.header) else None",
            "a header is private then",
        ),
    ),
    *off(
        "analysis/wrapper/cloning.py",
        (
            "if not (together and _equal_attributes([*different.values()])):",
            "if not _equal_attributes([*different.values()]):",
            "a `func.func` is called",
        ),
        (
            "if not (together and _equal_attributes([*different.values()])):",
            "if not together:",
            "functions with other attributes are called",
        ),
        (
            "_REACHES_ITSELF if self._reaches_itself(each) else self._look(each)",
            "self._look(each)",
            "a function that names itself is called",
        ),
        (
            "if isinstance(each, int)) <= MOST_ALLOCAS",
            "if isinstance(each, int)) <= 1 << 40",
            "the stack of all clones together",
        ),
        ("if len(body.blocks) != 1:", "if False:", "a body of several blocks is called"),
        ("if body.unit.braces.holds_call(body.start, body.end):", "if False:", "a body with a JIT call is called"),
        (
            'if not len(block) or block[len(block) - 1].name != "llvm.return":',
            "if not len(block):",
            "a body that does not return is called",
        ),
        ("if len(block[len(block) - 1].operands):", "if False:", "a body that returns a value is called"),
        (
            "        if found := match[1] or match[2]:\n",
            "        if found := match[2]:\n",
            "an operation bound to its function, in a string",
        ),
        (
            "        if found := match[1] or match[2]:\n",
            "        if found := match[1]:\n",
            "an operation bound to its function",
        ),
        ("alias_scopes|noalias_scopes|", "", "alias scopes"),
        ("|musttail|", "|", "calls that must be the last"),
        ('|llvm\\.inline_asm"', '"', "labels in assembly"),
        ("    if not _cut_for_certain(body):\n", "    if False:\n", "a body that could not be cut"),
        ("if region.problems or depth > DEEPEST:", "if region.problems:", "regions too deep in one another"),
        (
            '            if size is None:\n                return "allocates',
            '            if size is None:\n                continue\n                return "allocates',
            "stack memory of unknown size",
        ),
        (
            'elif any("alloca" in region.unit.text',
            'elif False and any("alloca" in region.unit.text',
            "stack memory in a region",
        ),
        ("if total > LARGEST_ALLOCAS else total", "if total > 1 << 40 else total", "the stack of one clone"),
        (
            'operation.name in ("llvm.alloca", "memref.alloca")',
            'operation.name in ("llvm.alloca",)',
            "stack memory in a memref",
        ),
        (
            'for clause in function.header.clauses if not clause.startswith("comdat"))',
            "for clause in ())",
            "clauses of a header",
        ),
        (
            "None if count is None or size is None else count * size",
            "None if count is None or size is None else size",
            "the number of elements on the stack",
        ),
    ),
    *off(
        "analysis/storage/sizes.py",
        ('size = 2 * inner if opened == "complex<" else inner', "size = inner", "a complex number has two parts"),
        ("(_padded(size) if _in_struct(stack) else size)", "size", "padding in structs"),
        ("total, times = total + times * (", "total, times = total + (", "the elements of an array"),
        ('return -(-whole(match[1] or "8") // 8)', 'return whole(match[1] or "8") // 8', "a part of a byte is a byte"),
        (
            "if size is None:\n                return None\n",
            "if size is None:\n                size = 0\n",
            "a type of unknown size",
        ),
    ),
]
