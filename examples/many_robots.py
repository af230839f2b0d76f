# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Let 25 robots wander by what their LiDARs see, and count those that touch something.

    python examples/many_robots.py [FOLDER]
"""

from pathlib import Path
import sys

import numpy as np

from mvsim_ros2 import load_world, Simulation, world_path
from mvsim_ros2.pictures import draw_top_view, save_picture

NEAR = 0.9  # m


def command(scan) -> tuple[float, float]:
    """Return the speed and yaw rate of a robot: towards where there is room."""
    ranges = np.where(np.isfinite(scan.ranges), scan.ranges, scan.range_max)
    bearings = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    ahead = ranges[abs(bearings) < 0.6].min()
    left = ranges[(bearings > 0.2) & (bearings < 1.6)].mean()
    right = ranges[(bearings < -0.2) & (bearings > -1.6)].mean()
    turn = 1.2 if left > right else -1.2
    return (0.0, turn) if ahead < NEAR else (0.4, 0.3 * np.clip(left - right, -1.0, 1.0))


folder = Path(*sys.argv[1:] or ['out'])
world = load_world(world_path('many_robots'), variables={'ROWS': '5', 'COLUMNS': '5'})
simulation = Simulation(world, seed=2)
for _ in range(100):
    for observation in simulation.step(20):  # 0.1 s
        robot = simulation.vehicles[observation.sensor.split('/')[0]]
        robot.set_twist(*command(observation))
poses = {name: robot.pose for name, robot in simulation.vehicles.items()}
collided = sum(robot.collided for robot in simulation.vehicles.values())
print(f'{len(poses)} robots, {simulation.time:.0f} s, {collided} touched something')
save_picture(draw_top_view(world, poses=poses, title='25 robots after 10 s'),
             folder / 'many_robots.png')
