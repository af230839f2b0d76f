# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the node makes of the names in a world before its first step, without ROS."""

import numpy as np

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.transform_messages import check_frames
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.simulation import Simulation


def check_names(simulation: Simulation, settings: Settings | None = None) -> None:
    """
    Choose the names of topics and frames as the node does, and read the robot descriptions.

    :param settings: of the node; by default those without parameters.
    :raises MvsimError: what would stop the node.
    """
    names = Namespaces(settings or Settings(), list(simulation.vehicles))
    names.sensors(simulation.sensors.values())
    check_frames(simulation, names)
    types = MessageTypes(_no_class, np.asarray)
    for name, vehicle in simulation.vehicles.items():
        RobotModel(types, vehicle, names.frames(name), [
            sensor for sensor in simulation.sensors.values() if sensor.vehicle == name])


def _no_class(package: str, name: str) -> None:
    raise MvsimError(f'there is no message {package}/{name}: messages are not made here')
