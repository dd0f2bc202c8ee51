"""What needs Graphviz, Chromium or npm is collected where they are: `.ci/run` installs them."""

from __future__ import annotations

import shutil

NEEDS = {
    "test_graphviz.py": ("dot",),
    "test_chromium.py": ("dot", "chromium"),
    "test_mermaid.py": ("chromium", "npm"),
}

collect_ignore = [name for name, tools in NEEDS.items() if not all(map(shutil.which, tools))]
