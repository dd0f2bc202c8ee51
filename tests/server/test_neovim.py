"""The configuration for Neovim, as the page has it, in Neovim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from jitlint import fix
from tests.server.editors import CHAIN, OFFERED, configuration, folder_with, run

SCRIPT = r"""
local said = { titles = {} }
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n" end
local function try()
  vim.wait(180000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  local found = vim.diagnostic.get(0)[1]
  said.message, said.line, said.column = found.message, found.lnum + 1, found.col + 1
  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
  local where = vim.lsp.util.make_position_params(0, "utf-16")
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/hover", where, 180000)) do
    said.hover = answer.result.contents.value
  end
  vim.ui.select = function(items, _, choose)
    for _, item in ipairs(items) do table.insert(said.titles, (item.action or item[2]).title) end
    choose(items[1], 1)
  end
  local before = text()
  vim.lsp.buf.code_action()
  vim.wait(180000, function() return text() ~= before end, 50)
  said.text = text()
end
local fine, problem = pcall(try)
if not fine then said.problem = problem end
vim.fn.writefile({ vim.fn.json_encode(said) }, "said.json")
vim.cmd("qall!")
"""


def test_neovim_shows_findings_and_hovers_and_applies_a_quick_fix(tmp_path: Path) -> None:
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True, check=True).stdout
    new = tuple(map(int, version.split()[1].lstrip("v").split("-")[0].split(".")[:2])) >= (0, 11)
    init = configuration("lua", "-- Neovim 0.11" if new else "-- Neovim 0.7")
    environment = folder_with(tmp_path, init__lua=init, try__lua=SCRIPT)
    run(tmp_path, environment, "nvim", "--headless", "-u", "init.lua", "-i", "NONE", "chain.mlir", "-S", "try.lua")
    said = json.loads((tmp_path / "said.json").read_text(encoding="utf-8"))
    assert "problem" not in said, said
    assert (said["line"], said["column"], said["message"]) == (11, 10, "these 2 calls can be one call")
    assert "**JIT001 fusable-group** (warning): These calls can be one call. [Read more](file://" in said["hover"]
    assert said["titles"][:2] == OFFERED
    assert said["text"] == fix(CHAIN).source.text
