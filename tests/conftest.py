"""What all tests share."""

from __future__ import annotations

import importlib.util
import shutil
import signal

from hypothesis import settings

from tests.whole import WHOLE

settings.register_profile("jitlint", max_examples=1000 if WHOLE else 100, deadline=None)
settings.load_profile("jitlint")
"""No test is timed: a property has as many examples as these, however long one takes."""

SITE = importlib.util.find_spec("material") and shutil.which("chromium") and shutil.which("npm")
collect_ignore = [] if SITE else ["test_site.py"]
"""The site is built and opened where there is what that needs: `.ci/run` installs it."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background without SIGINT, which children inherit; some tests are about it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
