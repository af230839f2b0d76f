# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Light vehicle and sensor simulator for ROS 2.

The names below are loaded on first use, so that a part of the package can be imported
without what the other parts need.
"""

from importlib import import_module
import logging
from typing import Any
from typing import TYPE_CHECKING

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose

if TYPE_CHECKING:
    from mvsim_ros2.simulation import Simulation
    from mvsim_ros2.world_file.load import load_world

__all__ = ['load_world', 'MvsimError', 'Pose', 'Simulation']

_LAZY = {'Simulation': 'mvsim_ros2.simulation', 'load_world': 'mvsim_ros2.world_file.load'}

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    """Import the public name `name` on first use."""
    if name not in _LAZY:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(_LAZY[name]), name)
