"""The documentation is in step with the code, and its links lead somewhere."""

from __future__ import annotations

import ast
import difflib
import importlib.util
import posixpath
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import yaml

import jitlint
from jitlint import Severity
from jitlint.cli import run
from jitlint.cli.arguments import PARSERS
from jitlint.config.settings import KEYS, file_layer
from jitlint.ir.effects import OPERATIONS
from jitlint.rules import RULES, find
from jitlint.rules.pages import page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

OTHER_OPTIONS = {
    "--version",
    "--verbose",
    "--strict",
    "--extensionDevelopmentPath",
    "--quick",
    "--write",
    "--pictures",
    "--no-cache-dir",
    "--from",
    "--rm",
}
"""Options on the pages that no parser has: the overview's own, and other tools'."""

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def _module(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs", DOCS / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WRITER = _module("__main__.py")
NAVIGATION = _module("_hooks/navigation.py")
SITE = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
"""Every page of the site by its path below `docs/`."""

PAGES = {f"docs/{path}": text for path, text in SITE.items()} | {
    path.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("*.md"))
}
"""Those, and the pages at the top of the repository."""


def _blocks(text: str, language: str) -> list[str]:
    return [match["code"] for match in _FENCE.finditer(text) if match["language"] == language]


def _links(text: str) -> list[str]:
    return _LINK.findall(_FENCE.sub("", text))


@pytest.mark.parametrize("code", RULES)
def test_every_rule_has_a_page_with_its_examples(code: str) -> None:
    rule = RULES[code]
    text = SITE[f"rules/{code}.md"]
    assert text.startswith(f"# {code} {rule.name}\n")
    assert rule.page() in text
    assert _blocks(text, "mlir") == [*rule.INVALID, *rule.VALID]


def test_the_list_of_rules_links_to_every_page() -> None:
    assert {f"{code}.md" for code in RULES} <= set(_links(SITE["rules/index.md"]))


@pytest.mark.parametrize("path", PAGES)
def test_relative_links_lead_to_a_page_and_a_heading(path: str) -> None:
    for link in _links(PAGES[path]):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
        assert found in PAGES or (ROOT / found).exists(), f"{path} links to {link}"
        if anchor:
            assert anchor in _anchors(PAGES[found]), f"{path} links to {link}"


@pytest.mark.parametrize("path", PAGES)
def test_pictures_on_a_page_are_there(path: str) -> None:
    text = _FENCE.sub("", PAGES[path])
    named = re.findall(r"!\[[^\]]+\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
    assert [name for name in named if not (ROOT / posixpath.dirname(path) / name).exists()] == []
    assert named or path not in ("README.md", "docs/graph.md")


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_what_is_written_from_the_code_is_as_the_code_is() -> None:
    old = [path for path, text in WRITER.pages().items() if not (ROOT / path).exists() or PAGES[path] != text]
    assert old == [], "run `python -m docs`"
    assert {path for path in SITE if path.startswith("rules/")} == {"rules/index.md"} | {
        f"rules/{code}.md" for code in RULES
    }


def test_a_part_of_a_page_is_written_between_its_markers_only() -> None:
    page = "before\n<!-- x:start -->\n{}<!-- x:end -->\nafter\n"
    assert WRITER.between(page.format("old\n"), "x", "new\n") == page.format("new\n")
    with pytest.raises(ValueError, match="there is no"):
        WRITER.between("<!-- x:start --> without an end", "x", "new\n")


def test_every_key_of_the_configuration_is_on_its_page() -> None:
    assert [key for key in KEYS if f"| `{key}` |" not in SITE["configuration.md"]] == []


def test_every_command_is_on_its_page() -> None:
    for command, parser in PARSERS.items():
        assert f"## {command}\n\n```text\n{parser().format_help()}```\n" in SITE["commands.md"]


@pytest.mark.parametrize("path", SITE)
def test_pages_need_no_site_to_be_read(path: str) -> None:
    """Tabs and admonitions of MkDocs are signs and indented text to every other reader of Markdown."""
    assert re.findall(r"^(?:===|!!!|\?\?\?) .*", _FENCE.sub("", SITE[path]), re.MULTILINE) == []


def test_the_inputs_of_the_action_are_on_the_page_about_it() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    for name, given in action["inputs"].items():
        default = f"`{given['default']}`" if given["default"] else ""
        assert f"| `{name}` | {given['description'].rstrip('.')} | {default} |\n" in SITE["ci.md"]


def test_the_examples_of_the_python_api_run() -> None:
    example = (DOCS / "examples" / "chain.mlir").read_text(encoding="utf-8")
    code = "\n".join([f"text = {example!r}", *_blocks(SITE["api.md"], "python")])
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "JIT001 these 2 calls can be one call\n" in done.stdout
    assert "Position(line=11, column=10) warning JIT001 these 2 calls can be one call\n" in done.stdout


def test_the_operations_that_are_known_are_counted_right() -> None:
    counted = f"{len(OPERATIONS):,} operations of {len({name.partition('.')[0] for name in OPERATIONS})} dialects"
    assert counted in SITE["fusion.md"]
    assert counted in RULES["JIT202"].page()


@pytest.mark.parametrize("path", PAGES)
def test_options_on_a_page_are_options(path: str) -> None:
    options = {option for parser in PARSERS.values() for option in parser()._option_string_actions}
    about_options = "\n".join(re.findall(r".*jitlint.*|`--[^`]*`", PAGES[path]))
    said = set(re.findall(r"(?<![\w-])--[a-z][a-zA-Z-]*[a-z]", about_options))
    assert said <= options | OTHER_OPTIONS


def test_every_environment_variable_is_on_its_page() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "jitlint").rglob("*.py"))
    read = set(re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", code))
    assert read == set(re.findall(r"^\| `([A-Z_]+)` \|", SITE["environment.md"], re.MULTILINE)) != set()


def test_examples_of_configuration_are_taken(tmp_path: Path) -> None:
    blocks = [block for text in SITE.values() for block in _blocks(text, "toml") if not block.startswith("# Helix")]
    assert len(blocks) >= 3
    for block in blocks:
        name = "pyproject.toml" if "[tool.jitlint" in block else "jitlint.toml"
        path = tmp_path / name
        path.write_text(block, encoding="utf-8")
        assert file_layer(str(path)).values


def test_every_page_is_in_the_navigation() -> None:
    listed = re.findall(r"[\w./-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    written = [page for pages in NAVIGATION.written(DOCS).values() for page in pages]
    assert sorted(listed + written) == sorted(SITE)


def test_the_navigation_takes_the_pages_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "JIT001.md").touch()
    config = SimpleNamespace(docs_dir=str(tmp_path), nav=[{"Rules": ["rules/index.md"]}, {"Measured": []}])
    NAVIGATION.on_config(config)
    assert config.nav == [{"Rules": ["rules/index.md", "rules/JIT001.md"]}]
    (tmp_path / "performance.md").touch()
    config.nav = [{"Rules": []}, {"Measured": []}]
    NAVIGATION.on_config(config)
    assert config.nav == [{"Rules": ["rules/JIT001.md"]}, {"Measured": ["performance.md"]}]


def test_a_page_says_how_the_rule_is_fixed() -> None:
    assert "Severity: **info**. Fixed by `jitlint --fix --prune-wrappers`." in page(RULES["JIT702"])
    assert "Fixed by" not in page(RULES["JIT102"])


SESSIONS = [
    pytest.param(folder, command, output, id=command)
    for page_text, folder in ((PAGES["README.md"], "."), (SITE["index.md"], "docs/examples"))
    for block in _blocks(page_text, "console")
    for command, output in re.findall(r"^\$ jitlint (.*)\n((?:(?!\$ ).*\n)+)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("folder", "command", "output"), SESSIONS)
def test_first_pages_show_what_commands_print(
    folder: str,
    command: str,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(DOCS / "examples", tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path / folder)
    monkeypatch.setenv("COLUMNS", "80")
    assert run(shlex.split(command)) < 2
    assert capfd.readouterr().out == output


def test_the_change_on_the_first_page_is_what_a_fix_makes() -> None:
    """All of it, but for the aliases, which are cut."""
    fixed = jitlint.fix((DOCS / "examples" / "chain.mlir").read_text(encoding="utf-8"))
    before, after = (
        re.sub(r"output_operand_aliases = \[.*\]>", "output_operand_aliases = …>", text).splitlines()
        for text in (fixed.before.text, fixed.source.text)
    )
    (block,) = _blocks(PAGES["README.md"], "diff")
    shown = block.splitlines()
    made = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert [line[0] + " " + line[1:] for line in shown if line[0] in "+-"] == made
    assert all(line[1:] in before for line in shown if line[0] == " ")


def test_after_a_fix_unused_wrappers_are_left_and_pruning_takes_them_away() -> None:
    fixed = jitlint.fix((DOCS / "examples" / "chain.mlir").read_text(encoding="utf-8"))
    again = jitlint.check(fixed.source.text)
    assert [(finding.code, find(finding.code).severity) for finding in again.findings] == [("JIT702", Severity.INFO)]
    assert jitlint.fix(fixed.source.text, prune_wrappers=True).findings == ()


def test_first_pages_show_commands() -> None:
    assert len(SESSIONS) >= 5


def test_the_map_of_the_code_has_every_folder_and_module() -> None:
    modules = {path.name for path in (ROOT / "jitlint").glob("*.py")} - {"__init__.py", "__main__.py"}
    folders = {f"jitlint/{path.parent.name}/" for path in (ROOT / "jitlint").glob("*/__init__.py")}
    assert [name for name in sorted(modules | folders) if f"`{name}`" not in SITE["architecture.md"]] == []
    named = set(re.findall(r"`((?:\w+/)?\w+\.py)`", SITE["architecture.md"]))
    paths = {path.relative_to(ROOT / "jitlint").as_posix() for path in (ROOT / "jitlint").rglob("*.py")}
    assert {name for name in named if not any(path == name or path.endswith(f"/{name}") for path in paths)} == set()


def _defined(path: Path) -> set[str]:
    """The functions and classes of a module, and the methods of its classes, as `Class.name`."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = (part.name for part in node.body if isinstance(part, ast.FunctionDef))
            found |= {node.name, *(f"{node.name}.{name}" for name in methods)}
    return found


def test_every_name_on_the_map_of_the_code_exists() -> None:
    pages = [text for path, text in PAGES.items() if path in ("docs/architecture.md", "CONTRIBUTING.md")]
    named = {pair for text in pages for pair in re.findall(r"`([\w/]+\.py):([\w.]+)`", text)}
    assert len(named) > 50
    package = ROOT / "jitlint"
    missing = [f"{path}:{name}" for path, name in named if not (package / path).is_file()]
    missing += [f"{path}:{name}" for path, name in named if name not in _defined(package / path)] if not missing else []
    assert missing == []


def _imported_folders(folder: Path) -> set[str]:
    """The other folders of the package that a folder's modules import."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
    parts = {tuple(name.split(".")[:2]) for name in found if name.startswith("jitlint.")}
    return {name for _, name in parts if (folder.parent / name).is_dir()} - {folder.name}


def test_the_map_of_the_code_says_what_each_folder_imports() -> None:
    rows = re.findall(r"^\| `jitlint/(\w+)/` \|.*\|(.*)\|$", SITE["architecture.md"], re.MULTILINE)
    said = {folder: set(re.findall(r"`(\w+)`", imports)) for folder, imports in rows}
    assert said == {folder: _imported_folders(ROOT / "jitlint" / folder) for folder in said}
    assert len(said) >= 10
