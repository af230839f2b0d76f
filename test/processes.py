# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes of Python that tests start."""

from collections.abc import Sequence
import os
from pathlib import Path
import subprocess
import sys

ROOT = Path(__file__).resolve().parents[1]


def python(*arguments: str | Path, paths: Sequence[str | Path] = (), cwd: Path | None = None,
           code: int | None = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """
    Return how Python ended; fail the test where it does not exit with `code`.

    :param paths: folders of modules that come before those of this project.
    """
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(map(str, (*paths, ROOT))), **environment})
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done
