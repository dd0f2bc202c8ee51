"""Where the text is cut decides what it means."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "syntax/walk.py",
        (
            "                self._extend(position)\n",
            "                pass\n",
            "an operation goes on to its last token",
        ),
        (
            'self.cutting.problems.append((head.start, f"`{head.name}` may or may not begin an operation here"))',
            "pass",
            "a candidate inside a line",
        ),
        (
            'self.cutting.problems.append((start, "expected an operation"))',
            "pass",
            "text that begins no operation",
        ),
        (
            '                self.cutting.problems.append((start, "this `>` closes nothing"))\n',
            "                pass\n",
            "brackets that close nothing",
        ),
        ("if previous in _NOT_A_LABEL_AFTER or (", "if (", "the name of a successor is no label"),
        ('            and previous != "attributes"\n', "", "`attributes {` opens a dictionary"),
    ),
    *off(
        "syntax/cutting.py",
        (
            "        if shape.kind == OPERATION:\n            self.shapes[-1] = Shape(COMPLEX, shape.name)\n",
            "",
            "what is known of a line is not known of more",
        ),
    ),
    *off(
        "syntax/cut.py",
        (
            "    if ENDS_IN_RESULTS.search(line, 0, walker.last_end) or line",
            "    if line",
            "results of an operation on the next line",
        ),
        (
            "        return Shape(COMPLEX)  # a comment with names in it",
            "        pass  # a comment with names in it",
            "a comment with names in it",
        ),
        (
            "len(cutting.blocks) > 1 or cutting.problems or block.regions",
            "len(cutting.blocks) > 1 or block.regions",
            "a line that is in doubt",
        ),
    ),
    *off(
        "syntax/braces.py",
        ("        if hidden:\n            named = _outside(named, hidden)\n", "", "calls in comments and strings"),
        (
            "            if text.find(JIT_CALL, begin, position) >= 0:\n",
            "            if False:\n",
            "calls in comments and strings, found",
        ),
        (
            '                    raise SyntaxProblem("this string does not end on its line", begin)\n',
            "                    break\n",
            "a string that does not end",
        ),
        (
            '            raise SyntaxProblem("this `}` closes nothing", place)\n',
            "            pass\n",
            "a brace that closes nothing",
        ),
    ),
    *off(
        "syntax/calls.py",
        ('            if "@" in value:\n', "            if False:\n", "an alias that holds a symbol"),
        (
            """if '"' in key and '"' in _KEPT_STRINGS.sub("", key):""",
            "if False:",
            "a call with strings has a shape of its own",
        ),
        (
            '        raise UnreadCall("its `fn` is not a symbol")\n',
            "        return 0, 1\n",
            "a generic call without a symbol",
        ),
        (
            '        raise UnreadCall("its type is an alias that the file does not define")\n',
            "        return None  # type: ignore[return-value]\n",
            "a type that is not known",
        ),
    ),
    *off(
        "syntax/functions.py",
        (
            '            variadic=_variadic(every(parameters, "parameter")),\n',
            "            variadic=False,\n",
            "a variable number of arguments",
        ),
        (
            '            results=tuple(self._type(node.text) for node in every(first(tree, "arrow"), "type")),\n',
            "            results=(),\n",
            "what a function returns",
        ),
        (
            '            calling_convention="" if convention == "ccc" else convention,\n',
            '            calling_convention="",\n',
            "calling conventions",
        ),
        (
            '            calling_convention=convention[1] if convention and convention[1] != "ccc" else "",\n',
            '            calling_convention="",\n',
            "calling conventions in the generic form",
        ),
        (
            "            variadic=_variadic(inputs),\n",
            "            variadic=False,\n",
            "a variable number of arguments in the generic form",
        ),
        (
            '            clauses=tuple(node.text.rstrip() for node in every(tree, "clause")),\n',
            "",
            "clauses of a header",
        ),
    ),
]
