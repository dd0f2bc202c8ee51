"""From groups to edits, and the last look before they are written."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "fusion/plan.py",
        (
            "if sum(self.part.passed(other) == passed for other in self.slots) > 1:",
            "if False:",
            "`pass`: a value that is passed twice",
        ),
        (
            "return self._used_outside(held) or self._operand_uses",
            "return self._operand_uses",
            "`pass`: a result that is used outside",
        ),
        (
            "or self._operand_uses.get(passed, 0) > self._inside(passed)",
            "or False",
            "`pass`: a value that is used elsewhere is not spoilt",
        ),
        ('values[held] = f"{name}#{place}" if several else name', "values[held] = name", "which result a value is"),
    ),
    *off(
        "fusion/fuse.py",
        (
            "if own and not rewriter.moves(block.place.block.region.start) and rewriter.settle",
            "if own and rewriter.settle",
            "nothing is fused in what moves",
        ),
        ("key=_outer_first):", "key=lambda each: -each[1].block.region.start):", "outer blocks come first"),
    ),
    *off(
        "fusion/plans.py",
        ("        early = self.unit.early_use()\n", "        early = None\n", "a text that uses an alias too early"),
        (
            "found = undefined_use(block.place.block) if plans else None",
            "found = None",
            "a text that uses what it does not define",
        ),
        ("                own[name, 0] = own.get((name, 0), 0) - 1\n", "", "`pass`: a definition is no use"),
    ),
    *off(
        "fusion/rewrite.py",
        (
            "self.text[use.start : use.end] != new and use.operation not in inside:",
            "use.operation not in inside and use.operation >= 0:",
            "uses in other blocks are renamed",
        ),
        ("            self._new_text[start] = new\n", "", "operands of fused calls are renamed"),
        (
            "                    self._replace([(use.start, use.end, new)])\n",
            "                    pass\n",
            "uses are renamed",
        ),
        (
            "            if renaming is None:\n                return False\n",
            "            renaming = renaming or []\n",
            "a name that cannot be changed",
        ),
        (
            "            plan.rename(self._fresh(plan).like(plan.name))\n",
            "            pass\n",
            "a fused call's name that a region further up defines",
        ),
        (
            "                if place > index:\n                    found",
            "                if False:\n                    found",
            "a name that a region further up defines",
        ),
        (
            "            if plan.results and not plan.name:\n",
            "            if False:\n",
            "a fused call whose calls had no names",
        ),
        (
            "        self._remove(plan.block.place.block, (each for each in plan.gone if each is not at))\n",
            "",
            "the calls that became one go",
        ),
        (
            "                self._remove(stretch.block, plans[entry.group].gone)\n",
            "                pass\n",
            "the calls that became one go, where it stands elsewhere",
        ),
        (
            "found = self._frames.get(key)",
            "found = self._frames.get(key) or next(iter(self._frames.values()), None)",
            "a frame belongs to one pattern",
        ),
        (
            "if call.is_plain and (first == len(renamed) or renamed[first] >= call.end):",
            "if call.is_plain:",
            "operands that are named anew",
        ),
        ("                self.edits.rewrite(*span)\n", "                pass\n", "what moves goes where it stood"),
    ),
    *off(
        "fusion/naming.py",
        ("        if uses.doubtful:\n            return None\n", "", "a name in doubt is not changed"),
        ('_{number}") in self._taken:', '_{number}") in ():', "a new name is free"),
        (
            "        self._taken.add(fresh)\n        return fresh\n",
            "        self._next[stem] = number\n        return fresh\n",
            "a new name is given once",
        ),
    ),
    *off(
        "fusion/call.py",
        (
            "    if len(layouts) < len(slots):\n        with_layouts = []",
            "    if False:\n        with_layouts = []",
            "layouts for every slot, or none",
        ),
        ("    if with_layouts:\n        entries", "    if False:\n        entries", "layouts are kept"),
        (
            "if results and with_results and all(call.kind.metadata.has_result_layouts for call in with_results):",
            "if results and with_results and any(call.kind.metadata.has_result_layouts for call in with_results):",
            "result layouts only where all have them",
        ),
        (
            "if all(call.kind.effect_free for call in calls):",
            "if any(call.kind.effect_free for call in calls):",
            "free of effects only where all calls are",
        ),
        (
            "OutputOperandAlias((number,) if several else (), slot, ())",
            "OutputOperandAlias((number,) if several else (), number, ())",
            "a result aliases its slot",
        ),
        (
            "OutputOperandAlias((number,) if several else (), slot, ())",
            "OutputOperandAlias((number,), slot, ())",
            "no index where there is one result",
        ),
        (
            "result_types = [slots[index].operand_type for index in results]",
            "result_types = [slots[0].operand_type for index in results]",
            "the types of results",
        ),
    ),
    *off(
        "fusion/edits.py",
        (
            '            if start < position:\n                raise InternalError(f"two edits overlap at offset {start}")\n            while',
            "            while",
            "edits of operations do not overlap",
        ),
        (
            "        for (_, end, _), (start, _, _) in pairwise(flat):\n            if start < end:",
            "        for (_, end, _), (start, _, _) in pairwise(flat):\n            if False:",
            "edits do not overlap",
        ),
        ("next_small = max(next_small, bisect_left(starts, end))", "pass", "what is edited inside something that goes"),
        (
            "inside = self.replaced[first:last]",
            "inside = self.replaced[first:first]",
            "what is edited inside something that moves",
        ),
    ),
    *off(
        "fusion/verify.py",
        (
            "if start < position or not _equal(before, position, start, after, shift):",
            "if start < position:",
            "the text before each edit is as it was",
        ),
        ("if not after.startswith(new, start + shift):", "if False:", "every edit arrived"),
        (
            "if len(after) != len(before) + shift or not _equal(before, position, len(before), after, shift):",
            "if len(after) != len(before) + shift:",
            "the text behind the last edit is as it was",
        ),
        ("if len(after) != len(before) + shift or not _equal", "if not _equal", "nothing stands behind the text"),
        ("        _check_unit(unit, spans[first:last])\n", "", "what is used is defined above"),
        ("        _check_aliases(unit, spans[first:last])\n", "", "aliases are defined above"),
        (
            "if first_use.get(name, -1) > index",
            "if first_use.get(name, -1) != index",
            "a definition stands above its use",
        ),
        ("definition[0] != block or definition[1] < index", "True", "a definition around a region stands above it"),
        (
            "names -= {match[1] for match in _ARGUMENT.finditer(text)}",
            "names = set()",
            "names of an operation with braces",
        ),
        (
            "            touched.setdefault(place, set()).update(_operations(block, start, end))\n",
            "            touched.setdefault(place, set())\n",
            "what an edit touches",
        ),
        (
            "        pending += (\n            inner for index",
            "        list(\n            inner for index",
            "what is used in regions",
        ),
        (
            "if place >= 0 and starts[bisect_left(starts, place)] == place:",
            "if place >= 0:",
            "what looks like a definition is one",
        ),
    ),
    *off(
        "fusion/tidy/dedupe.py",
        (
            "() if block.place.unsure else block.candidates",
            "block.candidates",
            "calls of a block that is not understood",
        ),
        (
            "if not any(verdict.code in _OTHERS for verdict in",
            "if not any(verdict.code == 'JIT302' for verdict in",
            "two wrappers have two globals",
        ),
        (
            "            if why := _why_not_left(function, lowering):\n",
            "            if (why := _why_not_left(function, lowering)) and False:\n",
            "a wrapper that cannot be left without a call",
        ),
        ("        if abi_verdicts(function):\n", "        if False:\n", "a wrapper that cannot go, being none"),
        (
            "        if namers := lowering.named_by(function.symbol):\n",
            "        if (namers := lowering.named_by(function.symbol)) and False:\n",
            "a wrapper that cannot go, being named",
        ),
    ),
    *off(
        "fusion/tidy/equality.py",
        ("            return match[1]\n", '            return ""\n', "strings count"),
        ('return numbers.setdefault(match[2], f"%{len(numbers)}")', 'return "%"', "which value is used"),
    ),
    *off(
        "fusion/tidy/prune.py",
        ("if not symbols.region.problems:", "if True:", "a table that could not be cut"),
        ("or name in named or name in symbols.repeated:", "or name in symbols.repeated:", "what calls name stays"),
        ("or name in named or name in symbols.repeated:", "or name in named:", "what is defined twice stays"),
        (
            "if not (function.parameters or function.symbol in former) or abi_verdicts(function):",
            "if abi_verdicts(function):",
            "a function without parameters is no wrapper",
        ),
        (
            "if not (function.parameters or function.symbol in former) or abi_verdicts(function):",
            "if not (function.parameters or function.symbol in former):",
            "what no call could name is no wrapper",
        ),
        ('    if "llvm.emit_c_interface" in function.attributes:\n        return False\n', "", "a C interface stays"),
        (
            """    if function.attributes.get("sym_visibility", '"private"') != '"private"':\n        return False\n""",
            "",
            "what is public stays",
        ),
        ("return not is_exported(function) or function.symbol in former", "return True", "what is exported stays"),
        (
            "for name in _spelled([each.function for each in in_order], unit) for",
            "for name in () for",
            "what a string spells stays",
        ),
        (
            "            reached.update(places)\n    pending",
            "            pass\n    pending",
            "what a name leads to stays",
        ),
        (
            "        reached |= new\n",
            "        pass\n",
            "what is reached through others stays",
        ),
        (
            "if index not in cut.regions or unit.braces.holds_call(cut.starts[index], cut.ends[index]):",
            "if index not in cut.regions:",
            "a function with calls is no wrapper",
        ),
    ),
    *off(
        "fusion/tidy/leftover.py",
        ("if (is_left or is_called) and", "if is_called and", "a public wrapper that is left over becomes private"),
        ("if (is_left or is_called) and", "if is_left and", "a callee that must be private becomes so"),
        (
            "lowering.is_called(name)",
            "bool(lowering.named_by(name))",
            "what is called through others becomes private too",
        ),
        (
            "name not in analysis.named_in(symbols) and lowering.fate",
            "lowering.fate",
            "a wrapper that calls name stays as it is",
        ),
    ),
    *off(
        "fusion/tidy/tidyings.py",
        (
            "turn = min((each.turn for each in wanted), default=0)",
            "turn = max((each.turn for each in wanted), default=0)",
            "what is done first",
        ),
        (
            "if each.due or _may_be_done(each.finding, allowed)]\n    turn",
            "if _may_be_done(each.finding, allowed)]\n    turn",
            "what is due is done",
        ),
        ("finding.fixable and allowed(finding)", "finding.fixable", "what may not be fixed"),
    ),
]
