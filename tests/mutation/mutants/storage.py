"""Which value each slot holds while the calls of a group run."""

from __future__ import annotations

from tests.mutation.mutant import off

# Not in the list, since nothing can tell them from the code as it is:
# - that `GroupStorage.refusal` looks for who makes what is written undeclared: the walk takes these calls along, and a
#   component has all of them.

MUTANTS = [
    *off(
        "analysis/storage/storage.py",
        ("if member.parameter_types[number] != slot.parameter_type:", "if False:", "the pointer types of a slot agree"),
        (
            "if member.layouts[number] != slot.layout and not is_flat(slot.operand_type):",
            "if False:",
            "the layouts of a slot agree",
        ),
        (
            "if twice or self._left.get(old, 0) > 0:",
            "if self._left.get(old, 0) > 0:",
            "one call passes what it overwrites twice",
        ),
        ("if twice or self._left.get(old, 0) > 0:", "if twice:", "what is overwritten is needed later"),
        (
            "self._left.get(old, 0) > 0",
            "self._left.get(old, 0) > 1",
            "every use counts",
        ),
        (
            "if not mutated and value in self._reads:",
            "if value in self._reads:",
            "what is written has a slot of its own",
        ),
        (
            "        if not mutated:\n            self._set(self._reads",
            "        if True:\n            self._set(self._reads",
            "a slot that is written is not read as the value",
        ),
        (
            "            self._count(value, -1)\n",
            "            pass\n",
            "uses by calls of the group are no later uses",
        ),
        ("if size is None or slot.layout is None:", "if slot.layout is None:", "a size that is not known"),
        ("if size is None or slot.layout is None:", "if size is None:", "a copy of a value whose layout XLA chooses"),
        ("                binding[other] = target\n", "                pass\n", "the same call reads the copy"),
        ("        self._set(self._where, old, target)\n", "", "later calls read the copy"),
        ("self.copies.append(Copy(member.index, source, target, size))", "pass", "what is kept is copied"),
        (
            "            self._changes.append((self.slots, index, slot))\n",
            "",
            "a call that is taken back: slots",
        ),
        (
            "self._set(self._where, new, index)",
            "self._where[new] = index",
            "a call that is taken back: values",
        ),
        (
            "self._set(self._reads, value, len(self.slots))",
            "self._reads[value] = len(self.slots)",
            "a call that is taken back: reads",
        ),
        (
            "self._set(self._left, value, (before or 0) + change)",
            "self._left[value] = (before or 0) + change",
            "a call that is taken back: uses",
        ),
        ("        del self.slots[mark.slots :]\n", "", "a call that is taken back: its slots"),
        ("        del self.copies[mark.copies :]\n", "", "a call that is taken back: its copies"),
        (
            "while storage.members and storage.members[-1].index > later[0].index:",
            "while False:",
            "calls run in text order",
        ),
        (
            "        for old in reversed(tail):\n            storage.push(old)\n",
            "",
            "a conflict leaves all as it was",
        ),
        ("conflict = conflict or storage.debt(before)", "pass", "what plumbing needs outside is not overwritten"),
        (
            "if self._left.get(value, 0) > 0)",
            "if True)",
            "what plumbing needs inside alone may be overwritten",
        ),
        (
            "self._direct(root) > seen[root]:",
            "self._left.get(root, 0) > seen[root]:",
            "plumbing of the group may be all that is left",
        ),
        (
            "if twice or (self._direct(old) > 0 and not self.slots[binding[number]].scratch):",
            "if twice or self._direct(old) > 0:",
            "a copy that is made outside as well may be overwritten",
        ),
        (
            "                    if before:\n",
            "                    if False:\n",
            "plumbing that is needed no more needs nothing",
        ),
        ("        del self._owed[mark.owed :]\n", "", "a call that is taken back: what it owes"),
        (
            "self.slots[index] = slot._replace(holds=new)",
            "self.slots[index] = slot._replace(holds=old or new)",
            "a slot holds what was written last",
        ),
    ),
    *off(
        "analysis/storage/group_storage.py",
        ("            pattern.append(call.kind.serial)\n", "", "the pattern of a group holds the kinds of its calls"),
        ("                pattern.append(number)\n", "", "the pattern holds which operands are one value"),
        ("pattern.append(uses.get(value, 0))", "pattern.append(0)", "the pattern holds how often each result is used"),
        (
            "                numbers[value] = len(numbers)\n",
            "                pass\n",
            "the pattern tells results from values outside",
        ),
        (
            "if slots is None or self.refusal(calls) is not None:",
            "if slots is None:",
            "what stands against calls together",
        ),
        (
            "return _mixed_layouts(calls) or self._not_callable(calls)",
            "return self._not_callable(calls)",
            "layouts that are written and layouts that XLA chooses",
        ),
        (
            "return _mixed_layouts(calls) or self._not_callable(calls)",
            "return _mixed_layouts(calls)",
            "a wrapper that must be called and cannot be",
        ),
        (
            "bool(call.kind.wrapper.not_callable or call.kind.undeclared or",
            "bool(call.kind.undeclared or",
            "a group may be refused for a wrapper",
        ),
        ("or call.kind.metadata.fixes_a_layout)", ")", "a group may be refused for layouts"),
    ),
    *off(
        "analysis/blocks.py",
        (
            "counts = {value: len(places) for",
            "counts = {value: min(len(places), 1) for",
            "all uses of a value are counted",
        ),
        (
            "sizes = _Sizes() if self.options.copies else None",
            "sizes = _Sizes()",
            "copies only where they are asked for",
        ),
    ),
    *off(
        "analysis/storage/metadata.py",
        (
            "if key in beside or key not in (*OWN_ENTRIES",
            "if key not in (*OWN_ENTRIES",
            "attributes beside the properties",
        ),
        (
            "if key in beside or key not in (*OWN_ENTRIES, *_EMPTY_ONLY)]",
            "if key in beside]",
            "attributes that are not known",
        ),
        ("if key in entries and not _empty(entries[key])]", "if False]", "a `backend_config` that is not empty"),
        (
            're.fullmatch(r"\\[(?:\\{\\},?)*+\\]", bare) is not None',
            're.match(r"\\[(?:\\{\\},?)*+", bare) is not None',
            "an empty entry before others",
        ),
        ("if written is None or len(written) != len(layouts):", "if written is None:", "as many layouts as operands"),
        ("            layouts = written\n", "            pass\n", "layouts that are written"),
        (
            '        verdicts += _result_layouts(syntax, entries["result_layouts"])\n',
            "        pass\n",
            "layouts of results",
        ),
        (
            "if written is None or len(written) != len(syntax.result_types):",
            "if written is None:",
            "as many layouts as results",
        ),
        ("if written[result] != had:", "if False:", "a result has the layout of its buffer"),
        ("if sorted(numbers) != list(range(len(numbers))) or", "if", "a layout is a permutation"),
        ("or whole(rank) != len(numbers):", ":", "a layout is as long as its type says"),
        (
            "return tuple(range(rank)) if rank < 2 else None",
            "return tuple(range(rank)) if rank < 3 else None",
            "a matrix has more than one layout",
        ),
        ('if match is None or "*" in type_text:', "if match is None:", "a type without a rank"),
        ("if match is None or whole(match.group(3)) % 8:", "if match is None:", "elements of less than a byte"),
        ("// 8 * (2 if match.group(2) else 1)", "// 8", "a complex number has two parts"),
        ("        size *= whole(dimension)\n", "        size = size\n", "the bytes of all elements"),
        (
            "any(layout is None or len(layout) > 1 for layout in self.layouts)",
            "any(layout is None for layout in self.layouts)",
            "a layout of rank 2 is fixed",
        ),
        ("return not self.has_layouts and None in self.layouts", "return False", "a layout that XLA chooses"),
        (
            "if dimensions != list(range(len(dimensions)))[::-1]:",
            "if False:",
            "a layout that is not the default",
        ),
        ("for word in _LAYOUT_MODES):", "for word in ()):", "layouts that are said in other ways"),
        ("match.end() + 1 not in read and", "False and", "layouts in an odd spelling"),
        ("(match[1] is None or _begins_attribute(", "(match[1] and _begins_attribute(", "an alias of `index`"),
        ('and ("//" in line or (bare', "and ((bare", "a comment in a layout"),
    ),
    *off(
        "analysis/storage/results.py",
        (
            '            Verdict("JIT402", f"its `{_KEY}` is written in an unknown way", help=_HELP, entry=(_KEY, WHOLE)),\n',
            "",
            "aliases that cannot be read",
        ),
        ("        or _conflicts(aliases)\n", "", "aliases that contradict one another"),
        ("        or _unaliased(syntax, {_result(alias) for alias in aliases})\n", "", "a result without an alias"),
        ("if result in operand_of:", "if False:", "a result with two operands"),
        ("if operand in result_of:", "if False:", "an operand with two results"),
        ("if alias.operand_tuple_indices:", "if False:", "an alias into a tuple"),
        ("if len(indices) > 1:", "if False:", "an alias into a nested tuple"),
        ("if not results:", "if False:", "an alias of a call without results"),
        ("if results == 1 and indices:", "if False:", "an index where there is one result"),
        ("if results > 1 and not indices:", "if False:", "no index where there are several results"),
        ("if not 0 <= result < results:", "if False:", "a result that there is not"),
        ("if not 0 <= operand < operands:", "if False:", "an operand that there is not"),
        ("if _plain(had) != _plain(has):", "if False:", "a result of another type than its operand"),
    ),
    *off(
        "analysis/storage/storage.py",
        (
            "            if self._left[value] == 0 and before != 0:\n",
            "            if False:\n",
            "a copy that is used up needs its value no more",
        ),
        ("        self._scratch += size\n", "", "how large they are together"),
        (
            "if slot.scratch or slot.operand_type != member.operand_types[number]:",
            "if slot.operand_type != member.operand_types[number]:",
            "what is written to a buffer of the wrapper's own cannot be a result",
        ),
        (
            "if slot.scratch or slot.operand_type != member.operand_types[number]:",
            "if slot.scratch:",
            "what is written in another shape cannot be a result",
        ),
        (
            "by, place = self._roots[passed][1:] if passed in self._roots else (member, number)",
            "by, place = (member, number)",
            "a slot is passed the value that a view is of",
        ),
        (
            "        root = self._roots[value][0] if value in self._roots else value\n        index = self._where.get(root)\n",
            "        root = value\n        index = self._where.get(root)\n",
            "a view is in the slot of its value",
        ),
        (
            "self._set(self._roots, result, self._roots.get(value, (value, member, number)))",
            "self._set(self._roots, result, (value, member, number))",
            "a view of a view",
        ),
        ("                del table[key]\n", "                pass\n", "a call that is taken back: its results"),
        (
            "                table[key] = before\n",
            "                pass\n",
            "a call that is taken back: what was before",
        ),
        (
            "self._set(self._roots, result, self._roots.get(value, (value, member, number)))",
            "self._roots[result] = self._roots.get(value, (value, member, number))",
            "plumbing that is taken back: views",
        ),
    ),
]
