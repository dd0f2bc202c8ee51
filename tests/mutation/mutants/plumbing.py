"""What a fused wrapper may do of the work that stands between its calls."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/plumbing.py",
        (
            "if offset is None or offset + wanted > sizes[0]",
            "if offset is None or False",
            "a slice is within its operand",
        ),
        ("if ends[-1] != wanted or wanted > LARGEST", "if wanted > LARGEST", "the pieces are all of the result"),
        ("if ends[-1] != wanted or wanted > LARGEST", "if ends[-1] != wanted", "how large a concatenation is"),
        ('if step not in ("", "1"):', "if False:", "a slice is of neighbours"),
        ("return () if sizes[0] == wanted else None", "return ()", "a broadcast repeats nothing"),
        ("plain = is_flat(type_text) and", "plain =", "one order of elements"),
        (
            "elif group.leader(copy) not in shown:",
            "elif False:",
            "a wrapper shows that the memory is the host's",
        ),
        ("if place.leader(copy) in forbidden:", "if False:", "nobody may keep a pointer to a copy"),
        ("                place.join(operand, result)\n", "                pass\n", "a view of a copy is in its place"),
        (
            "forbidden.setdefault(place.leader(value), str(said))",
            "[forbidden.setdefault(each, str(said)) for each in shown]",
            "what is copied may be kept",
        ),
        ("        if not member.pieces:\n            continue\n", "", "a view copies nothing"),
        (
            "if completed is not None and not (is_wait(completed) or is_free(completed)):",
            "if False:",
            "a completion that may leave requests open",
        ),
    ),
    *off(
        "analysis/storage/storage.py",
        ("if self._scratch + size > LARGEST:", "if False:", "how large all copies are together"),
        ("if slot.holds != root:", "if False:", "what is overwritten is read"),
        (
            "if slot is not None and self.slots[slot].holds != root:",
            "if False:",
            "a view of what is overwritten",
        ),
        (
            "for result in member.results[1:]:",
            "for result in ():",
            "plumbing that stays needs all its values",
        ),
        (
            "        if not isinstance(member, Plumbing):\n",
            "        if True:\n",
            "a copy that stays outside needs its sources",
        ),
        (
            "if slot.scratch or slot.operand_type != member.operand_types[number]:",
            "if False:",
            "what is written to a copy and needed outside",
        ),
        (
            "                by.layouts[place],\n",
            "                member.layouts[number],\n",
            "the layout of another shape",
        ),
        ("        self._scratch = mark.scratch\n", "", "a copy that is taken back: its bytes"),
    ),
    *off(
        "fusion/plan.py",
        (
            "            if any(user not in inside for user in uses):",
            "            if False:",
            "what is used outside stays there too",
        ),
        ("                inside.discard(member.index)\n", "", "what feeds what stays stays"),
    ),
    *off(
        "analysis/wrapper/host.py",
        (
            '        if facts is None:\n            return Note("this body',
            '        if False:\n            return Note("this body',
            "bodies that cannot be followed",
        ),
        ("    yield from pointers.lost\n", "", "operations that are not known"),
    ),
    *off(
        "analysis/plumbing.py",
        ('if (operation.name == BARRIER) != bool(match["same"]):', "if False:", "the form of a barrier is its own"),
        ("    if None in sizes or None in wanted:\n        return None\n", "", "sizes that are not known"),
        ('        if step not in ("", "1"):\n            return None\n', "", "a slice that leaves elements out"),
        (
            "        if dimension > 1:\n            start = whole(first)\n",
            "        start = whole(first)\n",
            "where a slice begins",
        ),
        ("None if size is None else start * size", "None if size is None else start", "the bytes before a slice"),
        (
            "for value in (*member.operands, *member.results):",
            "for value in member.operands:",
            "a result is in the memory of its operands",
        ),
        (
            "        if kept := host.keeps(function, number):\n",
            "        if kept := ():\n",
            "memory that a wrapper keeps",
        ),
        (
            "if function is None or number >= len(function.parameters):",
            "if function is None:",
            "an operand that there is no parameter for",
        ),
        (
            "members = {member.index: member for member in taken if any(value in kept for value in member.results)}",
            "members = {member.index: member for member in taken}",
            "plumbing behind what is none",
        ),
        (
            "        if own:\n            members[index] = member\n",
            "        if True:\n            members[index] = member\n",
            "plumbing that comes from no call",
        ),
        (
            "            pending += (definers[name] for name, _ in member.operands if definers.get(name, index) < index)\n",
            "            pass\n",
            "plumbing before plumbing",
        ),
    ),
    *off(
        "analysis/blocks.py",
        (
            "return plumbing if named.isdisjoint(doubtful) else NONE",
            "return plumbing",
            "plumbing whose name is in doubt",
        ),
        (
            "for name, _ in written_and_shared(place.calls, kinds, uses))}",
            "for name in ())}",
            "plumbing beside an undeclared write",
        ),
    ),
    *off(
        "analysis/components.py",
        ("elif through and value in through:", "elif False:", "calls that plumbing joins"),
    ),
    *off(
        "analysis/wrapper/host.py",
        (
            'shown = externals.is_mpi(symbol) and letter != "" and letter in _HANDLES',
            "shown = externals.is_mpi(symbol)",
            "a buffer of data shows nothing",
        ),
        (
            'shown = externals.is_mpi(symbol) and letter != "" and letter in _HANDLES',
            'shown = letter != "" and letter in _HANDLES',
            "only MPI's handles are known to be the host's",
        ),
        (
            'pending = "r" in roles and letter in ("b", "w", "x", "m")',
            "pending = False",
            "the buffer of a nonblocking operation",
        ),
        (
            "            if not roles:\n                return Note(",
            "            if not roles:\n                return None, []\n                return Note(",
            "a function that is not known",
        ),
        (
            "        if facts is None:\n            return Note(",
            "        if facts is None:\n            return None, []\n            return Note(",
            "a body that cannot be followed",
        ),
        (
            'return (None if symbol in _FREE else Note(f"what @{symbol} does is not known")), []',
            "return None, []",
            "a callee that the module does not declare",
        ),
        (
            "            for origin in access.target.certain:\n",
            "            for origin in access.target.possible:\n",
            "an access that may be to other memory",
        ),
        (
            "        for kept in _out_of_sight(pointers):\n",
            "        for kept in ():\n",
            "pointers that go out of sight",
        ),
        (
            "        if any(origin.kind != OBJECT or origin == OUTSIDE for origin in access.target.possible):\n",
            "        if False:\n",
            "pointers that are stored",
        ),
        (
            "for certain, edges in ((True, self.passed), (False, self.may_pass)):",
            "for certain, edges in ((True, self.passed),):",
            "pointers that are passed on",
        ),
        (
            "if symbol in _FREE or (origin.kind == PARAMETER and is_uncaptured(function, origin.number)):",
            "if True:",
            "what functions outside keep",
        ),
    ),
    *off(
        "fusion/plan.py",
        (
            "return is_unbroken(self.part.members) and not self.staying",
            "return is_unbroken(self.part.members)",
            "plumbing that stays outside stands between",
        ),
        (
            "            if any(user not in inside for user in uses):\n",
            "            if False:\n",
            "plumbing that is used outside too",
        ),
        ("return leaving + sum(", "return sum(", "uses by plumbing that goes away"),
    ),
    *off(
        "fusion/schedule.py",
        (
            "for index in (*current.operations, *current.copied) if above else current.operations:",
            "for index in current.operations:",
            "a fused call needs what the plumbing in it needs",
        ),
        (
            "                    if node + self.graph.first in current.copied or index in entry.copied:\n                        continue\n",
            "",
            "a fused call does not need what stays behind it",
        ),
        ("        below = sorted([*below, *behind_it], key=_label)\n", "", "what stays comes behind the fused call"),
    ),
    *off(
        "fusion/rewrite.py",
        (
            "inside = {member.index for member in plan.gone}",
            "inside = {member.index for member in plan.part.members}",
            "plumbing that stays uses the new names",
        ),
    ),
    *off(
        "fusion/wrapper/body.py",
        ("        if offset:\n", "        if False:\n", "where pieces stand"),
        ("written = [*self._allocated]", "written = []", "buffers of the wrapper's own"),
    ),
]
