"""What a rule says about a finding, asked by code. Reports work without the rule, which tests rely on."""

from __future__ import annotations

from jitlint.findings import Finding, Severity
from jitlint.rules.base import RULES

FUSABLE = "JIT001"
"""The code of a group that can be fused."""


def severity_of(finding: Finding) -> Severity:
    """The finding's own severity, or else its rule's; a code without a rule is an error from JIT900 on."""
    if finding.severity is not None:
        return finding.severity
    rule = RULES.get(finding.code)
    if rule is not None:
        return rule.severity
    return Severity.ERROR if finding.code >= "JIT900" else Severity.WARNING


def name_of(code: str) -> str:
    """The rule's name, or the code in lower case where no rule is declared."""
    rule = RULES.get(code)
    return rule.name if rule is not None else code.lower()
