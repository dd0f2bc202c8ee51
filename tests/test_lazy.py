"""A lazy pattern is what `re.compile` gives, once it is used."""

from __future__ import annotations

import re

from pytest import MonkeyPatch

from jitlint import lazy


def test_a_lazy_pattern_is_compiled_at_its_first_use_and_then_known(monkeypatch: MonkeyPatch) -> None:
    compiled = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda text, flags: compiled.append(text) or real(text, flags))
    number = lazy.pattern("[0-9]+")
    assert compiled == []
    for _ in range(3):
        assert number.findall("1, 22") == ["1", "22"]
    assert compiled == ["[0-9]+"]


def test_a_lazy_pattern_takes_flags() -> None:
    assert lazy.pattern("^a$", re.MULTILINE).sub("b", "a\na") == "b\nb"
