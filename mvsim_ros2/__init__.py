# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Light vehicle and sensor simulator for ROS 2.

The names below are loaded on first use, so that a part of the package can be imported
without what the other parts need.

>>> from mvsim_ros2 import Simulation, world_path
>>> simulation = Simulation.from_file(world_path('demo'), seed=1)
>>> simulation.vehicles['robot'].set_twist(0.5, 0.2)
>>> observations = simulation.step(200)  # a second
>>> sorted({observation.sensor for observation in observations})
['robot/imu', 'robot/scan']
"""

from mvsim_ros2.base.lazy import lazy_names
from mvsim_ros2.base.moved import keep_former_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from mvsim_ros2.base.package_files import world_path  # noqa: I300
    from mvsim_ros2.errors import MvsimError
    from mvsim_ros2.frames import Pose
    from mvsim_ros2.pictures.top_view import top_view
    from mvsim_ros2.simulation.simulation import Simulation
    from mvsim_ros2.window.view import view
    from mvsim_ros2.world.file.load import load_world
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['__version__', 'load_world', 'MvsimError', 'Pose', 'Simulation', 'top_view', 'view',
           'world_path']

__version__ = '0.2.0'  # as in setup.py and package.xml

keep_former_names()
