"""What needs Graphviz or Chromium is collected where they are: `.ci/run` installs both."""

from __future__ import annotations

import shutil

collect_ignore = []
if shutil.which("dot") is None:
    collect_ignore += ["test_graphviz.py", "test_chromium.py"]
elif shutil.which("chromium") is None:
    collect_ignore += ["test_chromium.py"]
