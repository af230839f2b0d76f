# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
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
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.publishers.qos_profiles import profile
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.world_context import WorldContext


class SetPoseInputs:
    """
    Puts vehicles and blocks elsewhere, at rest.

    `~/set_pose` takes the name of the thing as `child_frame_id`. `initialpose`, what RViz's "2D
    Pose Estimate" publishes, moves the vehicle itself and no belief of it: height, pitch and
    roll stay.
    """

    def __init__(self, node: Node, stage: WorldContext, world_frame: str, by_initialpose: bool,
                 inbox: MainThreadQueue) -> None:
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

    def show(self, stage: WorldContext) -> None:
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
