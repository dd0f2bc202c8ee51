"""From a text to its pictures: which blocks and which calls are drawn, and the words around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from jitlint.analysis.blocks import BlockAnalysis
from jitlint.errors import UsageError
from jitlint.fusion.plans import Plans
from jitlint.graph.alike import alike
from jitlint.graph.analyses import Analysed, analyses
from jitlint.graph.model import BlockGraph, Graph
from jitlint.graph.pieces import Piece, draw, shape
from jitlint.graph.sketch import Sketch
from jitlint.ir.symbols import SymbolTable
from jitlint.options import Options
from jitlint.syntax.source import Source

MOST_CALLS = 60
"""Calls that are drawn unless somebody asks for more: what a person can still read."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What to draw: all blocks, or the one of that number, or only what a call on that line is joined with.

    `most` is how many calls are drawn at the most.
    """

    block: int | None = None
    line: int | None = None
    most: int = MOST_CALLS


EVERYTHING = Choice()


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A block with its number, its pieces in text order, and the module that it is in."""

    number: int
    title: str
    block: BlockAnalysis
    plans: Plans
    pieces: list[Piece]

    @property
    def calls(self) -> int:
        return sum(piece.size for piece in self.pieces)


def graph_of(source: Source, options: Options, choice: Choice = EVERYTHING) -> Graph:
    """The pictures of a text.

    Raises UsageError where the choice names nothing that there is; a module that cannot be read is left out.
    """
    return graph_from(analyses(source.text, options), source, choice)


def graph_from(modules: Iterable[Analysed], source: Source, choice: Choice = EVERYTHING) -> Graph:
    """The pictures of a text that has been analysed. Raises as `graph_of` does."""
    found = _found(modules)
    chosen, pieces = _chosen(found, source, choice)
    room = choice.most
    drawn = []
    for each in chosen:
        if room <= 0:
            break
        graph, used = _drawing(each, pieces, room, source)
        drawn.append(graph)
        room -= used
    return Graph(source.path, tuple(drawn), len(found), sum(each.calls for each in found))


def headings(modules: Iterable[Analysed], source: Source) -> list[BlockGraph]:
    """The blocks with JIT calls, with nothing drawn."""
    return [_heading(each, source) for each in _found(modules)]


def _found(modules: Iterable[Analysed]) -> list[_Found]:
    found = [each for module in modules if module.plans is not None for each in _blocks(module.plans)]
    return [replace(each, number=number) for number, each in enumerate(found, 1)]


def _chosen(found: list[_Found], source: Source, choice: Choice) -> tuple[list[_Found], set[Piece] | None]:
    """The blocks to draw, and the identities of the pieces to draw of them; None for all."""
    if choice.block is not None:
        if not 1 <= choice.block <= len(found):
            raise UsageError(f"no block {choice.block}; {_numbers(found)}")
        found = [found[choice.block - 1]]
    if choice.line is None:
        return found, None
    if not 1 <= choice.line <= len(source.line_starts):
        raise UsageError(f"no line {choice.line:,}; the text ends at line {len(source.line_starts):,}")
    first = source.line_starts[choice.line - 1]
    last = first + len(source.line(choice.line))
    every = [(each, piece) for each in found for piece in each.pieces]
    hit = [pair for pair in every if pair[1].holds(first, last)]
    hit = hit or [pair for pair in every if pair[1].start <= last and first < pair[1].end]
    if not hit:
        lines = [source.position(piece.start).line for _, piece in every]
        nearest = min(lines, key=lambda line: abs(line - (choice.line or 0)), default=None)
        hint = f"the nearest is on line {nearest:,}" if nearest is not None else "there is none in the file"
        raise UsageError(f"no JIT call stands on line {choice.line:,}, nor around it; {hint}")
    blocks = list(dict.fromkeys(each for each, _ in hit))
    return blocks, {piece for _, piece in hit}


def _numbers(found: Sequence[_Found]) -> str:
    if not found:
        return "no block has a JIT call"
    return "the only one is 1" if len(found) == 1 else f"they are numbered 1 to {len(found)}"


def _drawing(found: _Found, wanted: set[Piece] | None, room: int, source: Source) -> tuple[BlockGraph, int]:
    """The picture of a block, with nodes for at most `room` calls, and how many it took."""
    sketch = Sketch(found.plans.analysis, found.block, source)
    pieces = [piece for piece in found.pieces if wanted is None or piece in wanted]
    if found.calls > room:  # then what is joined comes first: single calls say little
        pieces.sort(key=lambda piece: piece.component is None)
    used = told = 0
    for piece, times in alike(pieces, sketch):
        drawn_as = shape(piece, room - used)
        if used and (used >= room or drawn_as.left_out(piece)):
            break
        draw(piece, drawn_as, sketch, times)
        used += drawn_as.size
        told += times * (piece.size - drawn_as.left_out(piece))
    nodes = sketch.nodes
    drawn = replace(
        _heading(found, source),
        nodes=nodes,
        edges=sketch.edges,
        boxes=tuple(sketch.boxes),
        left_out=found.calls - told,
        reasons=tuple(sorted({code for node in nodes for code in node.codes})),
    )
    return drawn, used


def _heading(found: _Found, source: Source) -> BlockGraph:
    unsure = found.block.place.unsure
    ends = found.pieces[0].start, max(piece.end for piece in found.pieces)
    first, last = (source.position(offset).line for offset in ends)
    return BlockGraph(
        number=found.number,
        title=found.title,
        lines=(first, last),
        calls=found.calls,
        groups=sum(len(piece.fused_names or ()) for piece in found.pieces),
        left_out=found.calls,
        untouched=unsure[0][1] if unsure else None,
    )


def _blocks(plans: Plans) -> Iterable[_Found]:
    """The blocks of a module by their first calls."""
    by_part = {plan.part: plan for plan in plans}
    titles = _Titles()
    for block in plans.analysis.blocks:
        pieces = []
        joined: set[int] = set()
        for stretch in block.stretches:
            for component, split in stretch.splits:
                names = {part: plans.fused_name(by_part[part]) for part in split.parts if part in by_part}
                pieces.append(Piece(component.calls, stretch, component, split, names))
                joined.update(call.index for call in component.calls)
        pieces += [Piece((call,)) for call in block.candidates if call.index not in joined]
        pieces += [Piece((), unread=call) for call in block.place.unread]
        if pieces:
            pieces.sort(key=lambda piece: piece.start)
            yield _Found(0, titles.of(block), block, plans, pieces)


class _Titles:
    """What blocks are called: by their function, and by the operation inside it that holds them."""

    def __init__(self) -> None:
        self._symbols: dict[SymbolTable, dict[tuple[int, int], str]] = {}

    def of(self, block: BlockAnalysis) -> str:
        """The title of a block."""
        place = block.place
        if place.scope is None:
            return "the module itself"
        name = self._names(place.symbols).get((place.scope.block.number, place.scope.index))
        title = f"@{name}" if name is not None else place.scope.name
        holder = place.block.region.parent
        if holder is not None and holder is not place.scope and holder.start != place.scope.start:
            title += f", inside {holder.name}"
        label = place.block.label_name
        return f"{title}, block {label}" if label and place.block.number else title

    def _names(self, symbols: SymbolTable) -> dict[tuple[int, int], str]:
        names = self._symbols.get(symbols)
        if names is None:
            names = self._symbols[symbols] = {place: name for name, place in symbols.names.items()}
        return names
