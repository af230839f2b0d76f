# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images that are dropped at once cost no page faults."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
from mvsim_ros2 import Simulation
from mvsim_ros2.world.spec import CameraSpec, WorldSpec

simulation = Simulation(WorldSpec(sensors=(CameraSpec(name='eye', renderer='cpu'),)))


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for number in range(30):
    if number == 10:
        before = faults()
    images = [np.ones((480, 640), np.float32) for _ in range(3)]
    del images
print((faults() - before) / 20)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != 'glibc', reason='other C libraries differ')
def test_worlds_with_cameras_keep_freed_memory() -> None:
    done = subprocess.run([sys.executable, '-c', PROGRAM], stdout=subprocess.PIPE, text=True,
                          check=True)
    assert float(done.stdout) < 50  # 900 pages
