"""Whether the tests that could go on for ever take many examples and large ones, or those that fit the gate."""

from __future__ import annotations

import os

WHOLE = os.environ.get("JITLINT_TESTS") == "whole"
