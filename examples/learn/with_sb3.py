# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Train with stable-baselines3: `pip install stable-baselines3`, then run this."""

import sys

import gymnasium
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

import mvsim_ros2.gym  # noqa: F401, registers the environments
from mvsim_ros2.gym.sb3 import Sb3VecEnv

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
envs = gymnasium.make_vec('mvsim_ros2/Navigate-v0', 32, world='empty', rays=16, time_limit=20.0,
                          autoreset_mode='SameStep')
agent = PPO('MultiInputPolicy', VecMonitor(Sb3VecEnv(envs)), n_steps=max(8, min(steps // 32, 128)),
            batch_size=256, verbose=1).learn(steps)
agent.save('navigate_sb3')
