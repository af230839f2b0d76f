# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Learning environments where numba compiles nothing."""

import os
from pathlib import Path
import subprocess
import sys

EPISODE = """
import numpy as np
from mvsim_ros2.gym import maps, Navigate, VehicleVectorEnv
envs = VehicleVectorEnv(2, Navigate(), maps.rooms(5.0, clutter=2), rays=16, seed=1,
                        way=(0.3, 0.45))
seen, _ = envs.reset(seed=1)
for _ in range(3):
    seen, rewards, *_ = envs.step(np.full((2, 2), 0.5))
print(rewards.tolist(), {name: values.tolist() for name, values in seen.items()})
"""


def test_environments_give_the_same_numbers(project: Path) -> None:
    environment = {**os.environ, 'PYTHONPATH': str(project)}
    compiled, plain = (subprocess.run(
        [sys.executable, '-c', EPISODE], check=True, capture_output=True, text=True,
        env={**environment, **extra}).stdout for extra in ({}, {'NUMBA_DISABLE_JIT': '1'}))
    assert len(compiled) > 500
    assert plain == compiled
