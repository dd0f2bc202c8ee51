"""The contracted order, against contracting the whole graph anew for each question."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import jitlint
from jitlint.analysis.order.order import Detour, Joint, Order
from tests.cli.samples import BARRIER


def is_acyclic(size: int, edges: set[tuple[int, int]], group: list[int]) -> bool:
    """Whether the graph has no cycle once nodes of one group are one (Kahn's algorithm)."""
    after = {(group[a], group[b]) for a, b in edges if group[a] != group[b]}
    left = set(group)
    while left:
        free = {node for node in left if not any(b == node and a in left for a, b in after)}
        if not free:
            return False
        left -= free
    return True


Case = tuple[int, set[tuple[int, int]], list[int], set[int], list[list[int]]]


@st.composite
def graphs(draw: st.DrawFn) -> Case:
    """A graph, its nodes with effects, those that may join, and the questions."""
    size = draw(st.integers(2, 12))
    pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
    edges = set(draw(st.lists(st.sampled_from(pairs), max_size=2 * size)))
    effects = [node for node in range(size) if draw(st.booleans())]
    edges.update(pairwise(effects))
    may_join = set(draw(st.lists(st.integers(0, size - 1), max_size=size)))
    nodes = st.integers(0, size - 1)
    questions = draw(st.lists(st.lists(nodes, min_size=2, max_size=3, unique=True) if size > 2 else st.just([0, 1])))
    return size, edges, effects, may_join, questions


@given(graphs())
def test_joins_exactly_what_leaves_no_cycle(case: Case) -> None:
    size, edges, effects, may_join, questions = case
    before = [{a for a, b in edges if b == n} for n in range(size)]
    after = [{b for a, b in edges if a == n} for n in range(size)]
    order = Order(before, after, effects)
    group = list(range(size))
    for nodes in questions:
        together = {group[node] for node in nodes}
        if len(together) < 2:
            continue
        joined = [min(together) if own in together else own for own in group]
        answer = order.try_join(nodes, may_join)
        assert isinstance(answer, Joint) == is_acyclic(size, edges, joined)
        if isinstance(answer, Joint):
            order.join(answer)
            group = joined
        else:
            check_detour(answer, together, group, may_join)
        for a, b in edges:
            if group[a] != group[b]:
                assert order.group_of(a).label < order.group_of(b).label


def check_detour(detour: Detour, together: set[int], group: list[int], may_join: set[int]) -> None:
    """A path leads from one of the groups to one of them, through others only."""
    assert group[detour.path[0][0]] in together
    assert group[detour.path[-1][1]] in together
    assert all(group[target] not in together for _, target in detour.path[:-1])
    assert {group[node] for node in detour.joinable} <= {group[node] for node in may_join}


def test_a_path_through_calls_that_may_join_names_them() -> None:
    order = Order([set(), {0}, {0, 1}], [{1, 2}, {2}, set()])
    answer = order.try_join([0, 2], {0, 1, 2})
    assert isinstance(answer, Detour)
    assert answer.joinable == {1}
    assert answer.path == ((0, 1), (1, 2))


def test_a_way_between_others_says_nothing_of_the_first() -> None:
    """Of 0, 1 and 3 together, 2 is in the way; 0 and 4 have nothing between them."""
    order = Order([set(), set(), {1}, {2}, {2}], [set(), {2}, {3, 4}, set(), set()])
    assert isinstance(order.try_join([0, 1, 3], {0, 1, 3, 4}), Detour)
    assert isinstance(order.try_join([0, 4], {0, 1, 3, 4}), Joint)


def test_what_is_known_to_be_in_the_way_is_not_searched_again() -> None:
    """One call, then 2,000 times an operation with effects and a call that uses the first one's result."""
    pairs = 2_000
    before: list[set[int]] = [set()]
    for number in range(pairs):
        before += [{2 * number}, {2 * number + 1, 0}]
    after: list[list[int]] = [[] for _ in before]
    for node, others in enumerate(before):
        for other in others:
            after[other].append(node)
    order = Order(before, after)
    may_join = {0, *range(2, 2 * pairs + 1, 2)}
    for user in range(2, 2 * pairs + 1, 2):
        assert isinstance(order.try_join([0, user], may_join), Detour)
    assert order.visited < 10 * pairs


def test_what_lies_between_two_effects_is_not_searched() -> None:
    """2,000 effects, and as many behind them that use their results, in the same order."""
    size = 2_000
    before: list[set[int]] = [{node - 1} if node else set() for node in range(2 * size)]
    for user in range(size, 2 * size):
        before[user].add(user - size)
    after: list[list[int]] = [[] for _ in before]
    for node, others in enumerate(before):
        for other in others:
            after[other].append(node)
    order = Order(before, after, range(2 * size))
    for user in range(size, 2 * size):
        answer = order.try_join([user - size, user], ())
        assert isinstance(answer, Detour)
        assert (answer.path[0][0], answer.path[-1][1]) == (user - size, user)
        assert len(answer.path) < 20
    assert order.visited == 0


def test_a_long_chain_is_joined_in_time_proportional_to_it() -> None:
    size = 5_000
    order = Order(
        [{node - 1} if node else set() for node in range(size)],
        [[node + 1] if node + 1 < size else [] for node in range(size)],
    )
    for node in range(1, size):
        answer = order.try_join([node - 1, node], set())
        assert isinstance(answer, Joint)
        order.join(answer)
    assert len(order.group_of(0).members) == size
    assert order.visited < 3 * size


def test_labels_make_room_when_it_runs_out() -> None:
    """Pure operations between a growing group and its next call all move before it, one after the other."""
    size = 3_000
    before: list[set[int]] = [set(), set(), {0, 1}]
    for _ in range(size):
        last = len(before) - 1
        before += [set(), {last, last + 1}]
    after: list[list[int]] = [[] for _ in before]
    for node, others in enumerate(before):
        for other in others:
            after[other].append(node)
    order = Order(before, after)
    for call in range(2, len(before), 2):
        answer = order.try_join([call - 2, call], set())
        assert isinstance(answer, Joint)
        order.join(answer)
    labels = [order.group_of(node).label for node in range(len(before))]
    assert max(labels[1::2]) < labels[0]
    assert len(set(labels[1::2])) == len(labels[1::2])


def test_equal_callees_are_told_apart_by_their_numbers() -> None:
    (finding,) = [each for each in jitlint.check(BARRIER).findings if each.code == "JIT201"]
    assert finding.message.startswith("@double (1) and @double (2) cannot be one call: ")
    assert [step.message.partition(" must")[0] for step in finding.path][::2] == ["@double (1)", "@double (2)"]
    assert finding.group is not None
    assert [call.callee for call in finding.group.calls] == ["double", "double"]
