# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Let a trained policy drive in rooms it has never seen, and draw its ways.

    python examples/deploy_policy.py [FOLDER]

`examples/learn/navigate.py` trained it; `ros2 launch mvsim_ros2 policy.launch.py` drives a robot
of ROS by it.
"""

from pathlib import Path
import sys

import numpy as np

from mvsim_ros2.gym import maps, Navigate, VehicleEnv
from mvsim_ros2.pictures import draw_top_view, save_picture
from mvsim_ros2.policies import Policy

folder = Path(*sys.argv[1:] or ['out'])
policy = Policy(Path(__file__).parent / 'learn' / 'navigate.onnx')
env = VehicleEnv(Navigate(), maps.rooms(8.0, 8.0, clutter=10), rays=64, time_limit=40.0,
                 collision=-10.0, redraw=True, trail=policy.interface.trail,
                 way=policy.interface.way)
for seed in range(3):
    seen, _ = env.reset(seed=seed)
    simulation = env.unwrapped.arena.simulations[0]
    robot = next(iter(simulation.vehicles.values()))
    path, over = [(robot.pose.x, robot.pose.y)], False
    while not over:
        seen, _, terminated, truncated, info = env.step(np.asarray(policy.act(seen)))
        path.append((robot.pose.x, robot.pose.y))
        over = terminated or truncated
    print(f'room {seed}: {"there" if info["success"] else "failed"} after '
          f'{simulation.time:.1f} s')
picture = draw_top_view(simulation.world, poses={robot.name: robot.pose}, path=path,
                        title='A room that the policy has never seen')
save_picture(picture, folder / 'deploy_policy.png')
env.close()
