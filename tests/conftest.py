"""What all tests share."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background without SIGINT, which children inherit; some tests are about it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
