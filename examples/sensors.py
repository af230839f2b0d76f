# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measure with the sensors of the world `sensors`, and draw what they see.

    python examples/sensors.py [FOLDER]
"""

from pathlib import Path
import sys

from mvsim_ros2 import Simulation, world_path
from mvsim_ros2.pictures import automatic_view, draw_view, measure_all, save_picture

folder = Path(*sys.argv[1:] or ['out'])
simulation = Simulation.from_file(world_path('sensors'), seed=1)
simulation.vehicles['robot'].set_twist(0.5, 0.3)
simulation.run(1.0)
for name, sensor in simulation.sensors.items():
    print(f'{name}: {sensor.measure()}')
view = automatic_view(simulation, 880, 496)
save_picture(draw_view(simulation, view, measure_all(simulation)), folder / 'sensors.png')
