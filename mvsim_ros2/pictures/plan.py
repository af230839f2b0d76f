# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The present state of a simulation from above."""

from pathlib import Path
from typing import TYPE_CHECKING

from mvsim_ros2.pictures.top_view import draw_top_view
from mvsim_ros2.simulation import Simulation

if TYPE_CHECKING:
    from PIL.Image import Image


def top_view(simulation: Simulation) -> 'Image':
    """
    Return the present state of a simulation from above, as a Pillow image; x is to the right.

    :raises RecordingError: where Pillow is missing or the picture would be too large.

    >>> from mvsim_ros2 import Simulation, top_view, world_path
    >>> simulation = Simulation.from_file(world_path('empty'))
    >>> simulation.run(0.5)
    >>> top_view(simulation).mode
    'RGB'
    """
    things = [*simulation.vehicles.values(), *simulation.blocks.values(),
              *simulation.actors.values()]
    return draw_top_view(
        simulation.world, poses={thing.name: thing.pose for thing in things},
        steering={name: vehicle.wheels['steer'].tolist()
                  for name, vehicle in simulation.vehicles.items()},
        title=f'{Path(simulation.world.path).name}, {simulation.time:g} s')
