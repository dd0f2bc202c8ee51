"""Values, symbols, modules and functions."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "ir/values.py",
        ("        if (name, 0) in self.of:\n", "        if False:\n", "a name that two calls define"),
        (
            "if which >= count or not _USED.match(text, end):",
            "if not _USED.match(text, end):",
            "a result that there is not",
        ),
        ("        if self._defines(place, end):\n", "        if False:\n", "a name that is defined again"),
        ("        if _DEFINES.match(text, end):\n            return True\n", "", "a name before an `=`"),
        (
            "if _LISTED.match(text, end) and self._occurrences.begins_results(place):",
            "if False:",
            "a name in a list of results",
        ),
        (
            "bool(_TYPED.match(text, end)) and self._arguments.hold(place, end)",
            "False",
            "a name in a list of arguments",
        ),
        ("_COUNT.match(text, end) or (number is None", "(number is None", "a name with a number of values"),
        ("or (number is None and _NUMBER_APART.match(text, end)):", ":", "a number apart from its name"),
        (
            "if not _ARGUMENT.match(self._text, end) and RESULTS.match(self._text, place) is None:",
            "if False:",
            "a use in a region before the definition",
        ),
        ("if place >= self._start or _ARGUMENT.match(self._text, end):", "if False:", "a name before its definition"),
        ("        if place >= self._end:\n            inside, self.elsewhere = -1, True\n", "", "uses in other blocks"),
        (
            "if places and (places[0] < definition.start or places[-1] >= self._last):",
            "if places and places[-1] >= self._last:",
            "names that stand before the definition",
        ),
        (
            "        while index < last and places[index] < definition.end:\n            index += 1\n",
            "",
            "a definition is no use",
        ),
        (
            '            if \'"\' in piece or ("/" in piece and "//" in piece):\n',
            "            if False:\n",
            "names in strings and comments",
        ),
        ("            if after in _IN_NAMES:\n", "            if False:\n", "names that begin longer ones"),
        ('number = _NUMBER.match(piece, end) if after == "#" else None', "number = None", "which result is used"),
        ("last = bisect_left(places, self._last)", "last = len(places)", "names behind the region"),
    ),
    *off(
        "ir/symbols.py",
        (
            "                        self.repeated.add(name)\n",
            "                        pass\n",
            "a symbol that is defined twice",
        ),
        ('or name.endswith("call"):', ":", "what calls a symbol defines none"),
        ('if text[start] == "%" or name in', "if name in", "what has results defines no symbol"),
        (
            "    symbol = match.group(1) if match else _behind_brackets(block[index], spans)\n",
            "    symbol = match.group(1) if match else None\n",
            "a symbol behind brackets",
        ),
        (
            "    if text[start] == '\"':\n        return _generic(text, start, end, spans)\n",
            "",
            "a symbol in the generic form",
        ),
        (
            "        start = last\n    return None\n\n\ndef _behind",
            "        break\n    return None\n\n\ndef _behind",
            "a name behind a generic operation's regions",
        ),
        ('        "gpu.module",\n', "", "`gpu.module` is a symbol table"),
        (
            "return full_name(operation.name) not in OPERATIONS",
            "return False",
            "an operation that may be a symbol table",
        ),
        (
            """block.region.unit.text[block.cut.starts[index]] == '"' or block""",
            "block",
            "a generic symbol in a table nobody knows",
        ),
        (
            """or block.cut.shapes[index].name in _SYMBOLS\n            for""",
            "or False\n            for",
            "a function in a table nobody knows",
        ),
    ),
    *off(
        "ir/program.py",
        (
            "if missed and not any(block.cut.calls for block in region.blocks):",
            "if False:",
            "a call that belongs to no operation",
        ),
        ("(*place.unsure, *_used_above(region))", "place.unsure", "operations that stand in no order"),
        (
            "unsure = [*place.unsure, *region.problems, *missed]",
            "unsure = [*place.unsure, *region.problems]",
            "a call where no operation begins",
        ),
        (
            "unsure = [*place.unsure, *region.problems, *missed]",
            "unsure = [*place.unsure, *missed]",
            "a region that could not be cut",
        ),
        (
            "unsure = [*place.unsure, *region.problems, *missed]",
            "unsure = [*region.problems, *missed]",
            "a table that could not be cut",
        ),
        (
            '                    unsure.append((region.start, "the operations of a module stand in no order"))\n',
            "                    pass\n",
            "calls outside a function",
        ),
        ("doubts = [*unsure, *place.doubts(calls)]", "doubts = unsure", "a table that nobody knows"),
        (
            "if own.is_certain or place.symbols.shares_a_name(own):",
            "if place.symbols.shares_a_name(own):",
            "an operation below that defines symbols",
        ),
        (
            "    if own.is_certain or place.symbols.shares_a_name(own):\n        return place._replace(foreign=_foreign(operation))\n",
            "",
            "a table inside that may decide",
        ),
        ("return place._replace(may_define=operation)", "return place", "a symbol that an unknown table may define"),
        (
            "yield _Place(region, SymbolTable(region, operation.name), None, tuple(unsure))",
            "yield _Place(region, place.symbols, None, tuple(unsure))",
            "the nearest table decides",
        ),
        (
            "if any(call.callee[0] not in known for call in calls) else ()",
            "if all(call.callee[0] not in known for call in calls) else ()",
            "every call must be certain",
        ),
    ),
    *off(
        "ir/calls.py",
        ("if len(syntax.operand_types) != len(names):", "if False:", "as many types as operands"),
        ("if result_names and len(syntax.result_types) != count:", "if False:", "as many types as results"),
    ),
    *off(
        "ir/call_table.py",
        ("""_ODD = re.compile(r'["\\n]|//')""", "_ODD = re.compile(r'//')", "strings and several lines in a call"),
        (
            "    return all(getattr(one, part) == getattr(other, part) for part in _PARTS)",
            "    return True",
            "a row reads as the grammar does",
        ),
    ),
    *off(
        "ir/functions.py",
        ('FLOAT.sub("", text[symbol_span.end : operation.end])', '""', "functions with one key have one text"),
        (
            "reader.number(text[start : symbol_span.start], ",
            'reader.number("", ',
            "functions with one key have one header",
        ),
        ("(?= : f(?:16|32|64)\\))", "", "only floating-point constants are left out of a key"),
        ("    if len(regions) > 1:\n", "    if False:\n", "a function with several bodies"),
        ("    if len(arguments) != len(parameters):\n", "    if False:\n", "as many arguments as parameters"),
    ),
    *off(
        "ir/tree.py",
        (
            "if place is not None and match.start() < place[1] and match.start() != place[0]:",
            "if False:",
            "an alias that is used above its definition",
        ),
        (
            "return max((self._alias_places[name][1] for name in used if name in self._alias_places), default=-1)",
            "return -1",
            "an alias that new text uses",
        ),
    ),
]
