"""The colours and shapes of pictures, in one place for all formats."""

from __future__ import annotations

from dataclasses import dataclass

from jitlint.graph.model import Kind, Role


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of a thing: its inside, its outline and its text."""

    fill: str
    line: str
    text: str


@dataclass(frozen=True, slots=True)
class Look:
    """How a role is drawn: on a light page, on a dark one, its shape in DOT, its brackets in Mermaid."""

    light: Paint
    dark: Paint
    shape: str = "box"
    style: str = "filled,rounded"
    brackets: tuple[str, str] = ("[", "]")


@dataclass(frozen=True, slots=True)
class Stroke:
    """How an edge is drawn: its colours on light and dark pages, its style and width in DOT, its arrow in Mermaid."""

    light: str
    dark: str
    style: str
    width: float
    arrow: str


_BLUE = Paint("#e8f0fc", "#3b6fc4", "#17253d"), Paint("#1b2a44", "#6f9be8", "#dbe7fb")
_GREEN = Paint("#dcf3e4", "#23844a", "#0f2f1d"), Paint("#163524", "#57c785", "#d6f5e2")
_RED = Paint("#fde7e4", "#c8372b", "#46110b"), Paint("#43201d", "#f07a6e", "#fde0dc")
_AMBER = Paint("#fdf0d5", "#b7791f", "#402a06"), Paint("#3b2d14", "#e2ab4f", "#fbecd0")
_GREY = Paint("#f2f3f5", "#7a8391", "#2c323b"), Paint("#262b33", "#8e98a8", "#d9dee6")
_PLAIN = Paint("#ffffff", "#9aa3b0", "#2c323b"), Paint("#16191f", "#737d8c", "#d9dee6")

LOOKS: dict[Role, Look] = {
    Role.CALL: Look(*_BLUE),
    Role.FUSED: Look(*_GREEN),
    Role.KEPT_OUT: Look(*_RED),
    Role.EFFECT: Look(*_RED, style="filled,bold", brackets=("{{", "}}")),
    Role.STEP: Look(*_AMBER, style="filled"),
    Role.LOST: Look(*_RED, style="filled,rounded,dashed"),
    Role.USER: Look(*_AMBER, style="filled"),
    Role.INPUT: Look(*_PLAIN, brackets=("([", "])")),
    Role.ELSEWHERE: Look(*_GREY, style="filled,rounded,dashed"),
    Role.MORE: Look(*_PLAIN, style="filled,rounded,dotted"),
}

STROKES: dict[Kind, Stroke] = {
    Kind.WRITES: Stroke("#3b6fc4", "#6f9be8", "solid", 1.8, "==>"),
    Kind.READS: Stroke("#7a8391", "#8e98a8", "dashed", 1.0, "-.->"),
    Kind.APART: Stroke("#c8372b", "#f07a6e", "solid", 1.4, "--x"),
    Kind.WAY: Stroke("#b7791f", "#e2ab4f", "solid", 1.6, "-->"),
    Kind.EFFECTS: Stroke("#c8372b", "#f07a6e", "dashed", 1.6, "-.->"),
}

GROUP = Paint("#f1faf4", "#23844a", "#16643a"), Paint("#12241a", "#57c785", "#7fd9a3")
BLOCK = Paint("#ffffff", "#d3d8df", "#4b5563"), Paint("#16191f", "#3a414c", "#a5aebb")
"""The boxes around a group and around a block, light and dark."""
