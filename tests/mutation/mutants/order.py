"""In what order operations must stay, and which calls may be one as far as that goes."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/order/dependencies.py",
        ("before.add(definition)", "pass", "an edge from a definition to its users"),
        ("before.add(barrier)", "pass", "an edge between two operations with effects"),
        (
            "                barrier = node\n",
            "                barrier = max(barrier, 0)\n",
            "edges from the last effect",
        ),
        ("self.defined[name] = node", "self.defined.setdefault(name, node) if node else None", "all definitions"),
        ("self.after[definition].append(node)", "self.after[0].append(node)", "the edges in the other direction"),
    ),
    *off(
        "analysis/order/order.py",
        (
            "if group not in self.own and self._met(group, (other, node)):",
            "if group not in self.own and self._cannot_join(group):",
            "groups in the way that may join",
        ),
        ("return self._joinable_way() if self.in_way else None", "return None", "a way through calls that may join"),
        (
            "return group.members[0] not in self.may_join",
            "return False",
            "which operations may join",
        ),
        (
            "            self._unlink(group)\n            self._insert(group, anchor, behind=joint.forward)\n",
            "            pass\n",
            "what must stand before a new group moves there",
        ),
        ("            self.groups[node] = largest\n", "            pass\n", "the operations of a group that is joined"),
        ("if len(self.own) == 2:", "if self.own:", "a way that is remembered leads to the goal"),
        (
            "                if self._cannot_join(group):\n                    return self._foreign(group)\n",
            "",
            "operations on the way to what may join",
        ),
    ),
    *off(
        "analysis/partition.py",
        (
            "if self._order is not None or not is_unbroken(part.calls):",
            "if self._order is not None:",
            "what stands between calls",
        ),
        ("for nodes in self._joined:", "for nodes in ():", "parts found before the order was made"),
        (
            "                return None\n            self.order.join(joint)\n",
            "                return None\n",
            "whole components count in the order of others",
        ),
        (
            "            return conflict\n        self.order.join(joint)\n",
            "            return conflict\n",
            "parts that are joined count in the order of others",
        ),
        ("if not any(call.obstacles for call in component.calls):", "if True:", "obstacles of a component's calls"),
        (
            "isinstance(part.first, Candidate) and part.first.obstacles",
            "False",
            "obstacles of the calls of a tie",
        ),
        (
            "        for part in parts:\n            if isinstance(part.first",
            "        for part in parts[:2]:\n            if isinstance(part.first",
            "obstacles of the calls that come along",
        ),
        (
            "for member in members if not member.obstacles}",
            "for member in members}",
            "a call with an obstacle never comes along",
        ),
        ("            if refused is not None:", "            if False:", "what stands against calls together"),
        (
            "self._may_be_refused = any(map(may_be_refused, _calls(members)))",
            "self._may_be_refused = may_be_refused(_calls(members)[0])",
            "any call may be the one that is refused",
        ),
        (
            "        if not self._makers:\n            return parts\n",
            "        if True:\n            return parts\n",
            "who makes what is written undeclared comes along",
        ),
        (
            "if self.whole is not None and len(self.whole.calls) == len(members):",
            "if self.whole is not None:",
            "a part that has grown is not the part that was found whole",
        ),
        ("or not outcome.joinable:", "or True:", "what lies in the way comes along"),
        ("            if not users:\n", "            if True:\n", "what uses a value that is gone comes along"),
        (
            "for copies in (False, True) if self.partition.group_storage.may_copy else (False,):",
            "for copies in (self.partition.group_storage.may_copy,):",
            "what needs no copy joins first",
        ),
        ("            if len(by_values) < len(ties):\n", "            if False:\n", "what values tie joins first"),
    ),
    *off(
        "analysis/components.py",
        (
            "own.append((made, Tie(calls[made], call, number)))",
            "own = [(made, Tie(calls[made], call, number))]",
            "every operand ties",
        ),
        (
            "leader[max(first, second)] = min(first, second)",
            "leader[second] = first if first < second else second",
            "components that meet are one",
        ),
        (
            "            maker[value] = place\n",
            "            maker.setdefault(value, place) if not own else None\n",
            "results of calls that are tied themselves",
        ),
    ),
    *off(
        "analysis/stretches.py",
        (
            "if len(found) == 1 and is_unbroken(found[0].calls) and (",
            "if len(found) == 1 and (",
            "what stands between the calls of a component",
        ),
        (
            "if group and component.calls[0].index > last:",
            "if group:",
            "components whose stretches overlap have one order",
        ),
    ),
    *off(
        "analysis/blocks.py",
        (
            "return not place.unsure and place.scope is not None",
            "return place.scope is not None",
            "a block that is not understood",
        ),
        ("doubtful = {*uses.doubtful, *(", "doubtful = {*(", "names of plumbing in doubt"),
        (
            'if self.options.group == "adjacent"\n',
            'if self.options.group != "connected"[:0]\n',
            "calls that nothing ties stay apart by default",
        ),
    ),
    *off(
        "analysis/candidates.py",
        (
            "return calls[-1].index - calls[0].index == len(calls) - 1",
            "return True",
            "whether something stands between calls",
        ),
    ),
    *off(
        "fusion/schedule.py",
        ("return self.size if self.movable else _NEVER", "return self.size", "only what has no effects moves"),
        (
            "if inside and entry not in own and",
            "if inside and not found and entry not in own and",
            "all that a group needs moves above it",
        ),
        (
            "        self._insert(hoisted, fused, behind=False)\n        self._insert(sunk, fused, behind=True)\n",
            "        self._insert(hoisted, fused, behind=False)\n",
            "what needs a group moves below it",
        ),
        (
            "        self._insert(hoisted, fused, behind=False)\n        self._insert(sunk, fused, behind=True)\n",
            "        self._insert(sunk, fused, behind=True)\n",
            "what a group needs moves above it",
        ),
        (
            "movable=all(entry.movable for entry in members)",
            "movable=any(entry.movable for entry in members)",
            "a fused call moves only if all its calls may",
        ),
        ("self.entries[index - self.graph.first] = fused", "pass", "later groups see where earlier ones stand"),
        (
            "return sorted(found, key=_label)",
            "return sorted(found, key=_label, reverse=True)",
            "what moves keeps its order",
        ),
        ("slot=-1 if behind else anchor.slot", "slot=anchor.slot", "a place in the text is given once"),
    ),
    *off(
        "analysis/partition.py",
        ("walk = min(walk, other, key=_Walk.calls_left)", "pass", "the walk that leaves the fewest calls counts"),
        (
            "other = _Walk(self, self._new_order(), parts, components)",
            "other = _Walk(self, self.order, parts, components)",
            "every walk has an order of its own",
        ),
    ),
]
