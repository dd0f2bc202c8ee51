"""A text with its lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitlint.syntax import source
from jitlint.syntax.source import Source

PIECES = st.sampled_from(["a", "\n", "\n", "é", "\r\n", "bb\n", "x" * 30, "日" * 40 + "\n"])


@given(st.lists(PIECES, max_size=30).map("".join), st.data())
def test_lines_begin_behind_line_feeds_however_far_they_were_looked_for(text: str, data: st.DataObject) -> None:
    starts = [0, *(place + 1 for place, char in enumerate(text) if char == "\n")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "_PIECE", data.draw(st.sampled_from([1, 7, 32, 1 << 15])))
        one = Source(text)
        for offset in data.draw(st.lists(st.integers(0, len(text)), max_size=4)):
            known = one.line_starts_past(offset)
            assert known == starts[: len(known)]
            assert len(known) == len(starts) or known[-1] > offset
            assert one.position(offset) == (text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
        assert one.line_starts == starts
