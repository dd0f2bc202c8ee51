"""What cutting a region makes: blocks with their operations, and the places where it was not certain."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import accumulate
from operator import add

from jitlint.syntax.shapes import COMPLEX, OPERATION, Shape


class CutBlock:
    """One block: its label, if it has one, and its operations as parallel arrays of offsets.

    `label` and `arguments` are spans (start, end) or None. `regions` maps the index of an operation to the spans of
    its regions, from `{` to after `}`.
    """

    __slots__ = ("arguments", "calls", "ends", "label", "regions", "shapes", "starts")

    def __init__(self, label: tuple[int, int] | None = None, arguments: tuple[int, int] | None = None) -> None:
        self.label = label
        self.arguments = arguments
        self.starts = array("q")
        self.ends = array("q")
        self.shapes: list[Shape] = []
        self.regions: dict[int, list[tuple[int, int]]] = {}
        self.calls: list[int] = []

    def add(self, start: int, shape: Shape, end: int) -> None:
        """Append an operation."""
        if shape.is_jit_call:
            self.calls.append(len(self.shapes))
        self.starts.append(start)
        self.ends.append(end)
        self.shapes.append(shape)

    def add_lines(self, begin: int, shapes: list[Shape], lengths: list[int], kinds: set[Shape]) -> None:
        """Append the operations of lines that hold one each; the first begins at `begin`, and `kinds` are the different
        shapes among them."""
        if any(shape.is_jit_call for shape in kinds):
            first = len(self.shapes)
            self.calls += [first + number for number, shape in enumerate(shapes) if shape.is_jit_call]
        begins = list(accumulate([length + 1 for length in lengths], initial=begin))
        stops = begins[1:]
        del begins[-1]
        self.starts.fromlist(_moved(begins, _lead, shapes, kinds))
        self.ends.fromlist(_moved(stops, _trail, shapes, kinds))
        self.shapes += shapes

    def extend(self, end: int) -> None:
        """Let the last operation go on to `end`, beyond its line: what is known of that line's shape is no longer all
        there is to know of the operation."""
        self.ends[-1] = end
        shape = self.shapes[-1]
        if shape.kind == OPERATION:
            self.shapes[-1] = Shape(COMPLEX, shape.name)


class Cutting:
    """The blocks of one region, and the places where cutting it was not certain, with the reason."""

    __slots__ = ("blocks", "problems")

    def __init__(self) -> None:
        self.blocks: list[CutBlock] = [CutBlock()]
        self.problems: list[tuple[int, str]] = []


def _moved(offsets: list[int], by: Callable[[Shape], int], shapes: list[Shape], kinds: set[Shape]) -> list[int]:
    """Offsets, each moved by a number of its shape, which is nearly always the same."""
    numbers = set(map(by, kinds))
    if len(numbers) > 1:
        return list(map(add, offsets, map(by, shapes)))
    number = numbers.pop()
    return [offset + number for offset in offsets] if number else offsets


def _lead(shape: Shape) -> int:
    return shape.lead


def _trail(shape: Shape) -> int:
    """From the begin of the next line back to the end of the operation."""
    return -1 - shape.trail
