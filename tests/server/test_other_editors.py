"""The configurations for editors that are not at hand: what can be checked without them."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from threading import Timer

from tests.server.editors import configuration, folder_with

HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}

STANDS_FOR_THE_CLIENT = """
exports.LanguageClient = class {
  constructor(id, name, server, client) { this.given = { id, name, server, client }; }
  start() { console.log(JSON.stringify(this.given)); return Promise.resolve(); }
  stop() { console.log("stopped"); return Promise.resolve(); }
};
"""


def serves(tmp_path: Path, command: list[str]) -> bool:
    """Whether a command is a language server with quick fixes."""
    environment = folder_with(tmp_path)
    body = json.dumps(HELLO)
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        patience = Timer(180, server.kill)
        patience.start()
        server.stdin.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        server.stdin.flush()
        length = int(server.stdout.readline().partition(b":")[2])
        while server.stdout.readline().strip():
            pass
        answer = json.loads(server.stdout.read(length))
        server.stdin.close()
        patience.cancel()
    return "quickfix" in answer["result"]["capabilities"]["codeActionProvider"]["codeActionKinds"]


def test_the_configuration_of_helix_names_the_server(tmp_path: Path) -> None:
    languages = tomllib.loads(configuration("toml", "# Helix"))
    (language,) = languages["language"]
    assert language["file-types"] == ["mlir"]
    (name,) = language["language-servers"]
    server = languages["language-server"][name]
    assert serves(tmp_path, [str(tmp_path / "bin" / server["command"]), *server["args"]])


def test_the_extension_of_vs_code_starts_the_server(tmp_path: Path) -> None:
    manifest = json.loads(configuration("json", '{\n  "name"'))
    extension = tmp_path / manifest["main"]
    extension.write_text(configuration("js"), encoding="utf-8")
    client = tmp_path / "node_modules" / "vscode-languageclient"
    client.mkdir(parents=True)
    (client / "node.js").write_text(STANDS_FOR_THE_CLIENT, encoding="utf-8")
    assert "vscode-languageclient" in manifest["dependencies"]
    code = f"const it = require({json.dumps(str(extension))}); it.activate().then(it.deactivate);"
    done = subprocess.run(["node", "-e", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    started, stopped = done.stdout.splitlines()
    given = json.loads(started)
    assert (given["id"], stopped) == (manifest["name"], "stopped")
    (contributed,) = manifest["contributes"]["languages"]
    assert given["client"]["documentSelector"] == [{"language": contributed["id"]}]
    assert manifest["activationEvents"] == [f"onLanguage:{contributed['id']}"]
    assert serves(tmp_path, [str(tmp_path / "bin" / given["server"]["command"]), *given["server"]["args"]])
