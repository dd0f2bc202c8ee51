"""The proof that a fix computes what the text before does: each mutant takes for equal what need not be.

Not in the list: the rules that look into more, since without them right fixes are not proved, and no wrong one is; that
a body of several blocks is not run, since one whose first block does not return is no body that is run; that an index
is in its memref, since a program whose index is not means nothing; that a wrapper is not variadic, since such a one is
not run either; that the layouts that XLA chooses have a name, since no name is one, too; that what is reached through
memory is described and may be written, since an address that is loaded is an effect, and those reach all addresses in
memory; that operations which the table knows to be free of effects have some on memory, since what they give counts as
an address; the convention and the results of a function that is called, since the call says them again.
"""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "proof/buffers.py",
        (
            "if place < 0 or (self.size is not None and end > self.size):",
            "if False:",
            "a store outside of its memory",
        ),
        (
            "if place < 0 or (self.size is not None and place + length > self.size):",
            "if False:",
            "a load outside of its memory",
        ),
        (
            "            if start < place:\n                kept",
            "            if False:\n                kept",
            "bytes before a store",
        ),
        ("            if stop > end:\n", "            if False:\n", "bytes behind a store"),
        (
            "Piece(old.source, old.offset + begin - start, stop - begin)",
            "Piece(old.source, old.offset, stop - begin)",
            "which bytes are behind a store",
        ),
        (
            "            if pointer is not None:\n                raise",
            "            if False:\n                raise",
            "bytes of a pointer",
        ),
        (
            "Piece(piece.source, piece.offset + at - start, stop - at)",
            "Piece(piece.source, piece.offset, stop - at)",
            "which bytes are loaded",
        ),
        ("            if start > at:\n", "            if False:\n", "bytes between those that were stored"),
        (
            "        if at < end:\n            found.append(Piece(self.base",
            "        if False:\n            found.append(Piece(self.base",
            "bytes that were there before",
        ),
        ("self.stored[at][0].length == length:", "True:", "a pointer is loaded whole"),
        (
            "        if not self.places:\n            return self.base\n",
            "        if True:\n            return self.base\n",
            "what was stored is left in memory",
        ),
    ),
    *off(
        "proof/terms.py",
        (
            'if kind == "cell" and data == type_ and',
            'if kind == "cell" and',
            "what is loaded as another type is another value",
        ),
        (
            'inner[0] != "load" or inner[1][0] != data or not is_whole_bytes(data)',
            'inner[0] != "load" or inner[1][0] != data',
            "types of which not all bits are kept",
        ),
        (
            'inner[0] != "load" or inner[1][0] != data or not is_whole_bytes(data)',
            'inner[0] != "load" or not is_whole_bytes(data)',
            "what is loaded is stored as the same type",
        ),
        (
            "if len(flat) == 1 and flat[0].offset == 0 and self.sizes.get(flat[0].source) == flat[0].length:",
            "if len(flat) == 1 and flat[0].offset == 0:",
            "a term is all of its bytes, or a part",
        ),
        (
            "if len(flat) == 1 and flat[0].offset == 0 and self.sizes",
            "if len(flat) == 1 and self.sizes",
            "a term is its bytes from the first on",
        ),
        (
            "last.source == piece.source and last.offset + last.length == piece.offset",
            "last.source == piece.source",
            "pieces are joined that follow one another",
        ),
        (
            "                if piece[:2] == (base, place):\n",
            "                if piece[0] == base:\n",
            "a piece is put back where it was",
        ),
        (
            "(piece.source, place, piece.offset):",
            "(piece.source, place, last.offset + last.length):",
            "pieces of unknown memory are joined that follow one another",
        ),
        (
            "        if place > at:\n            found.append(Piece(_within(base)",
            "        if False:\n            found.append(Piece(_within(base)",
            "bytes between pieces",
        ),
        (
            'made = self.make("left", (order, size), doing)',
            'made = self.make("left", (0, size), doing)',
            "what is left in one buffer is not what is left in another",
        ),
    ),
    *off(
        "proof/known_results.py",
        (
            "        if given is None or given != size:\n            return None\n",
            "",
            "an operation that repeats its operand",
        ),
        (
            "        if len(known) != len(sizes) or sum(known) != _flat(match[2]):\n            return None\n",
            "",
            "pieces whose sizes are not known",
        ),
        (
            "if whole is None or part is None or offset is None or offset + part > whole:",
            "if offset is None or part is None or whole is None:",
            "a slice of what there is",
        ),
        (
            "        if match is None or not int(match[1]) < int(match[2]) <= dimension:\n            return None\n",
            "        if match is None:\n            return None\n",
            "a range in its dimension",
        ),
        (
            "None if element is None else start * element",
            "None if element is None else start",
            "the bytes before a slice",
        ),
        ("        start += int(match[1])  # 0", "        start += 0  # 0", "where a slice begins"),
        ("return size_of(type_) if is_flat(type_) else None", "return size_of(type_)", "a tensor whose layout matters"),
    ),
    *off(
        "proof/type_sizes.py",
        ("sum(each != 1 for each in shape) < 2", "True", "a tensor with one order of its elements"),
        ("        place += -place % alignment\n", "", "fields are aligned"),
    ),
    *off(
        "proof/promises.py",
        (
            'is_free = self.terms.make("effect", act, state, *parts) not in self._bound',
            "is_free = True",
            "an effect that is bound as well as free",
        ),
        (
            "not is_free and (act, parts) in self._promised_free:",
            "not is_free and act in {each for each, _ in self._promised_free}:",
            "the same effect with the same terms",
        ),
        ("self.free if is_free else state, *parts)", "self.free, *parts)", "an effect depends on those before it"),
        (
            "        if (effect, number) in self._unwritten and self.is_second:\n",
            "        if self.is_second:\n",
            "only the first module is believed",
        ),
        (
            "        if is_shut and not self.is_second:\n",
            "        if not self.is_second:\n",
            "what a result aliases may be written",
        ),
        (
            "        if is_shut and not self.is_second:\n",
            "        if is_shut:\n",
            "what the second module does not say is not believed",
        ),
        ("return state if self.terms.nodes[effect][2] == self.free else effect", "return state", "effects count"),
        (
            "        self._unwritten, self._done, self._promised, self._bound = set(), [], None, set()\n",
            "",
            "promises are those of one function",
        ),
    ),
    *off(
        "proof/call_execution.py",
        ("len(set(operands)) < len(operands)", "False", "a plan hangs on which operands are one value"),
        (
            "if maker is None or maker.index >= call.index or isinstance(self._form(maker.syntax), str):",
            "if maker is None or maker.index >= call.index:",
            "a call whose text is not understood lends nothing",
        ),
        (
            "if result in found or not 0 <= result < count or alias.operand_tuple_indices:",
            "if not 0 <= result < count or alias.operand_tuple_indices:",
            "two aliases of one result",
        ),
        ("        if operand in found.values():\n", "        if False:\n", "one alias for each operand"),
        (
            "if not 0 <= operand < len(inputs) or inputs[operand] != results[result]:",
            "if not 0 <= operand < len(inputs):",
            "a result has its operand's type",
        ),
        (
            "if key not in OWN_ENTRIES or known[key] != value]]:",
            "if known[key] != value]]:",
            "entries of a call that are not known",
        ),
        (
            "if key not in OWN_ENTRIES or known[key] != value]]:",
            "if key not in OWN_ENTRIES]]:",
            "a configuration of the call",
        ),
        (
            'return tuple(["" if is_flat(type_) else "".join(each.split()) for type_, each in pairs])',
            'return tuple(["" for type_, each in pairs])',
            "layouts that a call spells",
        ),
        (
            "        if self._module.facts(symbol).is_apart:\n            return f",
            "        if False:\n            return f",
            "storage that every compiled wrapper has for itself",
        ),
        (
            '        if any(result != "!llvm.void" for result in function.header.results):\n',
            "        if False:\n",
            "a wrapper that returns something",
        ),
        (
            "        if not all(_BUFFER.match(parameter.type) for parameter in function.parameters):\n",
            "        if False:\n",
            "a wrapper that takes something else than buffers",
        ),
        (
            "            if held[index] != contents[index]:\n",
            "            if False:\n",
            "writes through operands that no result aliases",
        ),
        (
            "for at, its in enumerate(shut) if its and",
            "for at, its in enumerate(shut) if its and at == 0 and",
            "writes through each operand that no result aliases",
        ),
        (
            "                if lender is not None and (",
            "                if lender is None or (",
            "whose buffer such a write goes to",
        ),
        (
            "(is_alone or self._world.excuses((said, contents[index], *operands)))",
            "(is_alone or True)",
            "a write that the first module does not make",
        ),
        (
            "return (maker, others == 0) if others == passed else (None, False)",
            "return maker, True",
            "a value that others use as well",
        ),
        (
            "        if maker.start in self._shared:\n            return None, False\n",
            "",
            "XLA keeps one of two equal calls",
        ),
        (
            "            wrong = {start for start in self._lent if start in twins and times[twins[start]] > 1}\n",
            "            pass\n",
            "a value that turned out to have no buffer of its own",
        ),
        (
            "            if len(masks[kind]) == 1:",
            "            if True:",
            "what a call gives may be passed on by way of a reshape",
        ),
        (
            "                given[call.block.region.start, value] = found[start], number\n",
            "                given[call.block.region.start, value] = start, number\n",
            "equal calls on what equal calls give are equal",
        ),
        (
            "            not shut[at] or (held.count(term) > 1",
            "            False or (held.count(term) > 1",
            "operands that are written have buffers of their own",
        ),
        (
            "not shut[at] or (held.count(term) > 1 and self._lender(block, call, at)[1])",
            "True",
            "operands that are only read share one buffer",
        ),
        (
            "        if is_free and not call.results:\n",
            "        if not call.results:\n",
            "a call without results may have effects",
        ),
        (
            'said = ("writes undeclared", index, self.meaning(symbol))',
            'said = ("writes undeclared", index)',
            "the same fault only in the same call",
        ),
        ("or inputs[operand] != results[result]:", ":", "a result has its operand's type"),
        (
            '        if kind == "laid" and data == layout:\n',
            '        if kind == "laid":\n',
            "what is written in one layout and read in another",
        ),
        (
            '        if kind == "read" and data == layout:\n',
            '        if kind == "read":\n',
            "what is read in one layout and passed in another",
        ),
        (
            "        return memory_effects(function.attributes) == ()\n\n    def _form",
            "        return memory_effects(function.attributes) is not None\n\n    def _form",
            "only an empty list of effects is none",
        ),
        (
            "is_free = function is not None and memory_effects(function.attributes) == ()\n",
            "is_free = True\n",
            "an unknown call has effects",
        ),
        (
            'if "result_layouts" in entries and [layouts[at] for at in order] != list(given):',
            "if False:",
            "the layouts of results are those of operands",
        ),
    ),
    *off(
        "proof/wrapper_execution.py",
        (
            "return self.module.facts(symbol).height is not None and self.module.takes_plainly(function)",
            "return self.module.facts(symbol).height is not None",
            "parameters that are not passed plainly",
        ),
        ('text + (rounding if names else "")', "text", "how a function rounds"),
        (
            '        if function.header.calling_convention != (match[1] or "").replace("ccc", ""):\n            return None',
            "        if False:\n            return None",
            "calling conventions",
        ),
        (
            "        if offset is None or operands[0].offset is None:\n            return None\n",
            "        if offset is None:\n            return None\n",
            "an address that is not known, moved",
        ),
        (
            "operands[0]._replace(offset=operands[0].offset + offset)",
            "operands[0]._replace(offset=offset)",
            "an address moved twice",
        ),
        ("        if into.name:\n            return None\n", "", "a copy into a constant"),
        ("            place += piece.length\n        return []", "        return []", "where pieces are copied to"),
        (
            "if match is None or not self.module.is_constant(self._symbols[match[1]]):",
            "if match is None:",
            "globals that change",
        ),
        (
            "            place = place * extent + index\n",
            "            place = place + index\n",
            "the elements of a memref, row after row",
        ),
        (
            "if len(keys) != len(results) or not values.keys().isdisjoint(keys):",
            "if len(keys) != len(results):",
            "a name that is defined twice in a body",
        ),
    ),
    *off(
        "proof/unknown_operations.py",
        (
            "        if operation.name not in CALLS and not operation.regions and not acts and declared(operation.name) == NONE:\n",
            "        if operation.name not in CALLS and not operation.regions and not acts:\n",
            "operations that may write to memory",
        ),
        (
            "touched: Sequence[Touch] = touches(module, operation, names)",
            "touched: Sequence[Touch] = [Touch.NOT] * len(operands)",
            "operations that are not known write",
        ),
        (
            "acts = acts or operation.name in CALLS or any(module.facts(name).has_effects for name in called)",
            "acts = acts",
            "calls have effects",
        ),
        (
            "leaks = leaks or any(module.facts(name).leaks for name in called)",
            "leaks = leaks",
            "addresses that a callee keeps",
        ),
        (
            "            operands = [*operands, *[Pointer((number,), 0) for number in self._escaped]]\n",
            "            operands = [*operands]\n",
            "effects reach the addresses that went out",
        ),
        (
            '            self.state = self.terms.make("after?", None, self.state, done)\n',
            "            pass\n",
            "effects in a wrapper have an order",
        ),
        ("worst[number] = max(worst[number], touch)", "worst[number] = touch", "the worst that is done to a buffer"),
        (
            "        if leaks:\n            self._escaped.update",
            "        if False:\n            self._escaped.update",
            "addresses that go out",
        ),
        (
            "        if buffer.name or touch is Touch.NOT:\n            return\n",
            "        if buffer.name or touch is not Touch.WRITTEN:\n            return\n",
            "functions outside may write",
        ),
        ("                parts.append(pointer.path)\n", "                pass\n", "where in a buffer an address is"),
        (
            '                said.append("contents")\n                parts.append(buffer.contents(self.terms))\n',
            '                said.append("contents")\n',
            "what a buffer holds when something is done to it",
        ),
        (
            "        if isinstance(value, Pointer):\n            self._escaped.update(dict.fromkeys(value.buffers))\n",
            "",
            "addresses that are stored",
        ),
    ),
    *off(
        "proof/touches.py",
        (
            "            self._outside |= together | self._spilled\n",
            "            self._outside |= together\n",
            "addresses in memory that a function outside finds",
        ),
        (
            "            self._written |= together | self._spilled\n",
            "            self._written |= together\n",
            "addresses in memory that a function finds",
        ),
        (
            "            self._written |= mask if touch is Touch.WRITTEN else 0\n",
            "            pass\n",
            "what is written",
        ),
        (
            "            self._outside |= mask if touch is Touch.OUTSIDE else 0\n",
            "            pass\n",
            "what may be written",
        ),
        (
            "    return [Touch.OUTSIDE if module.acts(operation) else Touch.NOT]",
            "    return [Touch.NOT]",
            "operations that are not known may write",
        ),
        (
            "return [Touch.WRITTEN if name == target else Touch.NOT for name in names]",
            "return [Touch.NOT for name in names]",
            "stores write",
        ),
        ("            together = self._spilled\n", "            together = 0\n", "addresses that are loaded"),
        ("                self._flood(operation)\n", "                pass\n", "addresses that go to other blocks"),
        (
            "                self._from[result] = self._from.get(result, 0) | together\n",
            "                pass\n",
            "addresses that are computed",
        ),
    ),
    *off(
        "proof/module_facts.py",
        (
            "            cells.difference_update(name for each in operations for name in _not_as_address(each))\n",
            "            pass\n",
            "memory of its own whose address goes out",
        ),
        (
            "return Facts(None, True, any(map(self._leaks_itself, reached)), ",
            "return Facts(None, False, any(map(self._leaks_itself, reached)), ",
            "a function that calls itself",
        ),
        (
            "acts, leaks = acts or any(each.has_effects for each in below), leaks or any(each.leaks for each in below)",
            "acts, leaks = acts, leaks or any(each.leaks for each in below)",
            "effects of what is called",
        ),
        (
            "acts, leaks = acts or any(each.has_effects for each in below), leaks or any(each.leaks for each in below)",
            "acts, leaks = acts or any(each.has_effects for each in below), leaks",
            "addresses that what is called keeps",
        ),
        ('return "volatile" in own or "atomic" in own or', "return", "volatile and atomic access"),
        ('(name.endswith("load") and "-> !llvm.ptr" in own)', "False", "addresses that came out of memory"),
        (
            "            return _CUSTOM_CALL_ACTS.search(plain) is not None\n",
            "            return False\n",
            "custom calls that say so have effects",
        ),
        (
            "        if declared(name) not in (NONE, RECURSIVE):\n            return True\n",
            "",
            "operations that the table knows to have effects",
        ),
        ('return "constant" in words and not is_mutable_global(found)', "return True", "a global that may change"),
        (
            "return len(_MAY_HOLD_ADDRESS.findall(plain)) > 1",
            "return False",
            "addresses that a body stores",
        ),
        (
            "return len(_MAY_HOLD_ADDRESS.findall(plain)) > 1",
            "return len(re.findall(r'!llvm.ptr|memref<', plain)) > 1",
            "addresses in structures that a body stores",
        ),
        (
            'if name.endswith("store") or name in _WRITERS:',
            'if name.endswith("store"):',
            "addresses that a body writes otherwise",
        ),
        ("return gives and self.acts(operation)", "return False", "addresses that what is not known gives"),
    ),
    *off(
        "proof/block_execution.py",
        (
            "        if kind.acts:\n            term = state =",
            "        if False:\n            term = state =",
            "operations with effects",
        ),
        ("            acts = acts or region_acts\n", "", "regions with effects"),
        (
            '            raise NotUnderstood(f"{name} belongs to another region")\n',
            "            pass\n",
            "values that belong to another region",
        ),
        ("        self._taken.update(set(order) - bound)\n", "", "values that a region may be given, defined below"),
        ("            if values.defines(name):\n", "            if False:\n", "a name that is defined twice"),
        (
            'self._terms.make("block", shapes[block.number], entry, state, last)',
            'self._terms.make("block", shapes[block.number], entry, last)',
            "the effects of a block",
        ),
        (
            'self._terms.make("block", shapes[block.number], entry, state, last)',
            'self._terms.make("block", shapes[block.number], entry, state)',
            "the last operation of a block",
        ),
        (
            "any(region.problems for region in regions) or self._may_decide(operation):",
            "any(region.problems for region in regions):",
            "what may be a symbol table",
        ),
        (
            "return any(own.is_certain or self._program.module.symbols.shares_a_name(own) for own in tables)",
            "return any(own.is_certain for own in tables)",
            "a function that may be another one inside",
        ),
        ("self._values.known(its) is not None for its in own]", "False for its in own]", "`%a =` that is a use"),
    ),
    *off(
        "proof/call_execution.py",
        (
            "if common is not None and self._calls.lends:",
            "if False:",
            "calls that lend buffers, beside what is not executed",
        ),
        (
            "return self._run(operation, common) if self._calls.begin() else term",
            "return term",
            "a run that took a shared value for one with a buffer of its own",
        ),
        ("        return done.state\n", "        return state\n", "the effects of calls"),
    ),
    *off(
        "proof/common_lines.py",
        (
            "if shape.kind != OPERATION or name in MOVERS or not",
            "if shape.kind != OPERATION or not",
            "what moves bytes is executed",
        ),
        ("return declared(name) == NONE and", "return", "operations with effects are executed"),
        (
            "return 0 < self._count == len(self.defined)",
            "return 0 < self._count",
            "a name that two common lines define",
        ),
        (
            "return all(first.known(name) == second.known(name) for name in self.used)",
            "return True",
            "what common operations use is equal",
        ),
        (
            "            if defined.get(name, place) > place:\n",
            "            if False:\n",
            "what a common line uses is defined above, by another",
        ),
        (
            "                if defined.get(name, index) > index:\n",
            "                if False:\n",
            "what is executed uses what is defined above",
        ),
        (
            "                    if first.get(name, index) < index:\n",
            "                    if False:\n",
            "what a common line uses is defined above, by what is executed",
        ),
    ),
    *off(
        "proof/written_alike.py",
        ("    for each in pair:\n", "    for each in pair[:1]:\n", "how a twin is written after the fix"),
        ("    for each in pair:\n", "    for each in pair[1:]:\n", "how a twin was written before the fix"),
        (
            "        found.append((head[0], each.text[head.end() + len(name) : each.end]))",
            "        found.append((head[0], each.text[head.end() + len(name) + 40 : each.end]))",
            "the types of a twin",
        ),
    ),
    *off(
        "proof/compare.py",
        ("        if len(firsts) != len(seconds):\n", "        if False:\n", "as many modules"),
        ("        if module.symbols.repeated:\n", "        if False:\n", "a symbol that is defined twice"),
        ("        if len(before.others) != len(after.others):\n", "        if False:\n", "operations without a symbol"),
        (
            'if not (_is_private(first) and ("tensor<" not in _head(first) or _is_named(name, before))):',
            "if False:",
            "a function that is gone",
        ),
        (
            "            elif unlike is None or first.own_text() != second.own_text() or unlike.is_in(first):\n",
            "            elif unlike is None or first.own_text() != second.own_text():\n",
            "what the symbols in an equal text name",
        ),
        (
            "unlike = _Unlike(before.module, sames, shared) if same_aliases else None",
            "unlike = _Unlike(before.module, sames, shared)",
            "what the aliases in an equal text stand for",
        ),
        (
            "            if sames[0].of(name) != sames[1].of(name) and calls[0].meaning(name) != calls[1].meaning(name):\n",
            "            if False:\n",
            "wrappers that others may call",
        ),
        ("        if heads[0] != heads[1]:\n", "        if False:\n", "what modules say of themselves"),
        (
            "return terms[0] == terms[1] and (common is None or common.hold(runs[0].defined, runs[1].defined))",
            "return terms[0] == terms[1]",
            "what operations that are not executed rest on",
        ),
        ("return terms[0] == terms[1] and (common", "return (common", "what functions come to"),
        ("        self._world.forget()\n", "", "a function does not know another's promises"),
        (
            "is_seen = name in self._nested or not (",
            "is_seen = not (",
            "functions that are named from outside their table",
        ),
        ("if first.name not in SYMBOL_TABLES)", "if True)", "a table is not its name"),
        ("            self._world.is_second = operation is second\n", "            pass\n", "which module is believed"),
    ),
    *off(
        "proof/same_functions.py",
        (
            '            return terms.make("external", symbol)\n',
            '            return terms.make("external", None)\n',
            "functions outside differ by their names",
        ),
        (
            'return terms.make("recursive", symbol, self._rings[ring])',
            'return terms.make("recursive", None, self._rings[ring])',
            "which of those that call one another",
        ),
        (
            "*reached), *parts)",
            "*reached))",
            "what those do that call one another",
        ),
        (
            "return (*shape, module.rounding(function), passed)",
            "return (*shape, passed)",
            "how a function rounds, called",
        ),
        (
            "return (*shape, module.rounding(function), passed)",
            "return (*shape, module.rounding(function))",
            "how parameters are passed",
        ),
    ),
    *off(
        "proof/wrapper_summaries.py",
        (
            "term = world.written(values[where[0]], data[0], data[1], values[where[1]], data[2])",
            "term = world.written(values[where[0]], data[0], data[1], values[where[1]], True)",
            "what a result aliases may be written by functions outside",
        ),
        (
            "key = (symbol if constants is None else function.key), sharing",
            "key = (symbol if constants is None else function.key), sharing._replace(group=())",
            "a summary belongs to one way of sharing",
        ),
        (
            "tuple(map(self._number, function.numbers)) if constants else ()",
            "tuple(map(self._number, function.numbers[:1] * len(constants))) if constants else ()",
            "which constant stands where",
        ),
        (
            "            if body is not None and machine.can_run(symbol, function):",
            "            if body is not None:",
            "a body that is not run is one of its own constants",
        ),
        (
            "                self._constants[function.key] = None\n                if",
            "                if",
            "a body that turns out not to be understood is one of its own constants",
        ),
        (
            "if len(found) == len(function.numbers) and all(_NUMBER",
            "if all(_NUMBER",
            "all constants of a body are known",
        ),
        (
            "and all(_NUMBER.fullmatch(each.own_text()) for each in found):",
            "and True:",
            "what stands in a constant's operation besides its number",
        ),
    ),
    *off(
        "proof/known_results.py",
        (
            "if first is None or second is None or not -limit <= first + second < limit:",
            "if first is None or second is None:",
            "a sum that overflows",
        ),
    ),
    *off(
        "proof/plain_text.py",
        ("                    word = self._alias(word)\n", "                    pass\n", "aliases are resolved"),
        (
            "                    word = symbol(symbol_name(word))",
            '                    word = symbol("")',
            "symbols in a text",
        ),
        ("if _VARIES.search(key) or len", "if len", "texts that mean other things at other times"),
    ),
]
