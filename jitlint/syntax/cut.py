"""Cut the inside of a region into blocks and operations, structurally: no dialect needs to be known.

Two roads, one result. Most lines of printed MLIR hold one whole operation; such a line is looked up by its shape. Any
other line is read token by token (`walk.py`), which is also how a line is read the first time its shape is met.
"""

from __future__ import annotations

from collections.abc import Mapping

from jitlint.syntax.braces import Braces
from jitlint.syntax.cutting import CutBlock, Cutting
from jitlint.syntax.heads import ENDS_IN_RESULTS
from jitlint.syntax.lexer import SyntaxProblem
from jitlint.syntax.lines import LineShapes
from jitlint.syntax.shapes import BLANK, COMPLEX, CONTINUATION, OPERATION, VARYING, Shape
from jitlint.syntax.walk import GOES_ON_AFTER, Walker


class Cutter:
    """Cuts regions of one text; knows its braces, and keeps the shapes of its lines."""

    def __init__(self, text: str, close: Mapping[int, int], operations: frozenset[str]) -> None:
        self.text = text
        self.close = close
        self.operations = operations
        self.shapes = LineShapes(lambda line: read_line(line, operations))
        self._has_bare_returns = "\r" in text and text.count("\r") > text.count("\r\n")

    def cut(self, start: int, end: int) -> Cutting:
        """The blocks of `text[start:end]`, the inside of a region or a whole module.

        Raises SyntaxProblem where brackets do not match or a string does not end on its line.
        """
        cutting = Cutting()
        walker = Walker(self.text, self.close, self.operations, cutting, end)
        position = walker.walk_line(start)
        while position < end:
            if not self._has_bare_returns:  # else what ends in a line feed may be many lines, and is read one by one
                position = self._simple_lines(cutting.blocks[-1], position, end)
            if position < end:
                position = walker.walk_line(position)
        if len(cutting.blocks) > 1 and not cutting.blocks[0].shapes and cutting.blocks[0].label is None:
            del cutting.blocks[0]
        return cutting

    def _simple_lines(self, block: CutBlock, position: int, end: int) -> int:
        """Take lines of a known simple shape; returns the start of the first line that is not one.

        Lines are looked up many at a time: at first a few, since another kind of line may come soon, then more.
        """
        text, size = self.text, _FEWEST
        while position < end:
            stop = _line_end(text, position, position + size, end)
            if stop - position > _MOST:
                return position  # one line, too long to have a shape
            size = min(2 * size, _MOST)
            shapes, lengths = self.shapes.of(text[position:stop])
            kinds = set(shapes)
            if all(shape.kind == OPERATION for shape in kinds):
                block.add_lines(position, shapes, lengths, kinds)
                position = stop + 1
                continue
            for shape, length in zip(shapes, lengths, strict=True):
                if shape.kind == OPERATION:
                    block.add(position + shape.lead, shape, position + length - shape.trail)
                elif shape.kind == CONTINUATION and block.shapes:
                    block.extend(position + length - shape.trail)
                elif shape.kind != BLANK:
                    return position
                position += length + 1
        return end


_FEWEST, _MOST = 1 << 10, 1 << 16
"""Characters of the lines that are looked up together."""


def _line_end(text: str, start: int, near: int, end: int) -> int:
    """The end of the last whole line that lies before `near`, or of the first, if that is longer."""
    if near >= end:
        return end
    newline = text.rfind("\n", start, near)
    if newline < 0:
        newline = text.find("\n", near, end)
    return newline if newline >= 0 else end


def read_line(line: str, operations: frozenset[str]) -> Shape:
    """The shape of a line that stands at region depth."""
    cutting = Cutting()
    braces = _braces(line)
    if braces is None:
        return Shape(COMPLEX)
    walker = Walker(line, braces, operations, cutting, len(line), one_line=True)
    try:
        read = walker.walk_line(0)
    except SyntaxProblem:
        return Shape(COMPLEX)
    block = cutting.blocks[0]
    if read < len(line) or len(cutting.blocks) > 1 or cutting.problems or block.regions or len(block.shapes) > 1:
        return Shape(COMPLEX)
    if not walker.last_end:
        return Shape(BLANK)
    trail = len(line) - walker.last_end
    if VARYING.search(line, walker.last_end):
        return Shape(COMPLEX)  # a comment with names in it: lines of this shape differ in length behind the operation
    goes_on = (*GOES_ON_AFTER, '"')  # a string may be the name of an operation whose operands are on the next line
    if ENDS_IN_RESULTS.search(line, 0, walker.last_end) or line.endswith(goes_on, 0, walker.last_end):
        return Shape(COMPLEX)  # these may be results of an operation on the next line, or it goes on there
    if not block.shapes:
        may_be_alias = line.lstrip()[:1] in ("#", "!")  # its `=` may stand on the next line
        return Shape(CONTINUATION, trail=trail) if walker.continued and not may_be_alias else Shape(COMPLEX)
    if walker.continued:
        return Shape(COMPLEX)
    return Shape(OPERATION, block.shapes[0].name, block.starts[0], trail, line)


def _braces(line: str) -> dict[int, int] | None:
    """The braces of one line, or None if they do not match within it."""
    if "{" not in line and "}" not in line and '"' not in line:
        return {}
    try:
        return Braces(line, 0, len(line)).close
    except SyntaxProblem:
        return None
