# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draw the moving picture of the README: `python docs/figures/moving.py`."""

from math import pi
from pathlib import Path

from mvsim_ros2 import Pose
from mvsim_ros2 import Simulation
from mvsim_ros2 import world_path
from mvsim_ros2.viewer import automatic_view
from mvsim_ros2.viewer import draw_view
from mvsim_ros2.viewer import measure_all

FILE = Path(__file__).resolve().parents[1] / 'images/demo.webp'
FRAMES, EACH = 20, 0.25  # and the time between two of them [s]
SIZE = 480, 270


def draw() -> None:
    """Let the robot of the demo come down the main aisle."""
    simulation = Simulation.from_file(world_path('demo'), seed=1)
    robot = simulation.vehicles['robot']
    simulation.set_pose('robot', Pose(x=6.2, y=-0.5, yaw=pi))
    robot.set_twist(0.7, -0.05)
    view = automatic_view(simulation, *SIZE, (-0.6, -1.2, 2.1), (4.5, 0.2, 0.1))
    pictures = []
    for _ in range(FRAMES):
        simulation.run(EACH)
        pictures.append(draw_view(simulation, view, measure_all(simulation)).convert('RGB'))
    pictures[0].save(FILE, save_all=True, append_images=pictures[1:], loop=0, quality=70,
                     duration=round(1000 * EACH), method=4)


if __name__ == '__main__':
    draw()
