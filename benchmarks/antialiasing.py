# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How far images are from such by 36 rays a pixel: root of the mean square of the error of a pixel.

A camera of 640 x 480 pixels looks ahead from the first vehicle of shipped worlds, as they begin.
Errors are those of the worst of three colours, 0 to 255. Run it as
`python benchmarks/antialiasing.py [WORLD ...]`.
"""

from dataclasses import replace
import sys

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.world.file import load_world
from mvsim_ros2.world.spec import CameraSpec

FINE = 6  # rays along each side of a pixel
OPTICAL = Pose(yaw=-np.pi / 2, roll=-np.pi / 2)
CAMERA = CameraSpec(name='ahead', pose=Pose(0.3, 0.0, 0.6).compose(OPTICAL))


def picture(name: str, camera: CameraSpec) -> NDArray[np.float64]:
    """Return what a camera on the first vehicle of a world sees, shape (rows, columns, 3)."""
    world = load_world(name)
    first, *others = world.vehicles
    alone = replace(first, sensors=(camera,))
    simulation = Simulation(replace(world, vehicles=(alone, *others)))
    return np.asarray(simulation.measure(f'{first.name}/ahead').rgb, float)


def main() -> None:
    """Print the table."""
    fine = replace(
        CAMERA, renderer='cpu', ncols=FINE * CAMERA.ncols, nrows=FINE * CAMERA.nrows,
        fx=FINE * CAMERA.fx, fy=FINE * CAMERA.fy, cx=FINE * (CAMERA.cx + 0.5) - 0.5,
        cy=FINE * (CAMERA.cy + 0.5) - 0.5)
    print(f'{"world":12}{"OpenGL":>8}{"antialiased":>13}{"rays":>8}{"antialiased":>13}')
    for name in sys.argv[1:] or ['warehouse', 'orchard', 'office']:
        rows = picture(name, fine)
        rows = rows.reshape(CAMERA.nrows, FINE, CAMERA.ncols, FINE, 3).mean(axis=(1, 3))
        found = []
        for renderer in ('gl', 'cpu'):
            for smooth in (False, True):
                wrong = rows - picture(
                    name, replace(CAMERA, renderer=renderer, antialiasing=smooth))
                found.append(np.sqrt((wrong ** 2).mean(axis=(0, 1))).max())
        print(f'{name:12}{found[0]:8.1f}{found[1]:13.1f}{found[2]:8.1f}{found[3]:13.1f}')


if __name__ == '__main__':
    main()
