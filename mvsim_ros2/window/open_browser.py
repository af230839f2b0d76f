# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The browser of this machine."""

import os
import sys
import threading
import time
from urllib.error import URLError
from urllib.request import urlopen
import webbrowser

_PATIENCE = 60.0  # s until the page must be there


def open_browser(link: str) -> None:
    """Open a page as soon as it is there; do nothing where there is no display."""
    if has_display():
        threading.Thread(target=_open_when_there, args=(link,), daemon=True).start()


def has_display() -> bool:
    """Return whether a browser that is opened here would be seen."""
    return sys.platform in ('darwin', 'win32') or any(
        os.environ.get(name) for name in ('DISPLAY', 'WAYLAND_DISPLAY'))


def _open_when_there(link: str) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            with urlopen(link, timeout=2.0):
                break
        except (URLError, OSError):
            time.sleep(0.3)
    webbrowser.open(link)
