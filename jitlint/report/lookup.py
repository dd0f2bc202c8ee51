"""What the rule of a finding says about it, asked by code."""

from __future__ import annotations

from jitlint.findings import Finding, Severity
from jitlint.rules import RULES

FUSABLE = "JIT001"
"""The code of a group that can be fused."""


def severity_of(finding: Finding) -> Severity:
    """The finding's own severity, or else its rule's."""
    return finding.severity if finding.severity is not None else RULES[finding.code].severity


def name_of(code: str) -> str:
    """The name of a rule."""
    return RULES[code].name
