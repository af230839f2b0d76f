# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Putting things elsewhere by a message: `~/set_pose` for all, `initialpose` for vehicles."""

from functools import partial
from typing import Any

from geometry_msgs.msg import Pose as PoseMessage
from geometry_msgs.msg import PoseWithCovarianceStamped
from geometry_msgs.msg import TransformStamped
from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.messages.qos import COMMAND
from mvsim_ros2.ros import entities
from mvsim_ros2.ros.inbox import Inbox
from mvsim_ros2.ros.qos import profile
from mvsim_ros2.ros.stage import Stage


class Teleport:
    """
    Puts vehicles and blocks elsewhere, at rest.

    `~/set_pose` takes the name of the thing as `child_frame_id`. `initialpose`, what RViz's "2D
    Pose Estimate" publishes, moves the vehicle itself and no belief of it: height, pitch and
    roll stay.
    """

    def __init__(self, node: Node, stage: Stage, world_frame: str, by_initialpose: bool,
                 inbox: Inbox) -> None:
        """
        Subscribe.

        :param world_frame: name of the frame that poses are in; 'world' and '' mean it too.
        :param by_initialpose: False leaves `initialpose` to a localization.
        """
        self._node, self._stage, self._inbox = node, stage, inbox
        self._frames, self._by_initialpose = (world_frame, 'world', ''), by_initialpose
        self._subscriptions: dict[str, Any] = {}
        node.create_subscription(TransformStamped, '~/set_pose', self._take, profile(COMMAND))
        self.update()

    def show(self, stage: Stage) -> None:
        """Move the vehicles of another stage from now on."""
        self._stage = stage
        while self._subscriptions:
            self._node.destroy_subscription(self._subscriptions.popitem()[1])
        self.update()

    def update(self) -> None:
        """Follow vehicles that came or went."""
        if not self._by_initialpose:
            return
        vehicles = self._stage.simulation.vehicles
        for name in self._subscriptions.keys() - vehicles.keys():
            self._node.destroy_subscription(self._subscriptions.pop(name))
        for name in vehicles.keys() - self._subscriptions.keys():
            self._subscriptions[name] = self._node.create_subscription(
                PoseWithCovarianceStamped, f'{self._stage.names.topics(name)}initialpose',
                partial(self._take_initial, name), profile(COMMAND))

    def _take(self, message: TransformStamped) -> None:
        pose, place = PoseMessage(), message.transform.translation
        pose.position.x, pose.position.y, pose.position.z = place.x, place.y, place.z
        pose.orientation = message.transform.rotation
        self._inbox.post(partial(
            self._put, message.child_frame_id, pose, message.header.frame_id, planar=False))

    def _take_initial(self, name: str, message: PoseWithCovarianceStamped) -> None:
        self._inbox.post(partial(
            self._put, name, message.pose.pose, message.header.frame_id, planar=True))

    def _put(self, name: str, message: PoseMessage, frame: str, planar: bool) -> None:
        simulation = self._stage.simulation
        try:
            pose = entities.place(message, frame, self._frames)
            if planar:
                now = entities.entity(simulation, name)[0].pose
                pose = Pose(pose.x, pose.y, now.z, pose.yaw, now.pitch, now.roll)
            simulation.set_pose(name, pose)
        except MvsimError as error:
            self._node.get_logger().warning(f'{name!r} cannot be put elsewhere: {error}')
