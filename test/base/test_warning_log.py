# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Warnings that are collected are printed as well, unless someone else takes them."""

import subprocess
import sys

import pytest

PROGRAM = """
import logging
from mvsim_ros2.base.progress import warnings_collected
with warnings_collected({}) as warnings:
    logging.getLogger('mvsim_ros2.physics').warning('it slides')
print(warnings)
"""


@pytest.mark.parametrize('passed_on, printed', [('', 'it slides\n'), ('False', '')])
def test_collected_warnings_are_printed(passed_on: str, printed: str) -> None:
    done = subprocess.run([sys.executable, '-c', PROGRAM.format(passed_on)], check=True,
                          capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("['it slides']\n", printed)
