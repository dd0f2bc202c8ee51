"""The language server as an editor sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types

from jitlint import fix
from tests.server.conftest import PLAIN, Editor
from tests.texts import ADD_TO, DOUBLE, T, call

Talk = Callable[..., None]


def module(wrappers: str, *lines: str, returned: tuple[str, ...]) -> str:
    """`@main` with two arguments, %a and %b, behind the wrappers."""
    body = "".join(f"    {line}\n" for line in lines)
    types_of = ", ".join([T] * len(returned))
    return (
        f"module {{\n{wrappers}  func.func @main(%a: {T}, %b: {T}) -> ({types_of}) {{\n"
        f"{body}    return {', '.join(returned)} : {types_of}\n  }}\n}}\n"
    )


CHAIN = module(DOUBLE, call("%0", "double", "%a"), call("%1", "double", "%0"), returned=("%1",))
TWO_GROUPS = module(
    DOUBLE,
    call("%0", "double", "%a"),
    call("%1", "double", "%0"),
    "%2 = stablehlo.custom_call @log(%1) {has_side_effect = true} : (tensor<f64>) -> tensor<f64>",
    call("%3", "double", "%2"),
    call("%4", "double", "%3"),
    returned=("%4",),
)
OVERWRITTEN = module(DOUBLE, call("%0", "double", "%a"), call("%1", "double", "%0"), returned=("%0", "%1"))


def line_of(text: str, piece: str) -> int:
    """The number of the line, from 0, on which a piece of text first stands."""
    return text[: text.index(piece)].count("\n")


def at(text: str, piece: str, behind: int = 0) -> types.Position:
    """The position of a piece of text that has no character beyond the first 65,536 before it on its line."""
    offset = text.index(piece) + behind
    return types.Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


def here(position: types.Position) -> types.Range:
    return types.Range(position, position)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """A text with edits made as an editor makes them, whose columns count UTF-16 code units."""
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        before = sum(len(line) + 1 for line in lines[: position.line])
        line = lines[position.line] if position.line < len(lines) else ""
        return before + len(line.encode("utf-16-le")[: position.character * 2].decode("utf-16-le"))

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def edits_in(action: types.CodeAction, uri: str, version: int) -> list[types.TextEdit]:
    """The edits of an action, which must be of this version of this document."""
    assert action.edit is not None and action.edit.document_changes is not None
    (change,) = action.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (uri, version)
    return [edit for edit in change.edits if isinstance(edit, types.TextEdit)]


def test_says_what_it_can(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        assert editor.server is not None and editor.server.server_info is not None
        can = editor.server.capabilities
        assert editor.server.server_info.name == "jitlint"
        assert can.hover_provider
        assert isinstance(can.code_action_provider, types.CodeActionOptions)
        assert list(can.code_action_provider.code_action_kinds or ()) == ["quickfix", "source.fixAll.jitlint"]
        assert can.code_action_provider.resolve_provider
        assert isinstance(can.text_document_sync, types.TextDocumentSyncOptions)
        assert can.text_document_sync.change == types.TextDocumentSyncKind.Full

    talk(say)


def test_reports_findings_on_open_and_change_and_clears_them_on_close(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", CHAIN)
        (found,) = await editor.diagnostics()
        assert (found.code, found.source, found.severity) == ("JIT001", "jitlint", types.DiagnosticSeverity.Warning)
        assert found.range.start == at(CHAIN, "enzymexla.jit_call")
        assert found.range.end == at(CHAIN, "@double (%a)", len("@double"))
        assert found.related_information is not None
        assert [each.location.range.start.line for each in found.related_information] == [
            line_of(CHAIN, "%0 = enzymexla"),
            line_of(CHAIN, "%1 = enzymexla"),
        ]
        version = editor.change(uri, CHAIN.replace("%1", "%9").replace("jit_call", "other_call"))
        assert await editor.diagnostics(version) == []
        version = editor.change(uri, OVERWRITTEN)
        (found,) = await editor.diagnostics(version)
        assert (found.code, found.severity) == ("JIT403", types.DiagnosticSeverity.Information)
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        assert await editor.diagnostics() == []

    talk(say)


def test_only_the_last_of_many_changes_is_checked(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", CHAIN)
        await editor.diagnostics(1)
        for _ in range(20):
            editor.change(uri, OVERWRITTEN)
        last = editor.change(uri, CHAIN)
        (found,) = await editor.diagnostics(last)
        assert found.code == "JIT001"
        assert editor.published.empty()

    talk(say)


def test_the_quick_fix_fuses_one_group_and_no_other(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        uri = editor.open("two.mlir", TWO_GROUPS)
        found = [each for each in await editor.diagnostics() if each.code == "JIT001"]
        assert len(found) == 2
        # The cursor is on the second call of the second group.
        action, *_ = await editor.actions(uri, here(at(TWO_GROUPS, "%4 = enzymexla", 10)), ["quickfix"])
        assert (action.title, action.edit, action.is_preferred) == ("Fuse 2 calls into one", None, True)
        assert action.diagnostics is not None and action.diagnostics[0].range == found[1].range
        resolved = await editor.client.code_action_resolve_async(action)
        fused = applied(TWO_GROUPS, edits_in(resolved, uri, 1))
        assert fused.count("jit_call @double") == 2
        assert fused.count("jit_call @__enzyme_fused_double_double") == 1
        assert fused.index("@double (%a)") < fused.index("jit_call @__enzyme_fused_double_double")
        version = editor.change(uri, fused)
        assert [each.code for each in await editor.diagnostics(version) if each.code == "JIT001"] == ["JIT001"]

    talk(say)


def test_fix_all_gives_what_fix_gives(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        uri = editor.open("two.mlir", TWO_GROUPS)
        await editor.diagnostics()
        (action,) = await editor.actions(uri, here(types.Position(0, 0)), ["source.fixAll"])
        assert action.kind == "source.fixAll.jitlint"
        resolved = await editor.client.code_action_resolve_async(action)
        assert applied(TWO_GROUPS, edits_in(resolved, uri, 1)) == fix(TWO_GROUPS).source.text
        assert await editor.actions(uri, here(types.Position(0, 0)), ["refactor"]) == []

    talk(say)


def test_fix_all_in_several_rounds_edits_what_changes(talk: Talk) -> None:
    text = "// jitlint: ignore[JIT701]\n" + CHAIN

    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", text)
        await editor.diagnostics()
        (action,) = await editor.actions(uri, here(types.Position(0, 0)), ["source"])
        edits = edits_in(await editor.client.code_action_resolve_async(action), uri, 1)
        assert len(edits) == 5
        fixed = applied(text, edits)
        assert fixed == fix(text).source.text
        assert "ignore" not in fixed

    talk(say)


def test_a_client_that_knows_little_gets_whole_actions(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", CHAIN)
        (found,) = await editor.diagnostics()
        assert found.related_information is None
        first, suppress, last = await editor.actions(uri, here(at(CHAIN, "%0 = enzymexla", 8)))
        assert suppress.title == "Suppress JIT001 on this line"
        for action in (first, last):
            assert action.edit is not None and action.edit.changes is not None
            assert applied(CHAIN, list(action.edit.changes[uri])) == fix(CHAIN).source.text

    talk(say, PLAIN)


def test_an_action_for_an_old_version_does_nothing(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", CHAIN)
        await editor.diagnostics()
        action, *_ = await editor.actions(uri, here(at(CHAIN, "%0 = enzymexla", 8)), ["quickfix"])
        editor.change(uri, "// longer\n" + CHAIN)
        resolved = await editor.client.code_action_resolve_async(action)
        assert resolved.edit is None

    talk(say)


def test_columns_count_utf16_code_units(talk: Talk) -> None:
    # A form feed and a line separator end no line for an editor, though they do for Python.
    text = "// \U0001d54f\x0c\u2028 é\n" + CHAIN.replace("@double", '@"\U0001d54f"')

    async def say(editor: Editor) -> None:
        uri = editor.open("wide.mlir", text)
        (found,) = await editor.diagnostics()
        start = at(text, "enzymexla.jit_call")
        assert found.range.start == start
        # The symbol has one character that takes two code units, and two quotes.
        assert found.range.end == types.Position(start.line, start.character + len("enzymexla.jit_call @") + 4)
        action, *_ = await editor.actions(uri, found.range, ["quickfix"])
        resolved = await editor.client.code_action_resolve_async(action)
        assert applied(text, edits_in(resolved, uri, 1)) == fix(text).source.text

    talk(say)


def test_hover_on_a_call_tells_its_buffers_and_its_group(talk: Talk) -> None:
    text = module(DOUBLE + ADD_TO, call("%0", "double", "%a"), call("%1", "add_to", "%0", "%b"), returned=("%1",))

    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", text)
        said = await editor.hover(uri, at(text, "@add_to (%0", 2))
        assert said is not None
        words, where = said
        assert "**JIT call of** `@add_to`, an `llvm.func` on line" in words
        assert "| 0 | `%0` | `tensor<f64>` | written: result `%1` is this buffer | 0 |" in words
        assert "| 1 | `%b` | `tensor<f64>` | only read | 1 |" in words
        assert "Side effects: every kind, since its wrapper has no `enzymexla.memory_effects`." in words
        assert "It can be one call (JIT001): `@double` (line" in words
        assert "as `@__enzyme_fused_double_add_to`" in words
        assert where is not None and where.start == at(text, "%1 = enzymexla")
        assert "# JIT001" not in words, "the finding stands on the first call"

    talk(say)


def test_hover_tells_why_a_call_stays_apart(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        uri = editor.open("overwritten.mlir", OVERWRITTEN)
        said = await editor.hover(uri, at(OVERWRITTEN, "%0 = enzymexla", 1))
        assert said is not None
        assert "It is not part of a group that can be fused." in said[0]
        assert "- It cannot be fused with `@double` on line" in said[0]
        assert "(JIT403)" in said[0]

    talk(say)


def test_hover_on_a_diagnostic_and_on_a_suppressed_code_is_short_and_links_to_the_page(talk: Talk) -> None:
    text = OVERWRITTEN.replace("    %1 = enz", "    // jitlint: ignore[JIT403, JIT1]\n    %1 = enz")

    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", CHAIN)
        (found,) = await editor.diagnostics()
        assert found.code_description is not None
        page = Path(unquote(urlsplit(found.code_description.href).path))
        assert page.read_text(encoding="utf-8").startswith("# JIT001 fusable-group\n")
        said = await editor.hover(uri, at(CHAIN, "@double (%a)", 1))
        assert said is not None
        assert "**JIT call of** `@double`" in said[0]
        line = f"**JIT001 fusable-group** (warning): These calls can be one call. [Read more]({page.as_uri()})"
        assert said[0].endswith(f"\n\n---\n\n{line}")
        uri = editor.open("hidden.mlir", text)
        said = await editor.hover(uri, at(text, "JIT403", 2))
        assert said is not None
        assert said[0].startswith("**JIT403 value-overwritten** (info): ")
        assert "\n" not in said[0]
        assert said[1] == types.Range(at(text, "JIT403"), at(text, ", JIT1]"))
        said = await editor.hover(uri, at(text, "JIT1]", 1))
        assert said is not None
        assert [line.split(" ")[0] for line in said[0].split("\n\n")] == ["**JIT101", "**JIT102"]
        assert await editor.hover(uri, types.Position(0, 0)) is None

    talk(say)


TWICE = DOUBLE.replace("@double", "@twice")
FUSED = fix(CHAIN).source.text
TWINS = module(DOUBLE + TWICE, call("%0", "double", "%a"), call("%1", "twice", "%b"), returned=("%0", "%1"))
USELESS = CHAIN.replace("    %0 = enz", "    // jitlint: ignore[JIT102, JIT403]\n    %0 = enz")
MISSPELT = USELESS.replace("JIT102, JIT403", "value-overwriten")
UNDEFINED = module(DOUBLE, call("%0", "dobule", "%a"), returned=("%0",))

FIXES = [
    (FUSED, "@double(", "Remove this wrapper", FUSED.replace(DOUBLE, "")),
    (USELESS, "JIT102", "Remove what suppresses nothing", CHAIN),
    (
        TWINS,
        "@twice(",
        "Let every call name the first of these wrappers",
        TWINS.replace("jit_call @twice", "jit_call @double"),
    ),
    (UNDEFINED, "@dobule", "Change it to @double", UNDEFINED.replace("@dobule", "@double")),
    (MISSPELT, "value-overwriten", "Change it to value-overwritten", MISSPELT.replace("overwriten", "overwritten")),
    (
        OVERWRITTEN,
        "@double (%0)",
        "Suppress JIT403 on this line",
        OVERWRITTEN.replace("    %1 = enz", "    // jitlint: ignore[JIT403]\n    %1 = enz"),
    ),
    (
        CHAIN,
        "@double (%a)",
        "Suppress JIT001 on this line",
        CHAIN.replace("    %0 = enz", "    // jitlint: ignore[JIT001]\n    %0 = enz"),
    ),
]


def test_quick_fixes(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        for number, (text, place, title, expected) in enumerate(FIXES):
            uri = editor.open(f"file{number}.mlir", text)
            await editor.diagnostics()
            offered = await editor.actions(uri, here(at(text, place, 2)), ["quickfix"])
            action = next(each for each in offered if each.title == title)
            assert action.diagnostics
            resolved = await editor.client.code_action_resolve_async(action)
            assert applied(text, edits_in(resolved, uri, 1)) == expected

    talk(say)


def test_what_keeps_jitlint_from_its_work_is_not_suppressed(talk: Talk) -> None:
    broken = CHAIN.removesuffix("}\n")

    async def say(editor: Editor) -> None:
        uri = editor.open("broken.mlir", broken)
        (found,) = await editor.diagnostics()
        assert await editor.actions(uri, found.range) == []

    talk(say)


def test_the_configuration_of_the_folder_is_in_force(talk: Talk, tmp_path: Path) -> None:
    settings = tmp_path / "jitlint.toml"
    settings.write_text('ignore = ["JIT001"]\n')

    async def say(editor: Editor) -> None:
        uri = editor.open("chain.mlir", CHAIN)
        assert await editor.diagnostics() == []
        assert await editor.actions(uri, here(at(CHAIN, "%0 = enzymexla", 8))) == []
        settings.write_text('severity = {JIT001 = "error"}\n')
        changed = types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        (found,) = await editor.diagnostics()
        assert found.severity == types.DiagnosticSeverity.Error
        assert editor.watched[0].method == "workspace/didChangeWatchedFiles"
        settings.write_text('slect = ["JIT001"]\n')
        editor.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
        version = editor.change(uri, CHAIN)
        (found,) = await editor.diagnostics(version)
        assert found.severity == types.DiagnosticSeverity.Warning
        assert "did you mean `select`?; the defaults are in force" in await editor.message()
        assert editor.messages.empty()

    talk(say)


def test_broken_text_is_a_finding_and_no_end(talk: Talk) -> None:
    broken = CHAIN.removesuffix("}\n")

    async def say(editor: Editor) -> None:
        uri = editor.open("broken.mlir", broken)
        (found,) = await editor.diagnostics()
        assert found.code == "JIT901"
        assert await editor.hover(uri, at(broken, "@double (%a)")) is None
        version = editor.change(uri, CHAIN)
        (found,) = await editor.diagnostics(version)
        assert found.code == "JIT001"

    talk(say)


def test_a_text_that_is_no_file_is_checked_too(talk: Talk) -> None:
    async def say(editor: Editor) -> None:
        editor.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem("untitled:Untitled-1", "mlir", 1, CHAIN))
        )
        (found,) = await editor.diagnostics()
        assert found.code == "JIT001"

    talk(say)
