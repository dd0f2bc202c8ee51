"""What imports what: data flows one way, and no two modules need each other."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHAIN = ("syntax", "ir", "analysis", "fusion")
"""Every one of these imports those before it and none after it."""
SHARED = {"lazy", "errors", "findings", "options", "nearest"}
"""What is in no folder and the chain may use: values and exceptions that all layers share."""


def imports() -> dict[str, set[str]]:
    """What each module of the package imports, wherever in it."""
    modules = {}
    for path in (ROOT / "jitlint").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        modules[name] = ast.parse(path.read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {}
    for name, tree in modules.items():
        asked = found[name] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                asked |= {each if each in modules else node.module for each in whole}
            elif isinstance(node, ast.Import):
                asked |= {alias.name for alias in node.names}
        asked &= modules.keys() - {name}
    return found


IMPORTS = imports()


def part(module: str) -> str:
    """The folder of a module, or the module where it is in none."""
    return module.removeprefix("jitlint").split(".")[1] if module != "jitlint" else ""


def test_no_two_modules_need_each_other() -> None:
    assert set(TopologicalSorter(IMPORTS).static_order()) == IMPORTS.keys()  # raises CycleError


def test_no_two_folders_need_each_other() -> None:
    folders: dict[str, set[str]] = {}
    for module, asked in IMPORTS.items():
        if part(module):  # the package itself only hands out what its modules define, when it is asked for
            folders.setdefault(part(module), set()).update(set(map(part, asked)) - {part(module), ""})
    assert list(TopologicalSorter(folders).static_order())[-1] in {"__main__", "cli", "api", "server"}


def test_the_chain_looks_back_only() -> None:
    for place, folder in enumerate(CHAIN):
        allowed = {*CHAIN[: place + 1], *SHARED, "data"}
        asked = {part(each) for module in IMPORTS if part(module) == folder for each in IMPORTS[module]}
        assert asked - allowed == set(), folder


def test_the_proof_knows_nothing_of_how_a_fix_came_about() -> None:
    asked = {part(each) for module in IMPORTS if part(module) == "proof" for each in IMPORTS[module]}
    assert asked <= {"proof", "syntax", "ir", *SHARED}


def test_the_server_asks_nothing_of_the_command_line() -> None:
    asked = {part(each) for module in IMPORTS if part(module) != "cli" for each in IMPORTS[module]}
    askers = {part(module) for module in IMPORTS if "cli" in set(map(part, IMPORTS[module]))} - {"cli"}
    assert "syntax" in asked
    assert askers == {"__main__"}


def test_no_memo_is_keyed_by_an_address() -> None:
    """An address means something only as long as what had it lives."""
    for path in (ROOT / "jitlint").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_id = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "id"
            assert not is_id, f"{path}:{node.lineno}"  # type: ignore[attr-defined]
