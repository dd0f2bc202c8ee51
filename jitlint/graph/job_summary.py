"""Pictures in Markdown, for the summary of a job: what GitHub and GitLab draw is Mermaid in a fence."""

from __future__ import annotations

import os

from jitlint.config.discovery import Configs
from jitlint.config.settings import Settings
from jitlint.graph import labels, mermaid
from jitlint.graph.build import Choice, graph_of
from jitlint.graph.model import BlockGraph
from jitlint.report.markdown import plain
from jitlint.result import Result

_MOST_CALLS = 30
_LONGEST = 1_000_000
"""Characters of a text that is analysed again for its pictures."""


def pictures(configs: Configs, result: Result) -> str:
    """The blocks of one file in which calls can be one, or stay apart; empty where there are none.

    Raises ConfigError as `configs` does.
    """
    source = result.source
    if len(source.text) > _LONGEST or not any(finding.group for finding in result.findings):
        return ""
    settings = configs.of(os.path.dirname(os.path.abspath(source.path))) or Settings()
    graph = graph_of(source, settings.options, Choice(most=_MOST_CALLS))
    return "".join(_section(block) for block in graph.drawn if block.groups or block.reasons)


def _section(block: BlockGraph) -> str:
    """One block: a line of words that opens, and its picture. Nothing in the picture can end its fence."""
    words = f"{labels.block(block)}: {'. '.join(labels.verdict(block))}"
    return f"{plain(words)}.\n\n```mermaid\n{mermaid.render_block(block)}```\n\n"
