"""What is installed: the package, and the pages that editors link to."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=300)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_the_wheel_has_all_of_the_package_and_every_page(wheel: zipfile.ZipFile) -> None:
    tracked = [path for path in (ROOT / "jitlint").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    files = {path.relative_to(ROOT).as_posix() for path in tracked}
    docs = ROOT / "docs"
    pages = {f"jitlint/docs/{path.relative_to(docs).as_posix()}" for path in docs.rglob("*.md")}
    installed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert installed == files | pages
    assert "jitlint/docs/rules/JIT001.md" in installed


def test_what_the_index_shows_is_there() -> None:
    assert PROJECT["authors"] == [{"name": "The jitlint project"}]
    assert {"Source", "Documentation", "Changelog", "Issues"} <= set(PROJECT["urls"])
    for address in PROJECT["urls"].values():
        start, blob, path = address.partition("/blob/main/")
        assert start.startswith("https://github.com/OWNER/jitlint")
        assert not blob or (ROOT / path).is_file()
