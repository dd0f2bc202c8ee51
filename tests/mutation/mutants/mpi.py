"""Where requests go, and which buffers are used too early."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/mpi/traffic.py",
        (
            "({parameter for _, parameter in starts} & direct) - {start.request for start in open_ones}",
            "{parameter for _, parameter in starts} & direct",
            "a request that is still open is not settled",
        ),
        (
            "({parameter for _, parameter in starts} & direct) -",
            "{parameter for _, parameter in starts} -",
            "a request that is not completed is not settled",
        ),
        (
            "if origin.kind != REQUEST and not made_here and",
            "if (origin.kind != REQUEST or not made_here) and",
            "what a wrapper completes came in from outside",
        ),
        (
            'and is_wait(completes.get(origin.number, "Wait")):',
            "and True:",
            "of several completions, one that may leave requests open counts",
        ),
        (
            "origin.number == parameter and origin.kind != REQUEST and call.may_precede(done, straight)",
            "origin.number == parameter and origin.kind != REQUEST",
            "a wait before the start completes nothing",
        ),
        (
            "if not straight or (self.site == other.site and not (self.own and other.own)):",
            "if self.site == other.site and not (self.own and other.own):",
            "the order of calls in several blocks is not known",
        ),
        ("open_ones += self._handed_out(", "self._handed_out(", "a request that is stored through a parameter"),
        (
            "if request in allocated and used[request] == 1]",
            "if request in allocated]",
            "a request that something else sees is not lost",
        ),
        (
            "if request in allocated and used[request] == 1]",
            "if used[request] == 1]",
            "a request in somebody else's memory is not lost",
        ),
        (
            'roles[inner.number] == "c" and (inner.kind == LOADED) == (origin.kind == LOADED)',
            'roles[inner.number] == "c"',
            "which memory holds the request",
        ),
    ),
    *off(
        "analysis/mpi/requests.py",
        (
            "            elif self._carried(index) is None:\n                found.escapes = True\n",
            "",
            "a request that goes where it cannot be followed",
        ),
        (
            "                if completed is None:\n                    found.escapes = True\n                else:\n",
            "                if completed is not None:\n",
            "a call that does something else with a request",
        ),
        (
            "if effects.declared(operation.name) != effects.NONE or not operation.results:",
            "if not operation.results:",
            "operations that only pass a request on",
        ),
        (
            "found.merge(self._reached.get(result, _UNKNOWN), whole)",
            "found.merge(self._reached.get(result, _UNKNOWN), True)",
            "whether a request certainly arrives",
        ),
        (
            " or not self._is_temporary(value):",
            ":",
            "arguments and constants keep their memory",
        ),
        (
            "self._outlasts(index, done) or self.depends(index, completions):",
            "self._outlasts(index, done):",
            "what needs a buffer behind the wait keeps it",
        ),
        (
            "return user < 0 or user in done or user == len(self._block) - 1 or user in self._block.cut.regions",
            "return user in done",
            "what leaves the block keeps its memory",
        ),
        (
            "self.calls[call.index] = call, function, whole or (known is not None and known[2])",
            "self.calls[call.index] = call, function, whole",
            "the surest way counts",
        ),
    ),
    *off(
        "analysis/mpi/races.py",
        (
            "if index not in known and index != call.index and not depends(index, completions)",
            "if index not in known and index != call.index and False",
            "a received buffer that is used too early",
        ),
        (
            "if index not in known and index != call.index and not depends(index, completions)",
            "if index not in known and index != call.index",
            "what depends on the wait is late enough",
        ),
        (
            "early = [index for index in writers if not depends(index, completions)]",
            "early = []",
            "a sent buffer that is overwritten too early",
        ),
        ("elif not self._flow.keeps(value, completions):", "elif False:", "a received buffer that is given away"),
        (
            "if not any(self._flow.keeps(value, completions) for value in values):",
            "if False:",
            "a sent buffer that is given away",
        ),
        ("        if len(waits) > 1:\n", "        if False:\n", "a request that is waited for twice"),
        (
            "            if not found.escapes:\n                shown",
            "            if True:\n                shown",
            "a request that cannot be followed is not said to be lost",
        ),
        (
            "found.calls.values() if not is_free(name)]",
            "found.calls.values()]",
            "giving a request up waits for nothing",
        ),
        ("if tested is None or any(", "if True or any(", "a test completes nothing"),
        ("if tested is None or any(", "if tested is None and not any(", "a wait behind a test"),
        (
            "return [index for index in found if shapes[index].name not in _RETURNS]",
            "return found",
            "returning a buffer is no use",
        ),
        ("if block.is_sound:", "if True:", "a block that is not understood"),
    ),
]
