"""A real client on the other end of the server's standard input and output."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient


def _has_eglot() -> bool:
    look = ["emacs", "-q", "--batch", "--eval", '(kill-emacs (if (locate-library "eglot") 0 1))']
    return shutil.which("emacs") is not None and subprocess.run(look, capture_output=True, check=False).returncode == 0


NEEDS = {
    "test_neovim.py": shutil.which("nvim"),
    "test_emacs.py": _has_eglot(),
    "test_other_editors.py": shutil.which("node"),
}
collect_ignore = [name for name, found in NEEDS.items() if not found]
"""What needs an editor is collected where it is: `.ci/run` installs them."""

_ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180
"""Seconds after which a test that waits for the server fails."""


class Editor:
    """A client with one folder open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("test", "0")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[str] = asyncio.Queue()
        self.watched: list[types.Registration] = []
        self.server: types.InitializeResult | None = None
        self._versions: dict[str, int] = {}

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def on_diagnostics(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def on_message(params: types.ShowMessageParams) -> None:
            self.messages.put_nowait(params.message)

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def on_register(params: types.RegistrationParams) -> None:
            self.watched += params.registrations

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> str:
        uri = self.uri(name)
        self._versions[uri] = 1
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "mlir", 1, text))
        )
        return uri

    def change(self, uri: str, text: str) -> int:
        self._versions[uri] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._versions[uri], uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return self._versions[uri]

    async def diagnostics(self, version: int | None = None) -> list[types.Diagnostic]:
        """The next diagnostics, or the next ones of a version."""
        while True:
            params = await asyncio.wait_for(self.published.get(), PATIENCE)
            if version is None or params.version == version:
                return list(params.diagnostics)

    async def message(self) -> str:
        """The next message that is shown to the user."""
        return await asyncio.wait_for(self.messages.get(), PATIENCE)

    async def actions(self, uri: str, where: types.Range, only: list[str] | None = None) -> list[types.CodeAction]:
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri), where, types.CodeActionContext([], only=only)
        )
        found = await self.client.text_document_code_action_async(params)
        return [each for each in found or [] if isinstance(each, types.CodeAction)]

    async def hover(self, uri: str, position: types.Position) -> tuple[str, types.Range | None] | None:
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), position)
        )
        if found is None:
            return None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value, found.range


RICH = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
    ),
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
        code_action=types.CodeActionClientCapabilities(
            data_support=True,
            resolve_support=types.ClientCodeActionResolveOptions(["edit"]),
            code_action_literal_support=types.ClientCodeActionLiteralOptions(
                types.ClientCodeActionKindOptions(["quickfix", "source.fixAll"])
            ),
        ),
    ),
)
PLAIN = types.ClientCapabilities()


@asynccontextmanager
async def editor(folder: Path, capabilities: types.ClientCapabilities) -> AsyncIterator[Editor]:
    """A client that has said hello; at the end it says goodbye, and the server must be gone with 0."""
    one = Editor(folder)
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    await one.client.start_io(sys.executable, "-m", "jitlint", "server", cwd=str(folder), env=environment)
    hello = types.InitializeParams(capabilities, root_uri=folder.as_uri())
    one.server = await asyncio.wait_for(one.client.initialize_async(hello), PATIENCE)
    one.client.initialized(types.InitializedParams())
    yield one
    await asyncio.wait_for(one.client.shutdown_async(None), PATIENCE)
    one.client.exit(None)
    process: Any = one.client._server
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    await one.client.stop()


@pytest.fixture
def talk(tmp_path: Path) -> Callable[..., None]:
    """Runs a conversation with a server whose client has the given capabilities."""

    def run(say: Callable[[Editor], Awaitable[None]], capabilities: types.ClientCapabilities = RICH) -> None:
        async def whole() -> None:
            async with editor(tmp_path, capabilities) as one:
                await say(one)

        asyncio.run(whole())

    return run
