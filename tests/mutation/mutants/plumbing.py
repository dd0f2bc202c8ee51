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
        ("if is_flat(type_text) else None", "if True else None", "one order of elements"),
        ("elif leader not in shown:", "elif False:", "a wrapper shows that the memory is the host's"),
        ("        if leader in forbidden:\n", "        if False:\n", "nobody may keep a pointer to a copy"),
        ("        if not member.pieces:\n            continue\n", "", "a view copies nothing"),
        (
            "if completed is not None and not (is_wait(completed) or is_free(completed)):",
            "if False:",
            "a completion that may leave requests open",
        ),
    ),
    *off(
        "analysis/storage/slots.py",
        ("if self._scratch + size > LARGEST:", "if False:", "how large all copies are together"),
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
            "if (slot.scratch or slot.operand_type != member.operand_types[number]) and self._uses.get(new, 0):",
            "if False:",
            "what is written to a copy and needed outside",
        ),
        (
            "                by.layouts[place],\n",
            "                member.layouts[number],\n",
            "the layout of another shape",
        ),
        ("        self._scratch = undo.scratch\n", "", "a copy that is taken back: its bytes"),
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
]
