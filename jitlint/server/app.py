"""The server: which requests and notifications it takes, and when it checks.

A check runs on one other thread, so that the server still answers; a change waits for the next one before it is
checked, and what was found out about an old version is thrown away.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from jitlint import __version__
from jitlint.findings import Span
from jitlint.server.actions import KINDS, actions, edits_of
from jitlint.server.diagnostics import diagnostics
from jitlint.server.documents import Document, check
from jitlint.server.hover import hover

DELAY = 0.2
"""Seconds without a change after which a document is checked."""

_CONFIGURATION = ("**/jitlint.toml", "**/pyproject.toml")
_T = TypeVar("_T")


class Server(LanguageServer):
    """A language server for MLIR with JIT calls.

    Whole texts are sent on a change: their lines are counted here, exactly as the protocol says.
    """

    def __init__(self) -> None:
        super().__init__("jitlint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="check")
        self._documents: dict[str, Document] = {}
        self._pending: dict[str, asyncio.Task[None]] = {}
        self._told: str | None = None
        self._checking = asyncio.Lock()

    async def aside(self, work: Callable[[], _T]) -> _T:
        """Do some work on the other thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def schedule(self, uri: str, delay: float) -> None:
        """Check a document after a while, unless it changes again."""
        self.forget_pending(uri)
        self._pending[uri] = asyncio.get_running_loop().create_task(self._later(uri, delay))

    def forget_pending(self, uri: str) -> None:
        """Do not check a document that was to be checked."""
        task = self._pending.pop(uri, None)
        if task is not None:
            task.cancel()

    def close(self, uri: str) -> None:
        """Forget a document, and clear what was said about it."""
        self.forget_pending(uri)
        self._documents.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def recheck(self) -> None:
        """Check all open documents again."""
        for uri in self.workspace.text_documents:
            self._documents.pop(uri, None)
            self.schedule(uri, 0)

    async def current(self, uri: str) -> Document | None:
        """The document as it stands now, checked; None if it is not open or changes meanwhile."""
        async with self._checking:  # who waits for the same version takes what the first one found
            known = self._documents.get(uri)
            opened = self.workspace.text_documents.get(uri)
            if opened is None:
                return None
            if known is not None and known.version == opened.version:
                return known
            path, version, text = to_fs_path(uri), opened.version, opened.source
            units = self.workspace.position_codec.client_num_units
            document = await self.aside(lambda: check(uri, path, version, text, units))
            again = self.workspace.text_documents.get(uri)
            if again is None or again.version != version:
                return None
            self._documents[uri] = document
            self._publish(document)
            return document

    async def _later(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        await self.current(uri)

    def _publish(self, document: Document) -> None:
        capabilities = self.client_capabilities.text_document
        wanted = capabilities.publish_diagnostics if capabilities else None
        found = diagnostics(document, related=bool(wanted and wanted.related_information))
        params = types.PublishDiagnosticsParams(document.uri, found, document.version)
        self.text_document_publish_diagnostics(params)
        if document.problem != self._told:
            self._told = document.problem
            if document.problem is not None:
                message = f"jitlint: {document.problem}; the defaults are in force"
                self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def workspace_edit(self, document: Document, edits: list[types.TextEdit]) -> types.WorkspaceEdit:
        """Edits of a document as the client takes them; with the version, so that a later one is left alone."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
            identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, list(edits))])
        return types.WorkspaceEdit(changes={document.uri: edits})

    @property
    def resolves(self) -> bool:
        """Whether the client asks for the edits of an action when it is chosen."""
        capabilities = self.client_capabilities.text_document
        wanted = capabilities.code_action if capabilities else None
        support = wanted.resolve_support if wanted else None
        return bool(support and wanted and wanted.data_support and "edit" in support.properties)


def make_server() -> Server:
    """A server with all that it can do."""
    server = Server()
    _follow_documents(server)
    _follow_configuration(server)
    _offer_actions(server)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: types.HoverParams) -> types.Hover | None:
        document = await server.current(params.text_document.uri)
        if document is None:
            return None
        offset = document.positions.offset(params.position)
        said = await server.aside(lambda: hover(document, offset))
        if said is None:
            return None
        text, span = said
        content = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(content, document.positions.range(span))

    return server


def _follow_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def on_open(params: types.DidOpenTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def on_change(params: types.DidChangeTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, DELAY)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def on_save(params: types.DidSaveTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def on_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def _follow_configuration(server: Server) -> None:
    @server.feature(types.INITIALIZED)
    async def on_initialized(_: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        if watched and watched.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in _CONFIGURATION]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            name = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = types.Registration("configuration", name, options)
            await server.client_register_capability_async(types.RegistrationParams([registration]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_files(_: types.DidChangeWatchedFilesParams) -> None:
        server.recheck()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def on_configuration(_: types.DidChangeConfigurationParams) -> None:
        server.recheck()


def _offer_actions(server: Server) -> None:
    options = types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        document = await server.current(params.text_document.uri)
        if document is None:
            return None
        positions = document.positions
        span = Span(positions.offset(params.range.start), positions.offset(params.range.end))
        offered = actions(document, span, params.context.only)
        if not server.resolves:
            offered = [await _resolved(server, document, action) for action in offered]
            return [action for action in offered if action.edit is not None]
        return offered

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def on_resolve(action: types.CodeAction) -> types.CodeAction:
        data = action.data if isinstance(action.data, dict) else {}
        document = await server.current(str(data.get("uri")))
        if document is None or document.version != data.get("version"):
            return action  # what it was offered for has changed
        return await _resolved(server, document, action)


async def _resolved(server: Server, document: Document, action: types.CodeAction) -> types.CodeAction:
    edits = await server.aside(lambda: edits_of(document, action.data))
    if edits:
        action.edit = server.workspace_edit(document, edits)
    return action


def main() -> int:
    """Serve on standard input and output until the client says goodbye; gives the exit status."""
    # The client's stream is for the protocol alone: whatever else is printed must not come between.
    with open(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        make_server().start_io(stdout=output)
    return 0
