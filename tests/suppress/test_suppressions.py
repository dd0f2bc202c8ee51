from __future__ import annotations

import pytest

import jitlint
from jitlint import api
from jitlint.findings import Finding, Span
from jitlint.fusion.edits import apply
from jitlint.suppress.add_ignores import with_ignores
from jitlint.suppress.suppressions import Suppressions
from jitlint.syntax.source import Source
from tests.cli.samples import BARRIER, FIRST_CALL, FUSABLE
from tests.texts import CALLS_THE_OTHER, alias


def on(text: str, word: str, code: str) -> Finding:
    start = text.index(word)
    return Finding(code, "", Span(start, start + len(word)))


def hidden(text: str, *codes: str, at: str = "CALL") -> list[str]:
    suppressions = Suppressions(Source(text))
    return [code for code in codes if suppressions.hide(on(text, at, code))]


BOTH = ("JIT102", "JIT403")

OVER_LINES = """\
llvm.func @w(%p: !llvm.ptr) {
  llvm.return
}
func.func @main(%x: tensor<f64>) {
  %0 = enzymexla.jit_call @w (%x) <
    output_operand_aliases = [
      #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 7, operand_tuple_indices = []>
    ]> : (tensor<f64>) -> tensor<f64>
  return
}
"""
"""JIT402, whose place is two lines below that of the call."""


class TestPlaces:
    @pytest.mark.parametrize(
        "text",
        [
            "CALL // jitlint: ignore[JIT102]",
            "CALL //jitlint:ignore[JIT102]",
            "CALL //\tjitlint:  ignore [ JIT102 , ] because",
            "CALL // as it is // jitlint: ignore[JIT102]",
            "CALL // jitlint: ignore[dependency-cycle]",
            "CALL // jitlint: ignore[JIT10]",
            "// jitlint: ignore[JIT102]\nCALL",
            "  \t// jitlint: ignore[JIT102] because\n  CALL",
            "// jitlint: ignore[JIT102]\n// CHECK: something\n// more\nCALL",
            "// jitlint: ignore[JIT102]\n// jitlint: ignore[JIT201]\nCALL",
            "// jitlint: ignore[JIT102]\r\nCALL\r\n",
            "x\r\nCALL // jitlint: ignore[JIT102]\r\ny",
            "// jitlint: ignore-file[JIT102]\nx\nCALL",
            "// a title\n\n  // jitlint: ignore-file[JIT102] because\r\nx\nCALL",
            '"a // string" CALL // jitlint: ignore[JIT102]',
        ],
    )
    def test_hides_the_rule_that_it_names(self, text: str) -> None:
        assert hidden(text, *BOTH) == ["JIT102"]

    @pytest.mark.parametrize(
        "text",
        [
            "// jitlint: ignore[JIT102]\n\nCALL",
            "// jitlint: ignore[JIT102]\nx\nCALL",
            "CALL\n// jitlint: ignore[JIT102]",
            "x // jitlint: ignore[JIT102]\nCALL",
            'CALL "// jitlint: ignore[JIT102]"',
            'CALL { a = "x\\" // jitlint: ignore[JIT102]" }',
            "CALL // say jitlint: ignore[JIT102]",
            "CALL // jitlint: ignored[JIT102]",
            "CALL // jitlint: Ignore-file[JIT102]",
            "CALL // jitlint: ignore[]",
            "x\n// jitlint: ignore-file[JIT102]\nCALL",
            "CALL // jitlint: ignore[JIT102",
            "CALL // jitlint: ignore [",
            "CALL // jitlint: ignore[JIT102\n]",
            "CALL // jitlint: ignore JIT102",
            "CALL // jitlint: ignore jit102 because",
            "CALL // jitlint: ignore: JIT102",
            "CALL // jitlint: ignore=JIT102",
            "CALL // jitlint: ignore(JIT102)",
            "CALL // jitlint: ignore (JIT102)",
            "CALL // jitlint: ignore{JIT102}",
            "CALL // jitlint: ignore JIT1O2",
            "CALL // jitlint: ignore dependency-cycle",
            "CALL // jitlint: ignore_file[JIT102]",
            "// jitlint: ignore-file JIT102\nCALL",
            "// jitlint: ignore-file[JIT102\r\nCALL",
        ],
    )
    def test_hides_nothing(self, text: str) -> None:
        assert hidden(text, *BOTH) == []

    @pytest.mark.parametrize(
        "text",
        [
            "CALL // jitlint: ignore",
            "// jitlint: ignore\nCALL",
            "// jitlint: ignore-file\nCALL",
            "CALL // jitlint: ignore\r\n",
            "CALL // jitlint: ignore because of the order in jit_call",
            "CALL // jitlint: ignore: because JIT102 is meant here",
            "CALL // jitlint: ignore (because)",
            "CALL // jitlint: ignore - unreadable otherwise",
        ],
    )
    def test_without_a_list_every_rule_is_meant(self, text: str) -> None:
        assert hidden(text, *BOTH) == list(BOTH)

    def test_what_keeps_jitlint_from_its_work_is_hidden_by_name_only(self) -> None:
        assert hidden("CALL // jitlint: ignore", "JIT901") == []
        assert hidden("CALL // jitlint: ignore[JIT901]", "JIT901") == ["JIT901"]
        assert hidden("CALL // jitlint: ignore[JIT999]", "JIT999") == []

    def test_a_finding_without_a_place_is_hidden_for_the_file_only(self) -> None:
        nowhere = Finding("JIT102", "", None)
        assert not Suppressions(Source("x // jitlint: ignore[JIT102]")).hide(nowhere)
        assert Suppressions(Source("// jitlint: ignore-file[JIT102]")).hide(nowhere)


def unused(text: str, *used: tuple[str, str]) -> list[tuple[str, str, bool]]:
    suppressions = Suppressions(Source(text))
    for word, code in used:
        suppressions.hide(on(text, word, code))
    return [
        (text[finding.span.start : finding.span.end] if finding.span else "", finding.message, finding.fixable)
        for finding in suppressions.unused()
    ]


class TestUnused:
    def test_a_comment_that_hides_something_is_used(self) -> None:
        assert unused("CALL // jitlint: ignore[JIT102]", ("CALL", "JIT102")) == []
        assert unused("CALL // jitlint: ignore[JIT1]", ("CALL", "JIT102")) == []
        assert unused("CALL // jitlint: ignore", ("CALL", "JIT102")) == []

    def test_the_word_that_hides_nothing_is_named(self) -> None:
        found = unused("CALL // jitlint: ignore[JIT102, JIT403]", ("CALL", "JIT102"))
        assert found == [("JIT403", "JIT403 is suppressed here, but there is no such finding", True)]

    def test_a_comment_for_all_rules_that_hides_nothing(self) -> None:
        comment = "// jitlint: ignore because"
        assert unused(f"CALL {comment}\nx") == [(comment, "this comment suppresses nothing", True)]

    @pytest.mark.parametrize(
        ("text", "what", "words"),
        [
            ("CALL // jitlint: ignore[JIT1O2]", "JIT1O2", "unknown rule `JIT1O2`; did you mean `JIT102`?"),
            ("CALL // jitlint: ignroe[JIT102]", "// jitlint: ignroe[JIT102]", "unknown suppression `ignroe`"),
            ("x\n// jitlint: ignore-file\n", "// jitlint: ignore-file", "counts only in the comments at the top"),
            ("CALL // jitlint: ignore[JIT102", "// jitlint: ignore[JIT102", "no closing bracket; write `ignore[…]`"),
            ("CALL // jitlint: ignore JIT102", "// jitlint: ignore JIT102", "write `ignore[JIT102]`"),
        ],
    )
    def test_what_only_a_person_can_mend_is_not_fixable(self, text: str, what: str, words: str) -> None:
        ((place, message, fixable),) = unused(text)
        assert (place, fixable) == (what, False)
        assert words in message
        assert Suppressions(Source(text)).removals() == []

    def test_one_can_be_meant_to_stay(self) -> None:
        assert unused("CALL // jitlint: ignore[JIT102, JIT703]") == []
        assert unused("// jitlint: ignore-file[JIT703]\nCALL // jitlint: ignore[JIT102]") == []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\n  // jitlint: ignore[JIT403] why\nCALL\n", "a\nCALL\n"),
        ("a\r\n  // jitlint: ignore[JIT403]\r\nCALL\r\n", "a\r\nCALL\r\n"),
        ("CALL \t // jitlint: ignore[JIT403]\nb\n", "CALL\nb\n"),
        ("CALL // jitlint: ignore[JIT403]\r\nb", "CALL\r\nb"),
        ("CALL // jitlint: ignore[JIT403, JIT102, JIT201] why\n", "CALL // jitlint: ignore[JIT102] why\n"),
        ("CALL // jitlint: ignore[JIT102, JIT1O2, JIT201]\n", "CALL // jitlint: ignore[JIT102, JIT1O2]\n"),
        ("CALL\n// jitlint: ignore", "CALL\n"),
        ("// jitlint: ignore\rCALL\n", "\rCALL\n"),
        ("CALL // jitlint: ignore[JIT102]\n", "CALL // jitlint: ignore[JIT102]\n"),
    ],
)
def test_what_is_unused_is_taken_out_and_nothing_else(text: str, clean: str) -> None:
    suppressions = Suppressions(Source(text))
    suppressions.hide(on(text, "CALL", "JIT102"))
    assert apply(text, suppressions.removals()) == clean


def suppressed(text: str, comment: str, before: str = FIRST_CALL) -> str:
    return text.replace(before, f"{before} {comment}")


class TestWithTheEngine:
    def test_a_suppressed_group_is_neither_reported_nor_fixed(self) -> None:
        text = suppressed(FUSABLE, "// jitlint: ignore[JIT001]")
        assert jitlint.check(text).findings == ()
        assert jitlint.fix(text).source.text == text

    @pytest.mark.parametrize("comment", ["// jitlint: ignore[JIT001] keep it apart", "// jitlint: ignore"])
    @pytest.mark.parametrize("number", [1, 2])
    def test_a_comment_about_any_call_of_a_group_is_about_the_group(self, number: int, comment: str) -> None:
        lines = FUSABLE.splitlines(keepends=True)
        calls = [at for at, line in enumerate(lines) if "jit_call" in line]
        lines[calls[number - 1]] = f"{lines[calls[number - 1]].rstrip()} {comment}\n"
        text = "".join(lines)
        assert jitlint.check(text).findings == ()
        result = jitlint.fix(text)
        assert (result.source.text, result.findings, result.fixed) == (text, (), ())

    def test_a_comment_that_is_malformed_hides_nothing(self) -> None:
        text = suppressed(FUSABLE, "// jitlint: ignore[JIT501")
        assert [finding.code for finding in jitlint.check(text).findings] == ["JIT001", "JIT703"]

    def test_a_fix_takes_out_what_has_become_unused(self) -> None:
        text = suppressed(FUSABLE, "// jitlint: ignore[JIT403] not any more")
        result = jitlint.fix(text, ignore=["JIT702"])
        assert "jitlint:" not in result.source.text
        assert [finding.code for finding in result.fixed] == ["JIT001", "JIT703"]
        assert result.findings == ()
        assert jitlint.fix(FUSABLE).source.text == result.source.text

    def test_what_is_unused_stands_where_it_is_in_the_order(self) -> None:
        text = suppressed(FUSABLE, "// jitlint: ignore[JIT403]").replace("module {", "module { // jitlint: ignore")
        assert [finding.code for finding in jitlint.check(text).findings] == ["JIT703", "JIT001", "JIT703"]

    def test_an_unused_suppression_is_left_where_the_rule_is_not_selected(self) -> None:
        text = suppressed(FUSABLE, "// jitlint: ignore[JIT403]")
        result = jitlint.fix(text, ignore=["JIT703", "JIT001"])
        assert (result.source.text, result.findings) == (text, ())

    def test_a_suppression_of_a_rule_that_is_not_selected_has_its_use(self) -> None:
        text = suppressed(FUSABLE, "// jitlint: ignore[JIT001]")
        assert jitlint.check(text, ignore=["JIT001"]).findings == ()

    def test_nothing_is_called_unused_in_a_text_that_cannot_be_read(self) -> None:
        text = suppressed(FUSABLE, "// jitlint: ignore[JIT403]").removesuffix("}\n")
        assert [finding.code for finding in jitlint.check(text).findings] == ["JIT901"]


class TestACallOverSeveralLines:
    @pytest.mark.parametrize("line", ["%0 = ", "#stablehlo"])
    def test_a_comment_at_the_call_or_at_the_wrong_entry_hides_it(self, line: str) -> None:
        for code, left in (("JIT402", []), ("JIT401", ["JIT703", "JIT402"])):
            comment = f"// jitlint: ignore[{code}]\n"
            text = OVER_LINES.replace(line, f"{comment}{line}", 1)
            assert sorted(each.code for each in jitlint.check(text).findings) == sorted(left)

    def test_a_comment_elsewhere_in_the_call_hides_nothing(self) -> None:
        text = OVER_LINES.replace("]> :", "]> : // jitlint: ignore[JIT402]\n")
        assert {each.code for each in jitlint.check(text).findings} == {"JIT402", "JIT703"}

    def test_an_added_comment_stands_above_the_call(self) -> None:
        found = jitlint.check(OVER_LINES)
        new, _ = with_ignores(found.source, found.findings)
        assert "\n  // jitlint: ignore[JIT402]\n  %0 = " in new
        assert jitlint.check(new).findings == ()


class TestAddIgnores:
    @pytest.mark.parametrize("text", [FUSABLE, BARRIER, FUSABLE.replace("\n", "\r\n"), FUSABLE.rstrip()])
    def test_then_nothing_is_left_to_report(self, text: str) -> None:
        found = jitlint.check(text)
        new, hidden = with_ignores(found.source, found.findings)
        assert len(hidden) == len(found.findings) > 0
        assert jitlint.check(new).findings == ()
        assert jitlint.fix(new).source.text == new
        added = [line for line in new.splitlines(keepends=True) if "jitlint" in line]
        assert new.replace("".join(added), "") == text

    def test_the_comment_stands_above_as_far_to_the_right(self) -> None:
        found = jitlint.check(FUSABLE)
        new, _ = with_ignores(found.source, found.findings)
        assert f"    // jitlint: ignore[JIT001]\n{FIRST_CALL}\n" in new

    def test_line_endings_are_kept(self) -> None:
        source = Source("a\r\nCALL\r\n")
        new, _ = with_ignores(source, [on(source.text, "CALL", "JIT102")])
        assert new == "a\r\n// jitlint: ignore[JIT102]\r\nCALL\r\n"

    def test_codes_on_one_line_share_a_comment(self) -> None:
        source = Source("\tCALL\n")
        new, _ = with_ignores(source, [on(source.text, "CALL", code) for code in ("JIT403", "JIT102", "JIT403")])
        assert new == "\t// jitlint: ignore[JIT102, JIT403]\n\tCALL\n"

    @pytest.mark.parametrize(
        "text", ["// jitlint: ignore[JIT201] why\nCALL\n", "CALL // jitlint: ignore[JIT201] why\n"]
    )
    def test_a_list_that_is_there_is_made_longer(self, text: str) -> None:
        new, _ = with_ignores(Source(text), [on(text, "CALL", "JIT102")])
        assert new == text.replace("JIT201", "JIT201, JIT102")

    @pytest.mark.parametrize("code", ["JIT901", "JIT903", "JIT999", "JIT703"])
    def test_some_are_not_to_be_hidden(self, code: str) -> None:
        source = Source("CALL\n")
        assert with_ignores(source, [on(source.text, "CALL", code)]) == ("CALL\n", [])


def test_many_suppressions_are_read_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comments that stand together are about one line, which is looked for once."""
    calls: list[int] = []
    import jitlint.suppress.suppressions as module

    real = module._next_code_line

    def counted(text: str, line: int) -> int:
        calls.append(line)
        return real(text, line)

    monkeypatch.setattr(module, "_next_code_line", counted)
    text = "// jitlint: ignore[JIT102]\n" * 500 + "CALL\n"
    assert hidden(text, "JIT102") == ["JIT102"]
    assert calls == [0]


def _four_calls(*callees: str, suppressed: int) -> str:
    text, values = CALLS_THE_OTHER, ["%x", "%0", "%y", "%2"]
    for number, (callee, value) in enumerate(zip(callees, values, strict=True)):
        call = f"enzymexla.jit_call @{callee} ({value}) <output_operand_aliases = [{alias()}]>"
        comment = " // jitlint: ignore[JIT001]" if number == suppressed else ""
        text += f"  %{number} = {call} : (tensor<f64>) -> tensor<f64>{comment}\n"
    return text + "  return %1, %3 : tensor<f64>, tensor<f64>\n}\n"


def test_a_group_that_needs_a_suppressed_one_to_be_fused_is_not_called_fixable() -> None:
    """`@a` calls `@b`, which the calls of the second group go on naming: then no fused wrapper can call `@a`."""
    text = _four_calls("a", "a", "b", "b", suppressed=2)
    assert {finding.code for finding in api.check(text).findings} == {"JIT304"}
    assert api.fix(text).source.text == text
    free = _four_calls("a", "a", "b", "b", suppressed=9)
    assert [finding.code for finding in api.check(free).findings] == ["JIT001", "JIT001"]


def test_what_keeps_a_group_from_being_fused_is_in_use_and_stays() -> None:
    """With the comment gone, the next run would fuse what it protects."""
    text = _four_calls("a", "a", "b", "a", suppressed=3)
    assert "JIT703" not in {finding.code for finding in api.check(text, group="adjacent").findings}
    assert api.fix(text, group="adjacent").source.text == text
