"""MkDocs hook: Mermaid comes with the site, so that no page loads anything from elsewhere.

The theme takes `window.mermaid` where it is there already. The script is the one of the package `mermaid`, got once
with `npm pack` and kept in `.cache/`, since it is too large, and not ours, to be kept with the sources.
"""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

VERSION = "11.17.2"
PATH = "assets/mermaid.min.js"
CACHE = Path(__file__).parents[2] / ".cache" / f"mermaid-{VERSION}.min.js"


def script() -> Path:
    """The script on this machine. Raises FileNotFoundError where there is no `npm` to get it with."""
    if not CACHE.exists():
        CACHE.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE.parent) as folder:
            pack = ["npm", "pack", "--silent", "--pack-destination", folder, f"mermaid@{VERSION}"]
            subprocess.run(pack, check=True, capture_output=True, timeout=300)
            (archive,) = Path(folder).glob("*.tgz")
            with tarfile.open(archive) as package:
                member = package.extractfile("package/dist/mermaid.min.js")
                assert member is not None
                part = Path(folder) / "script"
                part.write_bytes(member.read())
            part.rename(CACHE)
    return CACHE


def on_files(files: Any, config: Any) -> None:
    """Put the script among the files of the site."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, PATH, abs_src_path=str(script())))


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Let a page that has a picture load the script from the site, before the theme looks for it."""
    if '<pre class="mermaid">' not in output:
        return output
    from mkdocs.utils import get_relative_url

    tag = f'<script src="{get_relative_url(PATH, page.url)}"></script>\n'
    head, end, tail = output.rpartition("<script src=")
    return head + tag + end + tail
