"""What both executions of a proof share: the terms, and what the first module says about functions outside.

The first module is the one that is believed. Where it passes the buffer of an operand that no result aliases to a
function outside, it says that this call does not write there; where it declares a wrapper free of effects, it says so
of the calls in it. The second module may rely on that for the same call, with the same terms, and on nothing else.
"""

from __future__ import annotations

from jitlint.proof.terms import Term, Terms

Act = tuple[object, tuple[Term, ...]]
"""An effect without what went before: what is done, to which terms."""


class World:
    """The terms and the promises. `is_second` tells which module is being executed."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.free = self.terms.make("free", None)
        self.is_second = False
        self.filled: dict[tuple[int, ...], Term] = {}
        """Terms that summaries were filled in with, by what they were made of before it was brought to normal form."""
        self._unwritten: set[tuple[Term, int]] = set()
        self._done: list[Term] = []
        self._promised: set[Act] | None = None
        self._bound: set[Term] = set()
        self._excused: set[tuple[object, ...]] = set()

    def forget(self) -> None:
        """Forget the promises: they are those of one function."""
        self._unwritten, self._done, self._promised, self._bound = set(), [], None, set()
        self._excused, self.is_second = set(), False

    def excuses(self, write: tuple[object, ...]) -> bool:
        """Whether nobody need see an undeclared write to a value that free calls use as well: these may come before it
        in the first module, so they may in the second, where it may also be the same write still."""
        if not self.is_second:
            self._excused.add(write)
        return write in self._excused

    def effect(self, act: object, state: Term, parts: tuple[Term, ...], is_free: bool) -> Term:
        """An effect after `state`; one that is free of effects does not depend on what went before.

        Where the first module does the same to the same terms in free calls and in others, one that comes after the
        very state that such another one came after is taken for that one.
        """
        if self.is_second and not is_free and (act, parts) in self._promised_free:
            is_free = self.terms.make("effect", act, state, *parts) not in self._bound
        effect = self.terms.make("effect", act, self.free if is_free else state, *parts)
        if not self.is_second:
            self._done.append(effect)
        return effect

    @property
    def _promised_free(self) -> set[Act]:
        """What the first module does free of effects. It is found out once for each function, when the second module
        first asks: most functions do nothing that is free."""
        if self._promised is None:
            self._promised = set()
            for effect in self._done:
                _, act, state, *parts = self.terms.nodes[effect]
                if state == self.free:
                    self._promised.add((act, tuple(parts)))
                else:
                    self._bound.add(effect)
        return self._promised

    def after(self, state: Term, effect: Term) -> Term:
        """The state after an effect that `state` came before."""
        return state if self.terms.nodes[effect][2] == self.free else effect

    def written(self, effect: Term, number: int, size: int | None, before: Term, is_shut: bool) -> Term:
        """What a buffer holds after a function outside was passed it as the `number`th; `before` is what it held."""
        if is_shut and not self.is_second:
            self._unwritten.add((effect, number))
            return before
        if (effect, number) in self._unwritten and self.is_second:
            return before
        return self.terms.left(number, size, effect)
