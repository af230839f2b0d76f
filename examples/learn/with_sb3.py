# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Train with stable-baselines3: `pip install stable-baselines3`, then run this."""

import sys

import gymnasium
from stable_baselines3 import PPO

import mvsim_ros2.gym  # noqa: F401, registers the environments

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
env = gymnasium.make('mvsim_ros2/Navigate-v0', world='empty', rays=16, time_limit=20.0)
agent = PPO('MultiInputPolicy', env, n_steps=min(steps, 2048), verbose=1).learn(steps)
agent.save('navigate_sb3')
