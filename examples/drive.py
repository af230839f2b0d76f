# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drive a robot along a route, and draw where it was and where its wheels believe it was.

    python examples/drive.py [FOLDER]
"""

from pathlib import Path
import sys

import numpy as np

from mvsim_ros2 import Simulation, world_path
from mvsim_ros2.pictures import draw_top_view, save_picture, scan_view
from mvsim_ros2.trajectories import drive, Route, RouteFollower

CORNERS = np.array([(-11.0, 0.0), (-5.3, 0.0), (-1.0, 0.0), (0.3, 0.0), (0.3, 4.2), (10.0, 4.2)])

folder = Path(*sys.argv[1:] or ['out'])
simulation = Simulation.from_file(world_path('demo'), seed=1)
robot = simulation.vehicles['robot']
true, believed = [], []


def note(observation):
    """Take down both poses with each measurement."""
    true.append((robot.pose.x, robot.pose.y))
    x, y, _ = robot.odometry.pose
    believed.append((CORNERS[0, 0] + x, CORNERS[0, 1] + y))


drive(simulation, RouteFollower(Route(CORNERS), speed=0.8), 60.0, note)
scan = simulation.measure('robot/scan')
picture = draw_top_view(
    simulation.world, poses={'robot': robot.pose}, path=true, odometry_path=believed,
    scan=scan_view(scan, robot.pose), title='A route, and what odometry makes of it')
save_picture(picture, folder / 'drive.png')
error = ((true[-1][0] - believed[-1][0]) ** 2 + (true[-1][1] - believed[-1][1]) ** 2) ** 0.5
print(f'{simulation.time:.0f} s, {len(true)} measurements, odometry is off by {error:.2f} m')
