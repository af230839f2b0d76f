# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The named poses of a world in `simulation_interfaces`."""

import importlib
from typing import Any

from geometry_msgs.msg import Vector3

from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.services.bounds import BOX
from mvsim_ros2.ros.services.entity_infos import passes
from mvsim_ros2.ros.services.results import NOT_FOUND, RequestError
from mvsim_ros2.ros.simulation_loop import SimulationLoop

# service -> its features in SimulatorFeatures
FEATURES = {'GetNamedPoses': ('NAMED_POSES',), 'GetNamedPoseBounds': ('POSE_BOUNDS',)}


class NamedPoses:
    """Responses to requests about named poses."""

    def __init__(self, loop: SimulationLoop) -> None:
        """Answer for the present world of the loop."""
        self._loop = loop

    def get_named_poses(self, request: Any, response: Any) -> None:
        """List those that pass the filter."""
        make = importlib.import_module('simulation_interfaces.msg').NamedPose
        for each in self._loop.context.simulation.world.named_poses:
            if passes(request.tags, each.tags):
                message = make(name=each.name, description=each.description,
                               tags=list(each.tags))
                state_messages.fill_pose(message.pose, each.pose)
                response.poses.append(message)

    def get_named_pose_bounds(self, request: Any, response: Any) -> None:
        """Give the free box around one in its frame, empty bounds where none is known."""
        places = {each.name: each for each in self._loop.context.simulation.world.named_poses}
        if request.name not in places:
            raise RequestError(NOT_FOUND, f'there is no named pose {request.name!r}, but '
                               f'{", ".join(places) or "none at all"}')
        x, y, z = places[request.name].size
        if z:
            response.bounds.type = BOX
            response.bounds.points = [Vector3(x=0.5 * x, y=0.5 * y, z=z),
                                      Vector3(x=-0.5 * x, y=-0.5 * y, z=0.0)]
