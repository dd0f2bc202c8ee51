"""The order in which a region's blocks are executed: what a block uses is defined in blocks that lie before it on every
way to it, wherever these stand in the text (MLIR's rule of dominance)."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint import lazy
from jitlint.ir.tree import Block, Region
from jitlint.syntax.lexer import COMMENT, STRING

_LABEL = lazy.pattern(rf"{STRING}|{COMMENT}|(\^[\w$.-]++)")


def in_order(region: Region) -> list[Block]:
    """The blocks of a region, each behind all that dominate it; those that nothing reaches come last.

    It is the reverse of the order in which a search from the first block leaves them behind.
    """
    blocks = region.blocks
    if len(blocks) < 2:
        return list(blocks)
    by_label = {block.label_name: block for block in blocks if block.label_name}
    entered, left = {0}, list[Block]()
    path = [(blocks[0], _successors(blocks[0], by_label))]
    while path:
        block, successors = path[-1]
        for successor in successors:
            if successor.number not in entered:
                entered.add(successor.number)
                path.append((successor, _successors(successor, by_label)))
                break
        else:
            left.append(block)
            path.pop()
    return [*reversed(left), *(block for block in blocks if block.number not in entered)]


def _successors(block: Block, by_label: dict[str, Block]) -> Iterator[Block]:
    """The blocks that the last operation of a block names."""
    if len(block):
        last = block[len(block) - 1]
        for match in _LABEL.finditer(last.text, last.start, last.end):
            if match[1] in by_label:
                yield by_label[match[1]]
